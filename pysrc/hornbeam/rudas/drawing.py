"""A rule graph as an inline SVG: a node for each rule, below it the rules that derive what it needs."""

from __future__ import annotations

import html
from collections.abc import Sequence

from hornbeam.logic import Clause, Compound, to_text
from hornbeam.logic.terms import Term

_CHARACTER = 6.7  # width of one at 11 px, monospaced
_HEIGHT, _GAP, _LEVEL = 28, 18, 76


def rule_graph(clauses: Sequence[Clause]) -> str:
    """The drawing; an edge joins a body's predicate to each rule for it, more than one means OR."""
    edges = _edges(clauses)
    levels = _levels(len(clauses), edges)
    boxes = _boxes(clauses, levels)
    width = max(x + w for x, _, w in boxes.values()) + _GAP
    height = max(y for _, y, _ in boxes.values()) + _HEIGHT + _GAP
    lines = [_line(boxes, edge) for edge in edges]
    loops = [_loop(boxes[index]) for index, clause in enumerate(clauses) if _recursive(clause)]
    nodes = [_node(boxes[index], to_text(clause)) for index, clause in enumerate(clauses)]
    label = f"A graph of {len(clauses)} rules"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="ui-monospace, monospace" font-size="11">'
        + "".join([*lines, *loops, *nodes])
        + "</svg>"
    )


def _predicate(term: Term) -> str:
    inner = term.args[0] if isinstance(term, Compound) and term.functor == "\\+" else term
    return inner.functor if isinstance(inner, Compound) else str(inner)


def _recursive(clause: Clause) -> bool:
    return any(_predicate(literal) == _predicate(clause.head) for literal in clause.body)


def _edges(clauses: Sequence[Clause]) -> list[tuple[int, int, bool]]:
    """(parent, child, whether the child is one of several alternatives)."""
    edges: dict[tuple[int, int], bool] = {}
    for parent, clause in enumerate(clauses):
        for literal in clause.body:
            needed = _predicate(literal)
            children = [index for index, other in enumerate(clauses) if _predicate(other.head) == needed]
            if needed != _predicate(clause.head):
                edges.update({(parent, child): len(children) > 1 for child in children})
    return [(parent, child, several) for (parent, child), several in edges.items()]


def _levels(count: int, edges: Sequence[tuple[int, int, bool]]) -> list[list[int]]:
    """Rules by their distance from a root, by the longest way."""
    level = [0] * count
    for _ in range(count):
        for parent, child, _ in edges:
            level[child] = min(max(level[child], level[parent] + 1), count)
    return [[index for index in range(count) if level[index] == at] for at in sorted(set(level))]


def _boxes(clauses: Sequence[Clause], levels: Sequence[Sequence[int]]) -> dict[int, tuple[float, float, float]]:
    """(left, top, width) of each node; levels are centred."""
    widths = {index: len(to_text(clause)) * _CHARACTER + 16 for index, clause in enumerate(clauses)}
    spans = [sum(widths[index] + _GAP for index in level) for level in levels]
    boxes: dict[int, tuple[float, float, float]] = {}
    for number, level in enumerate(levels):
        x = _GAP + (max(spans) - spans[number]) / 2
        for index in level:
            boxes[index] = (x, _GAP + number * _LEVEL, widths[index])
            x += widths[index] + _GAP
    return boxes


def _line(boxes: dict[int, tuple[float, float, float]], edge: tuple[int, int, bool]) -> str:
    parent, child, several = edge
    x1, y1, w1 = boxes[parent]
    x2, y2, w2 = boxes[child]
    dashes = ' stroke-dasharray="5 3"' if several else ""
    top = f"{x1 + w1 / 2:.1f},{y1 + _HEIGHT}"
    bottom = f"{x2 + w2 / 2:.1f},{y2}"
    return f'<path d="M{top} L{bottom}" stroke="#2f6b4a" fill="none"{dashes}/>'


def _loop(box: tuple[float, float, float]) -> str:
    x, y, _ = box
    return f'<path d="M{x + 14:.1f},{y} c-6,-16 18,-16 12,0" stroke="#a33a2c" fill="none"/>'


def _node(box: tuple[float, float, float], text: str) -> str:
    x, y, width = box
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_HEIGHT}" rx="5" fill="#eef4ef" stroke="#d8dfda"/>'
        f'<text x="{x + 8:.1f}" y="{y + 18}" fill="#1d2a24">{html.escape(text)}</text>'
    )
