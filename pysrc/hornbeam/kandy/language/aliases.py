"""Whether every `recall` of a rule has something to recall.

`store_before` runs in the first stage, so its list is there wherever a `recall` is grounded; `store` runs while the
sample is grounded from left to right, and so must come first. A set operator recalls in the first stage already.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Set
from dataclasses import dataclass

from hornbeam.kandy.language.bounds import Complain, parts
from hornbeam.kandy.language.nodes import Before, Node, Recall, SetOf, Store


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
    found: set[str] = set()
    open_names = [alias]
    while open_names:
        for name in needs.get(open_names.pop(), set()) - found:
            found.add(name)
            open_names.append(name)
    return found


def _all(node: Node, seen: set[int]) -> Iterator[Node]:
    # What a set recalls is there already when its own list is stored: no circle.
    if id(node) not in seen:
        seen.add(id(node))
        yield node
        for child in [] if isinstance(node, SetOf) else parts(node):
            yield from _all(child, seen)
