"""What the judge says of a reply."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from hornbeam.theory.verdict import Verdict, Witness

RIGHT, WRONG, NO_ANSWER, INVALID, UNJUDGED = "right", "wrong", "no answer", "invalid", "cannot judge"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The judgement of one reply.

    Attributes:
        score: 1.0 if the reply is right, 0.0 if not, None if it could not be judged: a failure of the judge is not the
            reply's, so it is no reward of 0.
        valid: Whether the reply has an answer in the form that was asked for.
        accuracy: For a theory, the share of fresh samples that it answers as the true one (of two answers: the mean of
            both shares); None if it was not asked.
        verdict: For an answer `right`, `wrong` or `no answer`; for a theory the kind of verdict (`equal`, `refuted`,
            `agrees`, `incomparable`) or `invalid`; `cannot judge` where the score is None.
        shortcut: The way in which a reply tries to be right without an answer or a theory; empty if none was seen.
        counterexample: A sample on which a theory is wrong.
        message: The reason in words.
        answer: What was judged: the answer, or the program.
        notes: What was noted when the answer was found, e.g. `several`.
        asked: How many fresh samples a theory was asked.
        shown: Of how many training samples a theory gives the answers; it may be told so.
        shown_right: How many of these are right.
        literals: The size of a theory.
        simplicity: The size of the true theory by that of this one, at most 1.

    >>> Ruling.of_answer("aunt", right=True).score
    1.0
    """

    score: float | None
    valid: bool
    accuracy: float | None
    verdict: str
    shortcut: str = ""
    counterexample: Witness | None = None
    message: str = ""
    answer: str = ""
    notes: tuple[str, ...] = ()
    asked: int = 0
    shown: int = 0
    shown_right: int = 0
    literals: int = 0
    simplicity: float | None = None

    @classmethod
    def of_answer(cls, answer: str, *, right: bool, message: str = "", notes: tuple[str, ...] = ()) -> Ruling:
        """An answer that could be read."""
        return cls(
            float(right), True, float(right), RIGHT if right else WRONG, message=message, answer=answer, notes=notes
        )

    @classmethod
    def no_answer(cls, message: str, *, shortcut: str = "", answer: str = "", notes: tuple[str, ...] = ()) -> Ruling:
        """A reply without an answer in the form that was asked for."""
        return cls(0.0, False, 0.0, NO_ANSWER, shortcut, message=message, answer=answer, notes=notes)

    @classmethod
    def invalid(cls, message: str, *, shortcut: str = "", answer: str = "", notes: tuple[str, ...] = ()) -> Ruling:
        """A text that is no theory in the language that was given."""
        return cls(0.0, False, None, INVALID, shortcut, message=message, answer=answer, notes=notes)

    @classmethod
    def unjudged(cls, message: str, *, answer: str = "") -> Ruling:
        """A reply that could not be judged."""
        return cls(None, True, None, UNJUDGED, message=message, answer=answer)

    @property
    def right(self) -> bool:
        """Whether the score is 1."""
        return self.score == 1.0

    def to_json(self) -> dict[str, Any]:
        """A JSON object: the attributes."""
        values = asdict(self)
        return {**values, "notes": list(self.notes)}

    @classmethod
    def from_json(cls, value: object) -> Ruling:
        """The ruling that :meth:`to_json` wrote; ValueError for anything else."""
        return msgspec.convert(value, cls)


def of_verdict(verdict: Verdict) -> tuple[float | None, str]:
    """The score and the message of a court's verdict on a theory that no fresh sample refuted."""
    return (0.0 if verdict.equivalent is False else 1.0), str(verdict)
