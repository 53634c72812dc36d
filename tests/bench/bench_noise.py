"""Noise: the accuracy of `algebra` on clean test data after learning from wrong answers and wrong edges.

Each row is the mean and the worst over seeds of noise, with the CPU time of one fit, beside the same without noise.
HORNBEAM_NOISE names the datasets, as family:preset with commas between; HORNBEAM_NOISE_SEEDS the seeds of the noise.
The datasets are generated with seed 11.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import hornbeam as hb
from hornbeam.ilp.algebra.learner import Algebra, AlgebraSettings
from hornbeam.ilp.watch import Watch
from hornbeam.networks.reasoning import answers
from hornbeam.tasks.noise import wrong_answers, wrong_edges
from hornbeam.tasks.problem import NETWORKS, NetworkTask, Problem

DATASETS = (
    "clutrr:generalization-k23,clutrr:generalization-k23-small,star:rcc8-small,star:interval-small,graphlog:world"
)
KINDS = {"answers": wrong_answers, "edges": wrong_edges}
SHARES = (0.0, 0.05, 0.1, 0.2)
SECONDS = 60.0


def measured(problem: Problem, kind: str, share: float, seed: int) -> tuple[float, float]:
    """Test accuracy, and CPU seconds."""
    task = problem.task
    assert isinstance(task, NetworkTask)
    networks = KINDS[kind](task.networks, task.relations, share, seed)
    start = time.process_time()
    theory = Algebra().fit(replace(task, networks=tuple(networks)), AlgebraSettings(), Watch(SECONDS))
    used = time.process_time() - start
    test = problem.held["test"].networks
    said = answers(theory, test)
    return fmean(set(one) == set(network.answer) for one, network in zip(said, test, strict=True)), used


def run() -> None:
    seeds = [int(seed) for seed in os.environ.get("HORNBEAM_NOISE_SEEDS", "11,12,13").split(",")]
    with tempfile.TemporaryDirectory() as folder:
        for name in os.environ.get("HORNBEAM_NOISE", DATASETS).split(","):
            family, preset = name.split(":")
            dataset = hb.generate(family, preset, out=Path(folder) / f"{family}-{preset}", seed=11)
            problem = dataset.family.learning_problem(dataset, NETWORKS)
            for kind in KINDS:
                for share in SHARES if kind == "answers" else SHARES[1:]:
                    found = [measured(problem, kind, share, seed) for seed in (seeds if share else seeds[:1])]
                    scores = [score for score, _ in found]
                    print(
                        f"{name:36} {share:4.0%} wrong {kind:8} accuracy {fmean(scores):.3f} (worst {min(scores):.3f})"
                        f"  {fmean(used for _, used in found):6.1f} s",
                        flush=True,
                    )
