"""The best theory that can be made of the good clauses of all seeds: exactly, by clingo's optimisation.

Without noise errors come first and then the size; with noise their sum is made small, which is the description length
of the theory and its errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import clingo

from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Clause
from hornbeam.resources import prolog

_LOOK = 0.1  # seconds between looks at the clock
_CONFLICTS = 50_000  # limit of the optimisation: the same on every machine


@dataclass(frozen=True, slots=True)
class Found:
    """A good clause, and the numbers of the examples that it covers."""

    clause: Clause
    positive: frozenset[int]
    negative: frozenset[int]

    @property
    def size(self) -> int:
        return 1 + len(self.clause.body)

    def replaces(self, other: Found) -> bool:
        """Whether nothing is lost if it is taken in the other's place."""
        return self.size <= other.size and self.positive >= other.positive and self.negative <= other.negative


@dataclass(frozen=True, slots=True)
class Worth:
    """How good a theory is, by what it gets right and wrong."""

    missed: int  # positives that it does not cover
    wrong: int  # negatives that it covers
    size: int
    clauses: int

    def key(self, noise: bool) -> tuple[int, ...]:
        """The smaller the better."""
        errors = self.missed + self.wrong
        return (errors + self.size, errors, self.clauses) if noise else (errors, self.size, self.clauses)


def worth(theory: Sequence[Found], positives: int) -> Worth:
    """What a theory is worth where there are so many positive examples."""
    proved: frozenset[int] = frozenset().union(*(found.positive for found in theory))
    wrong: frozenset[int] = frozenset().union(*(found.negative for found in theory))
    return Worth(positives - len(proved), len(wrong), sum(found.size for found in theory), len(theory))


class Pool:
    """Good clauses, none of which another replaces, in the order in which they were found."""

    def __init__(self) -> None:
        self.clauses: list[Found] = []

    def add(self, found: Found) -> bool:
        """Add a clause; False where one that is there replaces it."""
        if any(other.replaces(found) for other in self.clauses):
            return False
        self.clauses = [other for other in self.clauses if not found.replaces(other)]
        self.clauses.append(found)
        return True


def select(pool: Sequence[Found], watch: Watch, *, noise: bool, most: int | None = None) -> tuple[list[Found], bool]:
    """The best theory of clauses of the pool, and whether it is proved to be that."""
    control = clingo.Control(
        ["--opt-strategy=usc,stratify", f"--solve-limit={_CONFLICTS}", "--warn=none"], logger=lambda *_: None
    )
    control.load(str(prolog("mdie", "selection.lp")))
    control.add("base", [], "\n".join(_facts(pool, noise, most)))
    control.ground([("base", [])])
    chosen: list[int] = []

    def keep(model: clingo.Model) -> None:
        chosen[:] = sorted(symbol.arguments[0].number for symbol in model.symbols(shown=True))

    with control.solve(on_model=keep, async_=True) as handle:
        while not handle.wait(_LOOK):
            if watch.time_is_up():
                handle.cancel()
                break
        proved = bool(handle.get().exhausted)
    theory = [pool[number] for number in chosen]
    return sorted(theory, key=lambda found: -len(found.positive)), proved


def _facts(pool: Sequence[Found], noise: bool, most: int | None) -> Iterator[str]:
    yield f"loss({1 if noise else 2})."
    if most is not None:
        yield f"most({most})."
    for number, found in enumerate(pool):
        yield f"clause({number},{found.size})."
        yield from (f"proves({number},{example})." for example in sorted(found.positive))
        yield from (f"errs({number},{example})." for example in sorted(found.negative))
