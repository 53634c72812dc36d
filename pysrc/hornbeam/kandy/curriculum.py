"""A curriculum: its configuration and its tasks, read from YAML in the original's language.

A file is either a list of tasks, as the original's are, or a mapping

    about: what it is
    define: {...}              # blocks to give anchors to; means nothing by itself
    config: {...}              # or the name of a config file beside it
    set: {samples: 1000}       # task keys that hold for all tasks
    tasks: [...]               # or the name of a curriculum beside it, whose `config` and `set` hold unless said again

A list of tasks takes its configuration from a ``config.yml`` in the same folder if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.config import Config
from hornbeam.kandy.language.nodes import Node
from hornbeam.yaml_reader import Place


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A ground-truth rule of kb/kandy, by its name; `place` is where a file names it, and no part of what it is."""

    name: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A ground-truth rule as Prolog text from outside; `line` is where the text starts in its file."""

    text: str
    file: str = "positive_rule"
    line: int = 1


Rule = NamedRule | RuleText


@dataclass(frozen=True)
class Task:
    """A binary classification task: what to draw, how much of it, and what is true."""

    index: int
    name: str
    gamma: float = 1.0
    beta: float = 1.0
    samples: int = 100
    train_split: float = 0.5
    val_split: float = 0.25
    noisy_color: bool = True
    noisy_size: bool = True
    positive: tuple[Node, ...] = ()
    negative: tuple[Node, ...] = ()
    rule: Rule | None = None
    about: str = ""

    @cached_property
    def id(self) -> str:
        """The task's name in samples, file names and Prolog."""
        slug = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")[:40].strip("_")
        return f"t{self.index:02d}_{slug}" if slug else f"t{self.index:02d}"

    def side(self, label: bool) -> tuple[Node, ...]:
        """The generation rules of a label."""
        return self.positive if label else self.negative


@dataclass(frozen=True)
class Curriculum:
    """Tasks in their order, and how they are drawn."""

    name: str
    config: Config
    tasks: tuple[Task, ...]
    about: str = ""
    warnings: tuple[UsageError, ...] = ()

    def task(self, name: str) -> Task:
        """The task of an index, name or id."""
        for task in self.tasks:
            if name in (str(task.index), task.id, task.name):
                return task
        raise unknown_name("task", name, [task.id for task in self.tasks])


Open = Callable[[str], str | None]
"""Gives the text of a file beside the curriculum, or None where there is none."""


def folder_of(path: Path) -> Open:
    """Opens files beside `path`."""

    def read(name: str) -> str | None:
        file = path.parent / name
        try:
            return file.read_text(encoding="utf-8") if file.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(file)) from None

    return read


def read_curriculum(path: Path, overrides: Mapping[str, str] | None = None) -> Curriculum:
    """The curriculum of a file; a :class:`UsageError` names the first of its problems, with file, line and column."""
    from hornbeam.kandy.language.read import parse_curriculum

    text = folder_of(path)(path.name)
    if text is None:
        raise UsageError("there is no such file", file=str(path))
    return parse_curriculum(text, str(path), folder_of(path), overrides)
