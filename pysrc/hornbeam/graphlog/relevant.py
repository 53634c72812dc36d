"""The part of a graph on which the relation of two nodes can depend.

Whatever follows about two nodes follows from a walk between them. A world that does not read backwards walks along its
edges; one that does may walk an edge against its direction with the inverse label, which has the other sign, and since
no rule mixes signs a walk goes along the edges of one sign and against those of the other. Edges on no such walk can be
left out; what is derived from the rest is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbeam.graphlog.logic import Edge, Question
from hornbeam.graphlog.vocabulary import BACKWARD, is_backward
from hornbeam.graphlog.world import World

_Links = dict[int, list[int]]


def is_signed(world: World) -> bool:
    """Whether no rule of a world mixes signs and every inverse has the other sign."""
    rules = all(len({is_backward(label) for label in (*rule.body, rule.head)}) == 1 for rule in world.rules)
    return rules and all(is_backward(label) != is_backward(inverse) for label, inverse in world.inverses)


def relevant(edges: Sequence[Edge], source: int, sink: int, *, backwards: bool) -> list[Edge]:
    """The edges that lie on a walk between the two nodes, in their order."""
    out: _Links = {}
    into: _Links = {}
    arcs: Iterable[tuple[int, int]]
    if backwards:
        arcs = [(v, u) if label.endswith(BACKWARD) else (u, v) for u, v, label in edges]
    else:
        arcs = [(u, v) for u, v, _ in edges]
    for u, v in arcs:
        if u in out:
            out[u].append(v)
        else:
            out[u] = [v]
        if v in into:
            into[v].append(u)
        else:
            into[v] = [u]
    start, end = reach(out, source), reach(into, sink)
    if not backwards:
        return [edge for edge, (u, v) in zip(edges, arcs, strict=True) if u in start and v in end]
    if sink not in out or source not in into:  # no walk leads back, which is the rule
        return [edge for edge, (u, v) in zip(edges, arcs, strict=True) if u in start and v in end]
    back_start, back_end = reach(out, sink), reach(into, source)
    return [
        edge
        for edge, (u, v) in zip(edges, arcs, strict=True)
        if (u in start and v in end) or (u in back_start and v in back_end)
    ]


def reach(links: _Links, start: int) -> set[int]:
    """The nodes that links lead to from a node, and the node."""
    seen = {start}
    todo = [start]
    while todo:
        for node in links.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen


def question(edges: Sequence[Edge], source: int, sink: int, *, backwards: bool, signed: bool) -> Question:
    """What decides the relation of two nodes, with nodes renumbered: what nodes are called makes no difference."""
    kept = relevant(edges, source, sink, backwards=backwards) if signed or not backwards else list(edges)
    numbers = {source: 0}
    numbers.setdefault(sink, 1)
    leaving: dict[int, list[tuple[str, int]]] = {}
    for u, v, label in kept:
        leaving.setdefault(u, []).append((label, v))
        leaving.setdefault(v, [])
    todo = [source, *leaving]
    done: set[int] = set()
    while todo:
        node = todo.pop(0)
        if node in done or node not in leaving:
            continue
        done.add(node)
        numbers.setdefault(node, len(numbers))
        for _, following in sorted(leaving[node]):
            numbers.setdefault(following, len(numbers))
            todo.insert(0, following)
    renamed = sorted((numbers[u], numbers[v], label) for u, v, label in kept)
    return Question(tuple(renamed), 0, numbers[sink])
