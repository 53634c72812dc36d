"""What Prolog says of the background knowledge: its text, its modes, its constants and its tables.

Everything comes from kb/kandy through prolog/kandy/{knowledge,tables}.pl, a whole batch of pictures in one call.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam import resources
from hornbeam.errors import HornbeamError
from hornbeam.kandy.knowledge import coded
from hornbeam.kandy.tree import Domain, Tree
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Compound, Term, quote, to_text
from hornbeam.tasks.bias import Mode, Place
from hornbeam.theory.theory import Indicator

_MODULE = "hornbeam_kandy_learning"
_LIMITS = Limits(seconds=600)

TableRow = tuple[Term, ...]
THINGS = ("node", "list")  # the types of what is inside a picture


@dataclass(frozen=True, slots=True)
class KnowledgeTables:
    """The answers of each predicate over names, and the pairs of nodes that make a list it holds of.

    `inside` are the nodes and lists that the tables describe in full. A row may lead from there to one that is further
    out, of which only tests are known.
    """

    roots: tuple[str, ...]
    inside: frozenset[Term]
    rows: Mapping[str, tuple[TableRow, ...]]
    pairs: Mapping[str, tuple[TableRow, ...]]

    def cut(self, modes: Sequence[Mode]) -> KnowledgeTables:
        """The tables without the rows that lead out."""
        places = {mode.name: [at for at, place in enumerate(mode.places) if place.type in THINGS] for mode in modes}
        rows = {
            name: tuple(row for row in table if all(row[at] in self.inside for at in places[name]))
            for name, table in self.rows.items()
        }
        pairs = {name: tuple(row for row in table if self.inside.issuperset(row)) for name, table in self.pairs.items()}
        return KnowledgeTables(self.roots, self.inside, rows, pairs)


class Knowledge:
    """The background knowledge of one size, under one domain."""

    def __init__(self, domain: Domain, size: str) -> None:
        self.domain = domain
        self.size = size
        self._prolog = Prolog()
        for name in ("service.pl", "knowledge.pl", "tables.pl"):
            self._prolog.load(resources.prolog("kandy", name), module=_MODULE)

    def text(self, encoding: str) -> str:
        """The clauses of all predicates of the modes, and of what they call."""
        text: str = self._ask("knowledge_text(_Encoding, _Size, Answer)", _Encoding=encoding)["Answer"].value
        return text

    def modes(self, encoding: str) -> tuple[Mode, tuple[Mode, ...]]:
        """The mode of valid/1, and those of the background knowledge."""
        head, *body = map(_mode, self._ask("knowledge_modes(_Encoding, _Size, Answer)", _Encoding=encoding)["Answer"])
        return head, tuple(body)

    def constants(self, modes: Sequence[Mode]) -> dict[str, tuple[Term, ...]]:
        """What may stand in the # places of the modes, by type."""
        types = sorted({place.type for mode in modes for place in mode.places if place.fill == "#"})
        found = {kind: self._ask("knowledge_constants(_Type, Answer)", _Type=kind)["Answer"] for kind in types}
        return {kind: tuple(constants) for kind, constants in found.items() if constants}

    def built_in(self, predicates: Sequence[Indicator]) -> frozenset[Indicator]:
        """Those that Prolog itself defines: no facts can be given for them."""
        goal = "functor(_Head, Name, Arity), predicate_property(system:_Head, built_in)"
        found = self._prolog.ask_many(goal, over=("Name", "Arity"), rows=list(predicates), module=_MODULE)
        return frozenset(one for one, known in zip(predicates, found, strict=True) if known)

    def taken(self, predicates: Sequence[Indicator]) -> frozenset[Indicator]:
        """Those that mean something already where a learned theory is loaded: a theory must not define them anew."""
        goal = (
            "functor(_Head, Name, Arity), ( predicate_property(system:_Head, built_in) ; "
            "member(_Module, [kandy_natural_full, lists]), module_property(_Module, exports(_Exports)), "
            "memberchk(Name/Arity, _Exports) )"
        )
        known = self._prolog.ask_many(goal, over=("Name", "Arity"), rows=list(predicates), module=_MODULE)
        return frozenset(one for one, holds in zip(predicates, known, strict=True) if holds is True)

    def beyond_nodes(self, modes: Sequence[Mode]) -> frozenset[str]:
        """The predicates of one node that also hold of what is no node: they say something of all its children."""
        goal = "functor(_Goal, Name, Arity), arg(Place, _Goal, []), call(kandy_natural_full:_Goal)"
        rows = [(mode.name, len(mode.places), at + 1) for mode in modes for at in _node_places(mode)]
        known = self._prolog.ask_many(goal, over=("Name", "Arity", "Place"), rows=rows, module=_MODULE)
        return frozenset(row[0] for row, holds in zip(rows, known, strict=True) if holds is True)

    def truth(self, rule: str, encoding: str) -> str:
        """A rule of kb/kandy/tasks, with the helpers that this knowledge lacks."""
        goal = "truth_text(_Rule, _Encoding, _Size, Answer)"
        text: str = self._ask(goal, _Rule=rule, _Encoding=encoding)["Answer"].value
        return text

    def scenes(self, names: Sequence[str], trees: Sequence[Tree]) -> str:
        """The facts of the pointer encoding."""
        goal = "scenes_text(_Names, _Codes, _, Answer)"
        text: str = self._ask(goal, _Names=list(names), _Codes=coded(trees))["Answer"].value
        return text

    def tables(self, trees: Sequence[Tree], reach: int) -> KnowledgeTables:
        """The background knowledge as tables over what lies within `reach` calls of the pictures."""
        goal = "tables(_Size, _Reach, _Codes, Roots, Inside, Rows, Pairs)"
        answer = self._ask(goal, _Reach=reach, _Codes=coded(trees))
        return KnowledgeTables(
            tuple(answer["Roots"]),
            frozenset(answer["Inside"]),
            _by_predicate(answer["Rows"]),
            _by_predicate(answer["Pairs"]),
        )

    def _ask(self, goal: str, **given: Any) -> dict[str, Any]:
        values: dict[str, Any] = {
            "_Shapes": list(self.domain.shapes),
            "_Colors": list(self.domain.colors),
            "_Sizes": list(self.domain.sizes),
            "_Size": self.size,
            **given,
        }
        goal = f"set_domain(_Shapes, _Colors, _Sizes), {goal}"
        used = {name: values[name] for name in re.findall(r"\b_\w+", goal) if name in values}
        answer = self._prolog.once(goal, given=used, module=_MODULE, limits=_LIMITS)
        if answer is None:
            raise HornbeamError(f"Prolog gave no answer to {goal}")
        return answer


def _node_places(mode: Mode) -> list[int]:
    return [at for at, place in enumerate(mode.places) if str(place) == "+node"]


def _mode(row: Sequence[Any]) -> Mode:
    name, *rest = row
    return Mode(name, tuple(Place(fill, kind) for fill, kind in zip(rest[::2], rest[1::2], strict=True)))


def _by_predicate(rows: Sequence[Sequence[Term]]) -> dict[str, tuple[TableRow, ...]]:
    found: defaultdict[str, list[TableRow]] = defaultdict(list)
    for name, *arguments in rows:
        found[str(name)].append(tuple(arguments))
    return {name: tuple(found[name]) for name in found}


Facts = Mapping[str, Sequence[tuple[Term, ...]]]


def facts_text(facts: Facts, predicates: Iterable[Indicator]) -> str:
    """The facts of these predicates, sorted, a line each; one that has none is declared, so that it fails.

    >>> print(facts_text({"q": [("b",), ("a",)]}, [("q", 1), ("r", 2)]), end="")
    :- dynamic r/2.
    q(a).
    q(b).
    """
    lines: list[str] = []
    empty: list[str] = []
    for name, arity in dict.fromkeys(predicates):
        rows = facts.get(name, ())
        if not rows:
            empty.append(f":- dynamic {quote(name)}/{arity}.\n")
        lines.extend(sorted({f"{to_text(Compound(name, row)) if row else quote(name)}.\n" for row in rows}))
    return "".join([*empty, *lines])


def plain_name(*parts: Term) -> str:
    """A predicate name of small letters, digits and underscores, which every system reads without quotes.

    >>> plain_name("exists_color", "Light blue")
    'exists_color_light_blue'
    """
    joined = "_".join(str(part) for part in parts).lower()
    return "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in joined)
