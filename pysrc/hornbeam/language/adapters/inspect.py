"""Hornbeam's families as tasks of inspect-ai.

    inspect eval hornbeam/clutrr -T level=4 --model openai-api/NAME/MODEL
    inspect score LOG --scorer hornbeam/judge

inspect-ai finds this module by the entry point ``hornbeam`` of the group ``inspect_ai``. The model
``hornbeam_mock/gold`` answers each question with its target, without a network, to test a setup.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any

from hornbeam.errors import EngineUnavailable
from hornbeam.language.adapters.source import items, marked, score
from hornbeam.language.item import IMAGE, Item
from hornbeam.version import __version__

try:
    import_module("inspect_ai")
except ImportError:
    raise EngineUnavailable("this adapter needs inspect-ai: install hornbeam[inspect]") from None
_ai: Any = import_module("inspect_ai")
_dataset: Any = import_module("inspect_ai.dataset")
_model: Any = import_module("inspect_ai.model")
_scorer: Any = import_module("inspect_ai.scorer")
_solver: Any = import_module("inspect_ai.solver")

_MOCK = "hornbeam_mock"
_TOKENS = 2048


def _task(family: str, **given: Any) -> Any:
    """A task with items of a family."""
    folder = given.pop("dataset")
    rows, level, seed = given.pop("rows"), given.pop("level"), given.pop("seed")
    chosen = items(family, rows=rows, level=level, seed=seed, dataset=folder, settings=given)
    samples = [_sample(item, folder) for item in chosen]
    _targets.update({item.text: marked(item) for item in chosen})
    solver = [_solver.system_message(chosen[0].system), _solver.generate()]
    return _ai.Task(
        dataset=_dataset.MemoryDataset(samples, name=f"hornbeam_{family}"),
        solver=solver,
        scorer=judge(),
        config=_model.GenerateConfig(max_tokens=_TOKENS),
        version=__version__,
    )


def _sample(item: Item, folder: str | None) -> Any:
    parts = [
        _model.ContentImage(image=part.value) if part.kind == IMAGE else _model.ContentText(text=part.value)
        for part in item.prompt
    ]
    content = parts if any(part.kind == IMAGE for part in item.prompt) else item.text
    metadata = {"item": item.to_json(), "level": item.level, "dataset": folder}
    asked = [_model.ChatMessageUser(content=content)]
    return _dataset.Sample(id=item.uid, input=asked, target=item.target, metadata=metadata)


@_scorer.scorer(metrics=[_scorer.accuracy(), _scorer.stderr(), _scorer.grouped(_scorer.mean(), "level")])  # type: ignore[untyped-decorator]
def judge() -> Callable[[Any, Any], Any]:
    """Scores a reply with Hornbeam's judge. A reply that cannot be judged has no score."""

    async def judged(state: Any, target: Any) -> Any:
        item = Item.from_json(state.metadata["item"])
        reply = state.output.completion
        value = await asyncio.to_thread(score, item, reply, state.metadata.get("dataset"))
        if value is None:
            return _scorer.Score(value=float("nan"), explanation="the reply could not be judged")
        return _scorer.Score(value=value, answer=reply[-200:], explanation=f"right is {item.target}")

    return judged


def _made(family: str) -> Any:
    def made(
        level: int = 1,
        rows: int = 100,
        seed: int = 0,
        shots: int = 0,
        style: str = "natural",
        kind: str = "answer",
        dataset: str | None = None,
    ) -> Any:
        return _task(family, level=level, rows=rows, seed=seed, shots=shots, style=style, kind=kind, dataset=dataset)

    made.__name__ = made.__qualname__ = family
    made.__doc__ = f"Questions of {family}, of a level from 1 to 20, or of a dataset."
    return _ai.task(made)


clutrr = _made("clutrr")
graphlog = _made("graphlog")
kandy = _made("kandy")
rudas = _made("rudas")
star = _made("star")


@_model.modelapi(name=_MOCK)  # type: ignore[untyped-decorator]
def _mock() -> Any:
    """A model that is always right (``gold``), or always silent (``noop``): no network, no tokens counted."""

    class Mock(_model.ModelAPI):  # type: ignore[misc]
        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
            text = _targets.get(str(input[-1].text), "") if self.model_name == "gold" else ""
            output = _model.ModelOutput.from_content(model=self.model_name, content=text)
            output.usage = _model.ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
            return output

    return Mock


_targets: dict[str, str] = {}
"""What the mock model says to each prompt of this process."""
