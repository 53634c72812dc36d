"""An experiment: one model, setting and options with several seeds, each a run in its own folder."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from hornbeam.data.dataset import Dataset
from hornbeam.data.files import sha256
from hornbeam.errors import UsageError
from hornbeam.neural import presets, registry
from hornbeam.neural.devices import choose
from hornbeam.neural.learner import ModelLearner
from hornbeam.neural.metrics import Outcome
from hornbeam.neural.processes import ProcessGroup, joined, keep_freed_memory, seed_all, threads
from hornbeam.neural.report import summary_of
from hornbeam.neural.run_page import write_page
from hornbeam.neural.run_reading import PAGE, SUMMARY, stored_run
from hornbeam.neural.runs import WEIGHTS, RunFolder, as_text, fitting, load_state
from hornbeam.neural.trainer import Habits, Trainer, TrainingOptions, evaluating
from hornbeam.progress import Progress, no_progress
from hornbeam.report.tables import deviation, mean
from hornbeam.writing import refuse_foreign, write_atomic


@dataclass(frozen=True)
class Trained:
    """A finished experiment: one model, trained once for each seed. `str` shows its accuracy.

    Attributes:
        path: The folder of the runs.
        dataset: The dataset.
        domain: The domain of the model: pictures, graphs or text.
        model: The name of the model.
        setting: The learning setting.
        options: The training options.
        seeds: The seeds.
        outcomes: The results of each seed, in order.
        seconds: CPU seconds of this call, without runs that were already finished.
        steps: How many training steps this call made; those of earlier, interrupted calls are not made again.
        accuracy: Mean and standard deviation over the seeds of the average test accuracy.

    >>> trained = train(dataset, "mlp", setting="joint", seeds=2)    # doctest: +SKIP
    >>> trained.outcomes[0].mean("test"), trained.learner(seed=0)    # doctest: +SKIP
    """

    path: Path
    dataset: Dataset
    domain: registry.ModelDomain
    model: str
    setting: str
    options: TrainingOptions
    seeds: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    seconds: float
    steps: int

    @property
    def accuracy(self) -> dict[str, float]:
        """Mean and standard deviation over the seeds of the average test accuracy."""
        values = [outcome.mean("test") for outcome in self.outcomes]
        return {"mean": mean(values), "std": deviation(values)}

    def to_json(self) -> dict[str, Any]:
        """A JSON object, as `hornbeam train --json` prints it."""
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
            "steps": self.steps,
        }

    def learner(self, seed: int | None = None) -> ModelLearner:
        """The trained model of a seed, ready to predict.

        If each task is trained from scratch (setting `independent`), it is the model of the last task;
        `Habits.keep_weights` keeps the weights of all.

        Args:
            seed: The seed; by default the first.

        Returns:
            The learner with its trained weights.

        Raises:
            UsageError: if there are no weights of this seed.
        """
        seed = self.seeds[0] if seed is None else seed
        job = registry.TrainingJob(self.dataset, self.model, self.setting, self.options, seed, ProcessGroup())
        learner = self.domain.prepare(job).learner
        file = self.path / f"seed-{seed}" / WEIGHTS
        if not file.is_file():
            raise UsageError(f"there are no weights of seed {seed}", file=str(file))
        state = load_state(file)
        with fitting(file):
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
    device: str = "auto",
    precision: str = "float32",
    progress: Progress = no_progress,
) -> Trained:
    """Train a model on a dataset, once for each seed. Finished runs in `out` are kept; unfinished runs resume.

    Args:
        dataset: The dataset to train on; its family decides which models are available.
        model: The name of the model.
        setting: The learning setting; default: that of the domain.
        seeds: The number of seeds (0, 1, ...), or the seeds.
        preset: The name of a file in curricula/neural/FAMILY, or the path of such a file.
        out: The folder of the runs; default: runs/DATASET-MODEL-SETTING.
        overrides: Options as text, as in ``--set``.
        habits: How often to save and what to log; does not change the result.
        device: auto (a GPU where there is one), cpu, cuda or mps.
        precision: float32, or bfloat16 for forward passes in 16 bits.
        progress: Called with the number of finished steps and of all steps.

    Returns:
        The results of all seeds, also written to summary.json in `out`.

    Raises:
        UsageError: if a name or an option is unknown, or `out` holds another experiment.
        EngineUnavailable: if a library or pretrained weights are missing; the message says how to install them.
    """
    domain, chosen = registry.find(dataset.manifest.family, model, setting)
    base = presets.load(domain.preset_place(dataset), preset)
    values = base.values(model=model, setting=chosen, dataset=dataset.manifest.preset)
    options = presets.options(domain.options_type, values, overrides or {}, source=preset or "the command")
    path = Path(out) if out is not None else Path("runs") / f"{dataset.path.resolve().name}-{model}-{chosen}"
    numbers = tuple(range(seeds)) if isinstance(seeds, int) else tuple(seeds)
    if not numbers:
        raise UsageError("at least one seed is needed")
    compute = choose(device, precision)
    refuse_foreign(path, ["seed-*", SUMMARY, PAGE, "plots"], "a training run")
    keep_freed_memory()
    start = time.process_time()
    with joined() as processes:
        outcomes = []
        steps = 0
        for index, seed in enumerate(numbers):
            job = registry.TrainingJob(dataset, model, chosen, options, seed, processes, compute)
            share = _share(progress, index, len(numbers))
            outcome, made = _run(domain, job, path / f"seed-{seed}", habits or Habits(), share)
            outcomes.append(outcome)
            steps += made
        seconds = time.process_time() - start
        trained = Trained(path, dataset, domain, model, chosen, options, numbers, tuple(outcomes), seconds, steps)
        if processes.leads:
            differing = ("cpu_seconds", "steps", "folder", "dataset")  # these differ between equal runs
            lasting = {key: value for key, value in trained.to_json().items() if key not in differing}
            write_atomic(path / SUMMARY, as_text(lasting).encode())
            write_page(stored_run(path), dataset)
    return trained


def _run(
    domain: registry.ModelDomain, job: registry.TrainingJob, path: Path, habits: Habits, progress: Progress
) -> tuple[Outcome, int]:
    """One run, and how many steps this call made: kept if it is finished, otherwise resumed or started."""
    # What decides the result of a run:
    config = {
        "dataset": sha256(job.dataset.path / "manifest.json"),
        "model": job.model,
        "setting": job.setting,
        "options": job.options.model_dump(),
        "seed": job.seed,
        "processes": job.processes.size,
        **job.compute.decides,
    }
    folder = RunFolder(path, config, write=job.processes.leads)
    steps = 0
    with folder.locked():
        if job.processes.any(folder.figures is None):
            started = time.monotonic()
            try:
                with threads(job.options.threads):
                    steps = _train(domain, job, folder, habits, progress)
            finally:
                folder.add_about({"dataset": str(job.dataset.path), **used(job)}, time.monotonic() - started)
    job.processes.total(0.0)  # wait until the leader has written
    return Outcome.of(folder.results()), steps


def _train(
    domain: registry.ModelDomain, job: registry.TrainingJob, folder: RunFolder, habits: Habits, progress: Progress
) -> int:
    """Train to the end; the number of steps that this took."""
    seed_all(job.seed, "weights")
    work = domain.prepare(job)
    more: dict[str, Any] = {"habits": habits, "processes": job.processes, "progress": progress, "compute": job.compute}
    steps = Trainer(work.learner, work.stream, job.options, folder, seed=job.seed, **more).run()
    with job.compute.active(), evaluating(work.learner):
        answers = list(work.learner.answers())
    folder.keep_answers(answers)
    weights = {"module": work.learner.module.state_dict(), "learner": work.learner.state()}
    folder.finish(Outcome.of(folder.results()).figures() if job.processes.leads else {}, weights)
    return steps


def used(job: registry.TrainingJob) -> dict[str, Any]:
    """What a run was trained with; it does not decide what was asked."""
    return {"device": job.compute.name, "precision": job.compute.precision, "torch": torch.__version__}


def _share(progress: Progress, index: int, count: int) -> Progress:
    """The progress of one of several runs with the same number of steps."""
    return lambda done, total: progress(index * total + done, count * total)
