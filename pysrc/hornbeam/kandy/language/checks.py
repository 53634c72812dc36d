"""What is wrong with a generation rule, found without drawing, so that it is refused when it is read.

:class:`Measure` finds how many elements a rule can yield, :func:`check_aliases` whether every `recall` has something to
recall: `store_before` runs in the first stage, so its list is there wherever a `recall` is grounded; `store` runs while
the sample is grounded from left to right, and so must come first. A set operator recalls in the first stage already.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from hornbeam.kandy.language.nodes import (
    MOST_OBJECTS,
    After,
    AnyOf,
    Before,
    Compose,
    Node,
    ObjectNode,
    Recall,
    SetOf,
    Store,
)

Complain = Callable[[Node, str], None]
_MOST_WORK = 100_000
_SAME_LENGTH = ("permute", "random_shift", "shift", "sort", "store")


@dataclass(frozen=True, slots=True)
class ListBounds:
    """Of a list: the number of elements before grounding, what each can become after, and its largest element."""

    low: int
    high: int
    each_low: int = 1
    each_high: int = 1
    unit: int = 1

    @property
    def final_low(self) -> int:
        return self.low * self.each_low

    @property
    def final_high(self) -> int:
        return self.high * self.each_high

    @property
    def objects(self) -> int:
        return self.final_high * self.unit


_NOTHING = ListBounds(0, 0)


class Measure:
    """Measures the nodes of one top-level element and complains of what can never be drawn."""

    def __init__(self, complain: Complain) -> None:
        self._complain = complain
        self._stored: dict[str, ListBounds] = {}
        self._known: dict[int, ListBounds] = {}

    def element(self, node: Node) -> None:
        """Complains where a top-level element does not always yield one object or composition."""
        if work(node) > _MOST_WORK:
            self._complain(node, f"this rule has more than {_MOST_WORK} parts when its aliases are written out")
            return
        self._learn_what_is_stored(node)
        bounds = self.of(node)
        if bounds.final_high == 0 or bounds.final_low > 1:
            count = bounds.final_low if bounds.final_high else 0
            self._complain(node, f"expected one object or composition at the top of a set, this list yields {count}")
        elif (bounds.final_low, bounds.final_high) != (1, 1):
            self._complain(
                node,
                "expected one object or composition at the top of a set; this list yields between "
                f"{bounds.final_low} and {bounds.final_high}: put it under a composition such as stack",
            )

    def _learn_what_is_stored(self, node: Node) -> None:
        # A list may be recalled to the left of where it is stored, from a list that is stored further right still.
        complain, self._complain = self._complain, _say_nothing
        for _ in range(3):
            self._known.clear()
            self.of(node)
        self._known.clear()
        self._complain = complain

    def of(self, node: Node) -> ListBounds:
        """The bounds of a node; a node that is aliased many times is measured once."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = self._bounded(node)
        return known

    def _bounded(self, node: Node) -> ListBounds:
        bounds = self._measured(node)
        if bounds.objects > MOST_OBJECTS:
            self._complain(node, f"this can grow to {bounds.objects} objects; at most {MOST_OBJECTS} fit in a sample")
            return ListBounds(min(bounds.low, 1), min(bounds.high, 1))
        return bounds

    def _measured(self, node: Node) -> ListBounds:
        if isinstance(node, ObjectNode):
            return ListBounds(1, 1)
        if isinstance(node, SetOf):
            for member in node.members:
                self.of(member)
            return ListBounds(1, 1)
        if isinstance(node, Compose | AnyOf):
            return self._composition(node)
        if isinstance(node, Recall):
            return self._recalled(node)
        if isinstance(node, Before):
            return self._before(node)
        if isinstance(node, Store):
            return self._store(node.alias, self._list(node.children))
        if isinstance(node, After):
            inner = self._list(node.children)
            low, high = self._counts(node, node.name, node.arguments, inner.final_low, inner.final_high)
            return ListBounds(1, 1, low, high, inner.unit)
        raise TypeError(f"{type(node).__name__} is not a part of a rule")

    def _composition(self, node: Compose | AnyOf) -> ListBounds:
        parts = [self.of(child) for child in node.children]
        if not sum(part.final_high for part in parts):
            name = node.op if isinstance(node, Compose) else node.group
            self._complain(node, f"{name} has no children: its list is always empty")
        return ListBounds(1, 1, unit=max(1, sum(part.objects for part in parts)))

    def _recalled(self, node: Recall) -> ListBounds:
        stored = self._stored.get(node.alias, ListBounds(1, 1))
        return ListBounds(1, 1, stored.final_low, stored.final_high, stored.unit)

    def _before(self, node: Before) -> ListBounds:
        inner = self._list(node.children)
        low, high = self._counts(node, node.name, node.arguments, inner.low, inner.high)
        bounds = replace(inner, low=low, high=high)
        return self._store(node.arguments["alias"], bounds) if node.name == "store" else bounds

    def _store(self, alias: str, bounds: ListBounds) -> ListBounds:
        self._stored[alias] = _widest([self._stored.get(alias, bounds), bounds])
        return bounds

    def _list(self, nodes: Iterable[Node]) -> ListBounds:
        parts = [self.of(node) for node in nodes]
        if not parts:
            return _NOTHING
        low, high = sum(part.low for part in parts), sum(part.high for part in parts)
        return replace(_widest(parts), low=low, high=high)

    def _counts(self, node: Node, name: str, arguments: dict[str, object], low: int, high: int) -> tuple[int, int]:
        if name in _SAME_LENGTH:
            return low, high
        if name == "mirror":
            return 2 * low, 2 * high
        if name == "palindrome":
            return max(0, 2 * low - 1), max(0, 2 * high - 1)
        if name == "random_repeat":
            return low * _int(arguments["min"]), high * _int(arguments["max"])
        if name == "argsort":
            return self._exactly(node, name, len(list(arguments["idx"])), low, high)  # type: ignore[call-overload]
        n = _int(arguments["n"])
        if name == "repeat":
            return low * n, high * n
        if name == "first" or (name == "last" and n):
            return min(n, low), min(n, high)
        if name == "last":
            return low, high
        return self._draws(node, name, n, high)

    def _draws(self, node: Node, name: str, n: int, high: int) -> tuple[int, int]:
        if n > high and (name == "pick" or not high):
            self._complain(node, f"cannot {name} {n} of a list that has at most {high} elements")
        return n, n

    def _exactly(self, node: Node, name: str, count: int, low: int, high: int) -> tuple[int, int]:
        if not low <= count <= high:
            has = f"{low}" if low == high else f"between {low} and {high}"
            self._complain(node, f"{name} lists {count} positions, its list has {has} elements")
        return count, count


def _say_nothing(_: Node, __: str) -> None:
    """Complains of nothing."""


def work(node: Node, known: dict[int, int] | None = None) -> int:
    """The number of parts of a rule with its aliases and fresh copies written out."""
    known = {} if known is None else known
    if id(node) not in known:
        inner = sum(work(child, known) for child in parts(node))
        arguments = node.arguments if isinstance(node, Before | After) else {}
        copies = arguments.get("max", arguments.get("n", 1)) if arguments.get("fresh") else 1
        known[id(node)] = 1 + inner * max(1, _int(copies))
    return known[id(node)]


def parts(node: Node) -> list[Node]:
    """The nodes directly inside a node."""
    if isinstance(node, SetOf):
        return node.members
    return node.children if isinstance(node, Compose | AnyOf | Before | After | Store) else []


def _int(value: object) -> int:
    return int(str(value))


def _widest(bounds: Sequence[ListBounds]) -> ListBounds:
    """Bounds that hold for each of several lists."""
    return ListBounds(
        min(one.low for one in bounds),
        max(one.high for one in bounds),
        min(one.each_low for one in bounds),
        max(one.each_high for one in bounds),
        max(one.unit for one in bounds),
    )


def check_aliases(element: Node, complain: Complain) -> None:
    """Complains of recalls without a store, and of lists that contain themselves."""
    _Walk(complain).scope([element], frozenset(), set(), set())
    for alias in _circular(element):
        complain(element, f"the list stored as '{alias}' recalls itself")


class _Walk:
    def __init__(self, complain: Complain) -> None:
        self._complain = complain

    def scope(self, nodes: list[Node], outer: frozenset[str], before: set[str], grounded: set[str]) -> None:
        """Walks the nodes of one memory, the whole element's or one fresh copy's, in the order of expansion."""
        here = _Names(outer | frozenset(_stored_before(nodes)), set(before), set(grounded))
        seen: set[int] = set()
        for node in nodes:
            self._walk(node, here, seen)

    def _walk(self, node: Node, here: _Names, seen: set[int]) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        if isinstance(node, Recall):
            self._recall(node, here.visible | here.grounded, here)
        elif isinstance(node, SetOf):
            self._set(node, here)
        elif _is_fresh(node):
            self.scope(parts(node), here.visible, here.before, here.grounded)
        else:
            for child in parts(node):
                self._walk(child, here, seen)
            if isinstance(node, Store):
                here.grounded.add(node.alias)
            elif isinstance(node, Before) and node.name == "store":
                here.before.add(node.arguments["alias"])

    def _set(self, node: SetOf, here: _Names) -> None:
        for member in node.members:
            if isinstance(member, Recall):
                self._recall(member, here.before, here)
            elif isinstance(member, SetOf):
                self._set(member, here)

    def _recall(self, node: Recall, known: Set[str], here: _Names) -> None:
        if node.alias in known:
            return
        names = here.visible | here.grounded
        if node.alias in names:
            self._complain(node, f"'{node.alias}' is not yet stored here: a set needs a store_before further up")
            return
        near = difflib.get_close_matches(node.alias, sorted(names), n=1)
        hint = f"did you mean '{near[0]}'?" if near else "expected a store or store_before with this alias before it"
        self._complain(node, f"nothing is stored as '{node.alias}'; {hint}")


@dataclass(frozen=True, slots=True)
class _Names:
    """The aliases that a recall can see: stored before grounding anywhere, so far, and while grounding so far."""

    visible: frozenset[str]
    before: set[str]
    grounded: set[str]


def _is_fresh(node: Node) -> bool:
    return isinstance(node, Before) and bool(node.arguments.get("fresh"))


def _stored_before(nodes: list[Node], seen: set[int] | None = None) -> Iterator[str]:
    seen = set() if seen is None else seen
    for node in nodes:
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Before) and node.name == "store":
            yield node.arguments["alias"]
        if not _is_fresh(node):
            yield from _stored_before(parts(node), seen)


def _circular(element: Node) -> list[str]:
    needs: dict[str, set[str]] = {}
    for node in _all(element, set()):
        if isinstance(node, Before) and node.name == "store":
            inside = {inner.alias for inner in _all(node, set()) if isinstance(inner, Recall)}
            needs.setdefault(node.arguments["alias"], set()).update(inside)
    return [alias for alias in sorted(needs) if alias in _reachable(alias, needs)]


def _reachable(alias: str, needs: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    new = needs.get(alias, set())
    while new:
        reached |= new
        new = {name for one in new for name in needs.get(one, ())} - reached
    return reached


def _all(node: Node, seen: set[int]) -> Iterator[Node]:
    # What a set recalls is there already when its own list is stored: no circle.
    if id(node) not in seen:
        seen.add(id(node))
        yield node
        for child in [] if isinstance(node, SetOf) else parts(node):
            yield from _all(child, seen)
