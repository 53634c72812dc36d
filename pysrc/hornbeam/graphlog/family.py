"""The family `graphlog`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.family import Audit, Batch, Check, Family, Progress, PrologSide, Section, Shard, no_progress
from hornbeam.graphlog import making, original, prolog_text, records
from hornbeam.graphlog.config import Config

if TYPE_CHECKING:
    import typer

    from hornbeam.ilp.task import Problem


class GraphLogFamily(Family):
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
    tasks_are_worlds = True

    def plan(self, config: Config, seed: int) -> Sequence[Shard]:
        return making.plan(config, seed)

    def make(self, config: Config, seed: int, shard: Shard) -> Batch:
        return making.make(config, seed, shard)

    def select(self, config: Config, seed: int, batches: Iterator[Batch]) -> Iterator[Batch]:
        return making.with_meta(config, batches)

    def prolog_side(self, config: Config) -> PrologSide:
        return prolog_text.side()

    def facts(self, sample: Sample) -> str:
        return records.fact(sample)

    def truth_file(self, dataset: Dataset, task: str | None) -> Path:
        return dataset.file(f"worlds/{dataset.one_task(task)}.pl")

    def world_graph(self, dataset: Dataset, task: str) -> list[tuple[Hashable, str, Hashable]] | None:
        return original.world_graph(dataset.path, dataset.one_task(task))

    def easiest_first(self, dataset: Dataset) -> list[str]:
        from hornbeam.graphlog import statistics, suite

        return statistics.easiest_first([world.figures for world in suite.worlds(dataset).values()])

    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        from hornbeam.graphlog.check import check

        return check(dataset, progress)

    def audit(self, dataset: Dataset, progress: Progress = no_progress) -> Audit:
        from hornbeam.graphlog.audit import audit

        return audit(dataset, progress)

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        from hornbeam.graphlog.explain import explain

        return explain(dataset, sample)

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        from hornbeam.graphlog.learning import learning_problem

        return learning_problem(dataset, view, task, options)

    def import_files(self, files: Sequence[Path], options: Mapping[str, str]) -> tuple[BaseModel, Iterator[Batch]]:
        from hornbeam.graphlog.importer import import_files

        return import_files(files, options)

    def picture(self, dataset: Dataset, sample: Sample) -> str:
        from hornbeam.graphlog.show import picture

        return picture(dataset, sample)

    def typical(self, dataset: Dataset) -> Sequence[Sample]:
        from hornbeam.graphlog.show import typical

        return typical(dataset)

    def show(self, dataset: Dataset) -> list[Section]:
        from hornbeam.graphlog.show import sections

        return sections(dataset)

    def commands(self) -> typer.Typer:
        from hornbeam.graphlog.commands import app

        return app()


FAMILY = GraphLogFamily
