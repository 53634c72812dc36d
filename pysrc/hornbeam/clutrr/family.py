"""The family `clutrr`: stories about families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel

from hornbeam.clutrr import generate, knowledge, original, record
from hornbeam.clutrr.config import ClutrrConfig
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, PrologSide, Shard
from hornbeam.family_package import FamilyPackage


class Clutrr(FamilyPackage):
    """CLUTRR: stories about a family, with a question on how two persons are related.

    A sample is a story of k facts, also given as a graph of persons. Its label is the kinship word, such as ``mother``,
    which follows from a theory of kinship. A story may have noise: supporting, irrelevant or disconnected facts.

    Paper: K. Sinha et al., "CLUTRR: A Diagnostic Benchmark for Inductive Reasoning from Text", 2019.

    ========================  =======  =====  =====  ====  =======  =======
    preset                    samples  train  valid  test  train k  test k
    ========================  =======  =====  =====  ====  =======  =======
    tiny                          220    110     22    88  2-3      2-4
    generalization-k23-small      638    440      0   198  2-3      2-10
    generalization-k23          11240  10094      0  1146  2-3      2-10
    ========================  =======  =====  =====  ====  =======  =======

    All three have 22 labels. Settings to begin with: ``train``, ``valid`` and ``test`` (samples by task, where task
    ``1.3`` has clean stories of 3 facts and ``5.3`` adds all kinds of noise), ``packs`` (the rules: base, great,
    cousins, marriage, blended), ``hold_out.clauses`` (the share of clauses that only the test split has).

    >>> from hornbeam import family
    >>> family.get("clutrr").configure("tiny").test["5.4"]
    22
    """

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
        knowledge.load(config.packs)  # unknown packs are an error before anything is generated
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
        """The length k and the kinds of noise."""
        from hornbeam.clutrr.learning import network

        return network(sample).group

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        return (None,)


FAMILY = Clutrr
