"""What the process of the judge says of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.networks.network import Network
from hornbeam.tasks.courtroom import UNDECIDED


@dataclass(frozen=True, slots=True)
class Refused:
    """A text that is not in the language: the line, the kind of offence, the reason."""

    line: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Built:
    """A network that was built to tell tables apart, as a sample, too; what is true of it, and what a table answers."""

    network: Network
    sample: Sample
    true: str
    learned: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a text answers for each sample of the bench, its size, and what it answers for a network built for it."""

    answers: tuple[str, ...]
    clauses: int
    literals: int
    built: Built | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The judge itself failed on a text."""

    reason: str


Outcome = Refused | Said | Failed


def outcome(row: Sequence[Any]) -> Outcome:
    """The outcome that a row of prolog/judge/judge.pl states."""
    kind, *rest = row
    if kind == "said":
        return Said(tuple(str(rest[0]).split("\t")), int(rest[1]), int(rest[2]))
    line, offence, reason = rest
    return Failed(str(reason)) if offence == "fault" else Refused(int(line), str(offence), str(reason))


def undecided(answers: Sequence[str]) -> int:
    """How many samples met a limit or an error."""
    return sum(answer == UNDECIDED for answer in answers)
