"""What Popper prints while it searches, line by line.

Both versions print blocks that begin with a title and hold figures and rules. Version 4 writes them to its output, and
version 5 to its errors with the seconds in front of each line. A block ends where something else begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_STAMP = re.compile(r"^(?:\d\d:\d\d:\d\d|[\d.]+s)\s+")
_TITLE = re.compile(r"New best hypothesis|\*+ SOLUTION \*+")
_FIGURE = re.compile(r"\b(tp|fn|tn|fp|size|mdl|precision|recall):\s*([\d.]+|n/a)", re.IGNORECASE)
_RULE = re.compile(r"[a-z]\w*(?:\(.*\))?\s*(?::-.*)?\.$")
_PROGRAMS = re.compile(r"Num\. programs:\s*(\d+)|(\d+) programs")
_NOTHING = "NO SOLUTION"
# Popper says what it does not like and exits with status 0.
_COMPLAINT = re.compile(r"ERROR|WARNING|Traceback|(?:Error|Exception)\b")


@dataclass(frozen=True, slots=True)
class Block:
    """A hypothesis that Popper printed, with what it says of it."""

    solution: bool  # its last word, not only its best so far
    rules: tuple[str, ...]
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Output:
    """Reads lines; `feed` and `end` give the blocks that are complete."""

    programs: int = 0
    nothing: bool = False  # it said that there is no solution
    complaints: list[str] = field(default_factory=list)
    _solution: bool = False
    _open: bool = False
    _rules: list[str] = field(default_factory=list)
    _figures: dict[str, float] = field(default_factory=dict)

    def feed(self, line: str) -> Iterator[Block]:
        """The block that this line completes, if it does."""
        text = _STAMP.sub("", line.strip())
        if _TITLE.search(text):
            yield from self.end()
            self._open, self._solution = True, "SOLUTION" in text
        elif self._open and _FIGURE.search(text) and not _RULE.match(text):
            self._figures.update(
                {name.lower(): float(value) for name, value in _FIGURE.findall(text) if value != "n/a"}
            )
        elif self._open and _RULE.match(text):
            self._rules.append(text)
        else:
            if not self._open or self._rules:
                yield from self.end()
            self._other(text)

    def end(self) -> Iterator[Block]:
        """The block that was open when nothing more came."""
        if self._open and self._rules:
            yield Block(self._solution, tuple(self._rules), dict(self._figures))
        self._open = False
        self._rules.clear()
        self._figures.clear()

    def _other(self, text: str) -> None:
        if programs := _PROGRAMS.search(text):
            self.programs = int(programs[1] or programs[2])
        elif text == _NOTHING:
            self.nothing = True
        elif _COMPLAINT.search(text) and "TIMEOUT" not in text:
            self.complaints.append(text)
