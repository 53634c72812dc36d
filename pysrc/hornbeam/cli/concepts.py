"""The command concepts: what the names that a perceiver gives mean, and what labels alone cannot tell."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import typer

from hornbeam.cli.options import DIR, JSON, TASK
from hornbeam.cli.perceiving import PERCEIVER_SET, READINGS, perception_of
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar

app = typer.Typer()


@app.command()
def concepts(
    dataset: Path = DIR,
    perceiver: str = typer.Option("neural", "--perceiver", help="Who reads the pictures, see `hornbeam perceivers`."),
    settings: list[str] = PERCEIVER_SET,
    task: str | None = TASK,
    readings: Path = READINGS,
    as_json: bool = JSON,
) -> None:
    """Measure what the concepts of a perceiver mean, and count the renamings that keep all training labels.

    Concepts are compared with the true names on the test pictures: F1 with the names as they are, and with the best
    matching of concepts and names. A renaming permutes shapes, colors and sizes. If it keeps the labels of all training
    pictures of a task, the task cannot tell it from the truth: it is a reasoning shortcut.

    Example: hornbeam concepts data/easy --perceiver-set annotated=0
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.perception import perceiver as registry
    from hornbeam.perception.pictures.concept_scores import concept_scores
    from hornbeam.perception.pictures.shortcuts import count_shortcuts

    data = Dataset(dataset)
    if data.family.name != "kandy":
        raise UsageError(f"samples of {data.family.name} have no pictures", file=str(dataset))
    names = [] if task is None else [data.one_task(task)]
    samples = list((data.samples if task is None else data.task(task)).split("test"))
    perception = perception_of(registry.PICTURES, perceiver, settings, readings)
    assert perception is not None
    start = time.process_time()
    with progress_bar(f"{perceiver} on {dataset.name}") as progress:
        read = perception.readings(data, samples, progress)
    scores = concept_scores(samples, [read[one.id] for one in samples], data.config.domain)
    counted = count_shortcuts(data, names)
    if as_json:
        shown: dict[str, Any] = {name: score.to_json() for name, score in scores.items()}
        seconds = time.process_time() - start
        unread = sum(bool(one.unread) for one in read.values())
        print_json(
            {"perceiver": perceiver, "pictures": len(samples), "unread": unread, "concepts": shown,
             "shortcuts": counted.to_json(), "cpu_seconds": seconds}
        )  # fmt: skip
        return
    rows = [
        [name, f"{score.named:.3f}", f"{score.matched:.3f}", ", ".join(f"{a}: {b}" for a, b in score.matching.items())]
        for name, score in scores.items()
    ]
    print_table("Concepts", ["attribute", "F1 as named", "F1 with the best matching", "matching"], rows)
    figures: dict[str, Any] = {"renamings": counted.renamings}
    figures |= {f"keep all labels of {name}": count for name, count in counted.by_task.items()}
    figures["keep all labels of all"] = len(counted.joint)
    print_figures(figures)
