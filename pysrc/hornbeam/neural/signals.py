"""SIGINT and SIGTERM ask a run to stop; it does so after the step, with a checkpoint."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from hornbeam.errors import HornbeamError


class Stopped(HornbeamError):
    """A run was asked to stop by SIGTERM, and has saved where it stands."""


class StopSignal:
    """Catches both signals while a run is on; a second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.caught: int | None = None
        self._before: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        return self.caught is not None

    def __enter__(self) -> StopSignal:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._catch)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _catch(self, number: int, frame: FrameType | None) -> None:
        if self.caught == number == signal.SIGINT:
            raise KeyboardInterrupt
        self.caught = number

    def obey(self, step: int) -> None:
        """Raise what the signal means."""
        if self.caught == signal.SIGINT:
            raise KeyboardInterrupt
        raise Stopped(f"stopped at step {step}; the same command goes on from there")
