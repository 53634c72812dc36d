"""What a theory gets wrong in one split, in the same shape for all views; and the errors on true and false examples.

How many errors are traced to a clause or a cell is bounded: a part says how many were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.data.sample import Json
from hornbeam.logic.terms import Term, to_text
from hornbeam.tasks.problem import Held
from hornbeam.theory import Bench, Theory
from hornbeam.theory.theory import indicator

TRACED = 200  # errors of a split whose cause is looked for
SHOWN = 10


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An example, fact or network that a theory gets wrong.

    Attributes:
        split: `train`, `valid` or `test`.
        example: The atom as Prolog text, or the name of the network.
        expected: Whether the atom should follow, or the right answer of the network.
        answer: Whether it follows, or what the theory answers; None if it answers nothing.
        target: The predicate or the right relation: errors are counted by it.
        clause: The number of the clause to blame, from 0: of a missing atom the one that comes nearest, of a wrong one
            the one that derives it. None if there is none, or it is not known.
        literal: Of a missing atom, the literal of that clause at which it fails.
        cell: Of a network, the two relations whose composition is wrong or missing.
        blame: The reason in one sentence; "" where the error was not traced.
        derivation: How a table of compositions comes to its answer, one step a line.
    """

    split: str
    example: str
    expected: Json
    answer: Json
    target: str
    clause: int | None = None
    literal: str | None = None
    cell: tuple[str, str] | None = None
    blame: str = ""
    derivation: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "split": self.split,
            "example": self.example,
            "expected": self.expected,
            "answer": self.answer,
            "target": self.target,
            "clause": None if self.clause is None else self.clause + 1,
            "literal": self.literal,
            "cell": None if self.cell is None else [*self.cell],
            "blame": self.blame,
            "derivation": [*self.derivation],
        }

    def __str__(self) -> str:
        if isinstance(self.expected, bool):
            said = self.example
        else:
            said = f"{self.example}: {self.answer or 'nothing'} instead of {self.expected}"
        return f"{said}: {self.blame}" if self.blame else said


@dataclass(frozen=True, slots=True)
class SplitErrors:
    """The errors of a theory in one split.

    Attributes:
        split: `train`, `valid` or `test`.
        examples: How many examples, facts or networks the theory is judged on.
        errors: What it gets wrong; the first of them where they are too many to list.
        note: What else a reader should know, e.g. why nothing could be judged.
        counts: The errors by target, where not all of them are listed.
    """

    split: str
    examples: int
    errors: tuple[WrongAnswer, ...]
    note: str = ""
    counts: Mapping[str, Mapping[str, int]] | None = None

    @property
    def by_target(self) -> Mapping[str, Mapping[str, int]]:
        """By target: how many are missing (not derived, not answered), and how many are wrong."""
        if self.counts is not None:
            return self.counts
        kinds = Counter((error.target, not error.answer) for error in self.errors)
        targets = sorted({target for target, _ in kinds})
        return {target: {"missing": kinds[target, True], "wrong": kinds[target, False]} for target in targets}

    @property
    def wrong(self) -> int:
        """How many errors there are."""
        return sum(sum(kinds.values()) for kinds in self.by_target.values())

    @property
    def traced(self) -> int:
        """In how many of the errors a cause was looked for."""
        return sum(bool(error.blame) for error in self.errors)

    def to_json(self) -> dict[str, Any]:
        return {
            "examples": self.examples,
            "wrong": self.wrong,
            "errors": [error.to_json() for error in self.errors],
            "by_target": {target: dict(kinds) for target, kinds in self.by_target.items()},
            "traced": self.traced,
            "note": self.note,
        }

    def lines(self) -> list[str]:
        """The counts and the first errors, for people."""
        lines = [f"Wrong in {self.split}: {self.wrong} of {self.examples}"]
        if self.errors:
            lines.append(f"  by target: {'; '.join(_counted(name, of) for name, of in self.by_target.items())}")
        lines += [f"  {error}" for error in self.errors[:SHOWN]]
        lines += [f"  ... and {self.wrong - SHOWN} more"] if self.wrong > SHOWN else []
        if len(self.errors) < self.wrong:
            lines.append(f"  {len(self.errors)} of them are listed in the JSON report")
        if self.traced < len(self.errors):
            lines.append(f"  a cause was looked for in {self.traced} of the {self.wrong} errors only")
        return [*lines, f"  {self.note}"] if self.note else lines


def _counted(target: str, kinds: Mapping[str, int]) -> str:
    return f"{target} {', '.join(f'{count} {kind}' for kind, count in kinds.items() if count)}"


def target_of(atom: Term) -> str:
    """The predicate of an atom, as name/arity."""
    name, arity = indicator(atom)
    return f"{name}/{arity}"


# Examples -------------------------------------------------------------------------------------------------------------


def example_errors(split: str, held: Held, theory: Theory) -> SplitErrors:
    """The examples that a theory gets wrong, missed positives first, with the literal or the rule to blame."""
    with Bench(held.background) as bench:
        covered = bench.judge(theory, [*held.positive, *held.negative]).covered
        size = len(held.positive)
        missed = [atom for atom, hit in zip(held.positive, covered[:size], strict=True) if not hit]
        wrong = [atom for atom, hit in zip(held.negative, covered[size:], strict=True) if hit]
        errors = traced_atoms(bench, split, theory, missed, wrong)
    return SplitErrors(split, len(covered), tuple(errors))


def traced_atoms(
    bench: Bench, split: str, theory: Theory, missed: Sequence[Term], wrong: Sequence[Term]
) -> list[WrongAnswer]:
    """Errors for atoms that should follow and for atoms that should not; the first of each are traced."""
    asked = [*missed[:TRACED], *wrong[:TRACED]]
    reached = bench.furthest(theory, asked)
    cut = len(missed[:TRACED])
    errors = [_missed(split, atom, sizes, theory) for atom, sizes in zip(asked[:cut], reached[:cut], strict=True)]
    errors += [WrongAnswer(split, to_text(atom), True, False, target_of(atom)) for atom in missed[TRACED:]]
    errors += [_covered(split, atom, sizes, theory) for atom, sizes in zip(asked[cut:], reached[cut:], strict=True)]
    return errors + [WrongAnswer(split, to_text(atom), False, True, target_of(atom)) for atom in wrong[TRACED:]]


def _missed(split: str, atom: Term, reached: Mapping[int, int], theory: Theory) -> WrongAnswer:
    """Nearest is the clause with the fewest literals left."""
    bodies = [clause.body for clause in theory.clauses]
    open_clauses = [number for number, size in reached.items() if size < len(bodies[number])]
    if not open_clauses:
        return missing_atom(split, atom, None, None)
    nearest = min(open_clauses, key=lambda number: (len(bodies[number]) - reached[number], number))
    return missing_atom(split, atom, nearest, bodies[nearest][reached[nearest]])


def _covered(split: str, atom: Term, reached: Mapping[int, int], theory: Theory) -> WrongAnswer:
    whole = [number for number, size in sorted(reached.items()) if size == len(theory.clauses[number].body)]
    return wrong_atom(split, atom, whole[0] if whole else None, "covered")


def missing_atom(split: str, atom: Term, clause: int | None, literal: Term | None) -> WrongAnswer:
    """An atom that should follow, with the clause that comes nearest and the literal at which it fails."""
    text = None if literal is None else to_text(literal)
    nearest = None if clause is None else f"clause {clause + 1} comes nearest and fails at {text}"
    blame = nearest or "no clause has such a head"
    return WrongAnswer(split, to_text(atom), True, False, target_of(atom), clause, text, blame=blame)


def wrong_atom(split: str, atom: Term, clause: int | None, verb: str) -> WrongAnswer:
    """An atom that should not follow, with the clause that derives it."""
    blame = verb if clause is None else f"{verb} by clause {clause + 1}"
    return WrongAnswer(split, to_text(atom), False, True, target_of(atom), clause, blame=blame)
