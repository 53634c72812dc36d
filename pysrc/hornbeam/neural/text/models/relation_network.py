"""A relation network: every two sentences, with the persons asked for, through one function; its results are added."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hornbeam.neural.text.models.parts import BothWays, Policy, StoryEmbedding, sentence_means
from hornbeam.neural.text.stories import TextBatch


class RelationNetwork(nn.Module):
    """g of 64, f of 256 and 64 in the CLUTRR paper."""

    def __init__(
        self, words: int, pool: int, relations: int, width: int = 100, pair: int = 64, policy: Policy = "fixed"
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, policy)
        self.read = BothWays(width, width)
        self.pair = nn.Sequential(nn.Linear(6 * width, pair), nn.ReLU(), nn.Linear(pair, pair), nn.ReLU())
        self.answer = nn.Sequential(
            nn.Linear(pair, 256), nn.ReLU(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, relations)
        )

    def forward(self, batch: TextBatch) -> Tensor:
        persons = self.embed(batch.queries).flatten(1)
        states, _ = self.read(self.embed(batch.tokens), batch.lengths)
        sentences, present = sentence_means(states, batch)
        count = sentences.shape[1]
        pairs = torch.cat(
            [
                sentences[:, :, None].expand(-1, -1, count, -1),
                sentences[:, None].expand(-1, count, -1, -1),
                persons[:, None, None].expand(-1, count, count, -1),
            ],
            dim=3,
        )
        both = (present[:, :, None] & present[:, None])[..., None]
        return self.answer((self.pair(pairs) * both).sum((1, 2)))
