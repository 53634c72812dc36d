"""The family `kandy`: pictures of composed objects, task after task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam import config as configuration
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, FamilyPackage, PrologSide, Shard
from hornbeam.kandy.config import KandyConfig

_ROWS_IN_A_SHARD = 1000


class Kandy(FamilyPackage):
    """KANDY: curricula of binary classification tasks over pictures with a symbolic structure."""

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
        """Reads a curriculum whole: its rules are loaded and its sets drawn from before anything is made."""
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

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The level of its deepest object: 1 where no group stands within another."""
        content: Any = sample.input
        return {"level": max((len(seen["path"]) for seen in content["objects"]), default=0)}


FAMILY = Kandy
