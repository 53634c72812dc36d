"""An experiment: the same model, setting and options from several seeds, each a run in its own folder."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256, write_atomic
from hornbeam.errors import UsageError
from hornbeam.neural import presets, registry
from hornbeam.neural.learner import ModelLearner
from hornbeam.neural.metrics import Outcome
from hornbeam.neural.processes import ProcessGroup, joined, keep_freed_memory, seed_all
from hornbeam.neural.report import summary_of
from hornbeam.neural.runs import WEIGHTS, RunFolder, as_text, load_state
from hornbeam.neural.trainer import Habits, Trainer, TrainingOptions
from hornbeam.progress import Progress, no_progress
from hornbeam.report.tables import deviation, mean


@dataclass(frozen=True)
class Trained:
    """A finished experiment; `str` shows its figures."""

    path: Path
    dataset: Dataset
    domain: registry.ModelDomain
    model: str
    setting: str
    options: TrainingOptions
    seeds: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    seconds: float  # CPU seconds of this call; what was finished before is not in it

    @property
    def accuracy(self) -> dict[str, float]:
        """Mean and deviation over the seeds of the average test accuracy."""
        values = [outcome.mean("test") for outcome in self.outcomes]
        return {"mean": mean(values), "std": deviation(values)}

    def to_json(self) -> dict[str, Any]:
        """What `hornbeam train --json` prints."""
        return {
            "dataset": str(self.dataset.path),
            "model": self.model,
            "setting": self.setting,
            "seeds": list(self.seeds),
            "accuracy": self.accuracy,
            "metrics": summary_of(self.outcomes),
            "options": self.options.model_dump(),
            "folder": str(self.path),
            "cpu_seconds": round(self.seconds, 3),
        }

    def learner(self, seed: int | None = None) -> ModelLearner:
        """The trained learner of a seed (the first, if none is named), ready to predict.

        Where each experience began anew (independent), it is the learner of the last one; `Habits.keep_weights` keeps
        the weights of all.
        """
        seed = self.seeds[0] if seed is None else seed
        job = registry.TrainingJob(self.dataset, self.model, self.setting, self.options, seed, ProcessGroup())
        learner = self.domain.prepare(job).learner
        file = self.path / f"seed-{seed}" / WEIGHTS
        if not file.is_file():
            raise UsageError(f"there are no weights of seed {seed}", file=str(file))
        state = load_state(file)
        learner.load_state(state["learner"])
        learner.module.load_state_dict(state["module"])
        learner.module.eval()
        return learner

    def __str__(self) -> str:
        figures = "{mean:.3f} ± {std:.3f}".format(**self.accuracy)
        return f"{self.model} {self.setting}: accuracy {figures} ({len(self.seeds)} seeds)"


def train(
    dataset: Dataset,
    model: str,
    *,
    setting: str | None = None,
    seeds: int | tuple[int, ...] = 1,
    preset: str | None = None,
    out: str | Path | None = None,
    overrides: Mapping[str, str] | None = None,
    habits: Habits | None = None,
    progress: Progress = no_progress,
) -> Trained:
    """Train a model on a dataset, from each seed; what is finished in `out` is taken, what was begun goes on.

    Args:
        dataset: What to train on; its family decides which models there are.
        model: The model's name.
        setting: The learning setting; the domain's default if none is named.
        seeds: How many (0, 1, ...), or which.
        preset: A file of curricula/neural/FAMILY by name, or any file of that form.
        out: The folder of the runs; runs/DATASET-MODEL-SETTING if none is named.
        overrides: Options as text, as ``--set`` gives them.
        habits: How often to save and what to log; none of it changes a result.
        progress: Called with the steps made and the steps of all seeds.

    Returns:
        The figures of all seeds, also written to summary.json in `out`.

    Raises:
        UsageError: if a name or an option is unknown, or `out` holds another experiment.
        EngineUnavailable: if a library or pretrained weights are missing; the message says what to do.
    """
    domain, chosen = registry.find(dataset.manifest.family, model, setting)
    base = presets.load(domain.preset_place(dataset), preset)
    values = base.values(model=model, setting=chosen, dataset=dataset.manifest.preset)
    options = presets.options(domain.options_type, values, overrides or {}, source=preset or "the command")
    path = Path(out) if out is not None else Path("runs") / f"{dataset.path.resolve().name}-{model}-{chosen}"
    numbers = tuple(range(seeds)) if isinstance(seeds, int) else tuple(seeds)
    if not numbers:
        raise UsageError("at least one seed is needed")
    keep_freed_memory()
    start = time.process_time()
    with joined() as processes:
        outcomes = []
        for index, seed in enumerate(numbers):
            job = registry.TrainingJob(dataset, model, chosen, options, seed, processes)
            share = _share(progress, index, len(numbers))
            outcomes.append(_run(domain, job, path / f"seed-{seed}", habits or Habits(), share))
        seconds = time.process_time() - start
        trained = Trained(path, dataset, domain, model, chosen, options, numbers, tuple(outcomes), seconds)
        if processes.leads:
            differing = ("cpu_seconds", "folder", "dataset")  # what another run of the same would write otherwise
            lasting = {key: value for key, value in trained.to_json().items() if key not in differing}
            write_atomic(path / "summary.json", as_text(lasting).encode())
    return trained


def _run(
    domain: registry.ModelDomain, job: registry.TrainingJob, path: Path, habits: Habits, progress: Progress
) -> Outcome:
    """One run: taken if it is finished, else gone on with, else begun."""
    # What decides the result of a run:
    config = {
        "dataset": sha256(job.dataset.path / "manifest.json"),
        "model": job.model,
        "setting": job.setting,
        "options": job.options.model_dump(),
        "seed": job.seed,
        "processes": job.processes.size,
    }
    folder = RunFolder(path, config, write=job.processes.leads)
    with folder.locked():
        if job.processes.any(folder.figures is None):
            with _threads(job.options.threads):
                _train(domain, job, folder, habits, progress)
    job.processes.total(0.0)  # wait until the leader has written
    return Outcome.of(folder.results())


def _train(
    domain: registry.ModelDomain, job: registry.TrainingJob, folder: RunFolder, habits: Habits, progress: Progress
) -> None:
    seed_all(job.seed, "weights")
    work = domain.prepare(job)
    more: dict[str, Any] = {"habits": habits, "processes": job.processes, "progress": progress}
    Trainer(work.learner, work.stream, job.options, folder, seed=job.seed, **more).run()
    weights = {"module": work.learner.module.state_dict(), "learner": work.learner.state()}
    folder.finish(Outcome.of(folder.results()).figures() if job.processes.leads else {}, weights)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Torch works with so many threads, and then with as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _share(progress: Progress, index: int, count: int) -> Progress:
    """The progress of one run of several, each with as many steps."""
    return lambda done, total: progress(index * total + done, count * total)
