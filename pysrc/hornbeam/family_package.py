"""The base of the families of this repository, whose parts are modules with fixed names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hornbeam.data.columns import Column
from hornbeam.data.sample import Sample
from hornbeam.data.shape import SampleShape
from hornbeam.family import Audit, Batch, Check, Family
from hornbeam.progress import Progress, no_progress
from hornbeam.report.page import Section

if TYPE_CHECKING:
    import typer

    from hornbeam.data.dataset import Dataset
    from hornbeam.tasks.court import Court
    from hornbeam.tasks.problem import Problem


class FamilyPackage(Family):
    """A family that is a package: the subclass generates, and modules with fixed names in its package do the rest.

        check.py      check(dataset, progress)
        audit.py      audit(dataset, progress)
        explain.py    explain(dataset, sample)
        learning      learning_problem(dataset, view, task, options)
        judging.py    court(dataset, task, options)
        importer.py   import_files(files, options)
        record.py     SHAPE, sample_check(dataset), COLUMNS
        show.py       sections(dataset), picture(dataset, sample), typical(dataset)
        commands.py   app(), if the family has its own commands

    Each module is imported when it is first used; generating needs none of them.
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

    def sample_shape(self) -> type[SampleShape]:
        shape: type[SampleShape] = self._module("record").SHAPE
        return shape

    def sample_check(self, dataset: Dataset) -> Callable[[Any, Sample], None]:
        check: Callable[[Any, Sample], None] = self._module("record").sample_check(dataset)
        return check

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
