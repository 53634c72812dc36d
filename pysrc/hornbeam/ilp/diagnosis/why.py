"""Why there is no better rule: the errors of a theory with their cause, near misses, and inseparable examples.

Errors are shown in every view. Near misses and pairs that no rule tells apart need true and false examples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hornbeam.ilp.diagnosis.errors import SHOWN, SplitErrors, WrongAnswer, example_errors
from hornbeam.ilp.diagnosis.fact_errors import fact_errors
from hornbeam.ilp.diagnosis.near import NearMiss, near_misses
from hornbeam.ilp.diagnosis.network_errors import network_errors
from hornbeam.ilp.diagnosis.pairs import Inseparable, errors_at_least, inseparable
from hornbeam.logic.terms import to_text
from hornbeam.tasks.problem import ExampleTask, FactTask, Held, Problem, Task
from hornbeam.theory import Theory


@dataclass(frozen=True, slots=True)
class Why:
    """A report on one task: the errors in training and in each held-out split, with what is to blame for each.

    Attributes:
        theory: The learned theory.
        train: The errors on what it was learned from.
        held_out: The errors in the splits that it was not learned from.
        near: Theories one literal away; only of the view `examples`, and only where there are training errors.
        inseparable: Pairs that no rule tells apart; None in other views than `examples`.
    """

    theory: Theory
    train: SplitErrors
    held_out: tuple[SplitErrors, ...] = ()
    near: tuple[NearMiss, ...] = ()
    inseparable: Inseparable | None = None

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The training examples or facts that should follow and do not."""
        return tuple(error.example for error in self.train.errors if error.expected is True)

    @property
    def covered(self) -> tuple[str, ...]:
        """The training examples that should not follow and do."""
        return tuple(error.example for error in self.train.errors if error.expected is False)

    @property
    def held(self) -> tuple[WrongAnswer, ...]:
        """The errors of all held-out splits."""
        return tuple(error for part in self.held_out for error in part.errors)

    @property
    def errors_at_least(self) -> int:
        """Training examples that every theory of the space gets wrong."""
        return errors_at_least(self.inseparable.pairs) if self.inseparable is not None else 0

    def to_json(self) -> dict[str, Any]:
        return {
            "train": self.train.to_json(),
            "held_out": {part.split: part.to_json() for part in self.held_out},
            **(self._examples_json(self.inseparable) if self.inseparable is not None else {}),
        }

    def _examples_json(self, pairs: Inseparable) -> dict[str, Any]:
        return {
            "uncovered_positives": list(self.uncovered),
            "covered_negatives": list(self.covered),
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
                {"positive": to_text(pair.positive), "negative": to_text(pair.negative)} for pair in pairs.pairs
            ],
            "undecided_pairs": pairs.undecided,
            "errors_at_least": self.errors_at_least,
            "depth": pairs.depth,
            "note": pairs.note,
        }

    def __str__(self) -> str:
        lines = [line for part in (self.train, *self.held_out) for line in part.lines()]
        if self.inseparable is not None:
            lines += [*self._near(), *self._pairs(self.inseparable)]
        return "\n".join(lines) + "\n"

    def _near(self) -> list[str]:
        if not self.train.errors:
            return []
        lines = ["Near misses, one literal away:" if self.near else "One literal more or fewer changes nothing."]
        for miss in self.near:
            beyond = f", beyond {miss.outside}" if miss.outside else ""
            what = miss.change if miss.number is None else f"clause {miss.number + 1} {miss.change}"
            lines.append(f"  {what}: {to_text(miss.clause)}  misses {miss.fn}, covers {miss.fp} wrongly{beyond}")
        return lines

    def _pairs(self, alike: Inseparable) -> list[str]:
        lines = [f"Pairs that no rule tells apart (up to depth {alike.depth}): {len(alike.pairs)}"]
        lines += [f"  {to_text(pair.positive)} and {to_text(pair.negative)}" for pair in alike.pairs[:SHOWN]]
        if alike.pairs:
            lines.append(f"  so every theory of this space is wrong on at least {self.errors_at_least} of them")
        if alike.undecided:
            lines.append(f"  {alike.undecided} pairs were too large to decide")
        return [*lines, f"  {alike.note}"] if alike.note else lines


def why(problem: Problem | Task, theory: Theory, *, near: int = 5, examples: int = 200, networks: int = 1000) -> Why:
    """Look at a learned theory: what it gets wrong, what is to blame, and whether that could be otherwise.

    Args:
        problem: The problem; with a task alone nothing is said of held-out splits.
        theory: The learned theory.
        near: How many theories one literal away to show (view `examples`).
        examples: How many training examples to look at for pairs that no rule tells apart (view `examples`).
        networks: How many networks of each split to look at (view `networks`).

    Returns:
        The errors in training and in each held-out split. The first errors of each kind have the clause, the literal
        or the composition to blame; the report says how many.
    """
    whole = problem if isinstance(problem, Problem) else Problem(problem, {})
    task = whole.task
    # Definitions are over the dataset's own files; here they would hide the background knowledge of the task.
    theory = theory.with_definitions(())
    if isinstance(task, ExampleTask):
        return _why_examples(task, whole, theory, near, examples)
    if isinstance(task, FactTask):
        train, *held = fact_errors(whole, theory)
    else:
        train, *held = network_errors(whole, theory, networks)
    return Why(theory, train, tuple(held))


def _why_examples(task: ExampleTask, problem: Problem, theory: Theory, near: int, examples: int) -> Why:
    train = example_errors("train", Held(task.positive, task.negative, task.background), theory)
    # Where a split has no background of its own, that of training holds.
    splits = {
        split: replace(held, background=held.background or task.background) for split, held in problem.held.items()
    }
    return Why(
        theory=theory,
        train=train,
        held_out=tuple(example_errors(split, held, theory) for split, held in splits.items()),
        near=tuple(near_misses(task, theory, count=near)) if train.errors else (),
        inseparable=inseparable(task, examples=examples),
    )
