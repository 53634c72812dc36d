"""How good a dataset is: labels, leaks, repeated facts, what gives noise away, and how well the rules show."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from hornbeam.data.audit import balance
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Audit
from hornbeam.logic import Compound
from hornbeam.progress import Progress, no_progress
from hornbeam.rudas.check import check
from hornbeam.rudas.knowledge import category_of, closing_rules
from hornbeam.rudas.record import fact_row
from hornbeam.rudas.theory import theories


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """The audit of a dataset; a fact may be in the training and in the fresh world, but only once in each."""
    checked = check(dataset, progress)
    overlaps = Counter[str]()
    shortcut = _Stump()
    for task in dataset.tasks:
        overlaps.update(_overlaps(dataset.task(task)))
        shortcut.add(dataset.task(task))
    share = checked.confirmed / checked.samples if checked.samples else None
    return Audit(
        samples=checked.samples,
        derivable=share,
        unique=share,
        duplicates=overlaps["duplicates"],
        leaks={"train/valid": overlaps["train/valid"]},
        shortcuts={"noise_by_predicate": shortcut.accuracy(), "noise_majority": shortcut.majority()},
        balance=balance(dataset.samples),
        details={
            "also_in_fresh_world": overlaps["train/test"],
            "depths": _depths(dataset.samples),
            "learnability": learnability(dataset),
            "categories": _categories(dataset),
        },
    )


def _overlaps(samples: Iterable[Sample]) -> dict[str, int]:
    """Facts that are in two splits, or twice in one."""
    splits: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for sample in samples:
        splits[fact_row(sample)][sample.split] += 1
    return {
        "duplicates": sum(count - 1 for seen in splits.values() for count in seen.values()),
        "train/valid": sum(1 for seen in splits.values() if seen["train"] and seen["valid"]),
        "train/test": sum(1 for seen in splits.values() if seen["train"] and seen["test"]),
    }


class _Stump:
    """Tells noise from truth by the predicate alone: predicates without a rule occur in noise only."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)

    def add(self, samples: Any) -> None:
        for sample in samples.split("train"):
            self._counts[sample.task, fact_row(sample)[0]][sample.label == "noise"] += 1

    def _total(self) -> int:
        return sum(counts.total() for counts in self._counts.values())

    def accuracy(self) -> float | None:
        total = self._total()
        return sum(max(counts.values()) for counts in self._counts.values()) / total if total else None

    def majority(self) -> float | None:
        total = self._total()
        noise = sum(counts[True] for counts in self._counts.values())
        return max(noise, total - noise) / total if total else None


def _categories(dataset: Dataset) -> dict[str, Json]:
    """How many rule graphs Prolog proves to be of the category and depth that rules.pl names.

    Graphs that share predicates have no rules of their own on disk and are counted apart.
    """
    counts: Counter[str] = Counter(proven=0, refuted=0, shared=0)
    for theory in theories(dataset).values():
        closing = [rule for kind, predicate in theory.properties for rule in closing_rules(kind, predicate)]
        rules = [Compound("rule", (clause.head, list(clause.body))) for clause in theory.clauses]
        own = rules[: len(rules) - len(closing)]
        for part in theory.components:
            found = category_of(own, part.target)
            if found == (part.category, part.depth):
                counts["proven"] += 1
            else:
                counts["shared" if len(theory.components) > 1 else "refuted"] += 1
    return dict(counts)


def _depths(samples: Iterable[Sample]) -> dict[str, Json]:
    counts: Counter[int] = Counter()
    for sample in samples:
        proof: Any = sample.proof
        if proof and "depth" in proof:
            counts[proof["depth"]] += 1
    return {str(depth): count for depth, count in sorted(counts.items())}


def learnability(dataset: Dataset) -> dict[str, Json]:
    """The learnability reports of all tasks, in numbers."""
    totals: Counter[str] = Counter()
    for task in dataset.tasks:
        for verdict in verdicts(dataset, task):
            totals["rules"] += 1
            totals["without_example"] += verdict["covered"] == 0
            totals["with_same"] += bool(verdict["same"])
            totals["with_better"] += bool(verdict["better"])
    return dict(totals)


def verdicts(dataset: Dataset, task: str) -> list[Mapping[str, Any]]:
    """The learnability report of a task; empty where none was asked for."""
    path = dataset.path / task / "learnability.json"
    found: list[Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return found
