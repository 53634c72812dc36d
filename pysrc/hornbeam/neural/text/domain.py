"""Story models for CLUTRR: the text alone, two of its persons, their relation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from torch import nn

from hornbeam.neural.registry import ModelDomain, ModelRecipe, PreparedRun, TrainingJob
from hornbeam.neural.text import data, models
from hornbeam.neural.text.learner import TextLearner
from hornbeam.neural.text.settings import SETTINGS, TextOptions, stream_of

_MODELS = "hornbeam.neural.text.models"


class Texts(ModelDomain):
    """Models that read a story."""

    name = "text"
    families = ("clutrr",)
    default_setting = "supervised"
    options_type = TextOptions
    recipes: ClassVar[Mapping[str, ModelRecipe]] = {
        "bilstm-mean": ModelRecipe("two bidirectional LSTM layers, the mean of their states", f"{_MODELS}:Recurrent"),
        "bilstm-attention": ModelRecipe(
            "the same, with attention by the persons asked for", f"{_MODELS}:Recurrent", {"pooling": "attention"}
        ),
        "rn": ModelRecipe("a relation network over pairs of sentences", f"{_MODELS}:RelationNetwork"),
        "mac": ModelRecipe("memory, attention, composition in six steps", f"{_MODELS}:Mac"),
        "rmc": ModelRecipe("a relational memory core", f"{_MODELS}:MemoryCore"),
        "bert": ModelRecipe("frozen BERT, the mean of its states", f"{_MODELS}:Bert"),
        "bert-lstm": ModelRecipe("frozen BERT with an LSTM over its states", f"{_MODELS}:Bert", {"with_lstm": True}),
    }

    def settings(self) -> Mapping[str, str]:
        return SETTINGS

    def prepare(self, job: TrainingJob) -> PreparedRun:
        options = job.options
        assert isinstance(options, TextOptions)
        loaded = data.load(job.dataset, options.also_test)
        module, vocabulary = self._model(job.model, loaded, options)
        store = data.encode(loaded.stories, vocabulary, loaded.relations, pool=options.pool)
        learner = TextLearner(module, store, loaded)
        return PreparedRun(learner, stream_of(loaded, options))

    def _model(self, name: str, loaded: data.StoryData, options: TextOptions) -> tuple[nn.Module, data.TokenVocabulary]:
        """A model and its vocabulary: BERT brings its own, the others know the words of the training stories."""
        relations = len(loaded.relations)
        if name in ("bert", "bert-lstm"):
            tokenizer, encoder = models.pretrained_bert(options.weights)
            return self.build(name, encoder, options.pool, relations), models.WordPieces(tokenizer, len(tokenizer))
        words = data.WordVocabulary.of(loaded.stories[row] for row in loaded.train)
        return self.build(name, words.first_person, options.pool, relations, options=options), words
