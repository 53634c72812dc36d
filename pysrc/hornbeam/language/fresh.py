"""New items of a level: a function of the family, the level, the seed and the index.

Items come in shards. A shard has the samples of a dataset of the family's generator, in memory. Its labels are proven
before it is used. Any item can be had without those before its shard.

>>> items = FreshItems("star", level=2, seed=7)
>>> items[3] == FreshItems("star", level=2, seed=7)[3], items[3].level, items[3] == items[4]
(True, 2, False)
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from hornbeam import family as families
from hornbeam import seeds
from hornbeam.data.build import Recipe, build
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.language import ladder
from hornbeam.language.drawn import DrawnDataset
from hornbeam.language.item import Item
from hornbeam.language.prompts.asking import Asker
from hornbeam.language.prompts.settings import PromptSettings, settings_of

SHARD = 1000  # items
_KEPT = 4  # shards in memory
_SEEDS = 1 << 31
_ATTEMPTS = 12  # worlds that are drawn for a shard


class FreshItems:
    """The items of a level, without end. An item is made when it is accessed.

    Args:
        family: The family.
        level: The level, 1 to 20.
        seed: The seed of the worlds, the questions and their order.
        shard: How many items are generated and proven together.
        settings: Settings of prompts, see :class:`hornbeam.language.prompts.settings.PromptSettings`.

    Raises:
        UsageError: if the family has no ladder, or the level or a setting is out of range.
    """

    def __init__(self, family: str, *, level: int = 1, seed: int = 0, shard: int = SHARD, **settings: Any) -> None:
        ladder.rung(family, level)
        self.family, self.level, self.seed, self.shard = family, level, seed, shard
        self.settings: PromptSettings = settings_of({"seed": seed, **_shots(family, level), **settings})
        if self.settings.kind != "answer":
            raise UsageError("new items of a level are of the kind answer; for induce, generate a dataset")

    def __getitem__(self, index: int) -> Item:
        if index < 0:
            raise IndexError("new items are numbered from 0")
        number, place = divmod(index, self.shard)
        asker = _asker(self.family, self.level, self.seed, self.shard, number, self.settings)
        turn, place = divmod(place, len(asker))
        return asker.item(place, turn, level=self.level)

    def take(self, count: int, start: int = 0) -> Iterator[Item]:
        """Some items in order."""
        return (self[index] for index in range(start, start + count))

    def dataset(self, index: int) -> Dataset:
        """The dataset that an item is a question of, on disk."""
        return shard_dataset(self.family, self.level, self.seed, self.shard, index // self.shard)


def _shots(family: str, level: int) -> dict[str, Any]:
    """The solved samples of a rung, where a family has them."""
    return {"shots": shots} if (shots := ladder.rung(family, level).get("shots")) else {}


@lru_cache(maxsize=_KEPT)
def _asker(family: str, level: int, seed: int, rows: int, number: int, settings: PromptSettings) -> Asker:
    dataset = _shard(family, level, seed, rows, number, pictures=settings.picture != "text")
    split = "test" if "test" in dataset.splits else "train"
    asker = Asker(dataset, settings, split=split, least=ladder.rung(family, level).get("least", 0))
    if not len(asker):
        raise UsageError(f"the generator of {family} gave no question of level {level} for seed {seed}")
    return asker


def shard_dataset(family: str, level: int, seed: int, rows: int, number: int) -> Dataset:
    """The dataset of a shard, generated and proven; on disk."""
    maker, config = families.get(family), _config(family, level, rows)
    place = _folder() / f"{family}-{level}-{seed}-{rows}-{number}"

    def built(own: int) -> Dataset:
        return build(Recipe(maker, f"level-{level}", own, config), place.with_name(f"{place.name}-{own}")).dataset

    return _first(built, family, level, seed, rows, number)


def _shard(family: str, level: int, seed: int, rows: int, number: int, *, pictures: bool) -> Dataset:
    """The same samples, in memory."""
    maker, config = families.get(family), _config(family, level, rows)

    def made(own: int) -> Dataset:
        return DrawnDataset(maker, config, own, pictures=pictures)

    return _first(made, family, level, seed, rows, number)


def _first(make: Callable[[int], Dataset], *names: str | int) -> Dataset:
    """A drawn world may be too small for what the level asks: the next one is drawn, always in the same order."""
    family, level, seed, *rest = names
    for attempt in range(_ATTEMPTS):
        own = seeds.derive(int(seed), "language", "fresh", family, level, *rest, attempt) % _SEEDS
        try:
            return make(own)
        except UsageError:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


@cache
def _config(family: str, level: int, rows: int) -> Any:
    preset = _folder() / f"{family}-{level}-{rows}.yml"
    preset.write_text(yaml.safe_dump(ladder.settings(family, level, rows), sort_keys=False), encoding="utf-8")
    return families.get(family).configure(preset)


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="hornbeam-fresh-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
