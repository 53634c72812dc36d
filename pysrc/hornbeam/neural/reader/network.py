"""The network of the reader: between which two persons of a passage the relation holds that a word names.

A bidirectional recurrent network reads the words; a person is the mean of the states at its mentions. Each ordered pair
of persons gets a score from the state of the asked word and those of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from hornbeam.neural.reader.clues import ASKED, MOST_PERSONS, OTHER, Couple, Marks

_PADDING, _UNKNOWN, _PERSON = 0, 1, 2
_FIRST = 3  # of the words
_MARKS = (ASKED, OTHER)


def vocabulary_of(passages: Iterable[Marks]) -> dict[str, int]:
    """Numbers of all words."""
    words = sorted({mark for marks in passages for mark in marks if isinstance(mark, str)} - {*_MARKS})
    return {word: number for number, word in enumerate((*_MARKS, *words), start=_FIRST)}


@dataclass(frozen=True, slots=True)
class ClueBatch:
    """Passages side by side, padded to the longest."""

    words: Tensor  # [passages, length]
    persons: Tensor  # [passages, length], 1 + the number of the person; 0 for words
    lengths: Tensor
    asked: Tensor  # [passages], the place of the asked word


def batch_of(passages: Sequence[Marks], vocabulary: Mapping[str, int]) -> ClueBatch:
    """Passages as numbers."""
    length = max(map(len, passages))
    words = [
        [*(_PERSON if isinstance(mark, int) else vocabulary.get(mark, _UNKNOWN) for mark in marks)]
        + [_PADDING] * (length - len(marks))
        for marks in passages
    ]
    persons = [
        [*(mark + 1 if isinstance(mark, int) else 0 for mark in marks)] + [0] * (length - len(marks))
        for marks in passages
    ]
    return ClueBatch(
        torch.tensor(words),
        torch.tensor(persons),
        torch.tensor([len(marks) for marks in passages]),
        torch.tensor([marks.index(ASKED) for marks in passages]),
    )


class CoupleNetwork(nn.Module):
    """Scores of the ordered pairs of persons."""

    def __init__(self, vocabulary: Mapping[str, int], width: int = 48, hidden: int = 48, dropout: float = 0.2) -> None:
        super().__init__()
        self.vocabulary = dict(vocabulary)
        self.words = nn.Embedding(_FIRST + len(vocabulary), width, padding_idx=_PADDING)
        self.order = nn.Embedding(MOST_PERSONS + 1, width, padding_idx=0)
        self.read = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.parts = nn.ModuleList(nn.Linear(2 * hidden, 64) for _ in range(3))
        self.score = nn.Linear(64, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, batch: ClueBatch) -> Tensor:
        """Logarithms of the probabilities: [passages, MOST_PERSONS * MOST_PERSONS]."""
        steps = self.drop(self.words(batch.words) + self.order(batch.persons))
        packed = pack_padded_sequence(steps, batch.lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.read(packed)[0], batch_first=True, total_length=batch.words.shape[1])
        states = self.drop(states)
        mentions = nn.functional.one_hot(batch.persons, MOST_PERSONS + 1)[..., 1:].float()
        counts = mentions.sum(1)
        persons = torch.einsum("blp,bld->bpd", mentions, states) / counts.clamp(min=1)[..., None]
        asked = states[torch.arange(len(states)), batch.asked]
        word, source, target = (part(value) for part, value in zip(self.parts, (asked, persons, persons), strict=True))
        scores = self.score(torch.tanh(word[:, None, None] + source[:, :, None] + target[:, None])).squeeze(3)
        there = counts > 0
        apart = ~torch.eye(MOST_PERSONS, dtype=torch.bool)
        scores = scores.masked_fill(~(there[:, :, None] & there[:, None] & apart), -1e9)
        return scores.flatten(1).log_softmax(1)


def place_of(couple: Couple) -> int:
    """The place of a pair in the network's scores."""
    return couple[0] * MOST_PERSONS + couple[1]
