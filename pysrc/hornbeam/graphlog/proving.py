"""SWI-Prolog derives the relation of every row of a shard, by the files that its dataset ships; clingo confirms it.

clingo is asked only about the part of a graph on which the relation of the two nodes can depend. Whatever follows about
two nodes follows from a walk between them. A world that does not read backwards walks along its edges. One that does
may also walk an edge against its direction with the inverse label, which has the other sign; and since no rule mixes
signs, a walk goes along the edges of one sign and against those of the other. Edges on no such walk can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from hornbeam.data.prolog_files import Unproven, derived, in_process
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError
from hornbeam.graphlog import record
from hornbeam.graphlog.knowledge import Edge, GraphWorld, Question, clingo_relations, is_backward
from hornbeam.graphlog.world import links, reach


def prove(world: GraphWorld, samples: Sequence[Sample], *, must_follow: bool) -> dict[str, Json]:
    """How many labels follow alone: proven by SWI-Prolog, confirmed by clingo.

    With `must_follow` a label that does not raises Unproven. Without it, as in worlds that are published so, such
    labels are not counted. Either way the two reasoners must derive the same in every row.
    """
    proven = 0
    questions = asked_by(world, map(record.read, samples))
    distinct = list(dict.fromkeys(questions))
    by_clingo = dict(zip(distinct, clingo_relations(world, distinct), strict=True))
    for sample, relations, asked in zip(samples, derive(world, samples), questions, strict=True):
        if must_follow and relations != sample.label:
            raise Unproven(sample.id, str(sample.label), relations)
        if ({relations} if isinstance(relations, str) else set(relations)) != by_clingo[asked]:
            raise HornbeamError(
                f"SWI-Prolog derives {relations} in sample '{sample.id}', and clingo {sorted(by_clingo[asked])}"
            )
        proven += relations == sample.label
    return {"proven": proven, "confirmed": proven}


def derive(world: GraphWorld, samples: Sequence[Sample]) -> list[str | list[str]]:
    """The one relation that follows in each row, or all that do where there are several or none. One call for all."""
    given: dict[str, Any] = {
        "D": _dataset(),
        "W": [world.name, record.world_facts(world)],
        "_Rows": [_row(sample) for sample in samples],
    }
    return derived("graphlog", "proven_relations(D, W, _Rows, Answers)", given)


@cache
def _dataset() -> str:
    """The files of every dataset; of rules.pl the declarations, for each shard tells the rules of its own world."""
    side = record.side()
    return in_process(replace(side, modules={**side.modules, "rules.pl": record.rules_file([])}), ("sample/5",))


def _row(sample: Sample) -> list[Any]:
    """The graph of a sample, flat. Integers and atoms cross to Prolog several times faster than text."""
    seen: Any = sample.input
    row: list[Any] = [sample.id, *seen["query"]]
    for edge in seen["edges"]:
        row += edge
    return row


# What clingo is asked -------------------------------------------------------------------------------------------------


def asked_by(world: GraphWorld, rows: Iterable[record.Read]) -> list[Question]:
    """The question of each row; rows that ask the same, whatever their nodes are called, have equal questions."""
    signed = is_signed(world)
    return [question(row.edges, row.source, row.sink, backwards=world.backwards, signed=signed) for row in rows]


def is_signed(world: GraphWorld) -> bool:
    """Whether no rule of a world mixes signs and every inverse has the other sign."""
    rules = all(len({is_backward(label) for label in (*rule.body, rule.head)}) == 1 for rule in world.rules)
    return rules and all(is_backward(label) != is_backward(inverse) for label, inverse in world.inverses)


def relevant(edges: Sequence[Edge], source: int, sink: int, *, backwards: bool) -> list[Edge]:
    """The edges that lie on a walk between the two nodes, in their order."""
    arcs = [(v, u) if backwards and is_backward(label) else (u, v) for u, v, label in edges]
    out, into = links(arcs), links((v, u) for u, v in arcs)
    start, end = reach(out, source), reach(into, sink)
    on_walk = [u in start and v in end for u, v in arcs]
    if backwards and sink in out and source in into:  # a walk may lead back, which is rare
        start, end = reach(out, sink), reach(into, source)
        on_walk = [on or (u in start and v in end) for on, (u, v) in zip(on_walk, arcs, strict=True)]
    return [edge for edge, on in zip(edges, on_walk, strict=True) if on]


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
