"""Each story model learns a small set and reads a story the same alone and beside longer ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel, BertTokenizerFast

from hornbeam.errors import EngineUnavailable, UsageError
from hornbeam.neural.text.data import StoryQuestion, WordVocabulary, encode
from hornbeam.neural.text.models import (
    Bert,
    Mac,
    MemoryCore,
    Recurrent,
    RelationNetwork,
    StoryEmbedding,
    WordPieces,
    pretrained_bert,
)

STORIES = [
    StoryQuestion("0", "[Ann] met her son [Bob]. Rain fell.", ("Ann", "Bob"), "son"),
    StoryQuestion("1", "[Ann] has an aunt, [Cid].", ("Ann", "Cid"), "aunt"),
    StoryQuestion("2", "[Bob] is the brother of [Cid]. [Ann] slept. It was late.", ("Cid", "Bob"), "brother"),
    StoryQuestion("3", "The son of [Bob] is [Dan].", ("Bob", "Dan"), "son"),
]
RELATIONS = ("aunt", "brother", "son")
VOCABULARY = WordVocabulary.of(STORIES)
SIZES = (VOCABULARY.first_person, 6, len(RELATIONS))


def tiny_bert(words: int) -> BertModel:
    return BertModel(
        BertConfig(
            vocab_size=words,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=64,
        )
    )


MODELS: dict[str, Callable[[], nn.Module]] = {
    "mean": lambda: Recurrent(*SIZES, width=16),
    "attention": lambda: Recurrent(*SIZES, width=16, pooling="attention"),
    "learned": lambda: Recurrent(*SIZES, width=16, persons="learned"),
    "rn": lambda: RelationNetwork(*SIZES, width=16),
    "mac": lambda: Mac(*SIZES, width=16, steps=3, dropout=0.0),
    "rmc": lambda: MemoryCore(*SIZES, width=16, head_size=8),
    "bert": lambda: Bert(tiny_bert(SIZES[0]), SIZES[1], SIZES[2]),
    "bert-lstm": lambda: Bert(tiny_bert(SIZES[0]), SIZES[1], SIZES[2], with_lstm=True, hidden=16),
}


@pytest.mark.parametrize("name", MODELS)
def test_it_overfits_a_small_set(name: str) -> None:
    torch.manual_seed(0)
    model = MODELS[name]()
    batch = encode(STORIES, VOCABULARY, RELATIONS, pool=6).batch(torch.arange(4))
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.01)
    for step in range(150):
        loss = functional.cross_entropy(model(batch), batch.labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9 and loss < 0.1:
            break
    assert (model.eval()(batch).argmax(1) == batch.labels).all()


@pytest.mark.parametrize("name", MODELS)
def test_a_story_s_scores_do_not_depend_on_its_neighbours(name: str) -> None:
    torch.manual_seed(0)
    model = MODELS[name]().eval()
    store = encode(STORIES, VOCABULARY, RELATIONS, pool=6)
    with torch.no_grad():
        together = model(store.batch(torch.arange(4)))
        alone = torch.cat([model(store.batch(torch.tensor([row]))) for row in range(4)])
    assert torch.allclose(together, alone, atol=1e-5)


def test_the_three_policies_of_persons() -> None:
    kept = {}
    for policy in ("fixed", "randomized", "learned"):
        torch.manual_seed(0)
        embedding = StoryEmbedding(5, 3, 4, policy)
        before = embedding.persons.detach().clone()
        embedding.new_epoch()
        trained = {name for name, _ in embedding.named_parameters()}
        kept[policy] = (torch.equal(before, embedding.persons), "persons" in trained)
    assert kept == {"fixed": (True, False), "randomized": (False, False), "learned": (True, True)}


def test_bert_stays_frozen() -> None:
    model = Bert(tiny_bert(SIZES[0]), SIZES[1], SIZES[2])
    model.train()
    assert not model.encoder.training
    assert not any(parameter.requires_grad for parameter in model.encoder.parameters())


def test_weights_and_vocabulary_come_from_a_folder(tmp_path: Path) -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(set(VOCABULARY.words)), "##s"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    tiny_bert(len(words)).save_pretrained(tmp_path)
    tokenizer, encoder = pretrained_bert(str(tmp_path))
    pieces = WordPieces(tokenizer, len(tokenizer))
    batch = encode(STORIES, pieces, RELATIONS, pool=6).batch(torch.arange(4))
    assert Bert(encoder, 6, 3)(batch).shape == (4, 3)
    assert pieces.numbers("sons") == [words.index("son"), words.index("##s")]


@pytest.mark.usefixtures("no_hub")
def test_weights_that_are_not_there_are_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match="bring the folder here, and give --set weights=FOLDER"):
        pretrained_bert("nobody/nothing")
    with pytest.raises(UsageError, match="no such folder"):
        pretrained_bert(str(tmp_path / "none"))
