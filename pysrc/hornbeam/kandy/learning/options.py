"""How a KANDY task is put to a learner: the encoding of pictures, the background knowledge, the sizes of clauses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from hornbeam.config import validated

Encoding = Literal["natural", "pointer", "relational", "folded"]
Background = Literal["minimal", "mid", "large"]


class Sizes(BaseModel):
    """The sizes of clauses that an encoding needs for the published rules."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_body: int
    max_vars: int
    depth: int


# Encodings that say the same in fewer words get by with shorter clauses.
SIZES: Mapping[Encoding, Sizes] = {
    "natural": Sizes(max_body=6, max_vars=6, depth=4),
    "pointer": Sizes(max_body=7, max_vars=7, depth=5),
    "relational": Sizes(max_body=6, max_vars=6, depth=4),
    "folded": Sizes(max_body=8, max_vars=4, depth=2),
}


class LearningOptions(BaseModel):
    """The options of a learning problem, each with what it means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    encoding: Encoding = Field(default="folded", description="how pictures become terms")
    background: Background = Field(default="mid", description="which predicates the learner is given")
    reach: int = Field(default=2, ge=1, le=4, description="calls from a picture to what the tables still describe")
    max_body: int | None = Field(default=None, ge=1, le=30, description="body literals of a clause")
    max_vars: int | None = Field(default=None, ge=1, le=30, description="variables of a clause, head included")
    depth: int | None = Field(default=None, ge=0, le=20, description="calls between the head and a variable")
    earlier: Path | None = Field(default=None, description="a folder of theories: rules of earlier tasks, to be used")

    @property
    def sizes(self) -> Sizes:
        """The sizes of the encoding, with those that were set in their place."""
        given = {name: value for name in Sizes.model_fields if (value := getattr(self, name)) is not None}
        return SIZES[self.encoding].model_copy(update=given)


def read_options(options: Mapping[str, str] | None) -> LearningOptions:
    """LearningOptions from text; UsageError names what is unknown or out of range.

    >>> read_options({"encoding": "pointer", "max_body": "3"}).sizes.max_body
    3
    """
    return validated(LearningOptions, options or {}, kind="option", option="option")
