"""What a learner told while it worked, read back: a line of JSON for each event.

>>> trace = Trace.parse('{"kind": "best", "tried": 3, "seconds": 0.5, "theory": "p(X) :- q(X)."}')
>>> trace.best.figures["theory"], trace.tried
('p(X) :- q(X).', 3)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.ilp.watch import Event
from hornbeam.theory.reading import file_text

# What only the frame adds, and what differs between two runs that are the same.
_FRAME = frozenset({"started", "result"})
_OWN = frozenset({"kind", "tried", "seconds"})


@dataclass(frozen=True, slots=True)
class Trace:
    """The events of a search, in order."""

    events: tuple[Event, ...] = ()

    @classmethod
    def parse(cls, text: str, *, name: str | None = None) -> Trace:
        """Lines of JSON; UsageError names the line that is none."""
        return cls(tuple(_events(text, name)))

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """A trace that was saved."""
        file = Path(path)
        if not file.is_file():
            raise UsageError("there is no such trace", file=str(path))
        return cls.parse(file_text(file), name=str(path))

    @classmethod
    def salvage(cls, path: Path) -> Trace:
        """What can be read of the events of a process that may have been ended in the middle of a line."""
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        found = (_salvaged(line) for line in text.split("\n"))
        return cls(tuple(event for event in found if event is not None))

    def save(self, path: str | Path) -> None:
        lines = [json.dumps(event.to_json(), ensure_ascii=False) + "\n" for event in self.events]
        Path(path).write_text("".join(lines), encoding="utf-8")

    @property
    def search(self) -> tuple[Event, ...]:
        """The learner's own events."""
        return tuple(event for event in self.events if event.kind not in _FRAME)

    @property
    def bests(self) -> tuple[Event, ...]:
        """The theories that were the best of their time."""
        return tuple(event for event in self.events if event.kind == "best" and "theory" in event.figures)

    @property
    def best(self) -> Event | None:
        return self.bests[-1] if self.bests else None

    @property
    def result(self) -> Event | None:
        """What the learner returned, where it came to that."""
        return self.last("result")

    @property
    def complete(self) -> bool:
        """Whether the learner said that nothing was left to try."""
        return self.last("finished") is not None

    @property
    def tried(self) -> int:
        return max((event.tried for event in self.events), default=0)

    def last(self, kind: str) -> Event | None:
        return next((event for event in reversed(self.events) if event.kind == kind), None)

    def counts(self) -> dict[str, int]:
        """How many events there are of each kind."""
        kinds = [event.kind for event in self.search]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first event in which two runs differ; None where one of them has ended."""

    number: int
    one: Event | None
    other: Event | None

    def __str__(self) -> str:
        sides = [json.dumps(_lasting(event), ensure_ascii=False) if event else "(ended)" for event in self._sides()]
        return f"event {self.number + 1}: {sides[0]} against {sides[1]}"

    def _sides(self) -> tuple[Event | None, Event | None]:
        return self.one, self.other


def divergence(one: Trace, other: Trace, *, prefix: bool = False) -> Divergence | None:
    """Where two runs part, seconds aside; None where they are the same.

    With `prefix` a run that was ended early may be the beginning of the other.

    >>> first = Trace.parse('{"kind": "a", "tried": 1, "seconds": 0.5}')
    >>> divergence(first, Trace.parse('{"kind": "a", "tried": 1, "seconds": 0.7}')) is None
    True
    >>> print(divergence(first, Trace.parse('{"kind": "a", "tried": 2, "seconds": 0.5}')))
    event 1: {"kind": "a", "tried": 1} against {"kind": "a", "tried": 2}
    """
    for number, (left, right) in enumerate(zip_longest(one.search, other.search)):
        if (left is None or right is None) and prefix:
            return None
        if left is None or right is None or _lasting(left) != _lasting(right):
            return Divergence(number, left, right)
    return None


def _lasting(event: Event) -> dict[str, Json]:
    """An event without what differs from run to run."""
    return {name: value for name, value in event.to_json().items() if name != "seconds"}


def _events(text: str, name: str | None) -> Iterator[Event]:
    # Not splitlines: what it takes for the end of a line, such as U+2028, may stand in a string of JSON.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value: Any = json.loads(line)
        except ValueError as error:
            raise UsageError(f"expected a line of JSON: {error}", file=name, line=number) from None
        event = _event(value)
        if event is None:
            raise UsageError('expected an event such as {"kind": "best", "tried": 3, ...}', file=name, line=number)
        yield event


def _salvaged(line: str) -> Event | None:
    try:
        return _event(json.loads(line))
    except ValueError:
        return None


def _event(value: Any) -> Event | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        return None
    tried, seconds = value.get("tried", 0), value.get("seconds", 0.0)
    if not isinstance(tried, int) or not isinstance(seconds, int | float):
        return None
    figures = {name: part for name, part in value.items() if name not in _OWN}
    return Event(value["kind"], tried, float(seconds), figures)
