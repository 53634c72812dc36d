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
    for name, one in registry.PERCEIVERS.loaded().items():
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
    perceiver: str = PERCEIVER,
    settings: list[str] = PERCEIVER_SET,
    task: str | None = TASK,
    split: str | None = typer.Option(None, "--split", help="Only this split.", show_default=False),
    readings: Path = READINGS,
    as_json: bool = JSON,
) -> None:
    """Read the pictures of a dataset, and compare what was read with what they show.

    Trees that look exactly alike cannot be told apart, so trees are compared up to looks. Pictures that could not be
    read are listed with the reason.

    Example: hornbeam perceive data/easy --task t03_red
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.perception import perceiver as registry
    from hornbeam.perception.pictures.inverse import drawing_of
    from hornbeam.perception.pictures.looks import Looks

    data = Dataset(dataset)
    if data.family.name != "kandy":
        raise UsageError(f"samples of {data.family.name} have no pictures", file=str(dataset))
    view = data.samples if task is None else data.task(task)
    samples = list(view if split is None else view.split(split))
    perception = perception_of(registry.PICTURES, perceiver, settings, readings)
    assert perception is not None
    start = time.process_time()
    with progress_bar(f"{perceiver} on {dataset.name}") as progress:
        read = perception.readings(data, samples, progress)
    seconds = time.process_time() - start
    drawn = data.config.curriculum.config
    with suppress(UsageError):  # imported with names of its own: another perceiver can read it
        drawn = drawing_of(data)
    score = Looks(drawn).score(samples, read)
    unread = {name: reading.unread for name, reading in read.items() if reading.unread}
    if as_json:
        print_json({"perceiver": perceiver, **score.to_json(), "cpu_seconds": seconds, "reasons": unread})
        return
    figures: dict[str, Any] = {"perceiver": perceiver, "pictures": score.pictures, "unread": score.unread}
    figures["trees right, up to looks"] = f"{score.trees / max(1, score.pictures):.4f}"
    figures["among the alternatives"] = f"{score.among / max(1, score.pictures):.4f}"
    figures["objects right"] = f"{score.named / max(1, score.objects):.4f}"
    figures["CPU seconds"] = f"{seconds:.2f}"
    print_figures(figures)
    for name, reason in unread.items():
        say(f"unread {name}: {reason}")
