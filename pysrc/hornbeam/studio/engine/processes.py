"""The processes of a visitor: one that judges rules, one that answers goals. A session keeps them, and frees them."""

from __future__ import annotations

from collections.abc import Mapping

from hornbeam.data.dataset import Dataset
from hornbeam.studio.engine.console import Console
from hornbeam.studio.engine.judge import LiveJudge
from hornbeam.studio.sessions import Session

_NAME = "processes"


class Processes:
    """At most one judge and one console; another task or dataset replaces them."""

    def __init__(self) -> None:
        self._judge: LiveJudge | None = None
        self._console: Console | None = None

    def judge(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> LiveJudge:
        """The judge of a task. Its process starts with the first text."""
        before = self._judge
        wanted = (dataset, task, dict(options or {}))
        if before is not None and (before.dataset, before.task, dict(before.options or {})) == wanted:
            return before
        self._judge = LiveJudge(dataset, task, options)
        if before is not None:
            before.close()
        return self._judge

    def console(self, dataset: Dataset) -> Console:
        """The console of a dataset. Its process starts with the first goal."""
        before = self._console
        if before is not None and before.dataset is dataset:
            return before
        self._console = Console(dataset)
        if before is not None:
            before.close()
        return self._console

    def close(self) -> None:
        """End both."""
        for process in (self._judge, self._console):
            if process is not None:
                process.close()


def processes_of(session: Session) -> Processes:
    """Those of a visitor."""
    with session.lock:
        kept: Processes | None = session.kept(_NAME)
        return kept if kept is not None else session.keep(_NAME, Processes())
