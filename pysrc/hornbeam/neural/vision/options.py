"""Options of training on pictures."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hornbeam.neural.options import Options


class VisionOptions(Options):
    """How to train on pictures; the defaults are the paper's where it has one value for all."""

    order: Literal["curriculum", "random"] = Field(default="curriculum", description="the order of tasks in a stream")
    balance: bool = Field(default=True, description="repeat rows of a task's rarer label (never online)")
    unlabelled: Literal["keep", "drop"] = Field(
        default="keep", description="rows without a label: keep their place in batches, unused, or leave them out"
    )
    replay: int = Field(default=0, ge=0, description="rows in the replay buffer of continual settings")
    replay_weight: float = Field(default=1.0, ge=0, description="weight of the replayed rows' loss")
    replay_kind: Literal["balanced", "plain"] = Field(default="balanced", description="how the buffer is filled")
    threshold: Literal["fixed", "valid"] = Field(
        default="fixed", description="0.5, or the best on the valid split right after a task was learned"
    )
    scale: Literal["kandy", "data"] = Field(
        default="kandy", description="mean and deviation of pixels: the paper's, or measured on the training pictures"
    )
    weights: str | None = Field(default=None, description="pretrained weights: a folder, or a hub id")
    architecture: str | None = Field(default=None, description="a folder or hub id to take the configuration of")
