"""A relational memory core: a few slots that attend to each other and to each word, gated like an LSTM."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.text.models.parts import Answer, Policy, StoryEmbedding
from hornbeam.neural.text.stories import TextBatch


class MemoryCore(nn.Module):
    """Two slots and four heads of 192 in the CLUTRR paper."""

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        slots: int = 2,
        heads: int = 4,
        head_size: int = 192,
        policy: Policy = "fixed",
    ) -> None:
        super().__init__()
        size = heads * head_size
        self.slots, self.size = slots, size
        self.embed = StoryEmbedding(words, pool, width, policy)
        self.enter = nn.Linear(width, size)
        self.attend = nn.MultiheadAttention(size, heads, batch_first=True)
        self.think = nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, size))
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(2))
        self.gate_word, self.gate_memory = nn.Linear(size, 2 * size), nn.Linear(size, 2 * size, bias=False)
        self.answer = Answer(slots * size, width, relations)

    def forward(self, batch: TextBatch) -> Tensor:
        words = self.enter(self.embed(batch.tokens))
        memory = torch.eye(self.slots, self.size).expand(len(words), -1, -1)
        for place in range(words.shape[1]):
            following = self._step(memory, words[:, place, None])
            memory = torch.where(batch.present[:, place, None, None], following, memory)
        return self.answer(memory.flatten(1), self.embed(batch.queries))

    def _step(self, memory: Tensor, word: Tensor) -> Tensor:
        heard, _ = self.attend(memory, torch.cat([memory, word], dim=1), torch.cat([memory, word], dim=1))
        mixed = self.norms[0](memory + heard)
        mixed = self.norms[1](mixed + self.think(mixed))
        keep, take = (self.gate_word(word) + self.gate_memory(memory.tanh())).chunk(2, dim=2)
        return functional.sigmoid(keep + 1.0) * memory + functional.sigmoid(take) * mixed.tanh()
