"""The perceiver `neural` of stories: which persons stand in which relation, learned from facts or answers alone."""

from __future__ import annotations

import importlib.util
from typing import ClassVar

from hornbeam.errors import UsageError
from hornbeam.neural.reader.settings import StoryReaderSettings
from hornbeam.perception.perceiver import STORIES, Perceiver, PerceiverSettings, Preparation, Reader


class NeuralStoryReader(Perceiver):
    """Recurrent networks over sentences, and the way that a story takes to its question."""

    name: ClassVar[str] = "neural"
    title: ClassVar[str] = "recurrent networks over sentences, learned from facts or from answers alone"
    source: ClassVar[str] = STORIES
    settings_type: ClassVar[type[PerceiverSettings]] = StoryReaderSettings

    def prepare(self, preparation: Preparation) -> Reader:
        dataset = preparation.dataset
        if dataset.family.name != "clutrr":
            raise UsageError(f"samples of {dataset.family.name} have no stories", file=str(dataset.path))
        # torch is loaded when it is needed.
        from hornbeam.neural.reader.reader import trained_reader

        return trained_reader(preparation, preparation.settings)

    def available(self) -> str | None:
        if importlib.util.find_spec("torch") is None:
            return "torch is not installed; install hornbeam[neural]"
        return None
