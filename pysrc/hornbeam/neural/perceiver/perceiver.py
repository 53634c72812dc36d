"""The perceiver `neural`: networks that learn from annotated pictures; without any, concepts that it finds itself."""

from __future__ import annotations

import contextlib
import importlib.util
import json
from typing import Any, ClassVar

from hornbeam.data.files import sha256
from hornbeam.errors import UsageError
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.tree import Domain
from hornbeam.neural.perceiver.settings import NeuralSettings
from hornbeam.perception.perceiver import Perceiver, PerceiverSettings, Preparation, Reader
from hornbeam.perception.pictures.concept_reader import ConceptReader, concept_reader
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.writing import write_atomic


class NeuralPerceiver(Perceiver):
    """Reads KANDY's pictures and knows nothing of how they are drawn."""

    name: ClassVar[str] = "neural"
    title: ClassVar[str] = "networks trained on annotated pictures; annotated=0: concepts found without any"
    settings_type: ClassVar[type[PerceiverSettings]] = NeuralSettings

    def available(self) -> str | None:
        if importlib.util.find_spec("torch") is None:
            return "torch is not installed; install hornbeam[neural]"
        return None

    def prepare(self, preparation: Preparation) -> Reader:
        dataset = preparation.dataset
        config: Any = dataset.config
        if not isinstance(config, KandyConfig):
            raise UsageError(f"the perceiver {self.name} reads pictures of kandy, not of {dataset.family.name}")
        settings: NeuralSettings = preparation.settings
        if settings.annotated == 0:
            return _found_concepts(preparation, config.domain)
        # Torch takes seconds to load.
        from hornbeam.neural.perceiver.reader import trained_reader

        return trained_reader(preparation, settings)


def _found_concepts(preparation: Preparation, domain: Domain) -> ConceptReader:
    """The concepts of the training pictures; they are kept in the folder."""
    seed = preparation.settings.seed
    file = preparation.folder / f"concepts-{sha256(preparation.dataset.path / 'manifest.json')[:12]}-{seed}.json"
    if file.is_file():
        with contextlib.suppress(ValueError, RecursionError):  # a damaged file is written again
            return ConceptReader.from_json(json.loads(file.read_bytes()), domain)
    pictures = pictures_of(preparation.dataset, preparation.dataset.samples.split("train"))
    reader = concept_reader(pictures, domain, seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, json.dumps(reader.to_json()).encode())
    return reader
