"""Why no better rule? What a theory gets wrong, what was nearly it, and what no rule can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.ilp.diagnosis.held import HeldError, counts, held_errors
from hornbeam.ilp.diagnosis.near import NearMiss, near_misses
from hornbeam.ilp.diagnosis.pairs import Inseparable, errors_at_least, inseparable
from hornbeam.logic.terms import Term, to_text
from hornbeam.tasks.problem import ExampleTask, Problem
from hornbeam.theory import Theory, judge

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Why:
    """A report on the examples of one task: those of training, and those held out with what is to blame for each."""

    theory: Theory
    positives: int
    negatives: int
    uncovered: tuple[Term, ...]  # positives
    covered: tuple[Term, ...]  # negatives
    near: tuple[NearMiss, ...]
    inseparable: Inseparable
    held: tuple[HeldError, ...] = ()
    held_out: Mapping[str, int] = field(default_factory=dict)  # examples by split

    @property
    def errors_at_least(self) -> int:
        """Training examples that every theory of the space gets wrong."""
        return errors_at_least(self.inseparable.pairs)

    def to_json(self) -> dict[str, Any]:
        return {
            "uncovered_positives": list(map(to_text, self.uncovered)),
            "covered_negatives": list(map(to_text, self.covered)),
            "near_misses": [
                {
                    "clause": to_text(miss.clause),
                    "changed": None if miss.number is None else miss.number + 1,
                    "change": miss.change,
                    **{name: getattr(miss, name) for name in ("tp", "fp", "fn", "tn", "outside")},
                }
                for miss in self.near
            ],
            "inseparable": [
                {"positive": to_text(pair.positive), "negative": to_text(pair.negative)}
                for pair in self.inseparable.pairs
            ],
            "undecided_pairs": self.inseparable.undecided,
            "errors_at_least": self.errors_at_least,
            "depth": self.inseparable.depth,
            "note": self.inseparable.note,
            "held_out": {
                split: {"examples": size, "errors": [error.to_json() for error in self.held if error.split == split]}
                for split, size in self.held_out.items()
            },
        }

    def __str__(self) -> str:
        return "\n".join([*self._coverage(), *self._held(), *self._near(), *self._pairs()]) + "\n"

    def _coverage(self) -> list[str]:
        lines = [f"Positives not covered: {len(self.uncovered)} of {self.positives}", *_some(self.uncovered)]
        return [*lines, f"Negatives covered: {len(self.covered)} of {self.negatives}", *_some(self.covered)]

    def _held(self) -> list[str]:
        lines: list[str] = []
        for split, size in self.held_out.items():
            errors = [error for error in self.held if error.split == split]
            lines.append(f"Wrong in {split}: {len(errors)} of {size}")
            lines += [f"  {error}" for error in errors[:_SHOWN]]
            lines += [f"  ... and {len(errors) - _SHOWN} more"] if len(errors) > _SHOWN else []
        return lines

    def _near(self) -> list[str]:
        if not (self.uncovered or self.covered):
            return []
        lines = ["Near misses, one literal away:" if self.near else "One literal more or fewer changes nothing."]
        for miss in self.near:
            beyond = f", beyond {miss.outside}" if miss.outside else ""
            what = miss.change if miss.number is None else f"clause {miss.number + 1} {miss.change}"
            lines.append(f"  {what}: {to_text(miss.clause)}  misses {miss.fn}, covers {miss.fp} wrongly{beyond}")
        return lines

    def _pairs(self) -> list[str]:
        found = self.inseparable
        lines = [f"Pairs that no rule tells apart (up to depth {found.depth}): {len(found.pairs)}"]
        lines += [f"  {to_text(pair.positive)} and {to_text(pair.negative)}" for pair in found.pairs[:_SHOWN]]
        if found.pairs:
            lines.append(f"  so every theory of this space is wrong on at least {self.errors_at_least} of them")
        if found.undecided:
            lines.append(f"  {found.undecided} pairs were too large to decide")
        return [*lines, f"  {found.note}"] if found.note else lines


def _some(examples: tuple[Term, ...]) -> list[str]:
    lines = [f"  {to_text(example)}" for example in examples[:_SHOWN]]
    return [*lines, f"  ... and {len(examples) - _SHOWN} more"] if len(examples) > _SHOWN else lines


def why(problem: Problem | ExampleTask, theory: Theory, *, near: int = 5, examples: int = 200) -> Why:
    """Look at a theory of an example task: what it leaves wrong, and whether that could be otherwise.

    Args:
        problem: The problem; with a task alone nothing is said of held-out examples.
        theory: The learned theory.
        near: How many theories one literal away to show.
        examples: How many training examples to look at for pairs that no rule tells apart.

    Raises:
        UsageError: if the task has no true and false examples.
    """
    task = problem.task if isinstance(problem, Problem) else problem
    if not isinstance(task, ExampleTask):
        raise UsageError(f"the task {task.name} has no true and false examples to look at: its view is {task.view}")
    found = judge(theory, [*task.positive, *task.negative], background=task.background).covered
    size = len(task.positive)
    wrong = found != (True,) * size + (False,) * len(task.negative)
    return Why(
        theory=theory,
        positives=size,
        negatives=len(task.negative),
        uncovered=tuple(atom for atom, hit in zip(task.positive, found[:size], strict=True) if not hit),
        covered=tuple(atom for atom, hit in zip(task.negative, found[size:], strict=True) if hit),
        near=tuple(near_misses(task, theory, count=near)) if wrong else (),
        inseparable=inseparable(task, examples=examples),
        held=held_errors(problem, theory) if isinstance(problem, Problem) else (),
        held_out=counts(problem) if isinstance(problem, Problem) else {},
    )
