"""Hornbeam's families as a taskset of verifiers (its interface `verifiers.v1`).

    vf-validate hornbeam_taskset --taskset.family clutrr --taskset.level 4 --runtime.type subprocess

The reward is that of Hornbeam's judge. Validation draws a task again and checks each step of its proof in Prolog.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from pydantic import Field

from hornbeam.errors import EngineUnavailable
from hornbeam.language.adapters.source import marked, score
from hornbeam.language.fresh import FreshItems
from hornbeam.language.item import Item

try:
    _vf: Any = import_module("verifiers.v1")
except ImportError:
    raise EngineUnavailable("this adapter needs verifiers: install hornbeam[verifiers]") from None

__all__ = ["HornbeamTaskset"]


class HornbeamData(_vf.TaskData):  # type: ignore[misc]
    """A question. The right answer is in the item, which a model does not see."""

    item: dict[str, Any] = Field(default_factory=dict)
    source: dict[str, Any] = Field(default_factory=dict)


class HornbeamTaskConfig(_vf.TaskConfig):  # type: ignore[misc]
    """Tasks have no settings of their own."""


class HornbeamConfig(_vf.TasksetConfig):  # type: ignore[misc]
    """Which questions: a family, a level from 1 to 20, and how samples become prompts."""

    family: str = "clutrr"
    level: int = 1
    rows: int = 100
    seed: int = 0
    style: str = "natural"
    shots: int = 0


class HornbeamTask(_vf.Task[HornbeamData, _vf.State, HornbeamTaskConfig]):  # type: ignore[misc]
    """A question with its reward."""

    @_vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
    async def right(self, trace: Any) -> float:
        """1.0 if the last reply has the right answer."""
        return score(Item.from_json(self.data.item), str(trace.last_reply or "")) or 0.0

    async def validate(self, runtime: Any) -> bool | None:
        """Whether the question can be drawn again, and each step of its proof follows; None if it has no proof."""
        return proven(self.data.source, Item.from_json(self.data.item))


class HornbeamTaskset(_vf.Taskset[HornbeamTask, HornbeamConfig]):  # type: ignore[misc]
    """New questions of a level."""

    def load(self) -> Iterator[HornbeamTask]:
        """The questions, in order."""
        config = self.config
        source = {name: getattr(config, name) for name in ("family", "level", "seed", "rows", "style", "shots")}
        for index, item in enumerate(drawn(source).take(config.rows)):
            data = HornbeamData(
                idx=index,
                id=item.uid,
                name=f"hornbeam-{item.family}-{item.level}",
                prompt=item.text,
                system_prompt=item.system,
                item=item.to_json(),
                source={**source, "index": index},
            )
            yield HornbeamTask(data, HornbeamTaskConfig())


def drawn(source: dict[str, Any]) -> FreshItems:
    """The items that a taskset is made of."""
    settings: dict[str, Any] = {"style": source["style"]}
    if source["shots"]:
        settings["shots"] = source["shots"]
    shard = max(50, source["rows"])
    return FreshItems(source["family"], level=source["level"], seed=source["seed"], shard=shard, **settings)


def proven(source: dict[str, Any], item: Item) -> bool | None:
    """Whether an item is what its source draws, and its stored proof follows; None if there is no stored proof."""
    from hornbeam.errors import HornbeamError
    from hornbeam.language.prompts.asking import Asker
    from hornbeam.language.steps import Solver

    items = drawn(source)
    if items[source["index"]] != item:
        return False
    solver = Solver(Asker(items.dataset(source["index"]), items.settings))
    proof = solver.steps(item)
    if proof is None:
        return None
    try:
        solver.check([proof])
    except HornbeamError:
        return False
    return True


def gold(task: HornbeamTask) -> str:
    """The right reply to a task."""
    return marked(Item.from_json(task.data.item))
