"""The CLUTRR paper's story readers: a :class:`TextBatch` in, a score a relation out.

LSTMs (the mean of all states, or attention by the persons asked for), a relation network, MAC, a relational memory
core, and frozen BERT. Each has the number of words, of placeholders for persons and of relations as first arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from hornbeam.extras import need
from hornbeam.neural.installed import frozen, load
from hornbeam.neural.text.data import PADDING, TextBatch

# Of the persons' vectors: drawn once, drawn again for each epoch, or learned.
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


class AnswerHead(nn.Module):
    """Two layers from the story and the two persons to the relations."""

    def __init__(self, story: int, person: int, relations: int, hidden: int = 200) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(story + 2 * person, hidden), nn.ReLU(), nn.Linear(hidden, relations))

    def forward(self, story: Tensor, persons: Tensor) -> Tensor:
        return self.layers(torch.cat([story, persons.flatten(1)], dim=1))


def _sentence_means(states: Tensor, batch: TextBatch) -> tuple[Tensor, Tensor]:
    """The mean state of each sentence: [stories, sentences, width], and which sentences there are."""
    count = int(batch.sentences.max()) + 1
    member = nn.functional.one_hot(batch.sentences.clamp(min=0), count).float() * batch.present[..., None]
    sizes = member.sum(1)
    means = torch.einsum("bls,bld->bsd", member, states) / sizes.clamp(min=1)[..., None]
    return means, sizes > 0


def _mean(states: Tensor, present: Tensor) -> Tensor:
    """The mean over the tokens that there are."""
    return (states * present[..., None]).sum(1) / present.sum(1, keepdim=True).clamp(min=1)


def _attended(scores: Tensor, states: Tensor, present: Tensor) -> Tensor:
    """The mean of the states, weighted by the softmax of scores [stories, length, 1] over the tokens that there are."""
    weights = torch.softmax(scores.squeeze(2).masked_fill(~present, -1e9), dim=1)
    return torch.einsum("bl,bld->bd", weights, states)


class Recurrent(nn.Module):
    """Bidirectional LSTMs: two layers of 100 each way in the CLUTRR paper."""

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        layers: int = 2,
        pooling: Literal["mean", "attention"] = "mean",
        persons: Policy = "fixed",
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, persons)
        self.read = BothWays(width, width, layers)
        self.attend = nn.Linear(2 * width + 2 * width, 1) if pooling == "attention" else None
        self.answer = AnswerHead(2 * width, width, relations)

    def forward(self, batch: TextBatch) -> Tensor:
        persons = self.embed(batch.queries)
        states, _ = self.read(self.embed(batch.tokens), batch.lengths)
        if self.attend is None:
            return self.answer(_mean(states, batch.present), persons)
        asked = persons.flatten(1)[:, None].expand(-1, states.shape[1], -1)
        scores = self.attend(torch.cat([states, asked], dim=2))
        return self.answer(_attended(scores, states, batch.present), persons)


class RelationNetwork(nn.Module):
    """Every two sentences, with the persons asked for, through one function g; the sum through another, f.

    g has 64 units, f has 256 and 64 in the CLUTRR paper.
    """

    def __init__(
        self, words: int, pool: int, relations: int, width: int = 100, pair: int = 64, persons: Policy = "fixed"
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, persons)
        self.read = BothWays(width, width)
        self.pair = nn.Sequential(nn.Linear(6 * width, pair), nn.ReLU(), nn.Linear(pair, pair), nn.ReLU())
        self.answer = nn.Sequential(
            nn.Linear(pair, 256), nn.ReLU(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, relations)
        )

    def forward(self, batch: TextBatch) -> Tensor:
        persons = self.embed(batch.queries).flatten(1)
        states, _ = self.read(self.embed(batch.tokens), batch.lengths)
        sentences, present = _sentence_means(states, batch)
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


class Mac(nn.Module):
    """Memory, attention, composition: each step attends to the question, then to the story, and writes a memory.

    Six steps in the CLUTRR paper. The question is the two persons; the story's states are the knowledge.
    """

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        steps: int = 6,
        dropout: float = 0.2,
        persons: Policy = "fixed",
    ) -> None:
        super().__init__()
        self.embed = StoryEmbedding(words, pool, width, persons)
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
        self.answer = AnswerHead(width, width, relations)

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
        return _attended(self.find(seen), knowledge, present)


class MemoryCore(nn.Module):
    """Slots that attend to each other and to each word, gated like an LSTM; two, and four heads of 192, in CLUTRR."""

    def __init__(
        self,
        words: int,
        pool: int,
        relations: int,
        width: int = 100,
        slots: int = 2,
        heads: int = 4,
        head_size: int = 192,
        persons: Policy = "fixed",
    ) -> None:
        super().__init__()
        size = heads * head_size
        self.slots, self.size = slots, size
        self.embed = StoryEmbedding(words, pool, width, persons)
        self.enter = nn.Linear(width, size)
        self.attend = nn.MultiheadAttention(size, heads, batch_first=True)
        self.think = nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, size))
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(2))
        self.gate_word, self.gate_memory = nn.Linear(size, 2 * size), nn.Linear(size, 2 * size, bias=False)
        self.answer = AnswerHead(slots * size, width, relations)

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


def pretrained_bert(source: str) -> tuple[Any, Any]:
    """Tokenizer and model of a folder or a name on the hub."""
    library = need("transformers", "the model bert")
    return load(library.AutoTokenizer, source), load(library.AutoModel, source)


@dataclass(frozen=True)
class WordPieces:
    """A pretrained vocabulary, with placeholders for persons behind its last token."""

    tokenizer: Any
    first_person: int

    def numbers(self, word: str) -> list[int]:
        return list(self.tokenizer.encode(word, add_special_tokens=False)) or [int(self.tokenizer.unk_token_id)]


class Bert(nn.Module):
    """BERT, frozen, with the persons as tokens of their own; optionally an LSTM over its states.

    The encoder is not trained; the persons' vectors are drawn once.
    """

    def __init__(self, encoder: Any, pool: int, relations: int, with_lstm: bool = False, hidden: int = 100) -> None:
        super().__init__()
        width = int(encoder.config.hidden_size)
        self.words = int(encoder.get_input_embeddings().weight.shape[0])
        self.encoder = frozen(encoder)
        spread = float(encoder.get_input_embeddings().weight.std())
        self.persons: Tensor
        self.register_buffer("persons", torch.randn(pool, width) * spread)
        self.read = BothWays(width, hidden) if with_lstm else None
        self.answer = AnswerHead(2 * hidden if with_lstm else width, width, relations)

    def train(self, mode: bool = True) -> Bert:
        """The frozen part stays in evaluation: no dropout falls on it."""
        super().train(mode)
        self.encoder.eval()
        return self

    def forward(self, batch: TextBatch) -> Tensor:
        longest = int(self.encoder.config.max_position_embeddings)
        tokens, present = batch.tokens[:, :longest], batch.present[:, :longest]
        with torch.no_grad():
            encoded = self.encoder(inputs_embeds=self._embedded(tokens), attention_mask=present.long())
        states: Tensor = encoded.last_hidden_state
        lengths = batch.lengths.clamp(max=longest)
        story = _mean(states, present) if self.read is None else self.read(states, lengths)[1]
        return self.answer(story, self._embedded(batch.queries))

    def _embedded(self, tokens: Tensor) -> Tensor:
        table = torch.cat([self.encoder.get_input_embeddings().weight, self.persons])
        return table[tokens]
