"""Story models for CLUTRR: the text alone, two of its persons, their relation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbeam.neural.registry import Domain, Job, Work

if TYPE_CHECKING:
    from torch import nn

    from hornbeam.neural.text.data import StoryData
    from hornbeam.neural.text.options import TextOptions
    from hornbeam.neural.text.stories import TextStore

_MODELS = {
    "bilstm-mean": "two bidirectional LSTM layers, the mean of their states",
    "bilstm-attention": "the same, with attention by the persons asked for",
    "rn": "a relation network over pairs of sentences",
    "mac": "memory, attention, composition in six steps",
    "rmc": "a relational memory core",
    "bert": "frozen BERT, the mean of its states",
    "bert-lstm": "frozen BERT with an LSTM over its states",
}


class Texts(Domain):
    """Models that read a story."""

    name = "text"
    families = ("clutrr",)
    default_setting = "supervised"

    @property
    def options_type(self) -> type[TextOptions]:
        from hornbeam.neural.text.options import TextOptions

        return TextOptions

    def built_in_models(self) -> Mapping[str, str]:
        return _MODELS

    def settings(self) -> Mapping[str, str]:
        return {"supervised": "one model; judged by the length of the chain, and on further datasets"}

    def prepare(self, job: Job) -> Work:
        from hornbeam.neural.stream import Experience
        from hornbeam.neural.text import data
        from hornbeam.neural.text.learner import TextLearner

        options: Any = job.options
        loaded = data.load(job.dataset, options.also_test)
        module, store = self._model(job.model, loaded, options)
        learner = TextLearner(module, store, loaded.held, len(loaded.train))
        return Work(
            learner,
            [Experience("train", loaded.train, (data.TASK,), epochs=options.epochs, patience=options.patience)],
        )

    def _model(self, name: str, loaded: StoryData, options: TextOptions) -> tuple[nn.Module, TextStore]:
        """A model and the stories in its vocabulary."""
        from hornbeam.neural.text.stories import WordVocabulary, encode

        def stored(vocabulary: Any) -> TextStore:
            return encode(loaded.stories, vocabulary, loaded.relations, pool=options.pool)

        if name.startswith("bert"):
            from hornbeam.neural.text.models.bert import Bert, WordPieces, parts

            tokenizer, encoder = parts(options.weights)
            made: nn.Module = Bert(encoder, options.pool, len(loaded.relations), with_lstm=name == "bert-lstm")
            return made, stored(WordPieces.of(tokenizer))
        vocabulary = WordVocabulary.of(loaded.stories[row] for row in loaded.train)
        sizes = (vocabulary.first_person, options.pool, len(loaded.relations))
        if name in self.plugins.names():
            made = self.plugins.get(name)(*sizes, options)
        else:
            make, takes, fixed = _recipes()[name]
            given = {key: getattr(options, key) for key in takes if getattr(options, key) is not None}
            made = make(*sizes, policy=options.persons, **given, **fixed)
        return made, stored(vocabulary)


def _recipes() -> dict[str, tuple[Any, tuple[str, ...], dict[str, Any]]]:
    """For each model its class, the options that it takes, and what the name itself says."""
    from hornbeam.neural.text.models.mac import Mac
    from hornbeam.neural.text.models.memory_core import MemoryCore
    from hornbeam.neural.text.models.recurrent import Recurrent
    from hornbeam.neural.text.models.relation_network import RelationNetwork

    return {
        "bilstm-mean": (Recurrent, ("width", "layers"), {"pooling": "mean"}),
        "bilstm-attention": (Recurrent, ("width", "layers"), {"pooling": "attention"}),
        "rn": (RelationNetwork, ("width",), {}),
        "mac": (Mac, ("width", "steps", "dropout"), {}),
        "rmc": (MemoryCore, ("width", "slots", "heads", "head_size"), {}),
    }
