"""Options of training, and the step loop of every model: it steps through a stream, evaluates, writes, stops safely.

A killed run resumes from its last checkpoint and gives the same bytes of results and the same weights as an
uninterrupted run. The checkpoint holds the network, the optimiser, all random generators, the learner's own state (its
replay buffer), the place in the stream and the length of results.jsonl. The bytes are the same on the same kind of
machine with the same number of threads.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, asdict, dataclass, field
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.neural.devices import Compute
from hornbeam.neural.learner import Experience, ModelLearner, Rows, WeightedRows
from hornbeam.neural.processes import ProcessGroup, StopSignal, random_state, restore_random_state, seed_all
from hornbeam.neural.runs import CHECKPOINT, RunFolder, fitting
from hornbeam.progress import Progress, no_progress

_POINTS = 10  # of the curve of accuracy on validation samples, an experience at the most


class TrainingOptions(BaseModel):
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
    """How often a run saves and what it logs; does not change the result."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint_seconds: float = Field(default=60.0, ge=0, description="seconds between checkpoints; 0: every step")
    log_steps: int = Field(default=50, ge=1, description="steps whose mean loss makes a line of results.jsonl")
    tensorboard: bool = Field(default=False, description="write TensorBoard files too")
    keep_weights: bool = Field(default=False, description="keep the weights after each experience")


def make_optimizer(options: TrainingOptions, learner: ModelLearner) -> torch.optim.Optimizer:
    """A new optimiser over the learner's parameters. The fused kernels make one pass over memory, not eight."""
    groups: Any = learner.groups() or [
        {"params": [parameter for parameter in learner.module.parameters() if parameter.requires_grad]}
    ]
    common: dict[str, Any] = {"lr": options.lr, "weight_decay": options.weight_decay, "fused": True}
    if options.optimizer == "sgd":
        return torch.optim.SGD(groups, momentum=options.momentum, **common)
    kind = torch.optim.Adam if options.optimizer == "adam" else torch.optim.AdamW
    return kind(groups, **common)


class NotFinite(HornbeamError):
    """The loss became infinite or undefined."""


@dataclass
class StreamPosition:
    """Where a run stands in its stream."""

    experience: int = 0
    epoch: int = 0
    batch: int = 0
    step: int = 0  # steps made in all, for progress and logs


@dataclass
class BestEpoch:
    """The best epoch of an experience with patience."""

    figure: float = -math.inf
    since: int = 0  # epochs since then
    module: dict[str, Any] = field(default_factory=dict)


@dataclass
class RunningLoss:
    """The mean loss since the last line of the log."""

    total: float = 0.0
    steps: int = 0


@dataclass(eq=False)
class Trainer:
    """Trains one learner on one stream in one run folder."""

    learner: ModelLearner
    stream: Sequence[Experience]
    options: TrainingOptions
    folder: RunFolder
    _: KW_ONLY
    seed: int
    habits: Habits = field(default_factory=Habits)
    processes: ProcessGroup = field(default_factory=ProcessGroup)
    progress: Progress = no_progress
    compute: Compute = field(default_factory=Compute)

    def __post_init__(self) -> None:
        self.learner.module.to(self.compute.device)
        self.place = StreamPosition()
        self.best = BestEpoch()
        self.running = RunningLoss()
        self.optimizer = make_optimizer(self.options, self.learner)
        self.total_steps = sum(experience.steps(self.options.batch) for experience in self.stream)
        self._draws = type(self.learner).validate is not ModelLearner.validate
        self._saved_at = time.monotonic()

    # The loop ---------------------------------------------------------------------------------------------------------

    def run(self) -> int:
        """Train to the end of the stream, from where the folder's checkpoint stands; the number of steps made.

        Interrupted by SIGINT or SIGTERM it finishes the step, saves, and raises.
        """
        self._resume()
        before = self.place.step
        recording = self.folder.recording(self.habits.tensorboard)
        with self.compute.active(), StopSignal() as self._stop, recording as self._record:
            while self.place.experience < len(self.stream):
                self._experience(self.stream[self.place.experience])
        return self.place.step - before

    def _experience(self, experience: Experience) -> None:
        place = self.place
        if place.epoch == 0 and place.batch == 0:
            self._begin(experience)
        while place.epoch < experience.epochs:
            self._epoch(experience)
            place.epoch, place.batch = place.epoch + 1, 0
            if experience.patience is not None:
                if not self._improves(experience):
                    break
            elif self._draws and place.epoch % -(-experience.epochs // _POINTS) == 0:
                self._log_loss()
                self._validate(experience)
            self._perhaps_save()
        if self.best.module:
            self.learner.module.load_state_dict(self.best.module)
        self._log_loss()
        self._evaluate(experience)
        self.place = StreamPosition(experience=place.experience + 1, step=place.step)
        self.best = BestEpoch()
        self._perhaps_save()

    def _begin(self, experience: Experience) -> None:
        seed_all(self.seed, "experience", self.place.experience)  # the same on every process
        self.learner.begin(experience)
        self.learner.module.to(self.compute.device)
        self.processes.copy_from_leader(self.learner.module)
        seed_all(self.seed, "steps", self.place.experience, self.processes.rank)
        if experience.fresh:
            self.optimizer = make_optimizer(self.options, self.learner)

    def _epoch(self, experience: Experience) -> None:
        place = self.place
        batches = experience.batches(seed=self.seed, index=place.experience, epoch=place.epoch, size=self.options.batch)
        self.learner.module.train()
        for rows in batches[place.batch :]:
            self._step(rows)
            place.batch += 1
            place.step += 1
            self.progress(place.step, self.total_steps)
            if self.running.steps >= self.habits.log_steps:
                self._log_loss()
            if place.batch < len(batches):
                self._perhaps_save()

    def _step(self, rows: Rows) -> None:
        learner = self.learner
        chosen, weights = weighted_rows(learner, learner.parts(rows))
        if len(chosen):
            loss = self._backward(chosen, weights)
            if not math.isfinite(loss):
                hint = "try a smaller learning rate (--set lr=...)"
                raise NotFinite(f"the loss is {loss} at step {self.place.step}; {hint}")
            self._set_rate()
            self.optimizer.step()
            self.running.total += loss
            self.running.steps += 1
        learner.stepped(rows)

    def _set_rate(self) -> None:
        factor = self.learner.rate(self.place.step / max(1, self.total_steps))
        for group in self.optimizer.param_groups:
            group["lr"] = group.setdefault("initial_lr", group["lr"]) * factor

    def _backward(self, rows: Rows, weights: np.ndarray[Any, Any]) -> float:
        """The gradient of the whole step's loss, on every process; gives the loss."""
        processes, learner = self.processes, self.learner
        self.optimizer.zero_grad()
        mine, mine_weights = processes.share(rows), processes.share(weights)
        loss = torch.zeros((), device=self.compute.device)
        if len(mine):
            with self.compute.autocast():
                losses = learner.losses(mine)
            loss = (losses * torch.from_numpy(mine_weights).to(losses)).sum()
        penalty = learner.penalty()
        if penalty is not None:
            loss = loss + penalty / processes.size
        if loss.requires_grad:
            loss.backward()  # type: ignore[no-untyped-call]
        parameters = [parameter for group in self.optimizer.param_groups for parameter in group["params"]]
        processes.sum_gradients(parameters)
        if self.options.clip is not None:
            torch.nn.utils.clip_grad_norm_(parameters, self.options.clip)
        return processes.total(float(loss.detach()))

    # Judging ----------------------------------------------------------------------------------------------------------

    def _validate(self, experience: Experience) -> float:
        """A point of the curve of accuracy."""
        with evaluating(self.learner):
            figure = self.learner.validate(experience)
        place = self.place
        self._record("epoch", step=place.step, experience=place.experience, epoch=place.epoch, valid=figure)
        return figure

    def _improves(self, experience: Experience) -> bool:
        """Whether an experience with patience continues."""
        figure = self._validate(experience)
        if figure > self.best.figure:
            self.best = BestEpoch(figure, 0, copy.deepcopy(self.learner.module.state_dict()))
        else:
            self.best.since += 1
        return self.best.since < (experience.patience or 0)

    def _evaluate(self, experience: Experience) -> None:
        with evaluating(self.learner):
            evaluation = self.learner.evaluate(experience)
        self._record(
            "evaluation",
            step=self.place.step,
            experience=self.place.experience,
            name=experience.name,
            tasks=list(experience.tasks),
            accuracy={split: dict(tasks) for split, tasks in evaluation.accuracy.items()},
            **evaluation.notes,
        )
        if self.habits.keep_weights:
            name = f"weights/{self.place.experience:03d}-{experience.name}.pt"
            self.folder.save(name, self.learner.module.state_dict())

    def _log_loss(self) -> None:
        if self.running.steps:
            self._record("loss", step=self.place.step, loss=self.running.total / self.running.steps)
            self.running = RunningLoss()

    # Stopping and going on --------------------------------------------------------------------------------------------

    def _perhaps_save(self) -> None:
        stop = self.processes.any(self._stop.caught is not None)
        due = time.monotonic() - self._saved_at >= self.habits.checkpoint_seconds
        if stop or self.processes.any(due):
            self._save()
        if stop:
            self._stop.obey(self.place.step)

    def _save(self) -> None:
        state = {
            "place": asdict(self.place),
            "running": asdict(self.running),
            "best": asdict(self.best),
            "module": self.learner.module.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "learner": self.learner.state(),
            "random": self.processes.collect(random_state()),
            "results": self.folder.results_length(),
        }
        self.folder.save(CHECKPOINT, state)
        self._saved_at = time.monotonic()

    def _resume(self) -> None:
        state = self.folder.load(CHECKPOINT)
        if state is None:
            self.folder.cut_results(0)
            return
        with fitting(self.folder.path / CHECKPOINT):
            self._put_back(state)

    def _put_back(self, state: Mapping[str, Any]) -> None:
        """Go on from the state of a checkpoint."""
        if len(state["random"]) != self.processes.size:
            raise UsageError(
                f"the checkpoint was written by {len(state['random'])} processes; use the same number",
                file=str(self.folder.path),
            )
        self.place = msgspec.convert(state["place"], StreamPosition)
        self.running = msgspec.convert(state["running"], RunningLoss)
        self.best = msgspec.convert(state["best"], BestEpoch)
        self.learner.load_state(state["learner"])  # first: it may say what the network looks like
        self.learner.module.load_state_dict(state["module"])
        self.learner.module.to(self.compute.device)
        self.optimizer = make_optimizer(self.options, self.learner)
        self.optimizer.load_state_dict(state["optimizer"])
        restore_random_state(state["random"][self.processes.rank])
        self.folder.cut_results(state["results"])


def weighted_rows(learner: ModelLearner, parts: Sequence[WeightedRows]) -> tuple[Rows, np.ndarray[Any, Any]]:
    """The rows of a step that have a label, and the weight of each one's loss: a part's mean times its weight."""
    rows, weights = [], []
    for part in parts:
        kept = part.rows[learner.counted(part.rows)]
        if len(kept) and part.weight:
            rows.append(kept)
            weights.append(np.full(len(kept), part.weight / len(kept)))
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    return np.concatenate(rows), np.concatenate(weights)


@contextmanager
def evaluating(learner: ModelLearner) -> Iterator[None]:
    """A network in evaluation mode, without gradients and without touching torch's random state."""
    before = torch.get_rng_state()
    learner.module.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        learner.module.train()
        torch.set_rng_state(before)
