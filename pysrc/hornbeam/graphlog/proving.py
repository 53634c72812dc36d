"""SWI-Prolog derives the relation of every row of a shard, by the files that its dataset ships; clingo confirms it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.data.prolog_files import Unproven, in_process
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError
from hornbeam.graphlog import prolog_text
from hornbeam.graphlog.logic import clingo_relations
from hornbeam.graphlog.relevant import is_signed, question
from hornbeam.graphlog.world import World
from hornbeam.logic import Prolog


def prove(world: World, samples: Sequence[Sample], *, must_follow: bool) -> dict[str, Json]:
    """How many labels follow alone: proven by SWI-Prolog, confirmed by clingo.

    With `must_follow` a label that does not raises Unproven. Without it, as in worlds that are published so, such
    labels are not counted. Either way the two reasoners must derive the same in every row.
    """
    derived = derive(world, samples)
    proven = 0
    for sample, relations, confirmed in zip(samples, derived, _clingo_derives(world, samples), strict=True):
        if must_follow and relations != sample.label:
            raise Unproven(sample.id, str(sample.label), relations)
        if ({relations} if isinstance(relations, str) else set(relations)) != confirmed:
            raise HornbeamError(
                f"SWI-Prolog derives {relations} in sample '{sample.id}', and clingo {sorted(confirmed)}"
            )
        proven += relations == sample.label
    return {"proven": proven, "confirmed": proven}


def _clingo_derives(world: World, samples: Sequence[Sample]) -> list[set[str]]:
    """All relations that clingo derives in each row; rows that ask the same are one question."""
    signed = is_signed(world)
    asked = []
    for sample in samples:
        seen: Any = sample.input
        edges = [(source, sink, label) for source, label, sink in seen["edges"]]
        asked.append(question(edges, *seen["query"], backwards=world.backwards, signed=signed))
    distinct = list(dict.fromkeys(asked))
    found = dict(zip(distinct, clingo_relations({world.name: distinct}, [world])[world.name], strict=True))
    return [found[each] for each in asked]


def derive(world: World, samples: Sequence[Sample]) -> list[str | list[str]]:
    """The one relation that follows in each row, or all that do where there are several or none. One call for all."""
    given: dict[str, Any] = {
        "D": _dataset(),
        "W": [world.name, prolog_text.world_facts(world)],
        "_Rows": [_row(sample) for sample in samples],
    }
    answer = _engine().once("proven_relations(D, W, _Rows, Answers)", given=given, module="graphlog_proving")
    assert answer is not None
    answers: Any = answer["Answers"]
    return list(answers)


@cache
def _engine() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog("graphlog", "proving.pl"))
    return prolog


@cache
def _dataset() -> str:
    """The files of every dataset; of rules.pl the declarations, for each shard tells the rules of its own world."""
    side = prolog_text.side()
    return in_process(replace(side, modules={**side.modules, "rules.pl": prolog_text.rules_file([])}), ("sample/5",))


def _row(sample: Sample) -> list[Any]:
    """The graph of a sample, flat. Integers and atoms cross to Prolog several times faster than text."""
    seen: Any = sample.input
    row: list[Any] = [sample.id, *seen["query"]]
    for edge in seen["edges"]:
        row += edge
    return row
