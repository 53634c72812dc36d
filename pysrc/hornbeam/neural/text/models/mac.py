"""MAC: memory, attention and composition. Each step attends to the question, then to the story, and writes a memory."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.text.models.parts import Answer, BothWays, Policy, StoryEmbedding
from hornbeam.neural.text.stories import TextBatch


class Mac(nn.Module):
    """Six steps in the CLUTRR paper. The question is the two persons; the story's states are the knowledge."""

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        steps: int = 6,
        dropout: float = 0.2,
        policy: Policy = "fixed",
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, policy)
        self.read_story = BothWays(width, width // 2)
        self.positions = nn.ModuleList(nn.Linear(2 * width, width) for _ in range(steps))
        self.control = nn.Linear(2 * width, width)
        self.focus = nn.Linear(width, 1)
        self.memory_side, self.story_side = nn.Linear(width, width), nn.Linear(width, width)
        self.join = nn.Linear(2 * width, width)
        self.find = nn.Linear(width, 1)
        self.write = nn.Linear(2 * width, width)
        self.start = nn.ParameterList(nn.Parameter(torch.zeros(width)) for _ in range(2))
        self.drop = nn.Dropout(dropout)
        self.answer = Answer(width, width, relations)

    def forward(self, batch: TextBatch) -> Tensor:
        persons = self.embed(batch.queries)
        knowledge, _ = self.read_story(self.embed(batch.tokens), batch.lengths)
        knowledge = self.drop(knowledge)
        control, memory = (start.expand(len(persons), -1) for start in self.start)
        for position in self.positions:
            control = self._controlled(control, position(persons.flatten(1)), persons)
            memory = self.write(torch.cat([self._found(control, memory, knowledge, batch.present), memory], dim=1))
        return self.answer(self.drop(memory), persons)

    def _controlled(self, control: Tensor, position: Tensor, persons: Tensor) -> Tensor:
        asked = self.control(torch.cat([control, position], dim=1))
        shares = torch.softmax(self.focus(asked[:, None] * persons), dim=1)
        return (shares * persons).sum(1)

    def _found(self, control: Tensor, memory: Tensor, knowledge: Tensor, present: Tensor) -> Tensor:
        near = self.drop(self.memory_side(memory))[:, None] * self.story_side(knowledge)
        seen = functional.elu(self.join(torch.cat([near, knowledge], dim=2))) * control[:, None]
        scores = self.find(seen).squeeze(2).masked_fill(~present, -1e9)
        return torch.einsum("bl,bld->bd", torch.softmax(scores, dim=1), knowledge)
