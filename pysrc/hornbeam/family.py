"""The interface that every family of benchmarks implements.

`get` looks up a family by name; other packages add families through the entry point group ``hornbeam.families``. A
family divides its work into shards, generates the samples of each shard in an independent worker, and checks, audits,
explains and shows the dataset on disk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from markupsafe import escape
from pydantic import BaseModel

from hornbeam import config as configuration
from hornbeam.data.columns import UNDECLARED, Column
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import OpenShape, SampleShape
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
    """A part of the work for one worker; `work` is the family's own description of it."""

    index: int
    name: str
    work: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Batch:
    """The result of a shard: samples in order, further files by their path in the dataset, and counts to add up."""

    samples: list[Sample] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    report: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrologSide:
    """The Prolog files of a dataset, as text. They do not need Hornbeam.

    Attributes:
        theory: The true theory, theory.pl.
        background: The background knowledge, background.pl.
        queries: Goals that load.pl shows at start, each with a description.
        modules: Further files (name to text), which the theory and the background load by relative name.
        included: The names of modules, without .pl, that load.pl includes itself.
    """

    theory: str
    background: str
    queries: tuple[tuple[str, str], ...]
    modules: Mapping[str, str] = field(default_factory=dict)
    included: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """The labels of a dataset, derived again by a second reasoner.

    Attributes:
        samples: The number of samples.
        confirmed: How many labels the reasoner confirmed.
        refuted: How many it refuted.
        undecided: How many it could not decide.
        reasoner: The name of the reasoner.
        failures: The ids of the samples that are not confirmed.
        ok: Whether all labels are confirmed.
    """

    samples: int
    confirmed: int
    refuted: int
    undecided: int
    reasoner: str
    failures: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.confirmed == self.samples


@dataclass(frozen=True, slots=True)
class Audit:
    """How good a dataset is.

    Attributes:
        samples: The number of samples.
        derivable: The share of labels that follow from the true theory; None if unknown.
        unique: The share of labels that are the only answer; None if unknown.
        duplicates: How many samples repeat another one of their split.
        leaks: How many samples of one split also occur in another.
        shortcuts: Features that predict the label without the rule.
        balance: How often each label occurs.
        details: Figures of the family.
    """

    samples: int
    derivable: float | None
    unique: float | None
    duplicates: int
    leaks: Mapping[str, Json]
    shortcuts: Mapping[str, Json]
    balance: Mapping[str, Json]
    details: Mapping[str, Json] = field(default_factory=dict)


class Family(ABC):
    """A family of benchmarks. Subclasses have no state: everything that they need is an argument.

    Attributes:
        name: The name in commands.
        title: The name for people.
        paper: The paper that introduced the benchmark.
        config_type: The type of the settings.
        question: What a sample asks, in words that need no paper.
        demo_presets: The presets that `hornbeam demo` generates and checks within a minute.
        tasks_are_worlds: Whether each task has its own relations, rules and graph.
        learning_views: The views of a dataset that learners can use, see :data:`hornbeam.tasks.problem.VIEWS`.
        proof_files: The Prolog files of a dataset that prove its labels.
        confirmed_by: The reasoner that confirms the labels.

    >>> get("star").title
    'STaR'
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    config_type: ClassVar[type[BaseModel]]
    question: ClassVar[str] = ""
    demo_presets: ClassVar[tuple[str, ...]] = ()
    tasks_are_worlds: ClassVar[bool] = False
    learning_views: ClassVar[tuple[str, ...]] = ()
    proof_files: ClassVar[tuple[str, ...]] = ("theory.pl", "background.pl", "facts.pl")
    confirmed_by: ClassVar[str] = "clingo"

    # Generation ---------------------------------------------------------------------------------------------------

    def configure(self, source: str | Path, overrides: Mapping[str, str] | None = None) -> BaseModel:
        """Read the settings of a dataset.

        Args:
            source: The name of a preset, or a YAML file.
            overrides: Values as text that replace those of the file, by key.

        Returns:
            The settings, as `config_type`.

        Raises:
            UsageError: if there is no such preset, or a setting is unknown or invalid.

        >>> get("star").configure("rcc8-small").calculus
        'rcc8'
        """
        return configuration.load(configuration.find(self.name, source), self.config_type, overrides or {})

    @abstractmethod
    def plan(self, config: Any, seed: int) -> Sequence[Shard]:
        """Divide the work into shards, in the order of the dataset, independent of the number of workers."""

    @abstractmethod
    def make(self, config: Any, seed: int, shard: Shard) -> Batch:
        """Generate the samples of one shard. Runs in a worker; all randomness comes from `seed` and the shard."""

    def draw(self, config: Any, seed: int, shard: Shard) -> Batch:
        """The samples of `make`, proven alike, for use in memory. Files that no text prompt needs may be absent."""
        return self.make(config, seed, shard)

    def select(self, config: Any, seed: int, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Choose what goes into the dataset, in shard order; a family can drop duplicates across shards here."""
        return batches

    @abstractmethod
    def prolog_side(self, config: Any) -> PrologSide:
        """The Prolog files of the dataset: the theory and the background knowledge."""

    @abstractmethod
    def facts(self, sample: Sample) -> str:
        """The sample as Prolog facts for facts.pl, one clause per line.

        The first is ``sample(Id, Task, Split, Label, Content)`` in every family.
        """

    def fact_predicates(self) -> Sequence[str]:
        """The predicates that `facts` writes, as name/arity. All are declared, even if a dataset has no such facts."""
        return ("sample/5",)

    def sample_shape(self) -> type[SampleShape]:
        """The shape of the family's samples; see :mod:`hornbeam.data.shape`."""
        return OpenShape

    def sample_check(self, dataset: Dataset) -> Callable[[Any, Sample], None]:
        """What checks a sample, in its shape, against the rest of a dataset: names of relations, of objects, of rules.

        It is called for each sample that is read, and raises :class:`hornbeam.data.shape.WrongValue`.
        """
        return lambda shape, sample: None

    def original_files(self, config: Any, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        """Files in the format of the original, as a stream of (path in the dataset, text to append)."""
        return iter(())

    # A dataset on disk ----------------------------------------------------------------------------------------------

    @abstractmethod
    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        """Derive every label again with a second reasoner; see :func:`hornbeam.check`."""

    def audit(self, dataset: Dataset, progress: Progress = no_progress) -> Audit:
        """Check the labels and look for leaks, duplicates, shortcuts and imbalance; see :func:`hornbeam.audit`."""
        from hornbeam.data.audit import general_audit

        return general_audit(self, dataset, progress)

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        """Explain in words why the label of a sample is true."""
        return str(sample.proof)

    def evaluation_facts(self, dataset: Dataset, task: str | None) -> Path | None:
        """A file of facts for comparing what two theories of a task derive; None if a diff shows samples only."""
        return None

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        """A task of the dataset for a learner, and what its result is judged on.

        Args:
            dataset: The dataset.
            view: One of `learning_views`.
            task: The task; None for the only one, or for all tasks if they share one theory.
            options: Options of the family's tasks, e.g. the encoding.

        Returns:
            The problem, see :mod:`hornbeam.tasks.problem`.

        Raises:
            UsageError: if the family has no such view, or the task or an option is unknown.
        """
        raise UsageError(f"the family {self.name} has no tasks for learners of theories")

    def court(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
        """The judge of theories of a task; see :mod:`hornbeam.tasks.court`.

        Args:
            dataset: The dataset that the theories are about.
            task: The task; None if all tasks share one theory.
            options: The options of :meth:`learning_problem`, which decide the encoding of a theory.

        Returns:
            The court, which has the true theory and gives verdicts.

        Raises:
            UsageError: if there is no true theory, or the task or an option is unknown.
        """
        raise UsageError(f"the family {self.name} has no true theories to compare with")

    def learning_tasks(self, dataset: Dataset) -> Sequence[str | None]:
        """The tasks that are learned separately; (None,) if all tasks share one theory."""
        return dataset.tasks

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        """The groups of a sample in tables of results, e.g. `k`, `b`, `noise`, `world` or `level`."""
        return {}

    def kind_of_task(self, dataset: Dataset, task: str) -> str:
        """The kind of a task; tables of results have a mean for each kind. "" if all tasks are of one kind."""
        return ""

    def shown_task(self, dataset: Dataset, task: str) -> str:
        """The name of a task in exports; another one, if the task's own name tells its rule."""
        return task

    def world_graph(self, dataset: Dataset, task: str) -> Sequence[tuple[Hashable, str, Hashable]] | None:
        """The graph that the samples of a task are parts of, as (source, relation, target); None if there is none."""
        return None

    def easiest_first(self, dataset: Dataset) -> list[str] | None:
        """The tasks from easy to hard, for a curriculum; None if the family has no such order."""
        return None

    def import_files(self, files: Sequence[Path], options: Mapping[str, str]) -> tuple[BaseModel, Iterator[Batch]]:
        """Read published files of the original; see :func:`hornbeam.import_dataset`.

        Args:
            files: The files or folders.
            options: Options of the importer.

        Returns:
            The settings, and the samples in batches.

        Raises:
            UsageError: if the family has no importer, or a file is not in the published format.
        """
        raise UsageError(f"the family {self.name} has no importer")

    def columns(self) -> Sequence[Column]:
        """The columns of exported tables, in addition to id, task, split, label and supervised."""
        return UNDECLARED

    def show(self, dataset: Dataset) -> list[Section]:
        """The family's sections of the page that `hornbeam show` writes."""
        return []

    def picture(self, dataset: Dataset, sample: Sample) -> str:
        """A sample as HTML: a picture, a story or a drawn graph."""
        return ""

    def gallery(self, dataset: Dataset, samples: Iterable[Sample], count: int) -> str:
        """Samples as a notebook shows them; `count` is how many there are in all."""
        from hornbeam.report.gallery import gallery

        return gallery(
            [
                (one.id, f"task {one.task}, {one.split}", _label(one), self.picture(dataset, one) or _content(one))
                for one in samples
            ],
            count,
        )

    def typical(self, dataset: Dataset) -> Sequence[Sample]:
        """A few samples that show what the dataset is like."""
        return dataset.samples[:1]

    def commands(self) -> typer.Typer | None:
        """The family's own commands, `hornbeam FAMILY ...`."""
        return None


def _label(sample: Sample) -> str:
    if sample.label is None:
        return "no label"
    words = {"True": "valid", "False": "not valid"}.get(str(sample.label), str(sample.label))
    return words if sample.supervised else f"{words} (hidden from learners)"


def _content(sample: Sample) -> str:
    known: Any = sample.symbolic
    return f"<code>{escape(str(known.get('prolog', '')))}</code>" if isinstance(known, dict) else ""


FAMILIES = Registry(
    "family",
    "hornbeam.families",
    {name: f"hornbeam.{name}.family:FAMILY" for name in BUILT_IN},
    base=Family,
    needs=("name", "title", "paper", "config_type"),
)
names, get, loaded = FAMILIES.names, FAMILIES.get, FAMILIES.loaded
