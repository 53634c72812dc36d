"""Lines of a learner's output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output: a clause as Prolog text, or None and a reason."""

    number: int
    text: str
    clause: str | None = None
    weight: float | None = None
    reason: str = ""


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line.rstrip()


def as_float(text: str | None) -> float | None:
    """A number, also one with the decimal comma that Java prints in many countries; None where it is none.

    >>> as_float("0.25"), as_float("0,25"), as_float("n/a")
    (0.25, 0.25, None)
    """
    if text is None:
        return None
    plain = text.strip()
    if re.fullmatch(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", plain):
        plain = plain.replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None
