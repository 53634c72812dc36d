r"""The predicates that rules may call, with their documentation: PlDoc comments of a dataset's background knowledge.

Only what stands behind background.pl is read, never the true theory.

>>> text = '''
... %!  contains(+Node, ?Child) is nondet.
... %
... %   Child is a direct child of Node.
...
... contains(Node, Child) :-
...     children(Node, Children),
...     member(Child, Children).
... '''
>>> entry = entries_of(text, "structure.pl")[0]
>>> entry.indicator, entry.head, entry.determinism
('contains/2', 'contains(+Node, ?Child)', 'nondet')
>>> print(entry.source)
contains(Node, Child) :-
    children(Node, Children),
    member(Child, Children).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import HornbeamError

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_BEGINNINGS = ("background.pl", "mine.pl", "network.pl")
# The true theory, and what only the tools call.
_HIDDEN = re.compile(r"(^|/)(theory|rules|facts|load)\.pl$|(^|/)(tasks|worlds|pointer)(/|\.pl$)|(^|/)prolog/")
# What the tools ask of a dataset; a rule has no use for it.
_TOOLS = re.compile(r"(true_answer|judged|theory_predicates|mine_answer|explain_\w+|task_named)/")
_LOADED = re.compile(r":-\s*(?:use_module|include|reexport|ensure_loaded)\(\s*'?([\w./-]+)'?")
_COMMENT = re.compile(r"(?:^%!.*\n(?:^%(?!!).*\n)*)+", re.MULTILINE)
_HEAD = re.compile(r"^%!\s*(.*?)\s*(?:\bis\s+(det|semidet|nondet|multi|failure|erroneous)\b)?\.?\s*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A predicate with its documentation.

    Attributes:
        name: The name.
        arity: The number of arguments.
        head: How it is called, with modes.
        determinism: How often it succeeds, e.g. `nondet`; "" if the comment does not say.
        text: What it means.
        source: Its clauses, if they follow the comment.
        file: The file of the dataset.
    """

    name: str
    arity: int
    head: str
    determinism: str
    text: str
    source: str
    file: str

    @property
    def indicator(self) -> str:
        return f"{self.name}/{self.arity}"


@lru_cache(maxsize=16)
def documented(dataset: Dataset) -> tuple[Entry, ...]:
    """The documented predicates of a dataset's background knowledge, each once, in the order of files and places."""
    found: dict[str, Entry] = {}
    for file, text in _files(dataset):
        for entry in entries_of(text, file):
            if file in dataset.family.proof_files:  # the clauses may be the truth itself, as those of STaR's tables are
                entry = replace(entry, source="")
            if not _TOOLS.match(entry.indicator):
                found.setdefault(entry.indicator, entry)
    return tuple(found.values())


def _files(dataset: Dataset) -> Iterator[tuple[str, str]]:
    """The files behind background.pl, as they load each other."""
    known = {name for name in dataset.manifest.files if name.endswith(".pl")}
    todo = [name for name in _BEGINNINGS if name in known]
    seen: set[str] = set()
    while todo:
        name = todo.pop(0)
        if name in seen or _HIDDEN.search(name):
            continue
        seen.add(name)
        try:
            text = dataset.file(name).read_text(encoding="utf-8")
        except (HornbeamError, OSError, UnicodeDecodeError):
            continue
        yield name, text
        todo += [path for loaded in _LOADED.findall(text) if (path := _beside(name, loaded)) in known]


def _beside(name: str, loaded: str) -> str:
    parts: list[str] = list(Path(name).parent.parts)
    for part in loaded.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    path = "/".join(parts)
    return path if path.endswith(".pl") else f"{path}.pl"


def entries_of(text: str, file: str) -> list[Entry]:
    """The documented predicates of a file's text."""
    return [entry for comment in _COMMENT.finditer(text) for entry in _entries(comment, text, file)]


def _entries(comment: re.Match[str], text: str, file: str) -> Iterator[Entry]:
    lines = comment[0].splitlines()
    heads = [line for line in lines if line.startswith("%!")]
    said = "\n".join(line.removeprefix("%").strip() for line in lines if not line.startswith("%!")).strip()
    for line in heads:
        head = _HEAD.match(line)
        if head is None or not head[1]:
            continue
        name, arity = _indicator(head[1])
        source = _clauses(text[comment.end() :], name)
        yield Entry(name, arity, head[1], head[2] or "", said, source, file)


def _indicator(head: str) -> tuple[str, int]:
    """The name and the number of arguments of a head; commas in brackets do not count."""
    name, bracket, inside = head.partition("(")
    if not bracket:
        return name.strip(), 0
    depth, commas = 0, 0
    for letter in inside.rpartition(")")[0]:
        depth += (letter in "([{") - (letter in ")]}")
        commas += letter == "," and depth == 0
    return name.strip().strip("'"), commas + 1


def _clauses(rest: str, name: str) -> str:
    """The clauses that follow a comment at once, up to the next comment or predicate."""
    blocks: Sequence[str] = rest.lstrip("\n").split("\n\n")
    kept: list[str] = []
    for block in blocks:
        lines = [line for line in block.split("\n") if not line.startswith(":-")]
        if not lines or not re.match(rf"'?{re.escape(name)}\b", lines[0]):
            break
        kept.append("\n".join(lines).rstrip())
    return "\n\n".join(kept)
