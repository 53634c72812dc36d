"""A system that we did not write, in a process of its own: its lines as they come, under a budget of CPU time."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hornbeam.ilp import process
from hornbeam.ilp.watch import Watch

_LOOK_EVERY = 0.1  # seconds between looks at what it used
_LAST_WORDS = 3.0  # seconds of wall time that it gets to end after it was asked to


class Child:
    """A running child of a learner.

    `lines` gives what it prints until it ends or has used its CPU seconds; then it is asked to stop with
    `signal_at_end` and, if it does not, killed. `watch` sees its CPU time all along.
    """

    def __init__(
        self,
        command: Sequence[str],
        watch: Watch,
        *,
        folder: Path,
        environment: Mapping[str, str],
        seconds: float | None,
        signal_at_end: signal.Signals = signal.SIGTERM,
    ) -> None:
        self._watch = watch
        self._seconds = seconds
        self._signal = signal_at_end
        self._use = process.Use()
        self.time_is_up = False
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing of it is left."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._watch.live_children = 0.0  # from now on the system counts it among the ended children
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def status(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._process.poll()

    def lines(self) -> Iterator[str]:
        """What it prints, line by line, errors among them."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        os.set_blocking(pipe, False)
        rest, look, end = b"", 0.0, float("inf")
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if selector.select(_LOOK_EVERY):
                    with contextlib.suppress(BlockingIOError):
                        part = os.read(pipe, 1 << 16)
                        if not part:
                            break
                        *whole, rest = (rest + part).split(b"\n")
                        yield from (line.decode(errors="replace") for line in whole)
                now = time.monotonic()
                if now > end:
                    break
                if now - look >= _LOOK_EVERY:
                    look = now
                    self._measure()
                    if self._seconds is not None and self._use.cpu >= self._seconds and not self.time_is_up:
                        self.time_is_up = True
                        end = now + _LAST_WORDS
                        self._process.send_signal(self._signal)
        if rest:
            yield rest.decode(errors="replace")

    def _measure(self) -> None:
        if self._process.poll() is None:
            self._use = process.measure(self._process.pid, self._use)
            self._watch.live_children = self._use.cpu
