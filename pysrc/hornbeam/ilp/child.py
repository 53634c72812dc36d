"""A program that we did not write, as a child of a learner, behind a wall: its lines as they come, and a CPU budget."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hornbeam.ilp.watch import Watch
from hornbeam.processes import Started
from hornbeam.wall import Wall

_LAST_WORDS = 3.0  # seconds of wall time that it gets to end after it was asked to


class Child(Started):
    """A running child of a learner.

    `lines` gives what it prints until it ends or has used its CPU seconds; then it is asked to stop with
    `signal_at_end` and, if it does not, killed. `watch` sees its CPU time all along.
    """

    def __init__(
        self,
        command: Sequence[str],
        watch: Watch,
        *,
        wall: Wall,
        folder: Path,
        environment: Mapping[str, str],
        seconds: float | None,
        signal_at_end: signal.Signals = signal.SIGTERM,
    ) -> None:
        self._watch = watch
        self._seconds = seconds
        self._signal = signal_at_end
        self.time_is_up = False
        super().__init__(wall.around(command), folder=folder, environment=environment)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing of it is left."""
        self.end()
        self._watch.live_children = 0.0  # from now on the system counts it among the ended children

    def lines(self) -> Iterator[str]:
        """What it prints, line by line, errors among them."""
        rest, end = b"", float("inf")
        for part in self.output():
            *whole, rest = (rest + part).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
            now = time.monotonic()
            if now > end:
                break
            self._watch.live_children = self.use.cpu
            if self._seconds is not None and self.use.cpu >= self._seconds and not self.time_is_up:
                self.time_is_up = True
                end = now + _LAST_WORDS
                self.send(self._signal)
        if rest:
            yield rest.decode(errors="replace")
