"""Options of what learners learn from, and the commands on perceivers: perceivers, perceive."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli.options import DIR, JSON, TASK
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample
    from hornbeam.perception.perceiver import Reading
    from hornbeam.perception.readings import Perception

app = typer.Typer()
SOURCE = typer.Option("symbols", "--from", help="What to learn from: symbols (the true ones), pictures or stories.")
PERCEIVER = typer.Option(
    None,
    "--perceiver",
    help="Who reads, see `hornbeam perceivers`; by default inverse (pictures) or grammar (stories).",
    show_default=False,
)
PERCEIVER_SET = typer.Option(
    [], "--perceiver-set", metavar="KEY=VALUE", help="Change a setting of the perceiver.", show_default=False
)
READINGS = typer.Option(
    Path("readings"), "--readings", help="The folder that keeps what was read; a later run reads the rest only."
)


def perception_of(source: str, perceiver: str | None, settings: list[str], folder: Path) -> Perception | None:
    """How samples are perceived; None if learners get the true symbols."""
    from hornbeam.config import key_values
    from hornbeam.errors import unknown_name
    from hornbeam.perception.readings import SOURCES, SYMBOLS, Perception

    if source not in SOURCES:
        raise unknown_name("source", source, SOURCES)
    if source == SYMBOLS:
        return None
    return Perception.of(source, perceiver, key_values(settings, "--perceiver-set"), folder)


@app.command()
def perceivers(as_json: bool = JSON) -> None:
    """List the perceivers: what they read, and whether they can run here.

    Example: hornbeam perceivers
    """
    from hornbeam.perception import perceiver as registry

    rows = []
    for name, one in [pair for known in registry.REGISTRIES.values() for pair in known.loaded().items()]:
        fields = one.settings_type.model_fields
        settings = {key: {"default": field.default, "about": field.description or ""} for key, field in fields.items()}
        missing = one.available() or ""
        rows.append({"name": name, "title": one.title, "reads": one.source, "missing": missing, "settings": settings})
    if as_json:
        print_json({"perceivers": rows})
        return
    shown = [[row["name"], row["title"], row["reads"], row["missing"] or "ready"] for row in rows]
    print_table("Perceivers", ["perceiver", "what it is", "reads", "here"], shown)


@app.command()
def perceive(
    dataset: Path = DIR,
    perceiver: str | None = PERCEIVER,
    settings: list[str] = PERCEIVER_SET,
    task: str | None = TASK,
    split: str | None = typer.Option(None, "--split", help="Only this split.", show_default=False),
    readings: Path = READINGS,
    as_json: bool = JSON,
) -> None:
    """Read the pictures or stories of a dataset, and compare what was read with what they show or tell.

    Trees that look exactly alike cannot be told apart, so trees are compared up to looks. Facts of stories are
    compared with the edges of the samples: of an imported set, those of its file. What could not be read is listed
    with the reason.

    Example: hornbeam perceive data/easy --task t03_red

    Example: hornbeam perceive data/clutrr --perceiver neural --perceiver-set annotated=20 --split test
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.perception import perceiver as registry

    data = Dataset(dataset)
    sources = {"kandy": registry.PICTURES, "clutrr": registry.STORIES}
    if data.family.name not in sources:
        raise UsageError(f"samples of {data.family.name} have neither pictures nor stories", file=str(dataset))
    view = data.samples if task is None else data.task(task)
    samples = list(view if split is None else view.split(split))
    perception = perception_of(sources[data.family.name], perceiver, settings, readings)
    assert perception is not None
    start = time.process_time()
    with progress_bar(f"{perception.perceiver.name} on {dataset.name}") as progress:
        read = perception.readings(data, samples, progress)
    seconds = time.process_time() - start
    compared = _stories if data.family.name == "clutrr" else _pictures
    shown, figures = compared(data, samples, read)
    unread = {name: reading.unread for name, reading in read.items() if reading.unread}
    name = perception.perceiver.name
    if as_json:
        print_json({"perceiver": name, **figures, "cpu_seconds": seconds, "reasons": unread})
        return
    print_figures({"perceiver": name, **shown, "CPU seconds": f"{seconds:.2f}"})
    for sample, reason in unread.items():
        say(f"unread {sample}: {reason}")


def _pictures(
    data: Dataset, samples: list[Sample], read: Mapping[str, Reading]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The figures to show, and those for programs."""
    from hornbeam.errors import UsageError
    from hornbeam.perception.pictures.inverse import drawing_of
    from hornbeam.perception.pictures.looks import Looks

    drawn = data.config.curriculum.config
    with suppress(UsageError):  # imported with names of its own: another perceiver can read it
        drawn = drawing_of(data)
    score = Looks(drawn).score(samples, read)
    shown = {
        "pictures": score.pictures,
        "unread": score.unread,
        "trees right, up to looks": f"{score.trees / max(1, score.pictures):.4f}",
        "among the alternatives": f"{score.among / max(1, score.pictures):.4f}",
        "objects right": f"{score.named / max(1, score.objects):.4f}",
    }
    return shown, score.to_json()


def _stories(
    data: Dataset, samples: list[Sample], read: Mapping[str, Reading]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The figures to show, and those for programs."""
    from hornbeam.perception.stories.scores import fact_scores

    score = fact_scores(samples, read)
    shown = {
        "stories": score.stories,
        "unread": score.unread,
        "stories right": f"{score.right_stories / max(1, score.stories):.4f}",
        "facts": score.told,
        "precision of facts": f"{score.precision:.4f}",
        "recall of facts": f"{score.recall:.4f}",
    }
    return shown, score.to_json()
