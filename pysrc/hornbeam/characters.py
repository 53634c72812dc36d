"""Characters that are not for reading: a terminal obeys them, or they reorder the text around them.

>>> print(visible("red\\x1b[2J"))
red\\u001b[2J
"""

from __future__ import annotations

import re

# Controls but newline and tab, marks that change the direction of text, and halves of characters.
UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)
_BREAKS = str.maketrans({"\n": "\\n", "\t": "\\t"})


def visible(text: object) -> str:
    """A text whose every character is one to read; the others are escapes, as in JSON."""
    return UNSEEN.sub(lambda character: f"\\u{ord(character[0]):04x}", str(text))


def one_line(text: object) -> str:
    """A visible text without line breaks and tabs.

    >>> print(one_line("one\\ntwo"))
    one\\ntwo
    """
    return visible(text).translate(_BREAKS)


# Spreadsheets take a cell for a formula by its first character. A relation may be called `=`, and numbers have signs.
_FORMULA = re.compile(r"[=+\-@\t\r](?=.)(?!\d*\.?\d+(?:[eE][+-]?\d+)?\Z)", re.DOTALL)


def no_formula(cell: str) -> str:
    """A cell of a table that no spreadsheet takes for a formula: such a text gets an apostrophe in front.

    A carriage return, which would start the next row, is written as an escape.

    >>> no_formula("=1+2"), no_formula("="), no_formula("-1.5")
    ("'=1+2", '=', '-1.5')
    """
    return (f"'{cell}" if _FORMULA.match(cell) else cell).replace("\r", "\\r")
