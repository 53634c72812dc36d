r"""The language bias: which predicates a clause may use, with which arguments, and how large it may be.

All learners use the same bias and so search the same space. Sizes count body literals and all variables of a clause,
including those of the head. The wrappers of Aleph and Popper translate them for their system.

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
    """One argument of a mode: the kind of term, and its type."""

    fill: Fill
    type: str = ANY_TYPE

    def __str__(self) -> str:
        return f"{self.fill}{self.type}"


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode declaration: how a predicate may be called.

    Attributes:
        name: The predicate.
        places: Its arguments: ``+`` a bound variable, ``-`` a variable that the call binds, ``#`` a constant, ``?`` any
            variable, each with a type.
        recall: The most answers of one call that are used; None for all.
        negated: Whether the predicate may also be negated, once its variables are bound.

    >>> Mode.parse("edge(+node, -node)").indicator
    ('edge', 2)
    """

    name: str
    places: tuple[Place, ...] = ()
    recall: int | None = None
    negated: bool = False

    @classmethod
    def parse(cls, text: str, *, recall: int | None = None, negated: bool = False) -> Mode:
        """Read a mode in Aleph's syntax.

        Args:
            text: The mode, e.g. ``edge(+node, -node, #colour)``.
            recall: The most answers of one call that are used.
            negated: Whether the predicate may also be negated.

        Returns:
            The mode.

        Raises:
            UsageError: if the text is not a mode.

        >>> str(Mode.parse("colour(+node, #colour)"))
        'colour(+node,#colour)'
        """
        mode = _MODE.fullmatch(text)
        parts = mode[2].split(",") if mode and mode[2] else []
        places = [_PLACE.fullmatch(part) for part in parts]
        if mode is None or not all(places):
            raise UsageError(f"'{text}' is not a mode: expected e.g. edge(+node, -node, #colour)")
        filled = [Place(cast(Fill, place[1]), place[2] or ANY_TYPE) for place in places if place]
        return cls(mode[1].strip("'"), tuple(filled), recall, negated)

    @property
    def indicator(self) -> Indicator:
        """Name and arity."""
        return (self.name, len(self.places))

    def filled(self, fills: Mapping[Fill, Fill]) -> Mode:
        """The same mode with some kinds of arguments replaced by others."""
        places = (Place(fills.get(place.fill, place.fill), place.type) for place in self.places)
        return replace(self, places=tuple(places))

    def __str__(self) -> str:
        return f"{quote(self.name)}({','.join(map(str, self.places))})" if self.places else quote(self.name)


@dataclass(frozen=True, slots=True)
class Bias:
    """The hypothesis space of a task.

    Attributes:
        head: Modes of the predicates to learn.
        body: Modes of the predicates that bodies may use.
        constants: The constants for ``#`` arguments, by type.
        max_body: The most body literals of a clause.
        max_vars: The most variables of a clause, including the head.
        max_clauses: The most clauses of a theory; None for no limit.
        depth: The most calls between a variable and the head.
        recursion: Whether clauses may be recursive.
        invention: Whether a theory may define new predicates.

    >>> bias = Bias(head=(Mode.parse("path(+node, +node)"),), body=(Mode.parse("edge(+node, -node)"),), recursion=True)
    >>> bias.targets, bias.with_limits(max_body=2).max_body
    ((('path', 2),), 2)
    """

    head: tuple[Mode, ...]
    body: tuple[Mode, ...]
    constants: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    max_body: int = 5
    max_vars: int = 6
    max_clauses: int | None = None
    depth: int = 3
    recursion: bool = False
    invention: bool = False

    @property
    def targets(self) -> tuple[Indicator, ...]:
        """The predicates to learn."""
        return tuple(dict.fromkeys(mode.indicator for mode in self.head))

    def undirected(self) -> Bias:
        """The same bias without directions, for learners that ignore which variables are bound."""
        fills: dict[Fill, Fill] = {"+": "?", "-": "?"}
        return replace(
            self,
            head=tuple(mode.filled(fills) for mode in self.head),
            body=tuple(mode.filled(fills) for mode in self.body),
        )

    def with_limits(self, **limits: int | bool | None) -> Bias:
        """The same bias with other sizes, by attribute; None keeps a size."""
        return replace(self, **{name: value for name, value in limits.items() if value is not None})  # type: ignore[arg-type]
