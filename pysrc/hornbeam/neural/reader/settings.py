"""The settings of the neural reader. Those that training does not need change no weights."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hornbeam.perception.perceiver import PerceiverSettings


class StoryReaderSettings(PerceiverSettings):
    """What the reader learns from, and how."""

    annotated: int | Literal["all"] = Field(
        default=200, description="training stories whose facts are given, or all; 0: it learns from answers alone"
    )
    networks: int = Field(default=3, ge=1, le=10, description="networks that vote")
    steps: int = Field(default=300, ge=1, description="training steps of each network")
    rounds: int = Field(default=2, ge=1, description="rounds of learning from answers, if nothing is annotated")
    alternatives: int = Field(default=4, ge=1, description="readings of a story that are kept")
    strange: float = Field(
        default=0.6, gt=0, le=1, description="share of unknown words from which on a story is unread"
    )
