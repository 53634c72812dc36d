"""Runs a learner in its own process, behind a wall, and writes its events to a file.

A learner loads the background knowledge of a dataset into the engine of its process: that may be anybody's. So the
process reads Python, SWI-Prolog and Hornbeam, writes into its own folder, and touches nothing else.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

EVENTS = "events.jsonl"


def fit_here(engine: Any, learner: Any, task: Any, settings: Any, seconds: float, trace: bool) -> None:
    """Let a learner learn, its events going to a file of the working directory as they come."""
    from hornbeam.ilp.watch import Watch
    from hornbeam.logic import swipl
    from hornbeam.theory import Theory

    if engine is not None:
        swipl.adopt(engine)
    with Path(EVENTS).open("w", encoding="utf-8") as stream:
        watch = Watch(seconds, stream, all_events=trace)
        watch.tell("started", cpu=time.process_time())
        theory = learner.fit(task, settings, watch)
        if not isinstance(theory, Theory):
            raise TypeError(f"expected a Theory, the learner returned {str(theory)[:200]!r} ({type(theory).__name__})")
        watch.tell("result", theory=str(theory).strip())
