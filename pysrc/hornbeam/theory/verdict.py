"""The verdict on a learned theory: the same four kinds wherever a theory is judged.

>>> print(Verdict.equal("clause by clause"))
proven equal (clause by clause)
>>> print(Verdict.agrees(2000))
no difference in 2,000 fresh samples
>>> print(Verdict.incomparable("the task has no true rule"))
not comparable: the task has no true rule
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["equal", "refuted", "agrees", "incomparable"]
EQUAL, REFUTED, AGREES, INCOMPARABLE = "equal", "refuted", "agrees", "incomparable"


@dataclass(frozen=True, slots=True)
class Witness:
    """A sample on which two theories differ.

    Attributes:
        kind: What it is: `picture`, `story`, `graph` or `facts`.
        text: The sample for a person to read.
        true: What the true theory answers.
        learned: What the learned theory answers.
        prolog: The sample as Prolog facts: with the dataset's own files it can be asked again in plain `swipl`.
        html: The sample drawn, for pages.
    """

    kind: str
    text: str
    true: str
    learned: str
    prolog: str = ""
    html: str = ""

    def __str__(self) -> str:
        return f"{self.text}: the true theory says {self.true}, the learned one {self.learned}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a learned theory stands to the true one.

    Attributes:
        kind: `equal` (proven), `refuted` (by a counterexample), `agrees` (no difference in `fresh` samples) or
            `incomparable`.
        method: How it was decided; why not, where it was not.
        fresh: How many fresh samples both theories were asked.
        counterexample: The smallest sample found on which they differ.
        blame: The rule or literal of the learned theory to blame.
        fresh_wrong: Of a refuted theory, on how many of `fresh` samples from the generator it differs: 0 where only a
            sample that was built to tell the theories apart refutes it. None where none were drawn.
    """

    kind: Kind
    method: str
    fresh: int = 0
    counterexample: Witness | None = None
    blame: str | None = None
    fresh_wrong: int | None = None

    @classmethod
    def equal(cls, method: str, fresh: int = 0) -> Verdict:
        return cls("equal", method, fresh)

    @classmethod
    def refuted(cls, counterexample: Witness, *, method: str, fresh: int = 0, blame: str | None = None) -> Verdict:
        return cls("refuted", method, fresh, counterexample, blame)

    @classmethod
    def agrees(cls, fresh: int, method: str = "fresh samples, near misses among them") -> Verdict:
        return cls("agrees", method, fresh)

    @classmethod
    def incomparable(cls, why: str) -> Verdict:
        return cls("incomparable", why)

    @property
    def ok(self) -> bool:
        """Whether the theories were proven equal: nothing less is shown as right."""
        return self.kind == EQUAL

    @property
    def equivalent(self) -> bool | None:
        """True where the theories were proven equal, False where one refutes the other, None where it stays open."""
        return {EQUAL: True, REFUTED: False}.get(self.kind)

    @property
    def right_on_fresh(self) -> bool:
        """Whether no fresh sample from the generator tells the theories apart."""
        return self.kind in (EQUAL, AGREES) or self.fresh_wrong == 0

    @property
    def short(self) -> str:
        """Two or three words for a table."""
        return {
            "equal": "proven equal",
            "refuted": "refuted",
            "agrees": f"same on {self.fresh:,}",
            "incomparable": "not comparable",
        }[self.kind]

    def to_json(self) -> dict[str, Any]:
        """The keys of the design: kind, method, fresh, counterexample, blame; and the text."""
        return {**asdict(self), "text": str(self)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Verdict:
        """The verdict that :meth:`to_json` described."""
        example = value.get("counterexample")
        return cls(
            value["kind"],
            value["method"],
            int(value.get("fresh") or 0),
            Witness(**example) if example else None,
            value.get("blame"),
            value.get("fresh_wrong"),
        )

    def __str__(self) -> str:
        if self.kind == EQUAL:
            return f"proven equal ({self.method})"
        if self.kind == AGREES:
            return f"no difference in {self.fresh:,} fresh samples"
        if self.kind == INCOMPARABLE:
            return f"not comparable: {self.method}"
        blamed = f"; to blame: {self.blame}" if self.blame else ""
        counted = "" if self.fresh_wrong is None else f"; wrong on {self.fresh_wrong:,} of {self.fresh:,} fresh samples"
        return f"refuted: {self.counterexample}{blamed}{counted}"


# A dataset's own samples ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SampleDifference:
    """A sample of a dataset for which the truth and a theory answer differently."""

    sample: str
    task: str
    split: str
    true: str
    learned: str

    def __str__(self) -> str:
        return f"{self.split}: {self.sample}: the true theory says {self.true}, the learned one {self.learned}"


@dataclass(frozen=True, slots=True)
class OwnSamples:
    """The truth and a theory on a dataset's own samples.

    Attributes:
        asked: How many samples were asked, by split.
        differences: Those for which the answers differ.
    """

    asked: Mapping[str, int]
    differences: tuple[SampleDifference, ...]

    @property
    def differing(self) -> dict[str, int]:
        """For how many samples the answers differ, by split."""
        counts = Counter(one.split for one in self.differences)
        return {split: counts[split] for split in self.asked}

    def to_json(self) -> dict[str, Any]:
        """Counts by split, and the samples with both answers."""
        splits = {split: {"asked": count, "differing": self.differing[split]} for split, count in self.asked.items()}
        return {"splits": splits, "differences": [asdict(one) for one in self.differences]}

    def __str__(self) -> str:
        return ", ".join(f"{split} {self.differing[split]:,} of {count:,}" for split, count in self.asked.items())
