"""True theories of all families, rewritten. To judge many of them: `python -m tests.language.true_theories 10000`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import hornbeam as hb
from hornbeam.data.dataset import Dataset
from hornbeam.language.judging import Judge
from hornbeam.tasks.network_files import rules_of
from hornbeam.tasks.networks_court import NetworkCourt
from hornbeam.theory import Theory
from tests.language.rewriting import rewritten

# Preset, and the share of theories that it gets: those of networks take longer.
PRESETS = {
    ("kandy", "easy"): 0.35,
    ("kandy", "hard"): 0.25,
    ("rudas", "demo"): 0.15,
    ("rudas", "xs"): 0.15,
    ("clutrr", "tiny"): 0.03,
    ("graphlog", "tiny"): 0.02,
    ("star", "rcc8-small"): 0.03,
    ("star", "interval-small"): 0.02,
}
SMALL = {"kandy": {"samples": "6"}}


def truths(dataset: Dataset) -> Iterator[tuple[str | None, list[Theory]]]:
    """The true theory of each task, as a table and as rules where both say the same."""
    for task in dataset.family.learning_tasks(dataset):
        court = dataset.family.court(dataset, task)
        forms = [court.truth]
        if isinstance(court, NetworkCourt) and court.table.reading == "function":
            forms.append(rules_of(court.table))
        yield task, forms


def rejected(dataset: Dataset, count: int, seed: int, at_once: int = 64) -> tuple[int, list[tuple[str, str]]]:
    """How many rewritten true theories were judged, and those that did not get full marks, with the reason."""
    tasks = list(truths(dataset))
    rng = Random(seed)
    judged, bad = 0, []
    for number, (task, forms) in enumerate(tasks):
        own = count // len(tasks) + (number < count % len(tasks))
        if not own:
            continue
        with Judge(dataset, prove=False) as judge:
            for start in range(0, own, at_once):
                texts = [rewritten(rng.choice(forms), rng) for _ in range(min(at_once, own - start))]
                rulings = judge.theories(texts, task=task)
                judged += len(rulings)
                pairs = zip(texts, rulings, strict=True)
                bad += [(text, f"{task}: {ruling.message}") for text, ruling in pairs if not ruling.right]
    return judged, bad


def main(count: int) -> None:
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for (family, preset), share in PRESETS.items():
            out = Path(folder, f"{family}-{preset}")
            dataset = hb.generate(family, preset, out=out, seed=11, overrides=SMALL.get(family, {}))
            judged, bad = rejected(dataset, round(count * share), seed=5)
            total += judged
            print(f"{family} {preset}: {judged} judged, {len(bad)} rejected", flush=True)
            for text, reason in bad[:3]:
                print(reason[:300], text[:600], sep="\n", flush=True)
    print(f"{total} judged")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
