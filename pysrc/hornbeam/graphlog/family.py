"""The family `graphlog`: graphs from invented worlds."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, PrologSide, Shard
from hornbeam.family_package import FamilyPackage
from hornbeam.graphlog import generate, original, record
from hornbeam.graphlog.config import Config


class GraphLogFamily(FamilyPackage):
    """GraphLog: graphs from invented worlds, with a question on how two nodes are related.

    A task is a world: a set of rules ``r1(X, Y), r2(Y, Z) -> r3(X, Z)`` and a large graph that follows them. A sample
    is a part of this graph and two of its nodes. Its label is the relation that the rules derive between them.

    Paper: K. Sinha, S. Sodhani, J. Pineau, W. L. Hamilton, "Evaluating Logical Generalization in Graph Neural
    Networks", 2020. Its generator was not published; ours is reconstructed from the data.

    ======  ======  ===============  =======  ======  =====  =====
    preset  worlds  rules per world  samples  train   valid  test
    ======  ======  ===============  =======  ======  =====  =====
    tiny         4                6     1200     800    200    200
    world        1               20     7000    5000   1000   1000
    suite       57               20   399000  285000  57000  57000
    ======  ======  ===============  =======  ======  =====  =====

    Settings to begin with: ``worlds``, ``rules_per_world``, ``stride`` (how many rules differ between neighbouring
    worlds), ``rows`` (samples per world and split), ``length`` (edges of the path that gives the label), ``noise``,
    ``profile=compat`` (the behaviour of the published data).

    >>> from hornbeam import family
    >>> family.get("graphlog").configure("tiny").rows.train
    200
    """

    name = "graphlog"
    title = "GraphLog"
    paper = (
        "Sinha, Sodhani, Pineau, Hamilton 2020: Evaluating Logical Generalization in Graph Neural Networks. "
        "The generator of the original was not published; it was reconstructed from its data."
    )
    config_type = Config
    question = "A graph from an invented world with laws of its own: which relation links two of its nodes?"
    demo_presets = ("tiny",)
    learning_views = ("networks", "examples")
    proof_files = ("rules.pl", "theory.pl", "background.pl", "facts.pl")
    confirmed_by = "clingo (kb/graphlog/closure.lp)"
    tasks_are_worlds = True

    def plan(self, config: Config, seed: int) -> Sequence[Shard]:
        return generate.plan(config, seed)

    def make(self, config: Config, seed: int, shard: Shard) -> Batch:
        return generate.make(config, seed, shard)

    def select(self, config: Config, seed: int, batches: Iterator[Batch]) -> Iterator[Batch]:
        return generate.with_meta(config, batches)

    def prolog_side(self, config: Config) -> PrologSide:
        return record.side()

    def facts(self, sample: Sample) -> str:
        return record.fact(sample)

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The world, and the length k of the path that gives the label, if it is known."""
        proof: Any = sample.proof
        path = proof.get("path") if isinstance(proof, dict) else None
        return {"world": sample.task, **({"k": len(path) - 1} if path else {})}

    def world_graph(self, dataset: Dataset, task: str) -> list[tuple[Hashable, str, Hashable]] | None:
        return original.world_graph(dataset.path, dataset.one_task(task))

    def easiest_first(self, dataset: Dataset) -> list[str]:
        from hornbeam.graphlog import figures

        return figures.easiest_first([world.figures for world in figures.worlds(dataset).values()])


FAMILY = GraphLogFamily
