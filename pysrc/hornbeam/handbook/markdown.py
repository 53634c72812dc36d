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


def description(thing: type) -> str:
    """The docstring of a class as Markdown, up to its list of attributes and without its examples.

    Tables of reStructuredText stay as they are, in a block of code.

    >>> class Thing:
    ...     '''A thing of ``x``.
    ...
    ...     Attributes:
    ...         x: The x.
    ...     '''
    >>> description(Thing)
    'A thing of `x`.'
    """
    text = inspect.cleandoc(thing.__doc__ or "")
    text = re.split(r"^(?:Attributes|Args|Returns|Raises):|^>>> ", text, maxsplit=1, flags=re.MULTILINE)[0].strip()
    text = re.sub(r"((?:^[=].*\n)(?:.*\S.*\n)*(?:^[=][= ]*))", r"```text\n\1\n```", text, flags=re.MULTILINE)
    text = re.sub(r":(?:class|mod|func|meth|data):`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`") if "```" not in text else re.sub(r"(?<!`)``(?!`)", "`", text)


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
