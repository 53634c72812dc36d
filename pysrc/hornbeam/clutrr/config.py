"""The settings of a CLUTRR dataset: a typed YAML file of curricula/clutrr."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from hornbeam.clutrr.knowledge import refuse_packs
from hornbeam.config import MOST_ROWS

Task = str  # "T.k": T is the kind of noise, 1 to 5; k the number of facts
Range = tuple[int, int]
Packs = tuple[str, ...]
Rows = dict[Task, Annotated[int, Field(ge=1, le=MOST_ROWS)]]

SUPPORTING, IRRELEVANT, DISCONNECTED = "supporting", "irrelevant", "disconnected"

# The task codes of the original: 1 is a clean story, 5 has all three kinds.
KINDS_OF_TASK = {
    1: (),
    2: (SUPPORTING,),
    3: (IRRELEVANT,),
    4: (DISCONNECTED,),
    5: (SUPPORTING, IRRELEVANT, DISCONNECTED),
}


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _ordered(value: Range) -> Range:
    if value[0] > value[1]:
        raise ValueError(f"the range {list(value)} is reversed: expected the smaller number first")
    return value


class FamilySettings(_Settings):
    """The families behind the stories."""

    generations: int = Field(default=3, ge=2, le=6, description="generations of a family")
    children: Range = Field(default=(3, 4), description="children of a couple, at least and at most")
    marry: float = Field(default=1.0, ge=0, le=1, description="chance that a child of the family marries")
    in_laws: float = Field(default=0.0, ge=0, le=1, description="chance that who marries in has parents and siblings")
    remarry: float = Field(default=0.0, ge=0, le=1, description="chance that a couple parts and remarries")
    puzzles: int = Field(default=1, ge=1, le=1000, description="puzzles that are drawn from one family")

    @field_validator("children")
    @classmethod
    def _children(cls, value: Range) -> Range:
        if value[0] < 1 or value[1] > 8:
            raise ValueError(f"a couple has 1 to 8 children, not {list(value)}")
        return _ordered(value)


class NoiseSettings(_Settings):
    """How many facts a path of noise has, at least and at most."""

    supporting: Range = Field(default=(2, 2), description="a detour around a fact of the story; two facts or more")
    irrelevant: Range = Field(default=(1, 1), description="a dead end at a person of the question")
    disconnected: Range = Field(default=(1, 1), description="a path among other persons")

    @field_validator("supporting", "irrelevant", "disconnected")
    @classmethod
    def _sizes(cls, value: Range) -> Range:
        if value[0] < 1 or value[1] > 30:
            raise ValueError(f"a path of noise has 1 to 30 facts, not {list(value)}")
        return _ordered(value)

    @field_validator("supporting")
    @classmethod
    def _detour(cls, value: Range) -> Range:
        if value[0] < 2:
            raise ValueError("a detour of one fact would be the fact itself: expected 2 or more")
        return value


class HoldOutSettings(_Settings):
    """What training never sees."""

    clauses: float = Field(default=0.1, ge=0, le=0.9, description="share of the clauses of three facts and more")
    phrasings: float = Field(default=0.2, ge=0, le=0.9, description="share of the phrasings of each kind")


class PlaceholderFiles(_Settings):
    """Phrasings in the original's format: {clause: {genders: [text with ENT_0_male ...]}}."""

    train: str
    test: str


class StorySettings(_Settings):
    """How facts become text."""

    join: int = Field(default=3, ge=1, le=3, description="most facts that one phrasing says")
    entities: Literal["bracketed", "plain", "anonymous"] = Field(default="bracketed", description="[Ann], Ann or @ent4")
    pool: int = Field(default=40, ge=4, le=1000, description="placeholders that anonymous stories draw from")
    shuffle: bool = Field(default=True, description="whether the parts of a story are out of order")
    permute_ids: bool = Field(default=True, description="whether node numbers say nothing of the path")
    phrasings: PlaceholderFiles | None = Field(default=None, description="phrasings from files instead of our own")


class ClutrrConfig(_Settings):
    """A dataset of stories. `train`, `valid` and `test` map tasks such as "1.3" to numbers of puzzles."""

    packs: tuple[str, ...] = Field(default=("base",), description="rule packs: base, great, cousins, marriage, blended")
    train: Rows = Field(default_factory=dict, description="how many puzzles of each task, e.g. {'1.3': 100}")
    valid: Rows = Field(default_factory=dict, description="how many puzzles of each task, e.g. {'1.3': 100}")
    test: Rows = Field(default_factory=dict, description="how many puzzles of each task, e.g. {'1.3': 100}")
    targets: Literal["uniform", "natural"] = Field(default="uniform", description="distribution of the answers")
    family: FamilySettings = FamilySettings()
    noise: NoiseSettings = NoiseSettings()
    hold_out: HoldOutSettings = HoldOutSettings()
    story: StorySettings = StorySettings()
    origin: Literal["generated", "imported"] = Field(default="generated", description="set by the importer")

    @field_validator("train", "valid", "test")
    @classmethod
    def _tasks(cls, value: Rows) -> Rows:
        for task in value:
            refuse_no_task(task)
        return value

    @field_validator("packs")
    @classmethod
    def _packs(cls, value: Packs) -> Packs:
        if len(set(value)) != len(value):
            raise ValueError("a pack is named twice")
        refuse_packs(value)
        return value

    @model_validator(mode="after")
    def _whole(self) -> ClutrrConfig:
        tasks = [task for _, rows in self.splits() for task in rows]
        if not tasks:
            raise ValueError('train, valid and test are all empty: expected tasks such as "1.2": 100')
        if self.origin == "generated" and any(length_of(task) < 2 for task in tasks):
            raise ValueError("a puzzle needs two facts or more")
        if self.family.remarry and "blended" not in self.packs:
            raise ValueError("family.remarry needs the pack 'blended': the other rules are proven for nuclear families")
        return self

    def splits(self) -> list[tuple[str, Rows]]:
        return [("train", self.train), ("valid", self.valid), ("test", self.test)]

    def trained_lengths(self) -> set[int]:
        """The lengths of which training has puzzles: clauses are held out of these."""
        return {length_of(task) for task in (*self.train, *self.valid)}


def refuse_no_task(task: Task) -> None:
    """Raise ValueError if a text is not the code of a task. Stories of one fact pass: imported ones have them.

    >>> refuse_no_task("1.02")
    Traceback (most recent call last):
    ValueError: '1.02' is not a task: expected T.k with T from 1 to 5, such as '1.3'
    """
    code = re.fullmatch(r"([0-9])\.(0|[1-9][0-9]*)", task)
    if code is None or int(code[1]) not in KINDS_OF_TASK:
        raise ValueError(f"'{task}' is not a task: expected T.k with T from 1 to 5, such as '1.3'")
    if not 1 <= int(code[2]) <= 30:
        raise ValueError(f"'{task}': a story has 2 to 30 facts")


def length_of(task: Task) -> int:
    """The number of facts of a task.

    >>> length_of("2.3")
    3
    """
    return int(task.split(".")[1])


def noise_of(task: Task) -> tuple[str, ...]:
    """The kinds of noise of a task.

    >>> noise_of("2.3")
    ('supporting',)
    """
    return KINDS_OF_TASK[int(task.split(".")[0])]
