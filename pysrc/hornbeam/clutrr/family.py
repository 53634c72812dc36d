"""The family clutrr: how its datasets are made, checked, read and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel

from hornbeam.clutrr import generate, knowledge, original, record
from hornbeam.clutrr.config import ClutrrConfig
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, FamilyPackage, PrologSide, Shard


class Clutrr(FamilyPackage):
    """Family stories whose answers follow from a kinship theory."""

    name: ClassVar[str] = "clutrr"
    title: ClassVar[str] = "CLUTRR"
    paper: ClassVar[str] = "Sinha et al.: CLUTRR, A Diagnostic Benchmark for Inductive Reasoning from Text, 2019"
    config_type: ClassVar[type[BaseModel]] = ClutrrConfig
    question: ClassVar[str] = "A story about a family: how are two of its persons related?"
    demo_presets: ClassVar[tuple[str, ...]] = ("generalization-k23-small",)
    learning_views: ClassVar[tuple[str, ...]] = ("networks", "examples")
    proof_files: ClassVar[tuple[str, ...]] = ("theory.pl", "background.pl", "reasoning.pl", "facts.pl")
    confirmed_by: ClassVar[str] = "clingo (kb/clutrr/closure.lp)"

    def configure(self, source: str | Path, overrides: Mapping[str, str] | None = None) -> BaseModel:
        config = super().configure(source, overrides)
        assert isinstance(config, ClutrrConfig)
        knowledge.load(config.packs)  # unknown packs are refused before anything is made
        if config.story.phrasings is not None:
            for split in ("train", "test"):
                generate.book_of(config, split)
        return config

    def plan(self, config: ClutrrConfig, seed: int) -> Sequence[Shard]:
        return generate.plan(config, seed)

    def make(self, config: ClutrrConfig, seed: int, shard: Shard) -> Batch:
        return generate.make(config, seed, shard)

    def prolog_side(self, config: ClutrrConfig) -> PrologSide:
        return knowledge.side(config.packs)

    def facts(self, sample: Sample) -> str:
        return record.facts(sample)

    def fact_predicates(self) -> Sequence[str]:
        return knowledge.PREDICATES

    def original_files(self, config: ClutrrConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        return original.files(config, samples, knowledge.load(config.packs).labels())

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """Its length k, and the kinds of its noise."""
        from hornbeam.clutrr.learning import network

        return network(sample).group

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        return (None,)


FAMILY = Clutrr
