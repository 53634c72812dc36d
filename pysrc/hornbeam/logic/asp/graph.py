"""Strongly connected components: which predicates need each other."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(edges: Mapping[Node, Collection[Node]]) -> dict[Node, int]:
    """The number of each node's component; two nodes share one where each reaches the other (Tarjan, no recursion).

    >>> found = components({"a": ["b"], "b": ["a", "c"], "c": []})
    >>> found["a"] == found["b"], found["b"] == found["c"]
    (True, False)
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    component: dict[Node, int] = {}
    path: list[Node] = []
    for root in edges:
        if root in order:
            continue
        work = [(root, iter(edges.get(root, ())))]
        order[root] = low[root] = len(order)
        path.append(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target not in component:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    _close(node, path, component, order[node])
    return component


def _close(root: Node, path: list[Node], component: dict[Node, int], number: int) -> None:
    """All nodes on the path from `root` on are one component."""
    while True:
        node = path.pop()
        component[node] = number
        if node == root:
            return
