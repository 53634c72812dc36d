"""The family's part of the page of a dataset: rules, the rule graph drawn, facts by label, what can be learned."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.logic import Clause, Compound, to_text
from hornbeam.report.page import Section, table
from hornbeam.rudas import knowledge
from hornbeam.rudas.audit import verdicts
from hornbeam.rudas.drawing import rule_graph
from hornbeam.rudas.record import TaskTheory, fact_text, theories

_TASKS = 12  # shown one by one
_EXAMPLES = 6


def sections(dataset: Dataset) -> list[Section]:
    """A section for each of the first tasks, and one over all of them."""
    known = theories(dataset)
    shown = dataset.tasks[:_TASKS]
    made = [_overview(dataset, known)]
    made += [_task(dataset, task, known[task]) for task in shown]
    if len(dataset.tasks) > len(shown):
        rest = f"<p>{len(dataset.tasks) - len(shown)} more tasks are in the dataset's folders.</p>"
        made.append(Section("Further tasks", rest))
    return made


def picture(dataset: Dataset, sample: Sample) -> str:
    """A fact, what its label says of it, and the rules of its world."""
    theory = theories(dataset)[sample.task]
    meaning = knowledge.meanings()[sample.split, str(sample.label)]
    return (
        f"<p><code>{html.escape(fact_text(sample))}</code>: {html.escape(meaning)}.</p>"
        f"<figure>{rule_graph(theory.clauses)}<figcaption>The rule graph of {html.escape(sample.task)}: a rule stands "
        f"above those whose facts it needs.</figcaption></figure><pre>{html.escape(_numbered(theory.clauses))}</pre>"
    )


def typical(dataset: Dataset) -> list[Sample]:
    """The fact whose smallest proof is the deepest."""
    return [max(dataset.samples, key=_depth)]


def _depth(sample: Sample) -> int:
    proof: Any = sample.proof
    return int(proof.get("depth", 0)) if proof else 0


def _overview(dataset: Dataset, known: dict[str, TaskTheory]) -> Section:
    rows = []
    for task in dataset.tasks:
        theory = known[task]
        categories = ", ".join(f"{part.category} {part.depth}" for part in theory.components)
        recursive = sum(map(_recursive, theory.clauses))
        counts: Any = dataset.manifest.counts["tasks"]
        rows.append((task, categories, len(theory.clauses), recursive, *(counts[task].get(s, 0) for s in _SPLITS)))
    lead = (
        "<p>A sample is one fact. <b>train</b> is what a learner is given, <b>valid</b> is true in the same world and "
        "withheld, <b>test</b> is a fresh world of the same rules.</p>"
    )
    return Section("Rule sets", lead + table(("task", "category, depth", "rules", "recursive", *_SPLITS), rows))


_SPLITS = ("train", "valid", "test")


def _task(dataset: Dataset, task: str, theory: TaskTheory) -> Section:
    labels: Counter[tuple[str, str]] = Counter()
    depths: Counter[int] = Counter()
    examples: dict[tuple[str, str], list[str]] = {}
    for sample in dataset.task(task):
        key = (sample.split, str(sample.label))
        labels[key] += 1
        if len(examples.setdefault(key, [])) < _EXAMPLES:
            examples[key].append(fact_text(sample))
        proof: Any = sample.proof
        if proof and "depth" in proof:
            depths[proof["depth"]] += 1
    rows = [
        (split, label, count, knowledge.meanings()[split, label], ", ".join(examples[split, label]))
        for (split, label), count in sorted(labels.items(), key=lambda item: _order(item[0]))
    ]
    parts = [
        f"<figure>{rule_graph(theory.clauses)}<figcaption>The rule graph of {html.escape(task)}: a rule stands above "
        "those whose facts it needs.</figcaption></figure>",
        f"<pre>{html.escape(_numbered(theory.clauses))}</pre>",
        table(("split", "label", "facts", "meaning", "for example"), rows),
        "<h3>Depth of the smallest proofs</h3>" + table(("depth", "facts"), sorted(depths.items())),
        _learnability(dataset, task),
    ]
    properties = ", ".join(f"{predicate} is {kind}" for kind, predicate in theory.properties)
    if properties:
        parts.insert(2, f"<p>{html.escape(properties)}.</p>")
    return Section(task, "\n".join(parts))


def _order(key: tuple[str, str]) -> tuple[int, str]:
    return _SPLITS.index(key[0]), key[1]


def _numbered(clauses: Sequence[Clause]) -> str:
    return "\n".join(f"{number:2}  {to_text(clause)}" for number, clause in enumerate(clauses, start=1))


def _recursive(clause: Clause) -> bool:
    head = clause.head.functor if isinstance(clause.head, Compound) else clause.head
    return any(isinstance(atom, Compound) and atom.functor == head for atom in clause.body)


def _learnability(dataset: Dataset, task: str) -> str:
    found = verdicts(dataset, task)
    if not found:
        return ""
    rows = [
        (
            verdict["rule"],
            "too many instances to judge" if verdict["covered"] is None else verdict["covered"],
            verdict["predicted"],
            " ".join(verdict["same"]) or "none",
            " ".join(verdict["better"]) or "none",
        )
        for verdict in found
    ]
    header = ("rule", "given facts derived", "others derived", "derives exactly the same", "does better here")
    return "<h3>What the training facts can tell apart</h3>" + table(header, rows)
