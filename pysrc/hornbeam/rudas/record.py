"""The fact that a sample states: as names, and as Prolog."""

from __future__ import annotations

from typing import Any

from hornbeam.data.sample import Sample

Row = tuple[str, ...]  # predicate and arguments


def fact_row(sample: Sample) -> Row:
    """The names in a sample's fact, the predicate's first."""
    given: Any = sample.input
    return (given["predicate"], *given["arguments"])


def fact_text(sample: Sample) -> str:
    """A sample's fact as Prolog text, without a full stop."""
    known: Any = sample.symbolic
    return str(known["prolog"])
