"""What the story readers are made of."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from hornbeam.neural.text.stories import PADDING, TextBatch

# Of the persons' vectors: drawn once, drawn anew for each epoch, or learned.
Policy = Literal["fixed", "randomized", "learned"]


class StoryEmbedding(nn.Module):
    """Vectors of words, learned, and of placeholders, by one of three policies."""

    def __init__(self, words: int, pool: int, width: int, policy: Policy = "fixed") -> None:
        super().__init__()
        self.words, self.policy = words, policy
        self.table = nn.Embedding(words, width, padding_idx=PADDING)
        persons = torch.randn(pool, width)
        self.persons: Tensor
        if policy == "learned":
            self.persons = nn.Parameter(persons)
        else:
            self.register_buffer("persons", persons)

    def new_epoch(self) -> None:
        """Where the policy says so, other vectors for the placeholders."""
        if self.policy == "randomized":
            self.persons.copy_(torch.randn_like(self.persons))

    def forward(self, tokens: Tensor) -> Tensor:
        everything = torch.cat([self.table.weight, self.persons])
        return everything[tokens]


class BothWays(nn.Module):
    """A bidirectional LSTM over padded steps: states of all steps, and the last ones."""

    def __init__(self, width: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, layers, batch_first=True, bidirectional=True, dropout=dropout)

    def forward(self, steps: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        packed = pack_padded_sequence(steps, lengths.clamp(min=1), batch_first=True, enforce_sorted=False)
        states, (last, _) = self.lstm(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=steps.shape[1])
        return padded, torch.cat([last[-2], last[-1]], dim=1)


class Answer(nn.Module):
    """Two layers from the story and the two persons to the relations."""

    def __init__(self, story: int, person: int, relations: int, hidden: int = 200) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(story + 2 * person, hidden), nn.ReLU(), nn.Linear(hidden, relations))

    def forward(self, story: Tensor, persons: Tensor) -> Tensor:
        return self.layers(torch.cat([story, persons.flatten(1)], dim=1))


def sentence_means(states: Tensor, batch: TextBatch) -> tuple[Tensor, Tensor]:
    """The mean state of each sentence: [stories, sentences, width], and which sentences there are."""
    count = int(batch.sentences.max()) + 1
    member = nn.functional.one_hot(batch.sentences.clamp(min=0), count).float() * batch.present[..., None]
    sizes = member.sum(1)
    means = torch.einsum("bls,bld->bsd", member, states) / sizes.clamp(min=1)[..., None]
    return means, sizes > 0
