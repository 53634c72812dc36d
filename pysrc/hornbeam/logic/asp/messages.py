"""What clingo says while it parses, grounds and solves: every message is an error.

clingo reports a dropped fact or an undefined atom only as information, and goes on with another program than the one
that was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import clingo

from hornbeam.errors import AspError, UnsafeRule, UsageError

_PLACED = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)(-[\d:]+)?: (?P<kind>\w+): (?P<text>.*)", re.DOTALL)
# clingo's names for parsed text and for added text, and its mark of the program part in a printed rule
_PARSED = "<string>"
_ADDED = "<block>"
_PART = re.compile(r"\[#inc_\w*\];?")

# From a line of source text to what the person wrote there, for programs that were given as values.
Origin = Callable[[int], str | None]


class ProgramError(AspError, UsageError):
    """A program or a fact file that is malformed, or that is not the kind of program asked for."""


class Messages:
    """Collects what clingo says; :meth:`checked` raises it.

    >>> messages = Messages()
    >>> with messages.checked():
    ...     clingo.Control(logger=messages).add("p(a")
    Traceback (most recent call last):
    hornbeam.logic.asp.messages.ProgramError: line 2, column 1: syntax error, unexpected EOF, expecting ) or ;
    """

    def __init__(self, origin: Origin | None = None) -> None:
        self._origin = origin
        self._said: list[str] = []

    def __call__(self, code: clingo.MessageCode, text: str) -> None:
        """The logger that clingo calls."""
        self._said.append(text.strip())

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Run clingo; raise what it said, in place of its own exception."""
        try:
            yield
        except AspError as error:
            # clingo wraps what a callback raised in one more exception of the same type.
            raise (error.args[0] if isinstance(error.args[0], AspError) else error) from None
        except RuntimeError as error:
            self.raise_if_any()
            raise AspError(f"clingo failed: {error}") from error
        self.raise_if_any()

    def raise_if_any(self) -> None:
        """Raise the first message, at its place, with the others behind it."""
        if self._said:
            said, self._said = self._said, []
            raise self._error(said[0], said[1:])

    def _error(self, first: str, rest: list[str]) -> AspError:
        placed = _PLACED.fullmatch(first)
        if placed is None:
            return ProgramError("\n".join([first, *rest]))
        kind = UnsafeRule if placed["text"].startswith("unsafe") else ProgramError
        text = "\n".join([_PART.sub("", placed["text"]), *rest])
        line, column = int(placed["line"]), int(placed["column"])
        if placed["file"] not in {_PARSED, _ADDED}:
            return kind(text, file=placed["file"], line=line, column=column)
        origin = self._origin(line) if self._origin is not None and placed["file"] == _PARSED else None
        return kind(f"{text}\nin: {origin}" if origin is not None else f"line {line}, column {column}: {text}")
