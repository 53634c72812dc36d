"""The family `star`: networks of regions or time intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, PrologSide, Shard
from hornbeam.family_package import FamilyPackage
from hornbeam.logic import quote
from hornbeam.star.cells import answers, label_of, plan
from hornbeam.star.config import StarConfig
from hornbeam.star.generate import samples, shard_rows, works
from hornbeam.star.knowledge import load_calculus
from hornbeam.star.original import csv_lines
from hornbeam.star.proving import prolog_texts, prove
from hornbeam.star.record import edge_goal, facts, group_of
from hornbeam.tasks import network_files

QUERIES = (
    ("sample(Id, Task, Split, Label, query(S, T))", "a sample"),
    ("edge(Id, U, V, Relations)", "its edges, each with the relations that can hold"),
    ("path_relations(Id, Path, Relations)", "what each path says by itself"),
    ("intersection(Id, Relations)", "what all paths say together"),
    ("answer(Id, Label)", "the label that follows from the network"),
    ("needed_edges(Id, Edges)", "a minimal set of edges from which it follows"),
    ("explain_truth(Id)", "the same in words"),
    ("composition('EC', 'TPPI', Rs)", "the composition table"),
)


class Star(FamilyPackage):
    """STaR: networks of regions or time intervals, with a question on how two of them are related.

    A sample is a graph whose edges are relations of a calculus: RCC-8 for regions, Allen's algebra for intervals. From
    the first node of the query, b paths of k edges lead to the second. Its label is the relation that follows from all
    paths together.

    Paper: I. Khalid, S. Schockaert, "STaR: Benchmarking Spatio-Temporal Reasoning for Systematic Generalization", 2024.

    ==============  ======  =======  =====  =====  =====  =======  =======
    preset          labels  samples  train  valid   test  train k  test k
    ==============  ======  =======  =====  =====  =====  =======  =======
    rcc8-small           7      446    174     16    256  2-4      4, 5, 9
    interval-small      13     1353    613     72    668  2-4      4, 5, 9
    rcc8                 7    20197   3178    389  16630  2-4      2-9
    ==============  ======  =======  =====  =====  =====  =======  =======

    All have b from 1 to 3. Settings to begin with: ``calculus`` (rcc8, allen, rcc5, point, or a file of your own),
    ``train``, ``valid`` and ``test`` (cells of k and b with their rows), ``width`` (relations per edge), ``needed``
    (whether the answer needs every path), ``profile=compat`` (the behaviour of the published data).

    With one relation per edge and no identity edges, no RCC-8 or Allen answer needs more than three paths, and only
    some labels need that many. So ``rcc8`` and ``interval`` cannot be balanced; the dataset's ``cells.json`` lists the
    impossible cells with the reason. ``rcc8-wide`` and ``interval-wide`` (up to two relations per edge) are balanced
    except for EQ, and the ``-most`` presets allow paths that are not needed.

    >>> from hornbeam import family
    >>> family.get("star").configure("rcc8-small").train.cells[0].k
    (2, 3, 4)
    """

    name = "star"
    title = "STaR"
    paper = "Khalid and Schockaert (2024), STaR: Benchmarking Spatio-Temporal Reasoning for Systematic Generalization"
    config_type = StarConfig
    question = "What is known of some regions, or of some spans of time: how do two of them relate?"
    demo_presets = ("rcc8-small", "interval-small")
    learning_views = ("networks", "examples")
    proof_files = ("theory.pl", "background.pl")

    def plan(self, config: StarConfig, seed: int) -> Sequence[Shard]:
        return [
            Shard(index, parts[0]["name"], {"parts": parts, "first": index == 0})
            for index, parts in enumerate(works(config))
        ]

    def make(self, config: StarConfig, seed: int, shard: Shard) -> Batch:
        batch = Batch()
        for work in shard.work["parts"]:
            rows = list(shard_rows(config, seed, work))
            batch.samples += samples(config, seed, work, rows)
        proven = prove(config.calculus, batch.samples)
        batch.report = {"certified": len(batch.samples), "proven": proven, "confirmed": len(batch.samples)}
        if shard.work["first"]:
            batch.files["cells.json"] = _cells_file(config)
        return batch

    def prolog_side(self, config: StarConfig) -> PrologSide:
        background, theory = prolog_texts(config.calculus)
        first = load_calculus(config.calculus).relations[:2]
        table = f"composition({quote(first[0])}, {quote(first[-1])}, Relations)"
        queries = (*QUERIES[:-1], (table, QUERIES[-1][1]))
        return PrologSide(theory, background, queries, _network_modules(config), network_files.INCLUDED)

    def facts(self, sample: Sample) -> str:
        return facts(sample)

    def fact_predicates(self) -> Sequence[str]:
        return ("sample/5", "edge/4")

    def original_files(self, config: StarConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        return csv_lines(load_calculus(config.calculus).name, samples)

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The path length k and the branches b; for a tangle, the number of nodes."""
        return group_of(sample)

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        return (None,)


def _network_modules(config: StarConfig) -> dict[str, str]:
    calculus = load_calculus(config.calculus)
    labels = [label_of(calculus, answer) for answer in answers(config)]
    edges = [names for size in range(1, config.width + 1) for names in combinations(calculus.relations, size)]
    own = resources.prolog("star", "network.pl").read_text(encoding="utf-8")
    relations = network_files.relations_file(dict.fromkeys(labels), edges, edge_goal)
    return {**network_files.modules(), "network.pl": own, "relations.pl": relations}


def _cells_file(config: StarConfig) -> bytes:
    """The cells that the dataset cannot fill, with the reason."""
    if config.profile == "compat":
        content: dict[str, Json] = {"profile": "compat", "impossible": {}, "short": {}}
    else:
        planned = plan(config)
        calculus = load_calculus(config.calculus)
        content = {
            "profile": "sound",
            "needed": {
                f"k={d.cell.k} b={d.cell.b} {label_of(calculus, d.cell.answer)}": d.cell.needed for d in planned.demands
            },
            "impossible": dict(planned.impossible),
            "short": dict(planned.short),
        }
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


FAMILY = Star
