"""The family `rudas`: facts of small worlds, and the rules behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Batch, PrologSide, Shard
from hornbeam.family_package import FamilyPackage
from hornbeam.logic import quote
from hornbeam.rudas import generate
from hornbeam.rudas.config import RudasConfig
from hornbeam.rudas.original import streamed_files
from hornbeam.rudas.proving import THEORY, background_text
from hornbeam.rudas.record import prolog_facts

# Modules of prolog/rudas that are copied into the folder prolog/ of a dataset; models.pl loads the others.
_MODULES = ("join_order.pl", "models.pl", "theory_rules.pl")
_USE_MODELS = ":- use_module('prolog/models').\n"


class Rudas(FamilyPackage):
    """RuDaS: learning rules from the facts of a small world, some of which are missing or wrong.

    A task is a world with its rule set. A sample is one fact. Its label says what the fact is: ``support`` (given),
    ``consequence`` (follows from the rules), ``noise`` (false), ``removed`` (a withheld consequence) or
    ``missing`` (a withheld support fact).

    Paper: C. Cornelio, V. Thost, "RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools".

    =========  =====  =======  =====  =====  ====
    preset     tasks  samples  train  valid  test
    =========  =====  =======  =====  =====  ====
    demo           4     1723    572    128  1023
    s              1     1168    768    181   219
    recursive      7     7274   4623   1060  1591
    =========  =====  =======  =====  =====  ====

    `m`, `l` and `xl` have up to 10,000, 100,000 and 500,000 training facts; `v0` has the 196 datasets of the paper.
    Settings to begin with: ``category`` (chain, rdg, drdg, mixed), ``size`` or ``facts``, ``depth`` (of the rule
    graph), ``recursion``, ``max_atoms`` (of a body).

    >>> from hornbeam import family
    >>> [spec.category for spec in family.get("rudas").configure("demo").specs()]
    ['chain', 'rdg', 'drdg', 'mixed']
    """

    name = "rudas"
    title = "RuDaS"
    paper = "Cornelio and Thost: RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools."
    config_type = RudasConfig
    learning_views = ("facts", "examples")
    question = "Facts of a small world, some missing, some wrong: which rules made them?"
    demo_presets = ("demo",)
    proof_files = ("rules.pl", "background.pl")

    def plan(self, config: RudasConfig, seed: int) -> Sequence[Shard]:
        return generate.plan(config, seed)

    def make(self, config: RudasConfig, seed: int, shard: Shard) -> Batch:
        return generate.make(config, seed, shard)

    def draw(self, config: RudasConfig, seed: int, shard: Shard) -> Batch:
        """The samples and the rules, but no file in the format of the original."""
        return generate.make(config, seed, shard, originals=False)

    def select(self, config: RudasConfig, seed: int, batches: Iterator[Batch]) -> Iterator[Batch]:
        return generate.with_rules(batches)

    def prolog_side(self, config: RudasConfig) -> PrologSide:
        task = quote(config.specs()[0].name)
        queries = (
            (f"sample(Id, {task}, train, Label, Fact)", "the training facts of a task and their labels"),
            (f"rule({task}, Number, Rule)", "its true rules"),
            (f"sample(Id, {task}, valid, removed, _), why(Id, Proof)", "why a withheld fact is true"),
            (f"sample(Id, {task}, train, consequence, _), explain_truth(Id)", "the proof as a tree"),
            (f"labels({task}, Counts)", "how many facts bear each label"),
            (f"depths({task}, Counts)", "how deep the smallest proofs are"),
        )
        background = f"{background_text()}\n{_USE_MODELS}\n{_prolog_text('mine.pl')}"
        modules = {f"prolog/{name}": _prolog_text(name) for name in _MODULES}
        return PrologSide(f"{THEORY}:- include(rules).\n", background, queries, modules)

    def facts(self, sample: Sample) -> str:
        return prolog_facts(sample)

    def fact_predicates(self) -> Sequence[str]:
        return ("sample/5", "derived/4")

    def original_files(self, config: RudasConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        return streamed_files(config.specs_by_name(), samples)

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The world."""
        return {"world": sample.task}

    def kind_of_task(self, dataset: Dataset, task: str) -> str:
        """The category of the rule graphs."""
        specs = dataset.config.specs_by_name()
        return specs[task].category if task in specs else ""

    def evaluation_facts(self, dataset: Dataset, task: str | None) -> Path | None:
        return dataset.file(f"{dataset.one_task(task)}/eval-support.txt")


def _prolog_text(name: str) -> str:
    return resources.prolog("rudas", name).read_text(encoding="utf-8")


FAMILY = Rudas
