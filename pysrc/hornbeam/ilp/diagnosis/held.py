"""What a theory gets wrong on held-out examples, and where: the literal that fails, or the rule that covers wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hornbeam.logic.terms import Term, to_text
from hornbeam.tasks.problem import ExampleTask, Held, Problem
from hornbeam.theory import Bench, Theory


@dataclass(frozen=True, slots=True)
class HeldError:
    """A held-out example that a theory gets wrong.

    Attributes:
        split: `valid` or `test`.
        example: The example.
        positive: Whether it should follow.
        clause: The number of the clause to blame, from 0: of a positive the one that comes nearest, of a negative the
            first that covers it. None where no head is like the example.
        literal: Of a positive, the literal of that clause at which it fails.
    """

    split: str
    example: Term
    positive: bool
    clause: int | None
    literal: Term | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "split": self.split,
            "example": to_text(self.example),
            "expected": self.positive,
            "clause": None if self.clause is None else self.clause + 1,
            "literal": None if self.literal is None else to_text(self.literal),
        }

    def __str__(self) -> str:
        if self.clause is None:
            reason = "no clause has such a head" if self.positive else "covered"
        elif self.literal is not None:
            reason = f"clause {self.clause + 1} comes nearest and fails at {to_text(self.literal)}"
        else:
            reason = f"covered by clause {self.clause + 1}"
        return f"{to_text(self.example)}: {reason}"


def held_errors(problem: Problem, theory: Theory) -> tuple[HeldError, ...]:
    """All held-out examples that a theory gets wrong, split by split.

    Args:
        problem: A problem of the view `examples`.
        theory: The learned theory.

    Returns:
        The errors of each split, missed positives first.
    """
    task = problem.task
    if not isinstance(task, ExampleTask):
        return ()
    errors: list[HeldError] = []
    for split, held in problem.held.items():
        # Where a split has no background of its own, that of training holds.
        errors += _split_errors(split, held, held.background or task.background, theory)
    return tuple(errors)


def counts(problem: Problem) -> Mapping[str, int]:
    """How many examples each split holds."""
    return {split: len(held.positive) + len(held.negative) for split, held in problem.held.items()}


def _split_errors(split: str, held: Held, background: str, theory: Theory) -> list[HeldError]:
    with Bench(background) as bench:
        covered = bench.judge(theory, [*held.positive, *held.negative]).covered
        missed = [atom for atom, hit in zip(held.positive, covered, strict=False) if not hit]
        wrong = [atom for atom, hit in zip(held.negative, covered[len(held.positive) :], strict=True) if hit]
        reached = bench.furthest(theory, [*missed, *wrong])
    errors = [_missed(split, atom, found, theory) for atom, found in zip(missed, reached, strict=False)]
    return errors + [
        _covered(split, atom, found, theory) for atom, found in zip(wrong, reached[len(missed) :], strict=True)
    ]


def _missed(split: str, example: Term, reached: Mapping[int, int], theory: Theory) -> HeldError:
    """Nearest is the clause with the fewest literals left."""
    bodies = [clause.body for clause in theory.clauses]
    open_clauses = [number for number, size in reached.items() if size < len(bodies[number])]
    if not open_clauses:
        return HeldError(split, example, True, None)
    nearest = min(open_clauses, key=lambda number: (len(bodies[number]) - reached[number], number))
    return HeldError(split, example, True, nearest, bodies[nearest][reached[nearest]])


def _covered(split: str, example: Term, reached: Mapping[int, int], theory: Theory) -> HeldError:
    whole = [number for number, size in sorted(reached.items()) if size == len(theory.clauses[number].body)]
    return HeldError(split, example, False, whole[0] if whole else None)
