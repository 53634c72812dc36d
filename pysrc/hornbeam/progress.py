"""How work tells of its progress: a function that is called with the steps that are done and the number of all."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Shows nothing."""
