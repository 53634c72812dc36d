"""The settings of a STaR dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hornbeam.config import MOST_ROWS
from hornbeam.errors import UsageError
from hornbeam.star.knowledge import load_calculus

SPLITS = ("train", "valid", "test")


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cells(_Settings):
    """The cells of a split: every k with every b."""

    k: tuple[Annotated[int, Field(ge=2, le=1000)], ...] = Field(
        min_length=1, description="edges on every path from source to sink, 2 or more"
    )
    b: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(
        min_length=1, description="paths from source to sink, 1 or more"
    )
    rows: int = Field(ge=1, le=MOST_ROWS, description="graphs for each label of each cell")


class Tangle(_Settings):
    """Graphs of treewidth above 2: intersecting the paths from source to sink is not enough."""

    nodes: tuple[Annotated[int, Field(ge=5, le=24)], ...] = Field(min_length=1, description="how many nodes, 5 or more")
    rows: int = Field(ge=1, le=MOST_ROWS, description="graphs for each label and number of nodes")


class Split(_Settings):
    """What a split holds."""

    cells: tuple[Cells, ...] = Field(default=(), description="k edges on a path, b paths, rows for each label")
    tangles: tuple[Tangle, ...] = Field(
        default=(), description="nodes, rows: graphs for which intersecting paths is not enough"
    )


class StarConfig(_Settings):
    """A STaR dataset."""

    calculus: str = Field(default="rcc8", description="rcc8, allen, rcc5, point, or the path of a calculus file (.pl)")
    profile: Literal["sound", "compat"] = Field(
        default="sound", description="sound: b paths are needed, no identity edges; compat: as published"
    )
    needed: Literal["all", "most"] = Field(
        default="all", description="all: every path is needed; most: as many as the label allows, the others are idle"
    )
    width: int = Field(default=1, ge=1, le=3, description="relations on an edge, at most; above 1: disjunctive labels")
    answers: Literal["single", "sets"] = Field(default="single", description="sets: answers are 2 or more relations")
    inconsistent: bool = Field(default=False, description="add inconsistent graphs, a class of their own")
    shape: Literal["chains", "nested", "mixed"] = Field(
        default="mixed", description="nested: an edge is replaced by a smaller graph; mixed: half of those with k >= 5"
    )
    scarce: Literal["tell", "trim"] = Field(
        default="tell",
        description="a label with fewer distinct graphs than rows: tell gives what there is, trim cuts the whole cell",
    )
    witness: bool = Field(default=False, description="store regions or intervals that realise each graph")
    train: Split = Split()
    valid: Split = Split()
    test: Split = Split()

    @model_validator(mode="after")
    def _fits(self) -> StarConfig:
        # A dataset carries its calculus; the file that it was made from may be gone.
        name = None
        if not self.calculus.endswith(".pl") or Path(self.calculus).exists():
            try:
                name = load_calculus(self.calculus).name
            except UsageError as error:
                raise ValueError(str(error)) from None
        if not any(self.split(split).cells or self.split(split).tangles for split in SPLITS):
            raise ValueError("there is no split with cells or tangles")
        tangled = any(self.split(split).tangles for split in SPLITS)
        if (tangled or self.witness) and name not in ("rcc8", "allen", None):
            raise ValueError(f"tangles and witnesses need regions or intervals; {name} has neither")
        if self.profile == "compat" and (
            tangled or self.width > 1 or self.answers == "sets" or self.inconsistent or self.needed == "most"
        ):
            raise ValueError("the profile compat has no harder kinds: they were not published")
        if self.witness and self.inconsistent:
            raise ValueError("an inconsistent graph has no witness")
        return self

    def split(self, name: str) -> Split:
        split: Split = getattr(self, name)
        return split
