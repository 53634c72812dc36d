"""The family `kandy`: tasks on pictures of coloured shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam import config as configuration
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, PrologSide, Shard
from hornbeam.family_package import FamilyPackage
from hornbeam.kandy.config import KandyConfig

_ROWS_IN_A_SHARD = 1000


class Kandy(FamilyPackage):
    """KANDY: a curriculum of binary classification tasks on pictures of coloured shapes.

    A sample is a picture. Its label is 1 if the picture follows the hidden rule of its task, else 0. The rules are
    Prolog programs over the tree of shapes and groups in the picture.

    Paper: L. S. Lorello, M. Lippi, S. Melacci, "The KANDY Benchmark: Incremental Neuro-Symbolic Learning and Reasoning
    with Kandinsky Patterns".

    ===========  =====  =======  =====  =====  ====
    preset       tasks  samples  train  valid  test
    ===========  =====  =======  =====  =====  ====
    tour             5      200    100     50    50
    easy            20     2000   1000    500   500
    hard            18     1800   1440    180   180
    hard-large      18    18000  14400   1800  1800
    ===========  =====  =======  =====  =====  ====

    `hard-sparse` and `hard-decay` have the sizes of `hard-large`, but hide some labels. Settings to begin with:
    ``samples`` (per task), ``balance=exact`` (as many positives as negatives), ``gamma`` and ``beta`` (supervision),
    ``profile=compat`` (the behaviour of the original). curricula/kandy/README.md describes the curriculum language.

    >>> from hornbeam import family
    >>> len(family.get("kandy").configure("tour").tasks)
    5
    """

    name = "kandy"
    title = "KANDY"
    paper = (
        "L. S. Lorello, M. Lippi, S. Melacci: The KANDY Benchmark: Incremental Neuro-Symbolic Learning and Reasoning "
        "with Kandinsky Patterns"
    )
    config_type = KandyConfig
    question = "A picture of coloured shapes: does it follow the hidden rule of its task?"
    demo_presets = ("tour",)
    learning_views = ("examples",)
    proof_files = ("theory.pl", "background.pl", "kb/kandy")

    def configure(self, source: str | Path, overrides: Mapping[str, str] | None = None) -> KandyConfig:
        """Read and check a curriculum: its rules are loaded and its sets are sampled before anything is generated."""
        from hornbeam.kandy.knowledge import KandyLogic
        from hornbeam.kandy.language.read import read_curriculum
        from hornbeam.kandy.proving import check_rules
        from hornbeam.kandy.search import rehearse

        path = configuration.find(self.name, source)
        config = KandyConfig.read(path, overrides)
        curriculum = read_curriculum(path, overrides)  # with the path that was given in its messages
        with KandyLogic(curriculum.config.domain) as logic:
            check_rules(curriculum, logic)
        rehearse(curriculum)
        return config

    def plan(self, config: KandyConfig, seed: int) -> Sequence[Shard]:
        step = _ROWS_IN_A_SHARD
        parts = [(task, start) for task in config.tasks for start in range(0, task.samples, step)]
        return [
            Shard(index, f"{task.id}-{start:06d}", {"task": task.index, "start": start, "stop": start + step})
            for index, (task, start) in enumerate(parts)
        ]

    def make(self, config: KandyConfig, seed: int, shard: Shard) -> Batch:
        from hornbeam.kandy.generate import make_batch

        work = shard.work
        return make_batch(config, seed, int(work["task"]), int(work["start"]), int(work["stop"]))

    def draw(self, config: KandyConfig, seed: int, shard: Shard) -> Batch:
        """The samples without their pictures."""
        from hornbeam.kandy.generate import make_batch

        work = shard.work
        return make_batch(config, seed, int(work["task"]), int(work["start"]), int(work["stop"]), painted=False)

    def prolog_side(self, config: KandyConfig) -> PrologSide:
        from hornbeam.kandy.knowledge import prolog_side

        return prolog_side(config)

    def facts(self, sample: Sample) -> str:
        from hornbeam.kandy.record import facts

        return facts(sample)

    def fact_predicates(self) -> Sequence[str]:
        from hornbeam.kandy.record import FACT_PREDICATES

        return FACT_PREDICATES

    def original_files(self, config: KandyConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        from hornbeam.kandy.original import original_files

        return original_files(config, samples)

    def shown_task(self, dataset: Dataset, task: str) -> str:
        """The number of the task: its name often states the rule."""
        return f"task_{dataset.tasks.index(task):02}"

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The level of its deepest object: 1 if no group is inside another."""
        content: Any = sample.input
        return {"level": max((len(seen["path"]) for seen in content["objects"]), default=0)}


FAMILY = Kandy
