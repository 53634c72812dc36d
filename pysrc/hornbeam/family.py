"""The interface that every family of benchmarks implements.

A family is looked up by its name (`get`); one from another package is found through the entry point group
``hornbeam.families``. It describes its work as shards, makes each shard's samples in a worker that knows nothing of the
others, says what goes to disk beside them, and checks, audits, explains and shows what lies on disk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel

from hornbeam import config as configuration
from hornbeam.data.columns import UNDECLARED, Column
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError
from hornbeam.progress import Progress, no_progress
from hornbeam.registry import Registry
from hornbeam.report.page import Section

if TYPE_CHECKING:
    import typer

    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks.court import Court
    from hornbeam.tasks.problem import Problem


BUILT_IN = ("clutrr", "graphlog", "kandy", "rudas", "star")


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of the work that a worker does by itself; `work` is the family's own description of it."""

    index: int
    name: str
    work: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Batch:
    """What a shard gives: samples in order, further files by their path in the dataset, and figures to add up."""

    samples: list[Sample] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    report: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrologSide:
    """The Prolog of a dataset: plain text that needs no Hornbeam on the machine.

    `modules` are further files (name to text) that theory and background load by relative name, and `included` names
    those that load.pl includes by itself; `queries` are goals that the banner of load.pl shows, each with what it asks.
    """

    theory: str
    background: str
    queries: tuple[tuple[str, str], ...]
    modules: Mapping[str, str] = field(default_factory=dict)
    included: tuple[str, ...] = ()  # without .pl


@dataclass(frozen=True, slots=True)
class Check:
    """What the other reasoner says of each label."""

    samples: int
    confirmed: int
    refuted: int
    undecided: int
    reasoner: str
    failures: tuple[str, ...] = ()  # ids of samples that are not confirmed

    @property
    def ok(self) -> bool:
        return self.confirmed == self.samples


@dataclass(frozen=True, slots=True)
class Audit:
    """How good a dataset is; `details` holds the family's own figures."""

    samples: int
    derivable: float | None
    unique: float | None
    duplicates: int
    leaks: Mapping[str, Json]
    shortcuts: Mapping[str, Json]
    balance: Mapping[str, Json]
    details: Mapping[str, Json] = field(default_factory=dict)


class Family(ABC):
    """One family of benchmarks. Subclasses are stateless: all that they need comes in as arguments."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    config_type: ClassVar[type[BaseModel]]
    question: ClassVar[str] = ""  # what a sample asks, for a person who has not read the paper
    demo_presets: ClassVar[tuple[str, ...]] = ()  # presets that `hornbeam demo` makes and checks within a minute
    tasks_are_worlds: ClassVar[bool] = False  # each task has relations, rules and a graph of its own
    learning_views: ClassVar[tuple[str, ...]] = ()  # what it offers to learners: hornbeam.tasks.problem.VIEWS
    proof_files: ClassVar[tuple[str, ...]] = ("theory.pl", "background.pl", "facts.pl")
    confirmed_by: ClassVar[str] = "clingo"

    # Generation ---------------------------------------------------------------------------------------------------

    def configure(self, source: str | Path, overrides: Mapping[str, str] | None = None) -> BaseModel:
        """The configuration that a preset's name or a YAML file gives, with `key=value` overrides applied."""
        return configuration.load(configuration.find(self.name, source), self.config_type, overrides or {})

    @abstractmethod
    def plan(self, config: Any, seed: int) -> Sequence[Shard]:
        """The shards, in the order of the dataset. The same whatever the number of workers."""

    @abstractmethod
    def make(self, config: Any, seed: int, shard: Shard) -> Batch:
        """The samples of one shard. Runs in a worker; all randomness comes from `seed` and the shard."""

    def select(self, config: Any, seed: int, batches: Iterator[Batch]) -> Iterator[Batch]:
        """What of the shards goes into the dataset, in shard order: a place to drop duplicates across shards."""
        return batches

    @abstractmethod
    def prolog_side(self, config: Any) -> PrologSide:
        """The theory and the background knowledge as files of the dataset."""

    @abstractmethod
    def facts(self, sample: Sample) -> str:
        """The sample as Prolog facts, a clause a line, for facts.pl.

        The first is ``sample(Id, Task, Split, Label, Content)`` in every family.
        """

    def fact_predicates(self) -> Sequence[str]:
        """The predicates that `facts` writes, as name/arity: each is declared, also where a dataset has none."""
        return ("sample/5",)

    def original_files(self, config: Any, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        """Lines of the files of the original's format: (path in the dataset, text to append). Streamed."""
        return iter(())

    # A dataset on disk ----------------------------------------------------------------------------------------------

    @abstractmethod
    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        """Derive every label again with the other reasoner."""

    def audit(self, dataset: Dataset, progress: Progress = no_progress) -> Audit:
        """Check, and leaks, duplicates, shortcuts, balance."""
        from hornbeam.data.audit import general_audit

        return general_audit(self, dataset, progress)

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        """Why this label: for a person to read."""
        return str(sample.proof)

    def evaluation_facts(self, dataset: Dataset, task: str | None) -> Path | None:
        """Facts from which a diff shows what theories of a task derive; None where it shows samples only."""
        return None

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        """A task of the dataset as a learner takes it, in one of `learning_views`; see hornbeam.tasks.problem."""
        raise UsageError(f"the family {self.name} has no tasks for learners of theories")

    def court(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
        """Who judges theories of a task; see hornbeam.tasks.court.

        Args:
            dataset: The dataset that theories are about.
            task: The task; None where one theory is true of all tasks.
            options: Those of :meth:`learning_problem`, which decide the encoding that a theory is written in.
        """
        raise UsageError(f"the family {self.name} has no true theories to compare with")

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        """What is learned one by one: each task, or None for all of them at once where a task is only a test."""
        return dataset.tasks

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """Where a sample stands in tables of results, by name: e.g. `k`, `b`, `noise`, `world` or `level`."""
        return {}

    def kind_of_task(self, dataset: Dataset, task: str) -> str:
        """What tables of results give means for, beside those of all tasks; "" where tasks are all of a kind."""
        return ""

    def world_graph(self, dataset: Dataset, task: str) -> Sequence[tuple[Hashable, str, Hashable]] | None:
        """The graph that a task's samples were cut from: source, relation, target; None where there is no such."""
        return None

    def easiest_first(self, dataset: Dataset) -> list[str] | None:
        """The tasks in an order for a curriculum; None where the family knows none."""
        return None

    def import_files(self, files: Sequence[Path], options: Mapping[str, str]) -> tuple[BaseModel, Iterator[Batch]]:
        """Published files of the original as a configuration and batches."""
        raise UsageError(f"the family {self.name} has no importer")

    def columns(self) -> Sequence[Column]:
        """What a table of its samples has beside id, task, split, label and supervised."""
        return UNDECLARED

    def show(self, dataset: Dataset) -> list[Section]:
        """The family's part of the page that `hornbeam show` writes."""
        return []

    def picture(self, dataset: Dataset, sample: Sample) -> str:
        """A sample as HTML to look at: a picture, a story, a drawn graph."""
        return ""

    def typical(self, dataset: Dataset) -> Sequence[Sample]:
        """A few samples that show what the dataset is like."""
        return dataset.samples[:1]

    def commands(self) -> typer.Typer | None:
        """Further commands, as `hornbeam FAMILY ...`."""
        return None


class FamilyPackage(Family):
    """A family whose work on a dataset on disk lies in modules of fixed names beside the one of the subclass.

        check.py      check(dataset, progress)
        audit.py      audit(dataset, progress)
        explain.py    explain(dataset, sample)
        learning      learning_problem(dataset, view, task, options)
        judging.py    court(dataset, task, options)
        importer.py   import_files(files, options)
        record.py     COLUMNS
        show.py       sections(dataset), picture(dataset, sample), typical(dataset)
        commands.py   app(), where the family has commands of its own

    Each is imported when it is first asked for: generating, which the subclass implements, needs none of them.
    """

    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        result: Check = self._module("check").check(dataset, progress)
        return result

    def audit(self, dataset: Dataset, progress: Progress = no_progress) -> Audit:
        result: Audit = self._module("audit").audit(dataset, progress)
        return result

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        return str(self._module("explain").explain(dataset, sample))

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        problem: Problem = self._module("learning").learning_problem(dataset, view, task, options)
        return problem

    def court(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
        court: Court = self._module("judging").court(dataset, task, options)
        return court

    def import_files(self, files: Sequence[Path], options: Mapping[str, str]) -> tuple[BaseModel, Iterator[Batch]]:
        imported: tuple[BaseModel, Iterator[Batch]] = self._module("importer").import_files(files, options)
        return imported

    def columns(self) -> Sequence[Column]:
        return tuple(self._module("record").COLUMNS)

    def show(self, dataset: Dataset) -> list[Section]:
        return [*self._module("show").sections(dataset)]

    def picture(self, dataset: Dataset, sample: Sample) -> str:
        return str(self._module("show").picture(dataset, sample))

    def typical(self, dataset: Dataset) -> Sequence[Sample]:
        return [*self._module("show").typical(dataset)]

    def commands(self) -> typer.Typer | None:
        if find_spec(f"{self._package}.commands") is None:
            return None
        app: typer.Typer = self._module("commands").app()
        return app

    @property
    def _package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    def _module(self, name: str) -> Any:
        return import_module(f"{self._package}.{name}")


FAMILIES = Registry(
    "family",
    "hornbeam.families",
    {name: f"hornbeam.{name}.family:FAMILY" for name in BUILT_IN},
    base=Family,
    needs=("name", "title", "paper", "config_type"),
)
names, get, loaded = FAMILIES.names, FAMILIES.get, FAMILIES.loaded
