"""Hornbeam's families as procedural datasets of reasoning-gym.

    import reasoning_gym
    import hornbeam.language.adapters.reasoning_gym
    data = reasoning_gym.create_dataset("hornbeam_clutrr", seed=7, size=100, level=4)

Importing the module registers ``hornbeam_clutrr``, ``hornbeam_graphlog``, ``hornbeam_kandy``, ``hornbeam_rudas`` and
``hornbeam_star``, each with a curriculum of twenty levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hornbeam.errors import EngineUnavailable
from hornbeam.language import ladder
from hornbeam.language.adapters.source import FAMILIES, score_extracted
from hornbeam.language.fresh import SHARD, FreshItems
from hornbeam.language.item import Item

try:
    _gym: Any = import_module("reasoning_gym")
except ImportError:
    raise EngineUnavailable("this adapter needs reasoning-gym: install hornbeam[reasoning-gym]") from None
_coaching: Any = import_module("reasoning_gym.coaching")
_dataset: Any = import_module("reasoning_gym.dataset")
_factory: Any = import_module("reasoning_gym.factory")

PREFIX = "hornbeam_"


@dataclass
class HornbeamConfig:
    """The settings of a dataset: a level of the ladder, and how samples become prompts."""

    level: int = 1
    style: str = "natural"
    names: str = "own"
    shots: int = 0
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise ValueError if the level is not one of the ladder's."""
        if not ladder.LOWEST <= self.level <= ladder.HIGHEST:
            raise ValueError(f"level: expected {ladder.LOWEST} to {ladder.HIGHEST}, found {self.level}")


class HornbeamDataset(_dataset.ProceduralDataset):  # type: ignore[misc]
    """Items of a family; a subclass names it."""

    family = ""

    def __init__(self, config: HornbeamConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        shard = min(SHARD, max(50, config.size))
        settings: dict[str, Any] = {"style": config.style, "names": config.names}
        if config.shots:
            settings["shots"] = config.shots
        self._items = FreshItems(self.family, level=config.level, seed=self.seed, shard=shard, **settings)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        item = self._items[idx]
        return {
            "question": item.text,
            "answer": item.target,
            "metadata": {
                "source_dataset": PREFIX + self.family,
                "source_index": idx,
                "difficulty": {"level": item.level},
                "item": {**item.to_json(), "prompt": [], "meta": {}},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1.0 for the right option, in any case and with any mark around it; 0.0 for all else."""
        return score_extracted(Item.from_json(entry["metadata"]["item"]), answer)


class HornbeamCurriculum(_coaching.BaseCurriculum):  # type: ignore[misc]
    """Twenty levels."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__, HornbeamConfig)
        levels = list(range(ladder.LOWEST, ladder.HIGHEST + 1))
        self._define_attributes(
            _coaching.ScalarAttributeDefinition(
                name="level", levels=levels, description="Level of the ladder", field_name="level"
            )
        )


def _register() -> None:
    for family in FAMILIES:
        name = PREFIX + family
        if name not in _factory.DATASETS:
            made = type(f"Hornbeam{family.title()}Dataset", (HornbeamDataset,), {"family": family})
            _factory.register_dataset(name, made, HornbeamConfig, HornbeamCurriculum)


_register()
