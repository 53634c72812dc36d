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
from rich.cells import cell_len
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
    """A table on a terminal; tab-separated lines, the headings first, in a pipe.

    No word is broken: a table that is too wide for the terminal is printed row by row, with a line for each column.
    """
    if not sys.stdout.isatty():
        for row in (header, *rows):
            print("\t".join(one_line(cell) for cell in row))
        return
    console = Console()
    cells = [[visible(cell) for cell in row] for row in rows]
    if _narrowest(header, cells) > console.width:
        _print_rows(title, header, cells)
        return
    table = Table(title=title, title_justify="left")
    for name, width in zip(header, _words(header, cells), strict=True):
        table.add_column(name, overflow="fold", min_width=width)
    for row in cells:
        table.add_row(*map(Text, row))  # not str: it may hold markup
    console.print(table)


def _words(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The length of the longest word of each column."""
    columns = zip(header, *rows, strict=True) if rows else ((name,) for name in header)
    return [max(cell_len(word) for cell in column for word in cell.split() or [""]) for column in columns]


def _narrowest(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How wide a table is that breaks lines between all words: each column has a border and two spaces."""
    return sum(_words(header, rows)) + 3 * len(header) + 1


def _print_rows(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    say(title)
    width = max(map(cell_len, header), default=0)
    for row in rows:
        say()
        for name, cell in zip(header, row, strict=True):
            say(f"{name:<{width}}  {cell}".rstrip())


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
