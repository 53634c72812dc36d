"""The verdict on a theory of a dataset, and the dataset's own samples on which it differs from the truth.

>>> from hornbeam.theory import Theory
>>> theory = Theory.parse("ancestor(Tree, X, Y) :- parent(Tree, X, Y).")
>>> print(verdict(ds, theory).short)
refuted
>>> [own.learned for own in own_differences(ds, theory).differences][:1]
['false']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.tasks.court import FRESH
from hornbeam.tasks.courtroom import UNDECIDED, Courtroom
from hornbeam.theory.verdict import OwnSamples, SampleDifference

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks.court import Court
    from hornbeam.theory import Theory, Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """What theories are judged on: a task of a dataset. It can be sent to a judge in another process.

    Attributes:
        folder: The dataset's folder.
        task: The task; None where one theory is true of all tasks.
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
        """The verdict; see :func:`verdict`."""
        from hornbeam.data.dataset import Dataset

        dataset = Dataset(self.folder)
        return verdict(dataset, theory, task=self.task, options=self.options, fresh=self.fresh, seed=self.seed)


def verdict(
    dataset: Dataset,
    theory: Theory,
    *,
    task: str | None = None,
    options: Mapping[str, str] | None = None,
    fresh: int = FRESH,
    seed: int | None = None,
) -> Verdict:
    """Judge a theory of a dataset.

    Args:
        dataset: The dataset that the theory is about.
        theory: The learned theory.
        task: The task, where each task has a true theory of its own.
        options: Of the family's tasks: the encoding that the theory is written in.
        fresh: How many fresh samples to draw where nothing can be proven.
        seed: Of the fresh samples.

    Returns:
        One of the four kinds of verdicts; "not comparable" where there is no truth to compare with.

    Raises:
        UsageError: if the theory calls a predicate that nobody defines, or the dataset has no such task.
    """
    return dataset.family.court(dataset, task, options or {}).verdict(theory, fresh=fresh, seed=seed)


# The dataset's own samples --------------------------------------------------------------------------------------------


def own_differences(
    dataset: Dataset, theory: Theory, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> OwnSamples:
    """Ask the truth and a theory the dataset's own samples, in SWI-Prolog, as `compare/1` does in plain `swipl`.

    Args:
        dataset: The dataset.
        theory: The learned theory.
        task: The task, where each task has a true theory of its own.
        options: Of the family's tasks: the encoding that the theory is written in.

    Returns:
        Counts by split, and each sample on which they differ with both answers.

    Raises:
        UsageError: if the theory calls a predicate that nobody defines.
    """
    return of_court(dataset.family.court(dataset, task, options or {}), theory)


def of_court(court: Court, theory: Theory) -> OwnSamples:
    """:func:`own_differences`, where the court is known."""
    with Courtroom(court.dataset) as room:
        expected = room.expected()
        wanted = court.dataset.samples if court.task is None else court.dataset.task(court.task)
        samples = [sample for sample in wanted if sample.id in expected]
        names = [sample.id for sample in samples]
        true, learned = room.truth(names), answers(room, court, theory, names)
    differences = tuple(
        SampleDifference(sample.id, sample.task, sample.split, right, said)
        for sample, right, said in zip(samples, true, learned, strict=True)
        if right not in (said, UNDECIDED)
    )
    return OwnSamples(dict(Counter(sample.split for sample in samples)), differences)


def answers(room: Courtroom, court: Court, theory: Theory, names: list[str]) -> list[str]:
    """What a theory answers for each of these samples; one without rules says what the family calls silence."""
    whole = court.defined(theory)
    if not len(whole):
        return [court.silent] * len(names)
    room.hear(whole)
    return room.mine(names)
