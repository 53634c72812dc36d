"""BERT, frozen, with the persons as tokens of their own; optionally an LSTM over its states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hornbeam.neural.pretrained import frozen, load, transformers
from hornbeam.neural.text.models.parts import Answer, BothWays
from hornbeam.neural.text.stories import TextBatch

HUB = "bert-base-uncased"


def parts(source: str = HUB) -> tuple[Any, Any]:
    """Tokenizer and model of a folder or a name on the hub."""
    library = transformers("bert")
    return load(library.AutoTokenizer, source), load(library.AutoModel, source)


@dataclass(frozen=True)
class WordPieces:
    """A pretrained vocabulary, with placeholders for persons behind its last token."""

    tokenizer: Any
    first_person: int

    @classmethod
    def of(cls, tokenizer: Any) -> WordPieces:
        return cls(tokenizer, len(tokenizer))

    def numbers(self, word: str) -> list[int]:
        return list(self.tokenizer.encode(word, add_special_tokens=False)) or [int(self.tokenizer.unk_token_id)]


class Bert(nn.Module):
    """The encoder is not trained; the persons' vectors are drawn once."""

    def __init__(self, encoder: Any, pool: int, relations: int, with_lstm: bool = False, hidden: int = 100) -> None:
        super().__init__()
        width = int(encoder.config.hidden_size)
        self.words = int(encoder.get_input_embeddings().weight.shape[0])
        self.encoder = frozen(encoder)
        spread = float(encoder.get_input_embeddings().weight.std())
        self.persons: Tensor
        self.register_buffer("persons", torch.randn(pool, width) * spread)
        self.read = BothWays(width, hidden) if with_lstm else None
        self.answer = Answer(2 * hidden if with_lstm else width, width, relations)

    def train(self, mode: bool = True) -> Bert:
        """The frozen part stays in evaluation: no dropout falls on it."""
        super().train(mode)
        self.encoder.eval()
        return self

    def forward(self, batch: TextBatch) -> Tensor:
        longest = int(self.encoder.config.max_position_embeddings)
        tokens, present = batch.tokens[:, :longest], batch.present[:, :longest]
        with torch.no_grad():
            found = self.encoder(inputs_embeds=self._embedded(tokens), attention_mask=present.long())
        states: Tensor = found.last_hidden_state
        if self.read is not None:
            story = self.read(states, batch.lengths.clamp(max=longest))[1]
        else:
            story = (states * present[..., None]).sum(1) / present.sum(1, keepdim=True).clamp(min=1)
        return self.answer(story, self._embedded(batch.queries))

    def _embedded(self, tokens: Tensor) -> Tensor:
        table = torch.cat([self.encoder.get_input_embeddings().weight, self.persons])
        return table[tokens]
