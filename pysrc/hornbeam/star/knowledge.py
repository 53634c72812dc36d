"""Relation calculi, read from their Prolog files in kb/star: a file is the only place that states a table.

Relation number i of the file is bit i; a set of relations is an int.

>>> allen = load_calculus("allen")
>>> allen.text(allen.compose(allen.parse("o"), allen.parse("m")))
'<'
>>> allen.text(allen.converse(allen.parse("<|o")))
'>|oi'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from hornbeam import resources
from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic import Prolog
from hornbeam.networks.table import Table

ALIASES = {"interval": "allen", "ia": "allen"}


@dataclass(frozen=True)
class Calculus(Table):
    """The table of a relation algebra. Equal calculi have equal tables; safe to send to a worker."""

    name: str = ""
    title: str = ""
    patchwork: bool = False  # networks that agree on what they share fit together

    def parse(self, text: str) -> int:
        """The mask of a relation or of several, as in ``DC|EC``."""
        mask = 0
        for name in text.split("|"):
            if name not in self.place:
                raise unknown_name(f"{self.name} relation", name, self.relations)
            mask |= 1 << self.place[name]
        return mask

    def text(self, mask: int) -> str:
        """The inverse of :meth:`parse`; the empty mask is the empty text."""
        return "|".join(self.names(mask))

    @cached_property
    def closed_relations(self) -> tuple[int, ...]:
        """All masks that composing and intersecting base relations can give, the empty one aside, sorted."""
        closed = {1 << a for a in range(self.size)}
        fresh = set(closed)
        while fresh:
            reached = set()
            for a in fresh:
                for b in closed:
                    reached |= {self.compose(a, b), self.compose(b, a)}
                    if a & b:
                        reached.add(a & b)
            fresh = reached - closed
            closed |= fresh
        return tuple(sorted(closed))

    @cached_property
    def distributive(self) -> bool:
        """Whether composition distributes over non-empty intersection on :meth:`closed_relations`.

        Where it does, directional path consistency decides a network of base relations and finds its minimal labels.
        """
        closed, compose = self.closed_relations, self.compose
        return all(
            compose(a, b & c) == compose(a, b) & compose(a, c) and compose(b & c, a) == compose(b, a) & compose(c, a)
            for a in closed
            for b in closed
            for c in closed
            if b & c
        )


def load_calculus(name: str) -> Calculus:
    """A shipped calculus by its name, or a calculus of your own by the path of its Prolog file.

    The file is read as data and never run; it must be complete and keep the laws of a relation algebra.
    """
    if name.endswith(".pl"):
        return read_calculus(Path(name))
    known = ALIASES.get(name, name)
    if known not in shipped():
        raise unknown_name("calculus", name, [*shipped(), *ALIASES, "FILE.pl"])
    return _load_shipped(known)


@cache
def shipped() -> tuple[str, ...]:
    """The names of the calculi in kb/star: a file that states one is all that it takes.

    >>> shipped()
    ('allen', 'point', 'rcc5', 'rcc8')
    """
    files = sorted(resources.kb("star").glob("*.pl"))
    return tuple(file.stem for file in files if f"\ncalculus({file.stem}," in file.read_text(encoding="utf-8"))


def calculus_file(name: str) -> Path:
    """Where the Prolog file of a calculus is."""
    return Path(name) if name.endswith(".pl") else resources.kb("star", f"{ALIASES.get(name, name)}.pl")


def read_calculus(path: Path) -> Calculus:
    if not path.is_file():
        raise UsageError("there is no such calculus file", file=str(path))
    prolog = Prolog()
    prolog.load(resources.prolog("star", "calculus.pl"), module="star_calculus_asked")
    answer = prolog.once("hornbeam_star_calculus:calculus_report(File, Report)", given={"File": str(path.resolve())})
    report: Any = answer and answer["Report"]
    if report.functor == "problem":
        line, problem = report.args
        raise UsageError(problem.value, file=str(path), line=line or None)
    name, title, relations, identity, converses, cells, properties = report.args
    size = len(relations)
    return Calculus(
        name=str(name),
        title=title.value,
        relations=tuple(map(str, relations)),
        identity=1 << identity,
        converses=tuple(1 << converse for converse in converses),
        cells=tuple(tuple(cells[start : start + size]) for start in range(0, size * size, size)),
        reading="sets",
        patchwork="patchwork" in properties,
    )


@cache
def _load_shipped(name: str) -> Calculus:
    return read_calculus(resources.kb("star", f"{name}.pl"))
