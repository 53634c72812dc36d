"""Options of story models, and their one setting. An option that is None is left to the model's own default."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hornbeam.neural.learner import Experience
from hornbeam.neural.text.data import TASK, StoryData
from hornbeam.neural.trainer import TrainingOptions

SETTINGS = {"supervised": "one model; judged by the length of the chain, and on further datasets"}


class TextOptions(TrainingOptions):
    """How to train a story model."""

    batch: int = Field(100, ge=1, description="stories a step")
    epochs: int = Field(20, ge=1, description="epochs")
    clip: float | None = Field(1.0, gt=0, description="largest norm of the gradient")
    width: int | None = Field(None, ge=2, description="width of word vectors and states")
    layers: int | None = Field(None, ge=1, description="layers of the bilstm models")
    steps: int | None = Field(None, ge=1, description="steps of mac")
    slots: int | None = Field(None, ge=1, description="memory slots of rmc")
    heads: int | None = Field(None, ge=1, description="heads of rmc")
    head_size: int | None = Field(None, ge=1, description="width of a head of rmc")
    dropout: float | None = Field(None, ge=0, lt=1, description="dropout of mac")
    persons: Literal["fixed", "randomized", "learned"] = Field(
        "fixed", description="vectors of persons: drawn once, drawn again in each epoch, or learned"
    )
    pool: int = Field(20, ge=2, description="placeholders that persons are drawn from")
    weights: str = Field("bert-base-uncased", description="bert: a folder, or a name on the hub")
    patience: int | None = Field(None, ge=1, description="stop after so many epochs without better validation")
    also_test: tuple[str, ...] = Field((), description="folders of further datasets to test on, e.g. other noise")


def stream_of(loaded: StoryData, options: TextOptions) -> list[Experience]:
    """All training stories, as one experience."""
    return [Experience("train", loaded.train, (TASK,), epochs=options.epochs, patience=options.patience)]
