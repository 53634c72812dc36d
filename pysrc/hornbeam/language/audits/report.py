"""The result of an audit of another package's task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from hornbeam.data.sample import Json

RIGHT, WRONG, ARGUABLE, UNPARSED = "right", "wrong", "arguable", "unparsed"
VERDICTS = (RIGHT, WRONG, ARGUABLE, UNPARSED)
_Z = 1.96


@dataclass(frozen=True, slots=True)
class AuditedRow:
    """One row of another package's task.

    Attributes:
        index: Its index in the task.
        text: The question, as the package gives it.
        given: The package's answer.
        derived: What follows from the text; "" if it could not be read.
        verdict: ``right``, ``wrong``, ``arguable`` (the answer depends on a reading) or ``unparsed``.
        cause: Why it is not right, in words.
        countermodel: A model of the text in which the package's answer is false, one fact a line.
    """

    index: int
    text: str
    given: str
    derived: str
    verdict: str
    cause: str = ""
    countermodel: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The row as a JSON object."""
        return {
            "index": self.index,
            "verdict": self.verdict,
            "given": self.given,
            "derived": self.derived,
            "cause": self.cause,
            "countermodel": list(self.countermodel),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class GymAudit:
    """All rows of an audit, and what they were drawn with."""

    source: str
    version: str
    seed: int
    convention: str
    rows: Sequence[AuditedRow]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many rows have each verdict."""
        counted = Counter(row.verdict for row in self.rows)
        return {verdict: counted[verdict] for verdict in VERDICTS}

    def share(self, verdict: str) -> tuple[float, float, float]:
        """The share of a verdict, with the bounds of its 95 % interval (Wilson)."""
        total = len(self.rows)
        if not total:
            return 0.0, 0.0, 0.0
        share = self.counts[verdict] / total
        middle = (share + _Z**2 / (2 * total)) / (1 + _Z**2 / total)
        half = _Z * sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2)) / (1 + _Z**2 / total)
        return share, max(0.0, middle - half), min(1.0, middle + half)

    @property
    def causes(self) -> Mapping[str, int]:
        """How often each cause makes a row wrong or arguable, the most frequent first."""
        return dict(Counter(f"{row.verdict}: {row.cause}" for row in self.rows if row.cause).most_common())

    def of(self, *verdicts: str) -> list[AuditedRow]:
        """The rows with one of some verdicts."""
        return [row for row in self.rows if row.verdict in verdicts]

    def to_json(self) -> dict[str, Json]:
        """The audit as a JSON object, with every row that is not right."""
        share, low, high = self.share(WRONG)
        return {
            "source": self.source,
            "version": self.version,
            "seed": self.seed,
            "convention": self.convention,
            "rows": len(self.rows),
            **self.counts,
            "wrong_share": share,
            "wrong_interval": [low, high],
            "causes": dict(self.causes),
            "failures": [row.to_json() for row in self.rows if row.verdict != RIGHT],
        }
