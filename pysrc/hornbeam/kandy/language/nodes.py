"""A generation rule as a value, and the three stages in which it becomes a sample.

1. :meth:`Node.pre` expands what is expanded before grounding: the ``_before`` operators, the random groups and the set
   operators, inner ones first. A repeat copies what its list has become, unless it is `fresh`.
2. :meth:`Node.ground` draws the attributes of the atoms from left to right and evaluates `store` and `recall`.
   A plain repeat that is `fresh` grounds its list anew for every copy.
3. :func:`finish` applies the plain operators, inner ones first.

Stages 1 and 2 map a node to a list of nodes; the list is spliced into the parent's. What is grounded and holds nothing
to expand is already a piece of the final tree (a `str` or a `tuple`), so most samples have no third stage at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from hornbeam.kandy.language.lists import Arguments, Below, CannotExpand, apply, times
from hornbeam.kandy.language.sets import combine
from hornbeam.kandy.tree import Domain, Tree
from hornbeam.yaml_reader import Place

Piece: TypeAlias = "Node | Tree | Pending"

MOST_OBJECTS = 4096
"""More objects than this in one picture are a mistake in the file: lists that store and recall each other grow fast."""


class DrawError(Exception):
    """A sample that cannot be drawn, and the place of the operator that cannot do its work."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place


@dataclass(slots=True)
class Memory:
    """What `store` remembers while one sample is drawn. A fresh copy has a memory of its own inside its parent's."""

    lists: dict[str, list[Piece]] = field(default_factory=dict)
    outer: Memory | None = None

    def find(self, alias: str) -> list[Piece] | None:
        memory: Memory | None = self
        while memory is not None:
            if alias in memory.lists:
                return memory.lists[alias]
            memory = memory.outer
        return None


class Node:
    """A part of a generation rule that is not yet grounded. `settled` nodes are their own first stage."""

    __slots__ = ("place", "settled")
    place: Place
    settled: bool

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        raise TypeError("abstract")

    def ground(self, below: Below) -> list[Piece]:
        raise TypeError("abstract")


def pre_all(nodes: Iterable[Node], below: Below, memory: Memory) -> list[Node]:
    """The first stage of a list."""
    expanded: list[Node] = []
    for node in nodes:
        if node.settled:
            expanded.append(node)
        else:
            expanded.extend(node.pre(below, memory))
    return expanded


def ground_all(nodes: Iterable[Node], below: Below) -> list[Piece]:
    """The second stage of a list."""
    grounded: list[Piece] = []
    for node in nodes:
        grounded.extend(node.ground(below))
    return grounded


class Atom(Node):
    """An object whose attributes are drawn from three lists of values."""

    __slots__ = ("names", "values")

    def __init__(self, values: tuple[tuple[str, ...], ...], place: Place) -> None:
        self.place = place
        self.settled = True
        self.values = values
        # One draw from all names is the same as one draw from each attribute.
        self.names = [Domain.name(*triple) for triple in product(*values)]

    def ground(self, below: Below) -> list[Piece]:
        names = self.names
        return [names[below(len(names))] if len(names) > 1 else names[0]]


class Compose(Node):
    """A composition of children."""

    __slots__ = ("children", "op")

    def __init__(self, op: str, children: list[Node], place: Place) -> None:
        self.place = place
        self.op = op
        self.children = children
        self.settled = all(child.settled for child in children)

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Compose(self.op, pre_all(self.children, below, memory), self.place)]

    def ground(self, below: Below) -> list[Piece]:
        return [_compose(self.op, ground_all(self.children, below))]


class AnyOf(Node):
    """A composition whose operator is drawn, before anything inside it."""

    __slots__ = ("children", "group", "ops")

    def __init__(self, group: str, ops: tuple[str, ...], children: list[Node], place: Place) -> None:
        self.place = place
        self.settled = False
        self.group = group
        self.ops = ops
        self.children = children

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        op = self.ops[below(len(self.ops))]
        return [Compose(op, pre_all(self.children, below, memory), self.place)]


class Before(Node):
    """A list operator that runs before grounding."""

    __slots__ = ("arguments", "children", "name")

    def __init__(self, name: str, arguments: Arguments, children: list[Node], place: Place) -> None:
        self.place = place
        self.settled = False
        self.name = name
        self.arguments = arguments
        self.children = children

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        if self.name == "store":
            return self._store(below, memory)
        if self.arguments.get("fresh"):
            return self._fresh(below, memory)
        return _applied(self.place, self.name, self.arguments, pre_all(self.children, below, memory), below)

    def _store(self, below: Below, memory: Memory) -> list[Node]:
        expanded = pre_all(self.children, below, memory)
        memory.lists[self.arguments["alias"]] = list(expanded)
        return expanded

    def _fresh(self, below: Below, memory: Memory) -> list[Node]:
        copies: list[Node] = []
        for _ in range(times(self.name, self.arguments, below)):
            copies.extend(pre_all(self.children, below, Memory(outer=memory)))
        return copies


class SetOf(Node):
    """A set operator: combines the attributes of its members to one atom."""

    __slots__ = ("domain", "members", "name")

    def __init__(self, name: str, members: list[Node], domain: Domain, place: Place) -> None:
        self.place = place
        self.settled = False
        self.name = name
        self.members = members
        self.domain = domain

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        atoms = [self._atom(member, below, memory) for member in self.members]
        try:
            return [Atom(combine(self.name, [atom.values for atom in atoms], self.domain), self.place)]
        except CannotExpand as error:
            raise DrawError(self.place, str(error)) from None

    def _atom(self, member: Node, below: Below, memory: Memory) -> Atom:
        if isinstance(member, Recall):
            found: list[Any] = memory.find(member.alias) or []
        else:
            found = [member] if member.settled else member.pre(below, memory)
        if len(found) != 1 or not isinstance(found[0], Atom):
            raise DrawError(member.place, "a set can only recall one object, stored with store_before")
        return found[0]


class After(Node):
    """A list operator that runs after grounding."""

    __slots__ = ("arguments", "children", "name")

    def __init__(self, name: str, arguments: Arguments, children: list[Node], place: Place) -> None:
        self.place = place
        self.name = name
        self.arguments = arguments
        self.children = children
        self.settled = all(child.settled for child in children)

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [After(self.name, self.arguments, pre_all(self.children, below, memory), self.place)]

    def ground(self, below: Below) -> list[Piece]:
        if not self.arguments.get("fresh"):
            return [Pending(self, ground_all(self.children, below))]
        copies: list[Piece] = []
        for _ in range(times(self.name, self.arguments, below)):
            copies.extend(ground_all(self.children, below))
        return copies


class Store(Node):
    """Remembers the grounded list."""

    __slots__ = ("alias", "children", "memory")

    def __init__(self, alias: str, children: list[Node], place: Place, memory: Memory | None = None) -> None:
        self.place = place
        self.settled = False
        self.alias = alias
        self.children = children
        self.memory = memory

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Store(self.alias, pre_all(self.children, below, memory), self.place, memory)]

    def ground(self, below: Below) -> list[Piece]:
        grounded = ground_all(self.children, below)
        if size(grounded) > MOST_OBJECTS:
            raise DrawError(self.place, f"'{self.alias}' grows beyond {MOST_OBJECTS} objects")
        if self.memory is not None:
            self.memory.lists[self.alias] = list(grounded)
        return grounded


class Recall(Node):
    """Stands for a remembered list, which is grounded again where it was not grounded."""

    __slots__ = ("alias", "memory")

    def __init__(self, alias: str, place: Place, memory: Memory | None = None) -> None:
        self.place = place
        self.settled = False
        self.alias = alias
        self.memory = memory

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Recall(self.alias, self.place, memory)]

    def ground(self, below: Below) -> list[Piece]:
        stored = self.memory.find(self.alias) if self.memory is not None else None
        if stored is None:
            raise DrawError(self.place, f"nothing is stored as '{self.alias}' when it is recalled")
        grounded: list[Piece] = []
        for piece in stored:
            grounded.extend(piece.ground(below) if isinstance(piece, Node) else [piece])
        return grounded


@dataclass(frozen=True, slots=True)
class Pending:
    """Grounded, with an operator that is still to be applied: the node's, or a composition of such."""

    node: After | str
    pieces: list[Piece]


def _compose(op: str, pieces: list[Any]) -> Piece:
    if any(piece.__class__ is Pending for piece in pieces):
        return Pending(op, pieces)
    return op, pieces


def finish(piece: Any, below: Below) -> list[Tree]:
    """The third stage: the trees that a grounded piece ends as."""
    if piece.__class__ is not Pending:
        return [piece]
    if isinstance(piece.node, str):
        return [(piece.node, finish_all(piece.pieces, below))]
    node: After = piece.node
    return _applied(node.place, node.name, node.arguments, finish_all(piece.pieces, below), below)


def finish_all(pieces: Iterable[Any], below: Below) -> list[Tree]:
    """The third stage of a list."""
    trees: list[Tree] = []
    for piece in pieces:
        if piece.__class__ is Pending:
            trees.extend(finish(piece, below))
        else:
            trees.append(piece)
    return trees


def _applied(place: Place, name: str, arguments: Arguments, items: list[Any], below: Below) -> list[Any]:
    try:
        return apply(name, arguments, items, below)
    except CannotExpand as error:
        raise DrawError(place, str(error)) from None


def size(pieces: Iterable[Any]) -> int:
    """The number of objects in grounded pieces. Shared pieces are measured once, however often they occur."""
    known: dict[int, int] = {}

    def measure(piece: Any) -> int:
        if isinstance(piece, str):
            return 1
        if id(piece) not in known:
            known[id(piece)] = sum(map(measure, piece.pieces if piece.__class__ is Pending else piece[1]))
        return known[id(piece)]

    return sum(map(measure, pieces))


def draw(element: Node, below: Below) -> Tree:
    """One sample of a generation rule, all three stages."""
    return stages(element, below)[2]


def stages(element: Node, below: Below) -> tuple[list[Node], list[Piece], Tree]:
    """The three stages of one sample: expanded, grounded, final."""
    try:
        expanded = pre_all([element], below, Memory())
        grounded = ground_all(expanded, below)
        trees = finish_all(grounded, below)
    except RecursionError:
        raise DrawError(element.place, "this rule expands without end") from None
    if size(trees) > MOST_OBJECTS:
        raise DrawError(element.place, f"this rule grows beyond {MOST_OBJECTS} objects")
    if len(trees) != 1:
        raise DrawError(element.place, f"expected one object or composition at the top of a set, got {len(trees)}")
    return expanded, grounded, trees[0]
