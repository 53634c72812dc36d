"""Pieces of Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence


def code(text: object) -> str:
    """Text as code; it may hold backticks and, inside a table, bars.

    >>> code("a|b")
    '`a|b`'
    """
    shown = str(text)
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table.

    >>> print(table(("a", "b"), [("1", "2|3")]))
    | a | b |
    |---|---|
    | 1 | 2\\|3 |
    """
    lines = [header, ["---"] * len(header), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(
        "| " + " | ".join(cells) + " |" if cells[0] != "---" else "|" + "---|" * len(cells) for cells in lines
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


_TABLE = re.compile(r"^(=[= ]*)\n(.+)\n\1\n((?:.+\n)*?)\1$", flags=re.MULTILINE)


def description(thing: type) -> str:
    """The docstring of a class as Markdown, up to its list of attributes and without its examples.

    >>> class Thing:
    ...     '''A thing of ``x``.
    ...
    ...     =====  ====
    ...     name   rows
    ...     =====  ====
    ...     small     3
    ...     =====  ====
    ...
    ...     Attributes:
    ...         x: The x.
    ...     '''
    >>> print(description(Thing))
    A thing of `x`.
    <BLANKLINE>
    | name | rows |
    |---|---|
    | small | 3 |
    """
    text = inspect.cleandoc(thing.__doc__ or "")
    text = re.split(r"^(?:Attributes|Args|Returns|Raises):|^>>> ", text, maxsplit=1, flags=re.MULTILINE)[0].strip()
    text = _TABLE.sub(_as_markdown, text)
    text = re.sub(r":(?:class|mod|func|meth|data):`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def _as_markdown(found: re.Match[str]) -> str:
    """A simple table of reStructuredText; its columns are as wide as their lines of equal signs."""
    columns = [slice(*each.span()) for each in re.finditer("=+", found[1])]
    # What stands beyond the last column belongs to it.
    columns[-1] = slice(columns[-1].start, None)
    header, *rows = ([line[column].strip() for column in columns] for line in (found[2], *found[3].splitlines()))
    return table(header, rows)


def section(title: str, *parts: str, level: int = 2) -> str:
    """A heading with what is below it; "" if that is nothing.

    >>> section("Empty", "")
    ''
    """
    below = [part.strip("\n") for part in parts if part.strip()]
    return "\n\n".join([f"{'#' * level} {title}", *below]) if below else ""


def page(title: str, *parts: str) -> str:
    """A page of sections."""
    return "\n\n".join([f"# {title}", *(part.strip("\n") for part in parts if part.strip())]) + "\n"
