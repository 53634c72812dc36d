"""The settings of the perceiver `neural`."""

from __future__ import annotations

from pydantic import Field

from hornbeam.perception.perceiver import PerceiverSettings


class NeuralSettings(PerceiverSettings):
    """How the networks are trained and how they read."""

    annotated: int = Field(default=200, ge=0, description="training pictures with boxes, names and groups; 0: none")
    object_steps: int = Field(default=1200, ge=1, description="steps of the network that finds objects")
    group_steps: int = Field(default=700, ge=1, description="steps of the network that groups objects")
    sure: float = Field(default=0.5, gt=0, lt=1, description="an object is there from this probability on")
    alternatives: int = Field(default=5, ge=1, description="trees a picture")
    least: float = Field(default=0.02, ge=0, lt=1, description="a picture whose best tree is less probable is unread")
    certain: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="a picture with an object whose name is less probable is unread; default: by the annotated ones",
    )
