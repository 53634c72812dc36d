"""What the command prints: tables and progress bars on a terminal, plain text in a pipe, JSON for programs.

Names, labels and messages may come from files of others. Characters that a terminal obeys or that reorder a line are
printed as escapes, also into a pipe: it may end at a terminal.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from hornbeam.characters import one_line, visible
from hornbeam.progress import Progress as ProgressFunction
from hornbeam.progress import no_progress


def say(text: object = "", *, file: TextIO | None = None, end: str = "\n") -> None:
    """Print a text that may hold names and messages of others."""
    print(visible(text), file=file, end=end)


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on standard output; JSON has no infinite numbers and no NaN: they are null."""
    finite = _plain(value, lambda number: number if math.isfinite(number) else None)
    say(json.dumps(finite, ensure_ascii=False, indent=1, default=str))


def _plain(value: Any, written: Callable[[float], float | None], key: Callable[[Any], Any] = lambda key: key) -> Any:
    """With plain containers, and keys and floating-point numbers as they are written."""
    if isinstance(value, Mapping):
        return {key(name): _plain(part, written, key) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part, written, key) for part in value]
    return written(value) if isinstance(value, float) else value


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on a terminal; tab-separated lines in a pipe."""
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(one_line(cell) for cell in row))
        return
    table = Table(title=title, title_justify="left")
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))  # not str: it may hold markup
    Console().print(table)


def print_figures(figures: Mapping[str, object]) -> None:
    """Names and values, aligned."""
    width = max((len(name) for name in figures), default=0)
    for name, value in figures.items():
        say(f"{name:<{width}}  {value}")


def print_outline(value: Mapping[str, Any]) -> None:
    """Nested figures as an indented outline, rounded."""
    rounded = _plain(value, lambda number: round(number, 4), str)
    say(yaml.safe_dump(rounded, sort_keys=False, allow_unicode=True, width=110), end="")


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[ProgressFunction]:
    """A progress function that draws a bar on standard error, or shows nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    columns = (
        SpinnerColumn(),
        TextColumn(one_line(what), markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
