"""The files of a dataset folder of RuDaS, by the original's names, and the rules for Prolog.

Facts stand one a line, without a blank and without a newline at the end, as the original writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.logic import quote
from hornbeam.rudas import knowledge
from hornbeam.rudas.config import Spec, described
from hornbeam.rudas.record import fact_row, fact_text
from hornbeam.rudas.rules import GraphRule, RuleSet, V, clause, rule_text


class TaskFiles:
    """Turns the samples of one task into pieces of its files, in their order."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        files = {name: pairs for name, pairs in knowledge.original_files().items() if name not in _absent(spec)}
        self._seen = {name: _Seen(1 << number) for number, name in enumerate(files)}
        # The files that each entity occurs in, as a mask: a set of names for each file would take as much memory again.
        self._entities: dict[str, int] = {}
        self._targets: dict[tuple[str, str], list[str]] = {}
        for name, pairs in files.items():
            for pair in pairs:
                self._targets.setdefault(pair, []).append(name)

    def pieces(self, sample: Sample) -> Iterator[tuple[str, str]]:
        """Where the fact goes: (path in the dataset, text to append)."""
        proof: Any = sample.proof
        for name in self._targets.get((sample.split, str(sample.label)), ()):
            # The original's train-cw-n.txt lacks noise that is not about a target.
            if name == "train-cw-n" and not self._spec.sound and sample.label == "noise" and not proof["target"]:
                continue
            seen = self._seen[name]
            yield self._path(name), ("\n" if seen.facts else "") + f"{fact_text(sample)}."
            relation, *entities = fact_row(sample)
            seen.facts += 1
            seen.relations.add(relation)
            for entity in entities:
                self._entities[entity] = self._entities.get(entity, 0) | seen.bit

    def end(self) -> Iterator[tuple[str, str]]:
        """What can only be written when all facts are known."""
        for name, seen in self._seen.items():
            if not seen.facts:
                yield self._path(name), ""
        training = [self._seen[name] for name in ("train", "train-cw-n") if name in self._seen]
        relations = {relation for seen in training for relation in seen.relations}
        bits = sum(seen.bit for seen in training)
        entities = [entity for entity, files in self._entities.items() if files & bits]
        yield self._path("relations"), "\n".join(sorted(relations, key=_natural))
        yield self._path("entities"), "\n".join(sorted(entities, key=_natural))
        yield self._path("log"), "\n".join(self._log())

    def _log(self) -> Iterator[str]:
        for setting, value in described(self._spec):
            yield f"{setting}: {value}"
        for name, seen in self._seen.items():
            constants = sum(files & seen.bit > 0 for files in self._entities.values())
            counts = f"predicates, {len(seen.relations)} , constants, {constants}"
            yield f"{name}: size, {seen.facts} , {counts}"

    def _path(self, name: str) -> str:
        return f"{self._spec.name}/{name}.txt"


@dataclass(slots=True)
class _Seen:
    """What a file holds so far."""

    bit: int  # stands for the file in the masks of entities
    facts: int = 0
    relations: set[str] = field(default_factory=set)


def _absent(spec: Spec) -> set[str]:
    """Files that the original does not write where a share is 0."""
    if spec.sound:
        return set()
    absent = {"train-ow", "test"} if spec.open_world == 0 else set()
    return absent | ({"train", "train-cw-n"} if spec.noise == 0 else set())


def _natural(name: str) -> tuple[str, int, str]:
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    return stem, int(digits or 0), name


def task_files(spec: Spec, samples: Iterable[Sample]) -> dict[str, bytes]:
    """All files of a task whose samples are at hand."""
    writer = TaskFiles(spec)
    texts: dict[str, list[str]] = {}
    for name, text in chain(chain.from_iterable(map(writer.pieces, samples)), writer.end()):
        texts.setdefault(name, []).append(text)
    return {name: "".join(pieces).encode() for name, pieces in texts.items()}


def streamed_files(specs: Mapping[str, Spec], samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
    """The files of the tasks that were made in blocks; those of others came with their shard."""
    writers: dict[str, TaskFiles] = {}
    for sample in samples:
        if sample.id.startswith("b", len(sample.task) + 1):
            if sample.task not in writers:
                writers[sample.task] = TaskFiles(specs[sample.task])
            yield from writers[sample.task].pieces(sample)
    for writer in writers.values():
        yield from writer.end()


# The rules --------------------------------------------------------------------------------------------------------


def theory_files(task: str, rules: RuleSet) -> dict[str, bytes]:
    """rules.txt of a task, and its piece of rules.pl."""
    return {
        f"{task}/rules.txt": "\n".join(rule_text(rule, rules) for rule in rules.rules).encode(),
        "rules.pl": "".join(_clauses(task, rules)).encode(),
    }


def _clauses(task: str, rules: RuleSet) -> Iterator[str]:
    name = quote(task)
    yield f"\n% {task}\n"
    for number, component in enumerate(rules.components, start=1):
        target = quote(rules.predicate(component.target))
        yield f"component({name}, {number}, {component.category}, {component.depth}, {target}).\n"
    for number, rule in enumerate(rules.rules, start=1):
        yield f"rule({name}, {number}, ({_rule(rule, rules)})).\n"
    for kind, predicate in rules.properties:
        yield f"property({name}, {kind}, {quote(rules.predicate(predicate))}).\n"


def _rule(rule: GraphRule, names: RuleSet) -> str:
    """A rule as a term that Prolog reads without a warning."""
    counts = Counter(arg for atom in rule.atoms for arg in atom.args if isinstance(arg, V))
    once = {variable for variable, count in counts.items() if count == 1}
    return str(clause(rule, names, once)).removesuffix(".")
