"""The verdict on a learned theory. There are four kinds, the same in all commands and pages.

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
        text: The sample in words.
        true: What the true theory answers.
        learned: What the learned theory answers.
        prolog: The sample as Prolog facts, to ask it again in plain `swipl` with the dataset's files.
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
    """Whether a learned theory equals the true one.

    Attributes:
        kind: `equal` (proven), `refuted` (by a counterexample), `agrees` (no difference in `fresh` samples) or
            `incomparable`.
        method: How it was decided, or why it could not be decided.
        fresh: How many fresh samples both theories were asked.
        counterexample: The smallest sample found on which they differ.
        blame: The rule or literal of the learned theory to blame.
        fresh_wrong: For a refuted theory, on how many of `fresh` samples from the generator it differs; 0 if only a
            sample that was built to tell the theories apart refutes it, None if no samples were drawn.

    >>> verdict = Verdict.agrees(2000)
    >>> verdict.ok, verdict.right_on_fresh, verdict.short
    (False, True, 'same on 2,000')
    """

    kind: Kind
    method: str
    fresh: int = 0
    counterexample: Witness | None = None
    blame: str | None = None
    fresh_wrong: int | None = None

    @classmethod
    def equal(cls, method: str, fresh: int = 0) -> Verdict:
        """Proven equal, by this method."""
        return cls("equal", method, fresh)

    @classmethod
    def refuted(cls, counterexample: Witness, *, method: str, fresh: int = 0, blame: str | None = None) -> Verdict:
        """Refuted by a counterexample."""
        return cls("refuted", method, fresh, counterexample, blame)

    @classmethod
    def agrees(cls, fresh: int, method: str = "fresh samples, near misses among them") -> Verdict:
        """No difference in this many fresh samples."""
        return cls("agrees", method, fresh)

    @classmethod
    def incomparable(cls, why: str) -> Verdict:
        """Not comparable, for this reason."""
        return cls("incomparable", why)

    @property
    def ok(self) -> bool:
        """Whether the theories were proven equal. Nothing else is shown as correct."""
        return self.kind == EQUAL

    @property
    def equivalent(self) -> bool | None:
        """True if the theories were proven equal, False if the learned one was refuted, None if it is undecided."""
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
        """A JSON object: the attributes, and the verdict as `text`."""
        return {**asdict(self), "text": str(self)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Verdict:
        """The verdict that :meth:`to_json` wrote."""
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
    """A sample of a dataset on which the true and the learned theory differ."""

    sample: str
    task: str
    split: str
    true: str
    learned: str

    def __str__(self) -> str:
        return f"{self.split}: {self.sample}: the true theory says {self.true}, the learned one {self.learned}"


@dataclass(frozen=True, slots=True)
class OwnSamples:
    """The answers of the true and the learned theory on the samples of a dataset.

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
