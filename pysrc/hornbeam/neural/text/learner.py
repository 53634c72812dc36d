"""A story model on the trainer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from hornbeam.neural.devices import device_of, on_processor, onto
from hornbeam.neural.learner import Classifier, Rows
from hornbeam.neural.text.data import StoryData, TextStore
from hornbeam.neural.text.models import StoryEmbedding


class TextLearner(Classifier):
    """Reads stories. The vectors of persons change after each epoch where the model's policy says so."""

    def __init__(self, module: nn.Module, store: TextStore, data: StoryData) -> None:
        names = [story.name for story in data.stories]
        super().__init__(store.labels, data.held, names=names, relations=data.relations)
        self.module = module
        self.store = store
        self._rows_an_epoch = len(data.train)
        self._seen = 0

    def scores(self, rows: Rows) -> Tensor:
        with on_processor():
            batch = self.store.batch(torch.from_numpy(rows))
        # LSTMs take lengths from the memory of the processor.
        moved = replace(onto(batch, device_of(self.module)), lengths=batch.lengths)
        scores: Tensor = self.module(moved)
        return scores

    def stepped(self, rows: Rows) -> None:
        self._seen += len(rows)
        if self._seen >= self._rows_an_epoch:
            self._seen = 0
            for part in self.module.modules():
                if isinstance(part, StoryEmbedding):
                    part.new_epoch()

    def state(self) -> dict[str, Any]:
        return {"seen": self._seen}

    def load_state(self, state: Mapping[str, Any]) -> None:
        self._seen = state["seen"]
