"""Runs a learner in its own process and writes its events to a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

EVENTS = "events.jsonl"


def fit_here(learner: Any, task: Any, settings: Any, seconds: float, trace: bool) -> None:
    """Let a learner learn, its events going to a file of the working directory as they come."""
    from hornbeam.ilp.watch import Watch
    from hornbeam.theory import Theory

    with Path(EVENTS).open("w", encoding="utf-8") as stream:
        watch = Watch(seconds, stream, all_events=trace)
        watch.tell("started", cpu=time.process_time())
        theory = learner.fit(task, settings, watch)
        if not isinstance(theory, Theory):
            raise TypeError(f"expected a Theory, the learner returned {str(theory)[:200]!r} ({type(theory).__name__})")
        watch.tell("result", theory=str(theory).strip())
