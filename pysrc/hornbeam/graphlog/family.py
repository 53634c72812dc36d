"""The family `graphlog`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, FamilyPackage, PrologSide, Shard
from hornbeam.graphlog import generate, original, record
from hornbeam.graphlog.config import Config


class GraphLogFamily(FamilyPackage):
    """Worlds of rules, and graphs in which the relation of two nodes follows from them."""

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
        """Its world, and the length k of the path that its label was made from, where that is known."""
        proof: Any = sample.proof
        path = proof.get("path") if isinstance(proof, dict) else None
        return {"world": sample.task, **({"k": len(path) - 1} if path else {})}

    def world_graph(self, dataset: Dataset, task: str) -> list[tuple[Hashable, str, Hashable]] | None:
        return original.world_graph(dataset.path, dataset.one_task(task))

    def easiest_first(self, dataset: Dataset) -> list[str]:
        from hornbeam.graphlog import figures

        return figures.easiest_first([world.figures for world in figures.worlds(dataset).values()])


FAMILY = GraphLogFamily
