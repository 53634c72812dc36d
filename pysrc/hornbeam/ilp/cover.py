"""The coverage of clauses, the cost of a theory, and the best theory that can be built from given clauses.

Without noise errors come first and then the size; with noise their sum is made small, which is the description length
of the theory and its errors. Coverage is a bit set: a Python integer with bit i set for example i. The best theory is
found exactly, by clingo's optimisation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Generic, Protocol, TypeVar

from hornbeam.ilp.watch import Watch
from hornbeam.logic.asp import engine
from hornbeam.resources import prolog


class Covering(Protocol):
    """A clause that may be part of a theory."""

    @property
    def size(self) -> int: ...
    @property
    def positive(self) -> int: ...
    @property
    def negative(self) -> int: ...


Some = TypeVar("Some", bound=Covering)


@dataclass(frozen=True, slots=True)
class Cover(Generic[Some]):
    """The pieces that were chosen, in their order. `proved` says that no other choice is better."""

    pieces: tuple[Some, ...]
    proved: bool


def replaces(one: Covering, other: Covering) -> bool:
    """Whether the first can be taken in the other's place: it covers as much, breaks no more, and is no larger."""
    return one.size <= other.size and not other.positive & ~one.positive and not one.negative & ~other.negative


def add_undominated(clauses: list[Some], new: Some) -> bool:
    """Add a clause, in place of those that it replaces; False if one that is there replaces it."""
    if any(replaces(clause, new) for clause in clauses):
        return False
    clauses[:] = [*(clause for clause in clauses if not replaces(new, clause)), new]
    return True


@dataclass(frozen=True, slots=True)
class Score:
    """How good a theory is."""

    size: int
    missed: int  # positive examples that it does not cover
    wrong: int  # negative examples that it covers

    @property
    def errors(self) -> int:
        return self.missed + self.wrong

    @property
    def length(self) -> int:
        """The description length of theory and errors."""
        return self.size + self.errors

    def key(self, noise: bool) -> tuple[int, int]:
        """The smaller the better."""
        return (self.length, self.errors) if noise else (self.errors, self.size)

    def claims(self, positives: int, negatives: int) -> dict[str, int]:
        """The counts of right and wrong answers that the judge checks, for so many examples."""
        right = positives - self.missed
        return {"tp": right, "fn": self.missed, "fp": self.wrong, "tn": negatives - self.wrong}


def score(clauses: Sequence[Covering], positives: int) -> Score:
    """The score of a theory of these clauses where there are so many positive examples."""
    covered, wrong = union(clause.positive for clause in clauses), union(clause.negative for clause in clauses)
    return Score(sum(clause.size for clause in clauses), positives - covered.bit_count(), wrong.bit_count())


def union(sets: Iterable[int]) -> int:
    """All examples that are in any of these bit sets."""
    return reduce(or_, sets, 0)


def best_cover(
    pieces: Sequence[Some], watch: Watch, *, noise: bool, most: int | None = None, conflicts: int
) -> Cover[Some]:
    """The best theory of at most `most` pieces, or the best found in time and within so many conflicts.

    The limit of conflicts is the same on every machine, and of equally good theories the same pieces in the same order
    give the same one.
    """
    options = ["--models=0", "--opt-strategy=usc,stratify", f"--solve-limit={conflicts}", "--seed=1"]
    facts = "\n".join(_facts(pieces, noise, most))
    control = engine.grounded(facts, files=[prolog("ilp", "cover.lp")], options=options)
    chosen: list[int] = []

    def keep(model: engine.Model) -> None:
        chosen[:] = sorted(symbol.arguments[0].number for symbol in model.symbols(shown=True))

    end = engine.search(control, keep, watch.time_is_up)
    return Cover(tuple(pieces[number] for number in chosen), end.exhausted)


def _facts(pieces: Sequence[Covering], noise: bool, most: int | None) -> Iterator[str]:
    yield f"errors_at({1 if noise else 2})."
    if most is not None:
        yield f"at_most({most})."
    yield from (f"piece({number},{piece.size})." for number, piece in enumerate(pieces))
    yield from _groups([piece.positive for piece in pieces], "wanted", "covers")
    yield from _groups([piece.negative for piece in pieces], "unwanted", "breaks")


def _groups(covers: Sequence[int], group: str, relation: str) -> Iterator[str]:
    """Examples that the same pieces cover are one group with their number as weight."""
    for index, (numbers, examples) in enumerate(_alike(covers)):
        yield f"{group}({index},{examples.bit_count()})."
        yield from (f"{relation}({number},{index})." for number in numbers)


def _alike(covers: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """The sets of examples that the same covers have, each with the numbers of these covers.

    >>> _alike([0b0111, 0b1100])
    [((0,), 3), ((0, 1), 4), ((1,), 8)]
    """
    groups: list[tuple[tuple[int, ...], int]] = []
    seen = 0
    for number, cover in enumerate(covers):
        parted: list[tuple[tuple[int, ...], int]] = []
        for numbers, examples in groups:
            inside = examples & cover
            if examples != inside:
                parted.append((numbers, examples & ~inside))
            if inside:
                parted.append(((*numbers, number), inside))
        new = cover & ~seen
        groups = [*parted, ((number,), new)] if new else parted
        seen |= cover
    return groups
