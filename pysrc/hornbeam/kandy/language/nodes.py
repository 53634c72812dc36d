"""A generation rule as a value, and the three stages in which it becomes a sample.

1. :meth:`Node.pre` expands what is expanded before grounding: the ``_before`` operators, the random groups and the set
   operators, inner ones first. A repeat copies what its list has become, unless it is `fresh`.
2. :meth:`Node.ground` draws the attributes of the atoms from left to right and evaluates `store` and `recall`.
   A plain repeat that is `fresh` grounds its list again for every copy.
3. :func:`finish` applies the plain operators, inner ones first.

Where the samples of a rule are few, :func:`outcomes` gives all of them: the same expansion, with every choice made in
turn.

Stages 1 and 2 map a node to a list of nodes; the list is spliced into the parent's. What is grounded and holds nothing
to expand is already a piece of the final tree (a `str` or a `tuple`), so most samples have no third stage at all.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, TypeAlias

from hornbeam.kandy.language.operators import Arguments, Below, CannotExpand, apply, combine, times
from hornbeam.kandy.tree import Domain, Tree
from hornbeam.yaml_reader import Position

Piece: TypeAlias = "Node | Tree | Pending"

MOST_OBJECTS = 4096
"""More objects than this in one picture are a mistake in the file: lists that store and recall each other grow fast."""


class DrawError(Exception):
    """A sample that cannot be drawn, and the place of the operator that cannot do its work."""

    def __init__(self, place: Position, message: str) -> None:
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

    __slots__ = ()
    place: Position
    settled: bool = False

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        raise TypeError("abstract")

    def ground(self, below: Below) -> list[Piece]:
        raise TypeError("abstract")


def _pre_all(nodes: Iterable[Node], below: Below, memory: Memory) -> list[Node]:
    """The first stage of a list."""
    return [part for node in nodes for part in ([node] if node.settled else node.pre(below, memory))]


def _ground_all(nodes: Iterable[Node], below: Below) -> list[Piece]:
    """The second stage of a list."""
    return [piece for node in nodes for piece in node.ground(below)]


@dataclass(eq=False)
class ObjectNode(Node):
    """An object whose attributes are drawn from three lists of values."""

    values: tuple[tuple[str, ...], ...]
    place: Position

    def __post_init__(self) -> None:
        self.settled = True
        # One draw from all names is the same as one draw from each attribute.
        self.names = [Domain.name(*triple) for triple in product(*self.values)]

    def ground(self, below: Below) -> list[Piece]:
        names = self.names
        return [names[below(len(names))] if len(names) > 1 else names[0]]


@dataclass(eq=False)
class Compose(Node):
    """A composition of children."""

    op: str
    children: list[Node]
    place: Position

    def __post_init__(self) -> None:
        self.settled = all(child.settled for child in self.children)

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Compose(self.op, _pre_all(self.children, below, memory), self.place)]

    def ground(self, below: Below) -> list[Piece]:
        return [_compose(self.op, _ground_all(self.children, below))]


@dataclass(eq=False)
class AnyOf(Node):
    """A composition whose operator is drawn, before anything inside it."""

    group: str
    ops: tuple[str, ...]
    children: list[Node]
    place: Position

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        op = self.ops[below(len(self.ops))]
        return [Compose(op, _pre_all(self.children, below, memory), self.place)]


@dataclass(eq=False)
class Before(Node):
    """A list operator that runs before grounding."""

    name: str
    arguments: Arguments
    children: list[Node]
    place: Position

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        if self.name == "store":
            return self._store(below, memory)
        if self.arguments.get("fresh"):
            return self._fresh(below, memory)
        return _applied(self.place, self.name, self.arguments, _pre_all(self.children, below, memory), below)

    def _store(self, below: Below, memory: Memory) -> list[Node]:
        expanded = _pre_all(self.children, below, memory)
        memory.lists[self.arguments["alias"]] = list(expanded)
        return expanded

    def _fresh(self, below: Below, memory: Memory) -> list[Node]:
        copies = range(times(self.name, self.arguments, below))
        return [node for _ in copies for node in _pre_all(self.children, below, Memory(outer=memory))]


@dataclass(eq=False)
class SetOf(Node):
    """A set operator: combines the attributes of its members to one object."""

    name: str
    members: list[Node]
    domain: Domain
    place: Position

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        atoms = [self._atom(member, below, memory) for member in self.members]
        try:
            return [ObjectNode(combine(self.name, [atom.values for atom in atoms], self.domain), self.place)]
        except CannotExpand as error:
            raise DrawError(self.place, str(error)) from None

    def _atom(self, member: Node, below: Below, memory: Memory) -> ObjectNode:
        if isinstance(member, Recall):
            stored: list[Any] = memory.find(member.alias) or []
        else:
            stored = [member] if member.settled else member.pre(below, memory)
        if len(stored) != 1 or not isinstance(stored[0], ObjectNode):
            raise DrawError(member.place, "a set can only recall one object, stored with store_before")
        return stored[0]


@dataclass(eq=False)
class After(Node):
    """A list operator that runs after grounding."""

    name: str
    arguments: Arguments
    children: list[Node]
    place: Position

    def __post_init__(self) -> None:
        self.settled = all(child.settled for child in self.children)

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [After(self.name, self.arguments, _pre_all(self.children, below, memory), self.place)]

    def ground(self, below: Below) -> list[Piece]:
        if not self.arguments.get("fresh"):
            return [Pending(self, _ground_all(self.children, below))]
        copies = range(times(self.name, self.arguments, below))
        return [piece for _ in copies for piece in _ground_all(self.children, below)]


@dataclass(eq=False)
class Store(Node):
    """Remembers the grounded list."""

    alias: str
    children: list[Node]
    place: Position
    memory: Memory | None = None

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Store(self.alias, _pre_all(self.children, below, memory), self.place, memory)]

    def ground(self, below: Below) -> list[Piece]:
        grounded = _ground_all(self.children, below)
        if size(grounded) > MOST_OBJECTS:
            raise DrawError(self.place, f"'{self.alias}' grows beyond {MOST_OBJECTS} objects")
        if self.memory is not None:
            self.memory.lists[self.alias] = list(grounded)
        return grounded


@dataclass(eq=False)
class Recall(Node):
    """Stands for a remembered list, which is grounded again where it was not grounded."""

    alias: str
    place: Position
    memory: Memory | None = None

    def pre(self, below: Below, memory: Memory) -> list[Node]:
        return [Recall(self.alias, self.place, memory)]

    def ground(self, below: Below) -> list[Piece]:
        stored = self.memory.find(self.alias) if self.memory is not None else None
        if stored is None:
            raise DrawError(self.place, f"nothing is stored as '{self.alias}' when it is recalled")
        return [part for piece in stored for part in (piece.ground(below) if isinstance(piece, Node) else [piece])]


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
        return [(piece.node, _finish_all(piece.pieces, below))]
    node: After = piece.node
    return _applied(node.place, node.name, node.arguments, _finish_all(piece.pieces, below), below)


def _finish_all(pieces: Iterable[Any], below: Below) -> list[Tree]:
    """The third stage of a list."""
    return [tree for piece in pieces for tree in finish(piece, below)]


def _applied(place: Position, name: str, arguments: Arguments, items: list[Any], below: Below) -> list[Any]:
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
        expanded = _pre_all([element], below, Memory())
        grounded = _ground_all(expanded, below)
        trees = _finish_all(grounded, below)
    except RecursionError:
        raise DrawError(element.place, "this rule expands without end") from None
    if size(trees) > MOST_OBJECTS:
        raise DrawError(element.place, f"this rule grows beyond {MOST_OBJECTS} objects")
    if len(trees) != 1:
        raise DrawError(element.place, f"expected one object or composition at the top of a set, got {len(trees)}")
    return expanded, grounded, trees[0]


@dataclass(frozen=True)
class Outcomes:
    """The distinct trees of a rule by their identity; `complete` if these are all of them."""

    trees: dict[str, Tree]
    complete: bool


def every_way(limit: int) -> Iterator[Below]:
    """Choice functions, one for each way to choose, until all ways or `limit` of them were taken.

    Each must be used for one whole computation before the next is asked for.

    >>> from hornbeam.kandy.language.operators import permutation
    >>> orders = [permutation(["a", "b", "c"], below) for below in every_way(limit=100)]
    >>> len(orders), len({tuple(order) for order in orders})
    (6, 6)
    """
    path: list[list[int]] = []
    for _ in range(limit):
        position = 0

        def below(n: int) -> int:
            nonlocal position
            if position == len(path):
                path.append([0, n])
            position += 1
            return path[position - 1][0]

        yield below
        del path[position:]
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        path[-1][0] += 1


def outcomes(elements: Sequence[Node], limit: int = 20_000) -> Outcomes:
    """The samples of a set of rules: all of them, or none where there are more than `limit` ways to draw one."""
    trees: dict[str, Tree] = {}
    for element in elements:
        if _guess(element) > limit:
            return Outcomes({}, False)
        taken = 0
        for below in every_way(limit + 1):
            taken += 1
            try:
                tree = draw(element, below)
            except DrawError:
                continue
            trees[repr(tree)] = tree
        if taken > limit:
            return Outcomes({}, False)
    return Outcomes(trees, True)


def _guess(element: Node) -> float:
    """The least number of ways that a few random draws suggest."""
    guesses = []
    for turn in range(5):
        rng = random.Random(turn)
        sizes: list[int] = []

        def below(n: int, rng: random.Random = rng, sizes: list[int] = sizes) -> int:
            sizes.append(n)
            return int(rng.random() * n)

        try:
            draw(element, below)
        except DrawError:
            continue
        guesses.append(prod(map(float, sizes)))
    return min(guesses, default=1.0)
