"""Progress reports: a function that is called with the number of finished steps and of all steps."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Shows nothing."""
