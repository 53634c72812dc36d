"""How good a dataset is: labels, leaks, repeated facts, what gives noise away, and how well the rules show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from hornbeam.data.audit import Copies, balance
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import read_json
from hornbeam.family import Audit
from hornbeam.logic import Compound
from hornbeam.progress import Progress, no_progress
from hornbeam.rudas.check import check
from hornbeam.rudas.knowledge import category_of, closing_rules
from hornbeam.rudas.learnability import StoredEvidence, totals
from hornbeam.rudas.record import fact_row, theories


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """The audit of a dataset; a fact may be in the training and in the fresh world, but only once in each."""
    checked = check(dataset, progress)
    copies = Copies()
    for sample in dataset.samples:
        copies.add((sample.task, fact_row(sample)), sample.split)
    leaks = copies.leaks()
    share = checked.confirmed / checked.samples if checked.samples else None
    return Audit(
        samples=checked.samples,
        derivable=share,
        unique=share,
        duplicates=copies.duplicates,
        leaks={"train/valid": leaks.get("train/valid", 0)},
        shortcuts={**_noise_by_predicate(dataset)},
        balance=balance(dataset.samples),
        details={
            "also_in_fresh_world": leaks.get("train/test", 0),
            "depths": _depths(dataset.samples),
            "learnability": learnability(dataset),
            "categories": _categories(dataset),
        },
    )


def _noise_by_predicate(dataset: Dataset) -> dict[str, float | None]:
    """How well noise is told from truth by the predicate alone: predicates without a rule occur in noise only."""
    counts: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for sample in dataset.train:
        counts[sample.task, fact_row(sample)[0]][sample.label == "noise"] += 1
    total = len(dataset.train)
    noise = sum(group[True] for group in counts.values())
    return {
        "noise_by_predicate": sum(max(group.values()) for group in counts.values()) / total if total else None,
        "noise_majority": max(noise, total - noise) / total if total else None,
    }


def _categories(dataset: Dataset) -> dict[str, Json]:
    """How many rule graphs Prolog proves to be of the category and depth that rules.pl names.

    Graphs that share predicates have no rules of their own on disk and are counted apart.
    """
    counts: Counter[str] = Counter(proven=0, refuted=0, shared=0)
    for theory in theories(dataset).values():
        closing = [rule for kind, predicate in theory.properties for rule in closing_rules(kind, predicate)]
        rules = [Compound("rule", (clause.head, list(clause.body))) for clause in theory.clauses]
        own = rules[: len(rules) - len(closing)]
        for stated in theory.components:
            if category_of(own, stated.target) == (stated.category, stated.depth):
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
    reports = [verdict for task in dataset.tasks for verdict in verdicts(dataset, task)]
    return {**totals(reports)} if reports else {}


def verdicts(dataset: Dataset, task: str) -> list[StoredEvidence]:
    """The learnability report of a task; empty if none was asked for."""
    path = dataset.path / task / "learnability.json"
    report: list[StoredEvidence] = read_json(path, list[StoredEvidence]) if path.is_file() else []
    return report
