"""The difference between a learned theory and the truth of its dataset: the dataset knows the truth.

>>> made = diff_on(ds, "ancestor(Tree, X, Y) :- parent(Tree, X, Y).")
>>> print(str(made).splitlines()[0][:8])
refuted:
>>> made.own.asked == {"train": len(ds.train), "valid": len(ds.valid), "test": len(ds.test)}
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import DatasetError, UsageError
from hornbeam.tasks.court import FRESH, Court, NotComparable
from hornbeam.tasks.verdicts import of_court
from hornbeam.theory import Budget, Diff, Theory, diff, read
from hornbeam.theory.budget import AMPLE
from hornbeam.theory.files import read_header
from hornbeam.theory.reading import file_text
from hornbeam.theory.renaming import parse_renaming, renamed
from hornbeam.theory.verdict import INCOMPARABLE

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Given:
    """A theory, and what the header of its file says of it."""

    theory: Theory
    task: str | None = None
    options: Mapping[str, str] | None = None


def given(source: Theory | str | Path, *, dialect: str = "auto") -> Given:
    """A theory with the task and the options that the header of its file names.

    Args:
        source: A theory, its text, or the Path of its file.
        dialect: What printed it.

    Raises:
        UsageError: if the file cannot be read.
        PrologSyntaxError: if it is not Prolog.
    """
    if isinstance(source, Theory):
        return Given(source)
    text = file_text(source) if isinstance(source, Path) else source
    name = str(source) if isinstance(source, Path) else None
    header = read_header(text)
    return Given(read(text, dialect=dialect, name=name), header.get("task"), options_of(header))


def options_of(header: Mapping[str, str]) -> dict[str, str] | None:
    """The options that a header names, as `key=value, key=value`.

    >>> options_of({"learner": "mdie", "options": "encoding=natural, background=mid"})
    {'encoding': 'natural', 'background': 'mid'}
    """
    parts = [part.partition("=") for part in header.get("options", "").split(", ") if "=" in part]
    return {name.strip(): value.strip() for name, _, value in parts} or None


def diff_on(
    dataset: Dataset,
    source: Theory | str | Path,
    *,
    task: str | None = None,
    options: Mapping[str, str] | None = None,
    fresh: int = FRESH,
    seed: int | None = None,
    dialect: str = "auto",
    rename: Mapping[str, str] | Iterable[str] = (),
    samples: int = 20,
    budget: Budget = AMPLE,
) -> Diff:
    """How a learned theory differs from the truth of its dataset, in the language that it was learned in.

    Args:
        dataset: The dataset that it was learned from.
        source: The theory, its text, or the Path of its file.
        task: The task; by default the one that the file's header names.
        options: Of the family's tasks (encoding, background); by default those of the header.
        fresh: How many fresh samples to draw where nothing can be proven.
        seed: Of the fresh samples.
        dialect: What printed the theory.
        rename: Names of the dataset's predicates for those of the theory, see :func:`hornbeam.theory.diff`.
        samples: Facts to show of each kind, where the family has facts to compare theories on.
        budget: For what the theories derive from these facts.

    Returns:
        The verdict of the dataset's court, the rules side by side, and the dataset's own samples on which they differ.

    Raises:
        UsageError: if the theory calls a predicate that nobody defines, or the dataset has no such task.
    """
    one = given(source, dialect=dialect)
    one = replace(one, theory=renamed(one.theory, parse_renaming(rename)))
    court = court_of(dataset, one, task=task, options=options)
    theory = court.defined(one.theory)
    verdict = court.verdict(one.theory, fresh=fresh, seed=seed)
    true, learned, notes = _aligned(court, theory)
    facts = dataset.family.evaluation_facts(dataset, court.task) if len(true) else None
    made = diff(true, learned, judged=verdict, facts=facts, samples=samples, budget=budget)
    own = of_court(court, one.theory) if verdict.kind != INCOMPARABLE else None
    return replace(made, own=own, notes=(*made.notes, *notes))


def court_of(
    dataset: Dataset, one: Given, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> Court:
    """Who judges a theory: task and options are those that were asked for, or else those of its header."""
    named = task if task is not None else one.task
    if task is None and named is not None and named not in dataset.tasks:
        named = None  # a learner's own name for all tasks at once
    return dataset.family.court(dataset, named, options if options is not None else one.options)


def _aligned(court: Court, theory: Theory) -> tuple[Theory, Theory, tuple[str, ...]]:
    """Both theories in one vocabulary; where there is none, each in its own, with a note that says why."""
    try:
        true, learned = court.aligned(theory)
        return true, learned, ()
    except NotComparable as reason:
        try:
            return court.truth, theory, (f"the rules cannot be put side by side: {reason.message}",)
        except (NotComparable, UsageError, DatasetError):
            return Theory((), name="no true theory"), theory, ()
