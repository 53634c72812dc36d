"""A Prolog console on a dataset: goals in a contained process, answers as a table, page by page.

>>> with Console(ds) as console:
...     page = console.ask("sample(Id, _, train, _, _)", size=2)
>>> page.names, len(page.rows), page.more
(('Id',), 2, True)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbeam.errors import HornbeamError, LimitExceeded, PrologError, UsageError
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import to_text

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

SECONDS = 10.0
STACK = 512 << 20
PAGE = 25
MOST_ANSWERS = 2_000
MOST_TEXT = 20_000
_MEMORY = 1 << 30
_PRINTED = "HornbeamPrinted"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A goal that the dataset's banner suggests, and what it is for; `runs` unless it needs a terminal."""

    goal: str
    text: str
    runs: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Answers to a goal.

    Attributes:
        goal: The goal.
        names: The variables.
        rows: The values of the variables as text, one row per answer of this page.
        number: The number of the page, from 0.
        more: Whether there are further answers.
        holds: Whether the goal has an answer at all.
        printed: What the goal printed.
        error: Why there are no answers.
        line: The line of a syntax error.
        column: Its column.
        seconds: How long it took.
    """

    goal: str
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    number: int = 0
    more: bool = False
    holds: bool = False
    printed: str = ""
    error: str = ""
    line: int | None = None
    column: int | None = None
    seconds: float = 0.0


class Console:
    """A contained SWI-Prolog with a dataset; any thread may ask.

    Args:
        dataset: The dataset.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._prolog: Prolog | None = None
        self._lock = threading.RLock()
        self._suggestions: tuple[Suggestion, ...] | None = None

    def __enter__(self) -> Console:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. The next goal starts another."""
        with self._lock:
            prolog, self._prolog = self._prolog, None
            if prolog is not None:
                prolog.close()

    def suggestions(self) -> tuple[Suggestion, ...]:
        """The goals that load.pl shows at start.

        Raises:
            HornbeamError: if the dataset's files do not load.
        """
        with self._lock:
            if self._suggestions is None:
                found: Any = self._open().all("dataset_query(Goal, Text)", limits=_limits(MOST_ANSWERS))
                self._suggestions = tuple(
                    Suggestion(
                        str(one["Goal"]), str(getattr(one["Text"], "value", one["Text"])), self._runs(one["Goal"])
                    )
                    for one in found
                )
            return self._suggestions

    def _runs(self, goal: Any) -> bool:
        """Whether the sandbox lets a goal run: it looks at a goal before it asks no rows of it."""
        try:
            self._open().ask_many(f"{goal}, HornbeamRow = HornbeamRow", over="HornbeamRow", rows=[])
        except HornbeamError:
            return False
        return True

    def ask(self, goal: str, *, number: int = 0, size: int = PAGE) -> Page:
        """The answers of one page.

        Args:
            goal: The goal, with or without its full stop.
            number: The page, from 0. A goal is asked again for each page: the process keeps no choice points.
            size: Answers of a page.

        Returns:
            The answers, or the error. Nothing is raised for a bad goal.
        """
        goal = goal.strip().removeprefix("?-").strip().removesuffix(".").strip()
        number = min(max(0, number), MOST_ANSWERS // size - 1)
        if not goal:
            return Page(goal, error="there is no goal yet")
        if len(goal) > MOST_TEXT:
            return Page(goal[:80], error=f"a goal may have at most {MOST_TEXT:,} characters")
        started = time.monotonic()
        with self._lock:
            page = self._asked(goal, number, size)
        return replace(page, seconds=time.monotonic() - started)

    def _asked(self, goal: str, number: int, size: int) -> Page:
        first, wanted = number * size, (number + 1) * size + 1
        try:
            answers: Sequence[Any] = self._open().all(goal, limits=_limits(wanted))
            names = tuple(answers[0]) if answers else ()
            shown = answers[first : first + size]
            rows = tuple(tuple(_text(value) for value in answer.values()) for answer in shown)
            printed = self._printed(goal) if answers and not names else ""
        except LimitExceeded as error:
            self.close()
            return Page(goal, number=number, error=f"the goal met a limit: {error.message}")
        except (PrologError, UsageError) as error:
            return Page(goal, number=number, error=_readable(error), line=error.line, column=error.column)
        except HornbeamError as error:
            self.close()
            return Page(goal, number=number, error=error.message)
        return Page(goal, names, rows, number, len(answers) > first + size, bool(answers), printed)

    def _printed(self, goal: str) -> str:
        """What a goal without variables prints."""
        answer: Any = self._open().once(f"with_output_to(string({_PRINTED}), ({goal}\n))", limits=_limits(1))
        return "" if answer is None else str(getattr(answer[_PRINTED], "value", answer[_PRINTED]))

    def _open(self) -> Prolog:
        if self._prolog is None:
            prolog = Prolog.contained(readable=[self.dataset.path], memory=_MEMORY)
            try:
                prolog.load(self.dataset.path / "load.pl", "user", strict=False)
            except BaseException:
                prolog.close()
                raise
            self._prolog = prolog
        return self._prolog


def _limits(answers: int) -> Limits:
    return Limits(seconds=SECONDS, stack=STACK, answers=answers)


def _text(value: Any) -> str:
    """A string as it reads, everything else as Prolog writes it."""
    text = getattr(value, "value", None)
    return text if isinstance(text, str) else to_text(value)


def _readable(error: HornbeamError) -> str:
    """An error in one sentence; the calls on the way to what was refused are of no use to who asked."""
    message = error.message.removeprefix("Syntax error: ")
    if "sandbox" not in message.lower():
        return message.splitlines()[0]
    refused, _, way = message.partition("Reachable from:")
    calls = [line.strip() for line in way.splitlines() if line.strip()]
    told = f"{calls[-1]} is not allowed here" if calls else refused.replace("\n", " ").strip()
    return f"{told}. Goals run in a sandbox: they may compute, but not read files, start programs or end the process."
