"""A curriculum: how pictures look and how samples are drawn, and its tasks.

A file, read by :mod:`hornbeam.kandy.language.read`, is either a list of tasks, as the original's are, or a mapping

    about: what it is
    define: {...}              # blocks to give anchors to; means nothing by itself
    config: {...}              # or the name of a config file in its folder
    set: {samples: 1000}       # task keys that hold for all tasks
    tasks: [...]               # or the name of a curriculum, whose `config` and `set` are the defaults

A list of tasks takes its configuration from a ``config.yml`` in the same folder if there is one.

Every key of the original's config file is known with its meaning there; keys that are left out have the values of the
released benchmark. Our own keys:

| key | values | meaning |
|---|---|---|
| profile | sound, compat | the defaults of the five keys below; compat is how the original does it |
| geometry | right, compat | compat draws quadrant_ll in the upper right, as the original does |
| hue | wrap, clip | what hue noise does at red: go round, or stop |
| unique | picture, symbol | whether two samples of a task may have the same noise-free picture |
| decay | closed, open | whether the last sample of a split has the supervision probability beta, or stops short of it |
| balance | stratified, coin, exact | labels by a coin with each split having its share of both (stratified) or just as
it falls (coin), or exact quotas per label and split |
| patience | a number | consecutive rejections after which a set counts as exhausted |
| shapes | names, or name: points | circle, triangle, square by default; see :mod:`hornbeam.kandy.shapes` |

>>> CurriculumConfig().domain.sizes
('small', 'large')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.language.nodes import Node
from hornbeam.kandy.shapes import BUILT_IN, Outline
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain
from hornbeam.yaml_reader import Position

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class CurriculumConfig:
    """The configuration of a curriculum; the values of the released benchmark by default."""

    seed: int = 12345
    canvas_size: tuple[int, int] = (224, 224)
    padding: int = 3
    bg_color: RGB = (127, 127, 127)
    colors: tuple[tuple[str, RGB], ...] = (
        ("red", (255, 0, 0)),
        ("yellow", (255, 255, 0)),
        ("green", (0, 255, 0)),
        ("cyan", (0, 255, 255)),
        ("blue", (0, 0, 255)),
        ("magenta", (255, 0, 255)),
    )
    sizes: tuple[tuple[str, float], ...] = (("small", 7), ("large", 15))
    shapes: tuple[tuple[str, Outline], ...] = tuple((name, BUILT_IN[name]) for name in DEFAULT_DOMAIN.shapes)
    size_noise: float = 2
    h_sigma: float = 0.01
    s_sigma: float = 0.2
    v_sigma: float = 0.2
    background_knowledge: str | None = None
    geometry: str = "right"
    hue: str = "wrap"
    unique: str = "picture"
    decay: str = "closed"
    balance: str = "stratified"
    patience: int = 1000

    @cached_property
    def domain(self) -> Domain:
        """The names that objects are made of."""
        return Domain(
            tuple(name for name, _ in self.shapes),
            tuple(name for name, _ in self.colors),
            tuple(name for name, _ in self.sizes),
        )

    @cached_property
    def pixels(self) -> dict[str, float]:
        """The sizes by name."""
        return dict(self.sizes)

    @property
    def largest(self) -> float:
        """The largest size, without noise."""
        return max(pixels for _, pixels in self.sizes)


PROFILES: dict[str, dict[str, str]] = {
    "sound": {"geometry": "right", "hue": "wrap", "unique": "picture", "decay": "closed", "balance": "stratified"},
    "compat": {"geometry": "compat", "hue": "clip", "unique": "symbol", "decay": "open", "balance": "coin"},
}
"""What a profile sets where the file does not say otherwise."""

CHOICES: dict[str, tuple[str, ...]] = {
    "geometry": ("right", "compat"),
    "hue": ("wrap", "clip"),
    "unique": ("picture", "symbol"),
    "decay": ("closed", "open"),
    "balance": ("stratified", "coin", "exact"),
    "profile": tuple(PROFILES),
}


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A ground-truth rule of kb/kandy, by its name; `place` is where a file names it, and no part of what it is."""

    name: str
    place: Position | None = field(default=None, compare=False)


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

    @property
    def title(self) -> str:
        """How messages name the task."""
        return f"task {self.index} '{self.name}'"

    def side(self, label: bool) -> tuple[Node, ...]:
        """The generation rules of a label."""
        return self.positive if label else self.negative


@dataclass(frozen=True)
class Curriculum:
    """Tasks in their order, and how they are drawn."""

    name: str
    config: CurriculumConfig
    tasks: tuple[Task, ...]
    about: str = ""
    warnings: tuple[UsageError, ...] = ()

    def task(self, name: str) -> Task:
        """The task of an index, name or id."""
        for task in self.tasks:
            if name in (str(task.index), task.id, task.name):
                return task
        raise unknown_name("task", name, [task.id for task in self.tasks])
