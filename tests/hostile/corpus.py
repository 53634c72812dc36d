"""The corpus of attacks: goals.txt and files.txt, read and filled with the places of canaries."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"== (?P<outcome>\w+): (?P<aim>.*?)(?P<alone> \(each alone\))?\Z")
OUTCOMES = ("refused", "own", "limit", "harmless")


@dataclass(frozen=True, slots=True)
class Attack:
    """A goal or a file: its name, what its section tries, the outcome that is expected of it, and its text."""

    name: str
    aim: str
    outcome: str
    text: str
    alone: bool = False

    def filled(self, places: dict[str, str]) -> Attack:
        """With the places of canaries put in: `places` by placeholder."""
        text = self.text
        for name, value in places.items():
            text = text.replace(f"@{name}@", value)
        return replace(self, text=text)


@cache
def goals() -> tuple[Attack, ...]:
    """The attacks of goals.txt."""
    attacks: list[Attack] = []
    section: Attack | None = None
    for line in (_FOLDER / "goals.txt").read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.match(line):
            section = Attack("", heading["aim"], heading["outcome"], "", bool(heading["alone"]))
        elif section is None or not line.strip():
            continue
        elif line[0] == " ":
            attacks[-1] = replace(attacks[-1], text=f"{attacks[-1].text}\n{line.strip()}")
        else:
            name, _, text = line.partition(" ")
            attacks.append(replace(section, name=name, text=text.strip()))
    return tuple(attacks)


@cache
def files() -> tuple[Attack, ...]:
    """The attacks of files.txt."""
    attacks: list[Attack] = []
    section: Attack | None = None
    for line in (_FOLDER / "files.txt").read_text(encoding="utf-8").splitlines(keepends=True):
        if heading := _HEADING.match(line.rstrip("\n")):
            section = Attack("", heading["aim"], heading["outcome"], "")
        elif line.startswith("--- ") and section is not None:
            attacks.append(replace(section, name=line[4:].strip()))
        elif section is not None and attacks and attacks[-1].aim == section.aim:
            attacks[-1] = replace(attacks[-1], text=attacks[-1].text + line)
    return tuple(replace(attack, text=_unescaped(attack.text.rstrip("\n") + "\n")) for attack in attacks)


def _unescaped(text: str) -> str:
    """`<U+0000>` stands for a character that an editor would not keep."""
    return re.sub(r"<U\+([0-9A-F]{4,6})>", lambda code: chr(int(code[1], 16)), text)
