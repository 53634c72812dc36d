"""Settings of training that every kind of model shares; a domain adds its own by subclassing."""

from __future__ import annotations

from typing import Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field

from hornbeam.neural.learner import Learner


class Options(BaseModel):
    """How to train. What is here decides the result; what does not (logging, checkpoints) is in `Habits`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    optimizer: Literal["adam", "adamw", "sgd"] = Field(default="adam", description="the optimiser")
    lr: float = Field(default=1e-3, gt=0, description="the (initial) learning rate")
    weight_decay: float = Field(default=0.0, ge=0, description="weight decay of the optimiser")
    momentum: float = Field(default=0.0, ge=0, lt=1, description="momentum of sgd")
    batch: int = Field(default=16, ge=1, description="rows a step, over all processes")
    epochs: int = Field(default=10, ge=1, description="epochs an experience")
    clip: float | None = Field(default=None, gt=0, description="largest norm of the gradient")
    threads: int = Field(default=1, ge=1, description="threads of torch: more suit large models on idle cores")


class Habits(BaseModel):
    """What a run does beside training; none of it changes a result."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint_seconds: float = Field(default=60.0, ge=0, description="seconds between checkpoints; 0: every step")
    log_steps: int = Field(default=50, ge=1, description="steps whose mean loss makes a line of results.jsonl")
    tensorboard: bool = Field(default=False, description="write TensorBoard files too")
    keep_weights: bool = Field(default=False, description="keep the weights after each experience")


def make_optimizer(options: Options, learner: Learner) -> torch.optim.Optimizer:
    """A new optimiser over the learner's parameters. The fused kernels make one pass over memory, not eight."""
    groups: Any = learner.groups() or [
        {"params": [parameter for parameter in learner.module.parameters() if parameter.requires_grad]}
    ]
    common: dict[str, Any] = {"lr": options.lr, "weight_decay": options.weight_decay, "fused": True}
    if options.optimizer == "sgd":
        return torch.optim.SGD(groups, momentum=options.momentum, **common)
    kind = torch.optim.Adam if options.optimizer == "adam" else torch.optim.AdamW
    return kind(groups, **common)
