"""Stories as numbers: placeholders, sentences, unknown words."""

from __future__ import annotations

import pytest
import torch

from hornbeam.errors import UsageError
from hornbeam.neural.text.data import UNKNOWN, StoryQuestion, WordVocabulary, encode

ANN = StoryQuestion("a", "[Ann] met her son [Bob]. [Bob]'s day was long!", ("Ann", "Bob"), "son")
CID = StoryQuestion("c", "[Cid] slept.", ("Cid", "Cid"), "aunt")
RELATIONS = ("aunt", "son")


def test_persons_are_placeholders_and_the_same_person_the_same_one() -> None:
    words = WordVocabulary.of([ANN])
    store = encode([ANN, CID], words, RELATIONS, pool=5, seed=2)
    tokens = store.batch(torch.tensor([0])).tokens[0].tolist()
    persons = [token for token in tokens if token >= words.first_person]
    assert len(persons) == 3 and persons[1] == persons[2] != persons[0]
    assert store.queries[0].tolist() == persons[:2]


def test_sentences_end_with_a_mark_and_short_stories_are_padded() -> None:
    store = encode([ANN, CID], WordVocabulary.of([ANN]), RELATIONS)
    batch = store.batch(torch.tensor([1, 0]))
    assert batch.sentences[0].tolist()[:4] == [0, 0, 0, -1]
    assert batch.sentences[1].max() == 1
    assert batch.present.sum(1).tolist() == batch.lengths.tolist()


def test_words_that_training_did_not_have_are_unknown() -> None:
    store = encode([CID], WordVocabulary.of([ANN]), RELATIONS)
    assert store.tokens[1] == UNKNOWN


def test_which_placeholder_a_person_gets_depends_on_seed_and_story_alone() -> None:
    words = WordVocabulary.of([ANN])
    alone, among = encode([ANN], words, RELATIONS), encode([CID, ANN], words, RELATIONS)
    assert torch.equal(alone.queries[0], among.queries[1])
    drawn = {tuple(encode([ANN], words, RELATIONS, seed=seed).queries[0].tolist()) for seed in range(12)}
    assert len(drawn) > 6


def test_more_persons_than_placeholders_are_refused() -> None:
    with pytest.raises(UsageError, match="the story a has 2 persons; set pool"):
        encode([ANN], WordVocabulary.of([ANN]), RELATIONS, pool=1)
