"""Bidirectional LSTMs: the mean of all states, or attention by the persons asked for."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from hornbeam.neural.text.models.parts import Answer, BothWays, Policy, StoryEmbedding
from hornbeam.neural.text.stories import TextBatch


class Recurrent(nn.Module):
    """Two layers of 100 each way in the CLUTRR paper."""

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        layers: int = 2,
        pooling: Literal["mean", "attention"] = "mean",
        policy: Policy = "fixed",
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, policy)
        self.read = BothWays(width, width, layers)
        self.attend = nn.Linear(2 * width + 2 * width, 1) if pooling == "attention" else None
        self.answer = Answer(2 * width, width, relations)

    def forward(self, batch: TextBatch) -> Tensor:
        persons = self.embed(batch.queries)
        states, _ = self.read(self.embed(batch.tokens), batch.lengths)
        return self.answer(self._pooled(states, persons, batch.present), persons)

    def _pooled(self, states: Tensor, persons: Tensor, present: Tensor) -> Tensor:
        if self.attend is None:
            return (states * present[..., None]).sum(1) / present.sum(1, keepdim=True).clamp(min=1)
        asked = persons.flatten(1)[:, None].expand(-1, states.shape[1], -1)
        scores = self.attend(torch.cat([states, asked], dim=2)).squeeze(2).masked_fill(~present, -1e9)
        return torch.einsum("bl,bld->bd", torch.softmax(scores, dim=1), states)
