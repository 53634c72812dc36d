"""The step loop, the same for every model: it walks a stream, steps, evaluates, writes, and stops safely.

A run that was killed goes on from its last checkpoint to the same bytes of results and the same weights as a run that
was not: the checkpoint holds the network, the optimiser, all random generators, the learner's own state (its replay
buffer), the place in the stream and the length of results.jsonl. (To the same bytes: on the same kind of machine, with
as many threads.)
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.neural import randomness
from hornbeam.neural.learner import Evaluation, Learner, Part
from hornbeam.neural.options import Habits, Options, make_optimizer
from hornbeam.neural.recorder import Recorder
from hornbeam.neural.runs import CHECKPOINT, RunFolder
from hornbeam.neural.signals import StopSignal
from hornbeam.neural.stream import Experience, Rows
from hornbeam.neural.world import World
from hornbeam.progress import Progress, no_progress


class NotFinite(HornbeamError):
    """The loss became infinite or undefined."""


@dataclass
class Place:
    """Where a run stands in its stream."""

    experience: int = 0
    epoch: int = 0
    batch: int = 0
    step: int = 0  # steps made in all, for progress and logs


@dataclass
class Best:
    """The best epoch of an experience with patience."""

    figure: float = -math.inf
    since: int = 0  # epochs since then
    module: dict[str, Any] = field(default_factory=dict)


@dataclass
class Running:
    """The mean loss since the last line of the log."""

    total: float = 0.0
    steps: int = 0


class Trainer:
    """Trains one learner on one stream in one run folder."""

    def __init__(
        self,
        learner: Learner,
        stream: Sequence[Experience],
        options: Options,
        folder: RunFolder,
        *,
        seed: int,
        habits: Habits | None = None,
        world: World | None = None,
        progress: Progress = no_progress,
    ) -> None:
        self.learner = learner
        self.stream = stream
        self.options = options
        self.folder = folder
        self.seed = seed
        self.habits = habits or Habits()
        self.world = world or World()
        self.progress = progress
        self.place = Place()
        self.best = Best()
        self.running = Running()
        self.optimizer = make_optimizer(options, learner)
        self.total_steps = sum(experience.steps(options.batch) for experience in stream)
        self._saved_at = time.monotonic()

    # The loop ---------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Train to the end of the stream, from where the folder's checkpoint stands.

        Interrupted by SIGINT or SIGTERM it finishes the step, saves, and raises.
        """
        self._resume()
        recorder = Recorder(self.folder, self.habits.tensorboard)
        with StopSignal() as self._stop, recorder:
            self._recorder = recorder
            while self.place.experience < len(self.stream):
                self._experience(self.stream[self.place.experience])

    def _experience(self, experience: Experience) -> None:
        place = self.place
        if place.epoch == 0 and place.batch == 0:
            self._begin(experience)
        while place.epoch < experience.epochs:
            self._epoch(experience)
            place.epoch, place.batch = place.epoch + 1, 0
            if experience.patience is not None and not self._improves(experience):
                break
            self._perhaps_save()
        if self.best.module:
            self.learner.module.load_state_dict(self.best.module)
        self._log_loss()
        self._evaluated(experience, evaluate(self.learner, experience))
        self.place = Place(experience=place.experience + 1, step=place.step)
        self.best = Best()
        self._perhaps_save()

    def _begin(self, experience: Experience) -> None:
        randomness.seed_all(self.seed, "experience", self.place.experience)  # the same on every process
        self.learner.begin(experience)
        self.world.copy_from_leader(self.learner.module)
        randomness.seed_all(self.seed, "steps", self.place.experience, self.world.rank)
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
            self.optimizer.step()
            self.running.total += loss
            self.running.steps += 1
        learner.stepped(rows)

    def _backward(self, rows: Rows, weights: np.ndarray[Any, Any]) -> float:
        """The gradient of the whole step's loss, on every process; gives the loss."""
        world, learner = self.world, self.learner
        self.optimizer.zero_grad()
        mine, mine_weights = world.share(rows), world.share(weights)
        loss = torch.zeros(())
        if len(mine):
            losses = learner.losses(mine)
            loss = (losses * torch.from_numpy(mine_weights).to(losses.dtype)).sum()
        penalty = learner.penalty()
        if penalty is not None:
            loss = loss + penalty / world.size
        if loss.requires_grad:
            loss.backward()  # type: ignore[no-untyped-call]
        parameters = [parameter for group in self.optimizer.param_groups for parameter in group["params"]]
        world.sum_gradients(parameters)
        if self.options.clip is not None:
            torch.nn.utils.clip_grad_norm_(parameters, self.options.clip)
        return world.total(float(loss.detach()))

    # Judging ----------------------------------------------------------------------------------------------------------

    def _improves(self, experience: Experience) -> bool:
        """Whether an experience with patience goes on."""
        with evaluating(self.learner):
            figure = self.learner.validate(experience)
        self._recorder.add(
            "epoch", step=self.place.step, experience=self.place.experience, epoch=self.place.epoch, valid=figure
        )
        if figure > self.best.figure:
            self.best = Best(figure, 0, copy.deepcopy(self.learner.module.state_dict()))
        else:
            self.best.since += 1
        return self.best.since < (experience.patience or 0)

    def _evaluated(self, experience: Experience, evaluation: Evaluation) -> None:
        self._recorder.add(
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
            self._recorder.add("loss", step=self.place.step, loss=self.running.total / self.running.steps)
            self.running = Running()

    # Stopping and going on --------------------------------------------------------------------------------------------

    def _perhaps_save(self) -> None:
        stop = self.world.any(self._stop.asked)
        due = time.monotonic() - self._saved_at >= self.habits.checkpoint_seconds
        if stop or self.world.any(due):
            self._save()
        if stop:
            self._stop.obey(self.place.step)

    def _save(self) -> None:
        states = self.world.collect(randomness.saved())
        self.folder.save(
            CHECKPOINT,
            {
                "place": asdict(self.place),
                "running": asdict(self.running),
                "best": asdict(self.best),
                "module": self.learner.module.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "learner": self.learner.state(),
                "random": states,
                "results": self.folder.results_length(),
            },
        )
        self._saved_at = time.monotonic()

    def _resume(self) -> None:
        state = self.folder.load(CHECKPOINT)
        if state is None:
            self.folder.cut_results(0)
            return
        if len(state["random"]) != self.world.size:
            raise UsageError(
                f"the checkpoint is of {len(state['random'])} processes; go on with as many", file=str(self.folder.path)
            )
        self.place = Place(**state["place"])
        self.running = Running(**state["running"])
        self.best = Best(**state["best"])
        self.learner.load_state(state["learner"])  # first: it may say what the network looks like
        self.learner.module.load_state_dict(state["module"])
        self.optimizer = make_optimizer(self.options, self.learner)
        self.optimizer.load_state_dict(state["optimizer"])
        randomness.restore(state["random"][self.world.rank])
        self.folder.cut_results(state["results"])


def weighted_rows(learner: Learner, parts: Sequence[Part]) -> tuple[Rows, np.ndarray[Any, Any]]:
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
def evaluating(learner: Learner) -> Iterator[None]:
    """A network in evaluation mode, without gradients and without touching torch's random state."""
    before = torch.get_rng_state()
    learner.module.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        learner.module.train()
        torch.set_rng_state(before)


def evaluate(learner: Learner, experience: Experience) -> Evaluation:
    """How good a learner is now."""
    with evaluating(learner):
        return learner.evaluate(experience)
