"""The settings of `ctp`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hornbeam.ilp.chains.rules import ReadingSettings

Kind = Literal["linear", "attentive", "memory"]


class CtpSettings(ReadingSettings):
    """How reformulators are trained, and how a table is read off them."""

    kind: Kind = Field(default="attentive", description="how a goal becomes sub-goals")
    modules: int = Field(default=16, ge=1, le=64, description="reformulators: at most so many bodies of a relation")
    depth: int = Field(default=1, ge=1, le=3, description="of proofs: paths of up to 2, 4, 8 edges are learned from")
    width: int = Field(default=64, ge=1, le=1024, description="width of vectors")
    steps: int = Field(default=1000, ge=1, description="batches that are learned from")
    batch: int = Field(default=64, ge=1, description="paths of a batch")
    lr: float = Field(default=0.02, gt=0, description="learning rate of Adam")
