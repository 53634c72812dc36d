"""Deriving every label again: Prolog in both encodings, and clingo from rules written apart.

A rule that came as text has no form for clingo. If it takes terms apart by itself it also has no meaning in the pointer
encoding; then the interpreter that makes proofs derives the label a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Sample
from hornbeam.family import Check
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import NamedRule, RuleText, Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.pictures import picture_of
from hornbeam.kandy.proving import clingo_labels, rule_key
from hornbeam.kandy.tree import Domain, Tree, from_json, prolog_text
from hornbeam.progress import Progress, no_progress

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


_BATCH = 500  # samples that are in memory at once


@dataclass(frozen=True, slots=True)
class SampleCheck:
    """What the reasoners say of a sample: their labels (1, 0, -1 for no end), none for a task without a
    rule. An imported sample may have no label to compare with."""

    sample: str
    label: bool | None
    labels: tuple[int, ...]
    sound: bool  # its tree is its Prolog text, and its proof proves its label

    @property
    def decided(self) -> bool:
        return self.label is not None and bool(self.labels) and -1 not in self.labels

    @property
    def confirmed(self) -> bool:
        return self.decided and self.sound and set(self.labels) == {int(bool(self.label))}


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirm each label by three derivations, or by two where the rule came as text."""
    config: KandyConfig = dataset.config
    counts = {"confirmed": 0, "refuted": 0, "undecided": 0}
    failures: list[str] = []
    done = 0
    with KandyLogic(config.domain) as logic:
        for task in config.tasks:
            samples = dataset.samples.task(task.id) if task.id in dataset.tasks else ()
            for sample in samples:
                picture_of(dataset, sample)
            for checked in sample_checks(task, samples, logic):
                outcome = "confirmed" if checked.confirmed else "refuted" if checked.decided else "undecided"
                counts[outcome] += 1
                if not checked.confirmed:
                    failures.append(checked.sample)
                done += 1
            progress(done, len(dataset.samples))
        reasoner = _reasoner(config.tasks, logic)
    return Check(samples=done, reasoner=reasoner, failures=tuple(failures), **counts)


def sample_checks(task: Task, samples: Sequence[Sample], logic: KandyLogic) -> Iterator[SampleCheck]:
    """What the reasoners say of each sample of a task."""
    for start in range(0, len(samples), _BATCH):
        yield from _batch_checks(task, list(samples[start : start + _BATCH]), logic)


def _batch_checks(task: Task, kept: Sequence[Sample], logic: KandyLogic) -> Iterator[SampleCheck]:
    trees = [tree_of(sample, logic.domain) for sample in kept]
    derived: list[list[int]] = []
    if task.rule is not None:
        rule = rule_key(task.rule, logic)
        second = logic.pointer_labels if logic.portable(rule) else logic.proof_labels
        derived = [logic.labels(rule, trees), second(rule, trees)]
    if isinstance(task.rule, NamedRule):
        derived.append(clingo_labels(task.rule.name, trees, logic.domain))
    for place, (sample, tree) in enumerate(zip(kept, trees, strict=True)):
        labels = tuple(column[place] for column in derived)
        label = None if sample.label is None else bool(sample.label)
        yield SampleCheck(sample.id, label, labels, _sound(sample, tree))


def _sound(sample: Sample, tree: Tree) -> bool:
    symbolic: Any = sample.symbolic
    proof: Any = sample.proof
    proves = proof.get("holds", sample.label)
    return bool(symbolic["prolog"] == prolog_text(tree) and proves == sample.label)


def _reasoner(tasks: Sequence[Task], logic: KandyLogic) -> str:
    """Who derived the labels, and where not all three did."""
    if all(task.rule is None for task in tasks):
        return "none: no task has a rule"
    prolog = "SWI-Prolog in the natural and the pointer encoding"
    named = sum(isinstance(task.rule, NamedRule) for task in tasks)
    texts = [rule_key(task.rule, logic) for task in tasks if isinstance(task.rule, RuleText)]
    bound = sum(not logic.portable(rule) for rule in texts)
    parts = [prolog, "and clingo" if named == len(tasks) else f"and clingo for {named} of {len(tasks)} tasks"]
    if bound:
        parts.append(f"and the proof interpreter in place of the pointer encoding for {bound}")
    return ", ".join(parts)


def tree_of(sample: Sample, domain: Domain) -> Tree:
    """The tree of a sample."""
    symbolic: Any = sample.symbolic
    return from_json(symbolic["tree"], domain)
