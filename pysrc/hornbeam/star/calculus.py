"""A relation calculus as bit masks, compiled from its Prolog file; the file is the only place that states the table.

Relation number i of the file is bit i; a set of relations is an int.

>>> allen = load_calculus("allen")
>>> allen.text(allen.compose(allen.mask("o"), allen.mask("m")))
'<'
>>> allen.text(allen.converse(allen.mask("<|o")))
'>|oi'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic import Compound, Prolog
from hornbeam.logic.terms import String

ALIASES = {"interval": "allen", "ia": "allen"}


@dataclass(frozen=True)
class Calculus:
    """Relations, their converses and compositions. Equal calculi have equal tables; safe to send to a worker."""

    name: str
    title: str
    relations: tuple[str, ...]
    identity: int  # the number of the identity relation
    converses: tuple[int, ...]  # of each relation
    cells: tuple[int, ...]  # the mask of a ; b at a * size + b
    patchwork: bool = False  # networks that agree on what they share fit together
    _compositions: dict[int, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _converses: dict[int, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.relations)

    @property
    def universal(self) -> int:
        """The mask of all relations: nothing is known."""
        return (1 << len(self.relations)) - 1

    @property
    def identity_mask(self) -> int:
        return 1 << self.identity

    def compose(self, first: int, second: int) -> int:
        """The mask of all that can hold from x to z, given x `first` y and y `second` z."""
        key = first << self.size | second
        known = self._compositions.get(key)
        if known is None:
            known = 0
            for a in bits(first):
                for b in bits(second):
                    known |= self.cells[a * self.size + b]
            self._compositions[key] = known
        return known

    def converse(self, mask: int) -> int:
        known = self._converses.get(mask)
        if known is None:
            known = sum(1 << self.converses[a] for a in bits(mask))
            self._converses[mask] = known
        return known

    def mask(self, text: str) -> int:
        """The mask of a relation or of several, as in ``DC|EC``."""
        result = 0
        for name in text.split("|"):
            if name not in self.relations:
                raise unknown_name(f"{self.name} relation", name, self.relations)
            result |= 1 << self.relations.index(name)
        return result

    def names(self, mask: int) -> list[str]:
        return [self.relations[a] for a in bits(mask)]

    def text(self, mask: int) -> str:
        """The inverse of :meth:`mask`; the empty mask is the empty text."""
        return "|".join(self.names(mask))

    def closed_relations(self) -> tuple[int, ...]:
        """All masks that composing and intersecting base relations can give, the empty one aside, sorted."""
        return _closed_relations(self)

    def distributive(self) -> bool:
        """Whether composition distributes over non-empty intersection on :meth:`closed_relations`.

        Where it does, directional path consistency decides a network of base relations and finds its minimal labels.
        """
        return _distributive(self)

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        state["_compositions"], state["_converses"] = {}, {}
        return state


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
    report = answer["Report"] if answer else None
    assert isinstance(report, Compound)
    if report.functor == "problem":
        line, problem = report.args
        raise UsageError(_text(problem), file=str(path), line=_int(line) or None)
    title, relations, identity, converses, cells, properties = report.args[1:]
    return Calculus(
        name=str(report.args[0]),
        title=_text(title),
        relations=tuple(str(r) for r in _list(relations)),
        identity=_int(identity),
        converses=tuple(_int(c) for c in _list(converses)),
        cells=tuple(_int(c) for c in _list(cells)),
        patchwork="patchwork" in _list(properties),
    )


@cache
def _load_shipped(name: str) -> Calculus:
    return read_calculus(resources.kb("star", f"{name}.pl"))


def _list(term: object) -> list[object]:
    assert isinstance(term, list | tuple)
    return list(term)


def _text(term: object) -> str:
    assert isinstance(term, String)
    return term.value


def _int(term: object) -> int:
    assert isinstance(term, int)
    return term


@cache
def _closed_relations(calculus: Calculus) -> tuple[int, ...]:
    closed = {1 << a for a in range(calculus.size)}
    fresh = set(closed)
    while fresh:
        found = set()
        for a in fresh:
            for b in closed:
                found |= {calculus.compose(a, b), calculus.compose(b, a)}
                if a & b:
                    found.add(a & b)
        fresh = found - closed
        closed |= fresh
    return tuple(sorted(closed))


@cache
def _distributive(calculus: Calculus) -> bool:
    closed = calculus.closed_relations()
    return all(
        calculus.compose(a, b & c) == calculus.compose(a, b) & calculus.compose(a, c)
        and calculus.compose(b & c, a) == calculus.compose(b, a) & calculus.compose(c, a)
        for a in closed
        for b in closed
        for c in closed
        if b & c
    )
