"""Explains in words why a fact has its label: the rules that derive it, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SAMPLES
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.logic import Clause, to_text
from hornbeam.rudas import knowledge
from hornbeam.rudas.record import fact_text, theories


def explain(dataset: Dataset, sample: Sample) -> str:
    """The label in words, and the smallest proof as a tree, each fact with its rule."""
    clauses = theories(dataset)[sample.task].clauses
    meaning = knowledge.meanings()[sample.split, str(sample.label)]
    lines = list(_tree(dataset, clauses, sample, 1))
    if not lines and sample.label in ("consequence", "removed"):  # of an imported dataset
        lines = ["   but it has no proof from facts of this dataset: see the output of `hornbeam check`"]
    return "\n".join([f"{fact_text(sample)}: {sample.label} ({meaning})", *lines])


def _tree(dataset: Dataset, clauses: list[Clause], sample: Sample, level: int) -> Iterator[str]:
    proof: Any = sample.proof
    if not proof or "depth" not in proof:
        return
    yield f"{'   ' * level}by rule {proof['rule']}: {to_text(clauses[proof['rule'] - 1])}"
    for name in proof["premises"]:
        premise = dataset.sample(name)
        below: Any = premise.proof
        # Depths fall from a fact to its premises, or a proof would not end.
        if below.get("depth", 0) >= proof["depth"]:
            message = f'sample {sample.id}: key "proof.premises": {name} is not of a smaller depth'
            raise DatasetError(message, file=str(dataset.path / SAMPLES))
        yield f"{'   ' * level}- {fact_text(premise)} ({premise.label})"
        yield from _tree(dataset, clauses, premise, level + 1)
