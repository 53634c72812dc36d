"""A family that is a package, as the five here are: the work on a dataset on disk lies in modules of fixed names.

    check.py      check(dataset, progress)
    audit.py      audit(dataset, progress)
    explain.py    explain(dataset, sample)
    learning      learning_problem(dataset, view, task, options)
    judging.py    court(dataset, task, options)
    importer.py   import_files(files, options)
    record.py     COLUMNS
    show.py       sections(dataset), picture(dataset, sample), typical(dataset)
    commands.py   app(), where the family has commands of its own

Each is imported when it is first asked for: generating needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hornbeam.data.columns import Column
from hornbeam.data.sample import Sample
from hornbeam.family import Audit, Batch, Check, Family
from hornbeam.progress import Progress, no_progress
from hornbeam.report.page import Section

if TYPE_CHECKING:
    import typer

    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks.court import Court
    from hornbeam.tasks.problem import Problem


class FamilyPackage(Family):
    """The second half of a family's road; the first, generation, is the subclass's own."""

    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        made: Check = self._module("check").check(dataset, progress)
        return made

    def audit(self, dataset: Dataset, progress: Progress = no_progress) -> Audit:
        made: Audit = self._module("audit").audit(dataset, progress)
        return made

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        return str(self._module("explain").explain(dataset, sample))

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        made: Problem = self._module("learning").learning_problem(dataset, view, task, options)
        return made

    def court(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
        court: Court = self._module("judging").court(dataset, task, options)
        return court

    def import_files(self, files: Sequence[Path], options: Mapping[str, str]) -> tuple[BaseModel, Iterator[Batch]]:
        made: tuple[BaseModel, Iterator[Batch]] = self._module("importer").import_files(files, options)
        return made

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
        made: typer.Typer = self._module("commands").app()
        return made

    @property
    def _package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    def _module(self, name: str) -> Any:
        return import_module(f"{self._package}.{name}")
