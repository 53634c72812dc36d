"""The configuration in a manifest: the text of the curriculum, and the settings that replace its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hornbeam.kandy.curriculum import Curriculum, CurriculumConfig, NamedRule, RuleText, Task
from hornbeam.kandy.language.read import curriculum_text, folder_of, parse_curriculum
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain


class ImportedTask(BaseModel):
    """A task of a published dataset: what is known of it without its curriculum."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    rule: str | None = Field(default=None, description="a rule of kb/kandy")
    positive_rule: str | None = Field(default=None, description="a rule as Prolog text")


class KandyConfig(BaseModel):
    """A curriculum by its text, so that a dataset can be made again without the file it came from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str = Field(description="the name of the curriculum file")
    text: str = Field(description="its YAML text")
    beside: dict[str, str] = Field(default_factory=dict, description="the texts of the files that it includes")
    overrides: dict[str, str] = Field(default_factory=dict, description="settings on top of the file")
    imported_domain: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None = Field(
        default=None, description="shapes, colors and sizes of an imported dataset"
    )
    imported_tasks: tuple[ImportedTask, ...] = Field(default=(), description="tasks of an imported dataset")

    @classmethod
    def read(cls, path: Path, overrides: Mapping[str, str] | None = None) -> KandyConfig:
        """The configuration of a curriculum file; refuses a file that has anything wrong with it."""
        text = curriculum_text(path)
        opened: dict[str, str | None] = {}

        def remember(name: str) -> str | None:
            opened[name] = folder_of(path)(name)
            return opened[name]

        parse_curriculum(text, str(path), remember, overrides)
        beside = {name: source for name, source in sorted(opened.items()) if source is not None}
        return cls(file=path.name, text=text, beside=beside, overrides=dict(overrides or {}))

    @classmethod
    def imported(
        cls, tasks: Sequence[ImportedTask], domain: Domain = DEFAULT_DOMAIN, name: str = "imported"
    ) -> KandyConfig:
        """The configuration of a published dataset that comes without its curriculum."""
        return cls(file=name, text="", imported_domain=domain.values, imported_tasks=tuple(tasks))

    @model_validator(mode="after")
    def _readable(self) -> KandyConfig:
        """A manifest that was edited may hold a curriculum that cannot be read."""
        if len(self.curriculum.tasks) and self.domain:
            return self
        raise ValueError("the curriculum has no task")

    @property
    def curriculum(self) -> Curriculum:
        """The curriculum, read once in a process."""
        return _curriculum(self.model_dump_json())

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks; those of an imported dataset have no sets to draw from."""
        return self.curriculum.tasks

    @property
    def domain(self) -> Domain:
        """The names that objects are made of."""
        return Domain(*self.imported_domain) if self.imported_domain else self.curriculum.config.domain


@lru_cache(maxsize=8)
def _curriculum(dumped: str) -> Curriculum:
    values = json.loads(dumped)
    tasks_given = tuple(ImportedTask(**task) for task in values.pop("imported_tasks"))
    config = KandyConfig.model_construct(**values, imported_tasks=tasks_given)  # not validated: that asks for this
    if config.imported_tasks:
        tasks = tuple(_imported(index, task) for index, task in enumerate(config.imported_tasks))
        return Curriculum(config.file, CurriculumConfig(), tasks)
    return parse_curriculum(config.text, config.file, config.beside.get, config.overrides)


def _imported(index: int, task: ImportedTask) -> Task:
    rule = NamedRule(task.rule) if task.rule else RuleText(task.positive_rule) if task.positive_rule else None
    return Task(index, task.name, rule=rule)
