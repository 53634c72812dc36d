"""What a learner tells while it works: how much it tried, and the best theory so far.

The process that started the learner reads the same events, so that what was found outlives the learner's end. Events
carry the number of hypotheses tried, which is the same in every run, beside the seconds, which are not.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from hornbeam.data.sample import Json
from hornbeam.logic.terms import Clause
from hornbeam.theory import Theory


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a search. Two runs with one seed give the same events but for their seconds."""

    kind: str  # "best": a better theory; others are the learner's own, e.g. "constraint", "clause", "seed"
    tried: int  # hypotheses tried before
    seconds: float  # of CPU
    figures: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "tried": self.tried, "seconds": round(self.seconds, 4), **self.figures}


class Watch:
    """Collects events, and tells a learner when to stop.

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
        """So many more hypotheses were tried."""
        self.tried += hypotheses

    def best(self, theory: Theory, **figures: Json) -> None:
        """The best theory so far: what is returned if the learner is ended now."""
        self._add("best", {"theory": str(theory).strip(), **figures})

    def note(self, kind: str, **figures: Json) -> None:
        """An event of the learner's own, for the trace; dropped where only the best theories are wanted."""
        if self._all:
            self._add(kind, figures)

    def finished(self) -> None:
        """The search is over because there was nothing more to try, or nothing better can be found."""
        self._add("finished", {})

    def seconds(self) -> float:
        """CPU seconds since the start, with those of child processes."""
        return _used() - self._start + self.live_children

    def seconds_left(self) -> float | None:
        return None if self._seconds is None else max(0.0, self._seconds - self.seconds())

    def time_is_up(self) -> bool:
        """Whether to stop and return the best so far."""
        return self._seconds is not None and self.seconds() >= self._seconds

    def _add(self, kind: str, figures: Mapping[str, Any]) -> None:
        event = Event(kind, self.tried, self.seconds(), figures)
        self.events.append(event)
        if self._stream is not None:
            self._stream.write(json.dumps(event.to_json(), ensure_ascii=False) + "\n")
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
