"""What Prolog says of the background knowledge: its text, its modes, its constants, and its tables as facts.

Everything comes from kb/kandy through prolog/kandy/{knowledge,tables}.pl, a whole batch of pictures in one call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from hornbeam import resources
from hornbeam.kandy.knowledge import ask_under, coded
from hornbeam.kandy.tree import Domain, Tree
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Compound, Term, quote, to_text
from hornbeam.tasks.bias import Mode, Place
from hornbeam.theory.theory import Indicator

_MODULE = "hornbeam_kandy_learning"

TableRow = tuple[Term, ...]
THINGS = ("node", "list")  # the types of what is inside a picture


@dataclass(frozen=True, slots=True)
class KnowledgeTables:
    """The answers of each predicate over names, and the pairs of nodes that make a list it holds of.

    `inside` are the nodes and lists that the tables describe in full. A row may lead from there to one that is further
    out, of which only tests are known. `nodes` are the compositions that have a name.
    """

    roots: tuple[str, ...]
    inside: frozenset[Term]
    nodes: Mapping[str, Tree]
    rows: Mapping[str, tuple[TableRow, ...]]
    pairs: Mapping[str, tuple[TableRow, ...]]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return sum(map(len, (*self.rows.values(), *self.pairs.values())))

    def cut(self, modes: Sequence[Mode]) -> KnowledgeTables:
        """The tables without the rows that lead out."""
        places = {mode.name: [at for at, place in enumerate(mode.places) if place.type in THINGS] for mode in modes}
        rows = {
            name: tuple(row for row in table if all(row[at] in self.inside for at in places[name]))
            for name, table in self.rows.items()
        }
        pairs = {name: tuple(row for row in table if self.inside.issuperset(row)) for name, table in self.pairs.items()}
        return KnowledgeTables(self.roots, self.inside, self.nodes, rows, pairs)


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
        return str(self._ask("knowledge_text(_Encoding, _Size, Answer)", _Encoding=encoding).value)

    def modes(self, encoding: str) -> tuple[Mode, tuple[Mode, ...]]:
        """The mode of valid/1, and those of the background knowledge."""
        head, *body = map(_mode, self._ask("knowledge_modes(_Encoding, _Size, Answer)", _Encoding=encoding))
        return head, tuple(body)

    def constants(self, modes: Sequence[Mode]) -> dict[str, tuple[Term, ...]]:
        """What may stand in the # places of the modes, by type."""
        types = sorted({place.type for mode in modes for place in mode.places if place.fill == "#"})
        by_type = {kind: self._ask("knowledge_constants(_Type, Answer)", _Type=kind) for kind in types}
        return {kind: tuple(constants) for kind, constants in by_type.items() if constants}

    def built_in(self, predicates: Sequence[Indicator]) -> frozenset[Indicator]:
        """Those that Prolog itself defines: no facts can be given for them."""
        return self._those("predicate_property(system:_Head, built_in)", predicates)

    def taken(self, predicates: Sequence[Indicator]) -> frozenset[Indicator]:
        """Those that mean something already where a learned theory is loaded: a theory must not redefine them."""
        goal = (
            "( predicate_property(system:_Head, built_in) ; member(_Module, [kandy_natural_full, lists]), "
            "module_property(_Module, exports(_Exports)), memberchk(Name/Arity, _Exports) )"
        )
        return self._those(goal, predicates)

    def exported(self) -> frozenset[Indicator]:
        """The predicates of the natural encoding that a dataset makes known to rules."""
        answer: Any = self._prolog.once("module_property(kandy_natural_full, exports(Exports))", module=_MODULE)
        return frozenset((str(one.args[0]), int(one.args[1])) for one in answer["Exports"])

    def _those(self, goal: str, predicates: Sequence[Indicator]) -> frozenset[Indicator]:
        goal = f"functor(_Head, Name, Arity), {goal}"
        answers = self._prolog.ask_many(goal, over=("Name", "Arity"), rows=list(predicates), module=_MODULE)
        return frozenset(one for one, holds in zip(predicates, answers, strict=True) if holds is True)

    def beyond_nodes(self, modes: Sequence[Mode]) -> frozenset[str]:
        """The predicates of one node that also hold of what is no node: they say something of all its children."""
        goal = "functor(_Goal, Name, Arity), arg(Place, _Goal, []), call(kandy_natural_full:_Goal)"
        rows = [
            (mode.name, len(mode.places), at)
            for mode in modes
            for at, place in enumerate(mode.places, 1)
            if str(place) == "+node"
        ]
        known = self._prolog.ask_many(goal, over=("Name", "Arity", "Place"), rows=rows, module=_MODULE)
        return frozenset(row[0] for row, holds in zip(rows, known, strict=True) if holds is True)

    def truth(self, rule: str, encoding: str) -> str:
        """A rule of kb/kandy/tasks, with the helpers that this knowledge lacks."""
        return str(self._ask("truth_text(_Rule, _Encoding, _Size, Answer)", _Rule=rule, _Encoding=encoding).value)

    def scenes(self, names: Sequence[str], trees: Sequence[Tree]) -> str:
        """The facts of the pointer encoding."""
        return str(self._ask("scenes_text(_Names, _Codes, _, Answer)", _Names=list(names), _Codes=coded(trees)).value)

    def tables(self, trees: Sequence[Tree], reach: int) -> KnowledgeTables:
        """The background knowledge as tables over what lies within `reach` calls of the pictures."""
        goal = (
            "tables(_Size, _Reach, _Codes, _Roots, _Inside, _Nodes, _Rows, _Pairs), "
            "Answer = [_Roots, _Inside, _Nodes, _Rows, _Pairs]"
        )
        roots, inside, nodes, rows, pairs = self._ask(goal, _Reach=reach, _Codes=coded(trees))
        known = {name: _tree(term) for name, term in nodes}
        return KnowledgeTables(tuple(roots), frozenset(inside), known, _by_predicate(rows), _by_predicate(pairs))

    def _ask(self, goal: str, **given: Any) -> Any:
        """What Answer is in the goal."""
        sized = {**given, "_Size": self.size} if "_Size" in goal else given
        return ask_under(self.domain, self._prolog, goal, sized, module=_MODULE)["Answer"]


def _tree(term: Term) -> Tree:
    """The tree of a term of the natural encoding."""
    if not isinstance(term, Compound):
        return str(term)
    children: Any = term.args[0]
    return term.functor, [_tree(child) for child in children]


def _mode(row: Sequence[Any]) -> Mode:
    name, *rest = row
    return Mode(name, tuple(Place(fill, kind) for fill, kind in zip(rest[::2], rest[1::2], strict=True)))


def opened(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """The modes and their open versions, each once, in order.

    The paper's modes have a constant where a rule may want a variable, and a variable where it may want a constant:
    ``same_color(_, L), length(L, 2)``, the truth of four Hard tasks, is outside its language. So each # place may also
    be a variable, and each integer that is found may also be given as a constant.

    >>> [str(mode) for mode in opened([Mode.parse("length(+list, -int)"), Mode.parse("same_color(#color, +list)")])]
    ['length(+list,-int)', 'length(+list,#int)', 'same_color(#color,+list)', 'same_color(-color,+list)']
    """
    versions = (replace(mode, places=places) for mode in modes for places in product(*map(_fills, mode.places)))
    return tuple(dict.fromkeys(versions))


def _fills(place: Place) -> tuple[Place, ...]:
    if place.fill == "#":
        return (place, Place("-", place.type))
    if place == Place("-", "int"):
        return (place, Place("#", "int"))
    return (place,)


def with_negation(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    r"""The modes, where those that only test (they bind nothing) may stand under \\+."""
    return tuple(replace(mode, negated=all(place.fill in "+#" for place in mode.places)) for mode in modes)


def _by_predicate(rows: Sequence[Sequence[Term]]) -> dict[str, tuple[TableRow, ...]]:
    tables: defaultdict[str, list[TableRow]] = defaultdict(list)
    for name, *arguments in rows:
        tables[str(name)].append(tuple(arguments))
    return {name: tuple(table) for name, table in tables.items()}


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
