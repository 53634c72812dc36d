r"""The language of hypotheses: which predicates a clause may use, how their places are filled, and how large it may be.

One bias serves every learner, so that all search the same space: sizes count body literals, and variables are all
variables of a clause, those of the head included. A harness translates them into the terms of its own system.

>>> mode = Mode.parse("edge(+node, -node, #colour)")
>>> [place.fill for place in mode.places], str(mode)
(['+', '-', '#'], 'edge(+node,-node,#colour)')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from hornbeam.errors import UsageError
from hornbeam.logic.terms import Term, quote
from hornbeam.theory.theory import Indicator

# + a variable that is bound before the call, - one that the call binds, # a constant, ? any variable.
Fill = Literal["+", "-", "#", "?"]
ANY_TYPE = "any"

_MODE = re.compile(r"\s*('[^']+'|[a-z]\w*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_PLACE = re.compile(r"\s*([-+#?])\s*\(?\s*([a-z]\w*)?\s*\)?\s*")


@dataclass(frozen=True, slots=True)
class Place:
    """One argument of a mode: how it is filled, and with terms of which type."""

    fill: Fill
    type: str = ANY_TYPE

    def __str__(self) -> str:
        return f"{self.fill}{self.type}"


@dataclass(frozen=True, slots=True)
class Mode:
    """How a predicate may be called. `recall` bounds the answers of one call that are looked at."""

    name: str
    places: tuple[Place, ...] = ()
    recall: int | None = None
    negated: bool = False  # may also stand under \+, once its variables are bound

    @classmethod
    def parse(cls, text: str, *, recall: int | None = None, negated: bool = False) -> Mode:
        """A mode as Aleph writes it: ``edge(+node, -node, #colour)``."""
        mode = _MODE.fullmatch(text)
        parts = mode[2].split(",") if mode and mode[2] else []
        places = [_PLACE.fullmatch(part) for part in parts]
        if mode is None or not all(places):
            raise UsageError(f"'{text}' is not a mode: expected e.g. edge(+node, -node, #colour)")
        filled = [Place(cast(Fill, place[1]), place[2] or ANY_TYPE) for place in places if place]
        return cls(mode[1].strip("'"), tuple(filled), recall, negated)

    @property
    def indicator(self) -> Indicator:
        return (self.name, len(self.places))

    def filled(self, fills: Mapping[Fill, Fill]) -> Mode:
        """The same mode with some fills changed into others."""
        places = (Place(fills.get(place.fill, place.fill), place.type) for place in self.places)
        return replace(self, places=tuple(places))

    def __str__(self) -> str:
        return f"{quote(self.name)}({','.join(map(str, self.places))})" if self.places else quote(self.name)


@dataclass(frozen=True, slots=True)
class Bias:
    """The space of hypotheses."""

    head: tuple[Mode, ...]
    body: tuple[Mode, ...]
    constants: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)  # what may stand in a # place, by type
    max_body: int = 5  # body literals of a clause
    max_vars: int = 6  # variables of a clause, head included
    max_clauses: int | None = None  # of a theory; None: no bound
    depth: int = 3  # how many calls a variable may be away from the head
    recursion: bool = False
    invention: bool = False

    @property
    def targets(self) -> tuple[Indicator, ...]:
        """The predicates to learn."""
        return tuple(dict.fromkeys(mode.indicator for mode in self.head))

    def undirected(self) -> Bias:
        """The same language for a learner that does not ask what is bound when a literal is called."""
        fills: dict[Fill, Fill] = {"+": "?", "-": "?"}
        return replace(
            self,
            head=tuple(mode.filled(fills) for mode in self.head),
            body=tuple(mode.filled(fills) for mode in self.body),
        )

    def with_limits(self, **limits: int | bool | None) -> Bias:
        """The same language with other sizes."""
        return replace(self, **{name: value for name, value in limits.items() if value is not None})  # type: ignore[arg-type]
