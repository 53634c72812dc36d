"""What a learner tells while it works (how much it tried, the best theory so far), and the same read back.

Events are lines of JSON. The process that started the learner reads them, so that what was found outlives the learner's
end. They carry the number of hypotheses tried, which is the same in every run, and the seconds, which are not.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause
from hornbeam.theory import Theory
from hornbeam.theory.reading import file_text
from hornbeam.writing import write_atomic


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a search. Two runs with the same seed have the same events, except for their seconds."""

    kind: str  # "best": a better theory; others are the learner's own, e.g. "constraint", "clause", "seed"
    tried: int  # hypotheses tried before
    seconds: float  # of CPU
    figures: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "tried": self.tried, "seconds": round(self.seconds, 4), **self.figures}

    def line(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, line: str) -> Event:
        """The event of a line; ValueError says what was expected."""
        try:
            value = json.loads(line)
        except RecursionError:
            raise ValueError("the line is nested too deeply") from None
        match value:
            case {"kind": str(kind), **rest}:
                tried, seconds = rest.pop("tried", 0), rest.pop("seconds", 0.0)
                if isinstance(tried, int) and isinstance(seconds, int | float):
                    return cls(kind, tried, float(seconds), cast(dict[str, Json], rest))
        raise ValueError('expected an event such as {"kind": "best", "tried": 3, ...}')


class Watch:
    """Collects the events of a learner, and tells it when to stop.

    Args:
        seconds: CPU seconds that the learner has; None for no limit.
        stream: Where events are also written, as JSON lines.
        all_events: Keep all events, not only the best theories.

    >>> watch = Watch()
    >>> watch.count(3)
    >>> watch.best(Theory.parse("p(X) :- q(X)."), positives=2)
    >>> watch.events[-1].figures["theory"], watch.tried, watch.time_is_up()
    ('p(X) :- q(X).', 3, False)
    """

    def __init__(self, seconds: float | None = None, stream: IO[str] | None = None, all_events: bool = True) -> None:
        self.tried = 0
        self.live_children = 0.0  # CPU seconds of child processes that run; a harness that has some keeps it true
        self.events: list[Event] = []
        self._start = _used()
        self._seconds = seconds
        self._stream = stream
        self._all = all_events

    def count(self, hypotheses: int = 1) -> None:
        """Count hypotheses that were tested."""
        self.tried += hypotheses

    def best(self, theory: Theory, **figures: Json) -> None:
        """Report the best theory so far. It is the result if the learner is stopped now."""
        self.tell("best", theory=str(theory).strip(), **figures)

    def note(self, kind: str, **figures: Json) -> None:
        """Report an event of the learner for the trace; dropped if only the best theories are kept."""
        if self._all:
            self.tell(kind, **figures)

    def finished(self) -> None:
        """Report that the search is complete: there is no better theory in the search space."""
        self.tell("finished")

    def seconds(self) -> float:
        """CPU seconds since the start, including child processes."""
        return _used() - self._start + self.live_children

    def seconds_left(self) -> float | None:
        return None if self._seconds is None else max(0.0, self._seconds - self.seconds())

    def time_is_up(self) -> bool:
        """Whether to stop and return the best theory so far."""
        return self._seconds is not None and self.seconds() >= self._seconds

    def tell(self, kind: str, **figures: Json) -> None:
        """Report an event that is always kept."""
        event = Event(kind, self.tried, self.seconds(), figures)
        self.events.append(event)
        if self._stream is not None:
            self._stream.write(event.line())
            self._stream.flush()


class WatchOfPart(Watch):
    """The watch of a search for one predicate of several: what was learned before is part of every best theory."""

    def __init__(self, whole: Watch, before: tuple[Clause, ...]) -> None:
        super().__init__()
        self._whole, self._before = whole, before

    def count(self, hypotheses: int = 1) -> None:
        self._whole.count(hypotheses)

    def best(self, theory: Theory, **figures: Json) -> None:
        # Counts of one predicate's examples say nothing of the whole theory.
        self._whole.best(Theory.of([*self._before, *theory.clauses]))

    def note(self, kind: str, **figures: Json) -> None:
        self._whole.note(kind, **figures)

    def time_is_up(self) -> bool:
        return self._whole.time_is_up()


def _used() -> float:
    """CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


_FRAME = frozenset({"started", "result"})  # events that no learner adds


@dataclass(frozen=True, slots=True)
class Trace:
    """The events of a search, in order.

    >>> trace = Trace.parse('{"kind": "best", "tried": 3, "seconds": 0.5, "theory": "p(X) :- q(X)."}')
    >>> trace.best.figures["theory"], trace.tried
    ('p(X) :- q(X).', 3)
    """

    events: tuple[Event, ...] = ()

    @classmethod
    def parse(cls, text: str, *, name: str | None = None) -> Trace:
        """Read JSON lines; UsageError with the number of an invalid line."""
        events = []
        # Not splitlines: what it takes for the end of a line, such as U+2028, may stand in a string of JSON.
        for number, line in enumerate(text.split("\n"), start=1):
            try:
                events += [Event.read(line)] if line.strip() else []
            except json.JSONDecodeError as error:
                raise UsageError(f"expected a line of JSON: {error}", file=name, line=number) from None
            except ValueError as error:
                raise UsageError(str(error), file=name, line=number) from None
        return cls(tuple(events))

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a trace from a file."""
        file = Path(path)
        if not file.is_file():
            raise UsageError("there is no such trace", file=str(path))
        return cls.parse(file_text(file), name=str(path))

    @classmethod
    def salvage(cls, path: Path) -> Trace:
        """Read the events of a process that may have been ended in the middle of a line."""
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        events = []
        for line in text.split("\n"):
            with contextlib.suppress(ValueError):
                events.append(Event.read(line))
        return cls(tuple(events))

    def save(self, path: str | Path) -> None:
        write_atomic(Path(path), "".join(event.line() for event in self.events).encode())

    @property
    def search(self) -> tuple[Event, ...]:
        """The learner's own events."""
        return tuple(event for event in self.events if event.kind not in _FRAME)

    @property
    def bests(self) -> tuple[Event, ...]:
        """The events of the best theories so far."""
        return tuple(event for event in self.events if event.kind == "best" and "theory" in event.figures)

    @property
    def best(self) -> Event | None:
        return self.bests[-1] if self.bests else None

    @property
    def result(self) -> Event | None:
        """The event of the returned theory, if there is one."""
        return self.last("result")

    @property
    def complete(self) -> bool:
        """Whether the learner reported that its search is complete."""
        return self.last("finished") is not None

    @property
    def tried(self) -> int:
        return max((event.tried for event in self.events), default=0)

    def last(self, kind: str) -> Event | None:
        return next((event for event in reversed(self.events) if event.kind == kind), None)


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first event in which two runs differ; None if one of them has ended."""

    number: int
    one: Event | None
    other: Event | None

    def __str__(self) -> str:
        one, other = (
            json.dumps(_lasting(event), ensure_ascii=False) if event else "(ended)" for event in (self.one, self.other)
        )
        return f"event {self.number + 1}: {one} against {other}"


def divergence(one: Trace, other: Trace, *, prefix: bool = False) -> Divergence | None:
    """Where two runs part, seconds aside; None if they are the same.

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
