"""Compares a theory with the true one of a dataset: the verdict, the rules side by side, the samples that differ.

>>> from hornbeam.theory import Theory
>>> theory = Theory.parse("ancestor(Tree, X, Y) :- parent(Tree, X, Y).")
>>> print(Case.of(ds, None).verdict(theory).short)
refuted
>>> difference = diff_on(ds, theory)
>>> print(str(difference).splitlines()[0][:8])
refuted:
>>> difference.own.asked == {"train": len(ds.train), "valid": len(ds.valid), "test": len(ds.test)}
True
>>> difference.own.differences[0].learned
'false'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError
from hornbeam.tasks.court import FRESH, Court, NotComparable
from hornbeam.tasks.courtroom import UNDECIDED, Courtroom
from hornbeam.theory import Budget, Diff, Theory, diff, read
from hornbeam.theory.budget import AMPLE
from hornbeam.theory.files import read_header
from hornbeam.theory.reading import file_text
from hornbeam.theory.renaming import parse_renaming, renamed
from hornbeam.theory.verdict import INCOMPARABLE, OwnSamples, SampleDifference

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.theory import Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """The task of a dataset that theories are judged on. It can be sent to another process.

    Attributes:
        folder: The dataset's folder.
        task: The task; None if one theory is true of all tasks.
        options: Of the family's tasks, e.g. the encoding that the theory is written in.
        fresh: How many fresh samples to draw where nothing can be proven.
        seed: Of the fresh samples; None for one derived from the dataset's own.
    """

    folder: Path
    task: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    fresh: int = FRESH
    seed: int | None = None

    @classmethod
    def of(
        cls, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None, *, fresh: int = FRESH
    ) -> Case:
        return cls(dataset.path.absolute(), task, dict(options or {}), fresh)

    def verdict(self, theory: Theory) -> Verdict:
        """The verdict of the family's court; see :meth:`hornbeam.tasks.court.Court.verdict`."""
        from hornbeam.data.dataset import Dataset

        dataset = Dataset(self.folder)
        court = dataset.family.court(dataset, self.task, self.options)
        return court.verdict(theory, fresh=self.fresh, seed=self.seed)


# The dataset's own samples --------------------------------------------------------------------------------------------


def own_differences(court: Court, theory: Theory) -> OwnSamples:
    """Ask the truth and a theory the dataset's own samples, in SWI-Prolog, as `compare/1` does in plain `swipl`.

    Returns:
        Counts by split, and each sample on which they differ with both answers.

    Raises:
        UsageError: if the theory calls an undefined predicate.
    """
    with Courtroom(court.dataset) as room:
        expected = room.expected()
        wanted = court.dataset.samples if court.task is None else court.dataset.task(court.task)
        samples = [sample for sample in wanted if sample.id in expected]
        names = [sample.id for sample in samples]
        true, learned = room.truth(names), court.answers(room, court.defined(theory), names)
    differences = tuple(
        SampleDifference(sample.id, sample.task, sample.split, right, said)
        for sample, right, said in zip(samples, true, learned, strict=True)
        if right not in (said, UNDECIDED)
    )
    return OwnSamples(dict(Counter(sample.split for sample in samples)), differences)


# Theories of files ----------------------------------------------------------------------------------------------------


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

    For the other arguments see :func:`hornbeam.diff`.

    Args:
        dialect: What printed the theory.
        rename: Names of the dataset's predicates for those of the theory, see :func:`hornbeam.theory.diff`.
        samples: Facts to show of each kind, where the family has facts to compare theories on.
        budget: For what the theories derive from these facts.

    Returns:
        The verdict of the dataset's court, the rules side by side, and the dataset's own samples on which they differ.

    Raises:
        UsageError: if the theory calls an undefined predicate, or the dataset has no such task.
    """
    one = given(source, dialect=dialect)
    one = replace(one, theory=renamed(one.theory, parse_renaming(rename)))
    court = court_of(dataset, one, task=task, options=options)
    theory = court.defined(one.theory)
    verdict = court.verdict(one.theory, fresh=fresh, seed=seed)
    true, learned, notes = _aligned(court, theory)
    facts = dataset.family.evaluation_facts(dataset, court.task) if len(true) else None
    difference = diff(true, learned, judged=verdict, facts=facts, samples=samples, budget=budget)
    own = own_differences(court, one.theory) if verdict.kind != INCOMPARABLE else None
    return replace(difference, own=own, notes=(*difference.notes, *notes))


def court_of(
    dataset: Dataset, one: Given, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> Court:
    """The court for a theory: task and options are those that were asked for, or else those of its header."""
    named = task if task is not None else one.task
    if task is None and named is not None and named not in dataset.tasks:
        named = None  # a learner's own name for all tasks at once
    return dataset.family.court(dataset, named, options if options is not None else one.options)


def _aligned(court: Court, theory: Theory) -> tuple[Theory, Theory, tuple[str, ...]]:
    """Both theories in one vocabulary; if there is none, each in its own, with a note that says why."""
    try:
        true, learned = court.aligned(theory)
        return true, learned, ()
    except NotComparable as reason:
        try:
            return court.truth, theory, (f"the rules cannot be put side by side: {reason.message}",)
        except (NotComparable, UsageError):
            return Theory((), name="no true theory"), theory, ()
