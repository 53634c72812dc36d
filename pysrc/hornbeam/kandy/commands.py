"""The commands of the family: `hornbeam kandy lint|expand|schema|shards`."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hornbeam.errors import UsageError
from hornbeam.writing import write_atomic

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample

_FILE = typer.Argument(..., help="A curriculum file, or the name of a preset.", show_default=False)
_SETTINGS = typer.Option([], "--set", metavar="KEY=VALUE", help="Change a setting of the file.")
_OUT_FILE = typer.Option(None, "--out", "-o", help="Write it to this file.")
_DATASET = typer.Argument(..., help="A KANDY dataset.", show_default=False)
_OUT_FOLDER = typer.Option(..., "--out", "-o", help="The folder for the shards.", show_default=False)
_JSON = typer.Option(False, "--json", help="Print one JSON object.")


def app() -> typer.Typer:
    """The commands as a typer application."""
    commands = typer.Typer(help="KANDY curricula: check, try out, describe.", no_args_is_help=True)
    for command in (lint, expand, schema, shards):
        commands.command()(command)
    return commands


def lint(
    file: str = _FILE,
    settings: list[str] = _SETTINGS,
    draws: int = typer.Option(200, "--draws", min=1, help="Samples to draw of a set that is too large to go through."),
    as_json: bool = _JSON,
) -> int:
    """Report errors and warnings in a curriculum. Exit code 2 if it cannot be used.

    Example: hornbeam kandy lint my-curriculum.yml
    """
    from hornbeam.config import find, key_values
    from hornbeam.kandy.lint import lint as run
    from hornbeam.report.terminal import print_json

    findings = run(find("kandy", file), key_values(settings), draws=draws)
    wrong = any(finding.level == "error" for finding in findings)
    if as_json:
        print_json({"ok": not wrong, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            print(finding)
        if not findings:
            print("nothing to report")
    return 2 if wrong else 0


def expand(
    file: str = _FILE,
    task: str = typer.Argument(..., help="The task: its number, name or id.", show_default=False),
    seed: int = typer.Option(0, "--seed", help="Another seed, another sample."),
    negative: bool = typer.Option(False, "--negative", help="Draw from the negative set."),
    settings: list[str] = _SETTINGS,
    as_json: bool = _JSON,
) -> None:
    """Show one sample of a task in its three stages: expanded, grounded, final.

    Example: hornbeam kandy expand hard parity --seed 3
    """
    from hornbeam.config import find, key_values
    from hornbeam.kandy.expand import expand as run
    from hornbeam.kandy.language.read import read_curriculum
    from hornbeam.report.terminal import print_json

    curriculum = read_curriculum(find("kandy", file), key_values(settings))
    shown = run(curriculum, curriculum.task(task), seed=seed, label=not negative)
    if as_json:
        print_json(asdict(shown))
    else:
        print(shown)


def schema(out: Path | None = _OUT_FILE) -> None:
    """Print the JSON Schema of curriculum files, for editors.

    Example: hornbeam kandy schema --out kandy.schema.json
    """
    from hornbeam.kandy.schema import schema as make

    text = json.dumps(make(), indent=1) + "\n"
    if out is None:
        print(text, end="")
        return
    try:
        write_atomic(out, text.encode())
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", file=str(out)) from None


def shards(
    dataset: Path = _DATASET,
    out: Path = _OUT_FOLDER,
    size: int = typer.Option(1000, "--size", min=1, help="Samples in a shard."),
    as_json: bool = _JSON,
) -> None:
    """Write a dataset as WebDataset shards: tar files of .png and .json, split by split.

    Example: hornbeam kandy shards data/easy --out data/easy-shards
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.report.terminal import print_json

    files = write_shards(Dataset(dataset), out, size=size)
    if as_json:
        print_json({"folder": str(out), "files": [path.name for path in files]})
    else:
        print(f"wrote {len(files)} shards to {out}")


def write_shards(dataset: Dataset, folder: Path, *, size: int = 1000) -> list[Path]:
    """Write every split as ``SPLIT-000000.tar``, ``SPLIT-000001.tar``, ... of at most `size` samples.

    In these WebDataset shards a sample is a picture and a JSON file of the same name. The bytes depend on the dataset
    alone: entries have no time and no owner.
    """
    family = dataset.manifest.family
    if family != "kandy":
        raise UsageError(f"expected a dataset of kandy, this is one of {family}", file=str(dataset.path))
    for sample in dataset.samples:
        _picture(dataset, sample)  # nothing is written unless every sample has one
    if folder.exists() and not folder.is_dir():
        raise UsageError("expected a folder, this is a file", file=str(folder))
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty; choose another one", file=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for split in dataset.splits:
        samples = dataset.split(split)
        for number, start in enumerate(range(0, len(samples), size)):
            path = folder / f"{split}-{number:06d}.tar"
            with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
                for sample in samples[start : start + size]:
                    _add(archive, dataset, sample)
            written.append(path)
    return written


def _add(archive: tarfile.TarFile, dataset: Dataset, sample: Sample) -> None:
    image = _picture(dataset, sample).read_bytes()
    text = json.dumps(sample.to_json(), ensure_ascii=False, separators=(",", ":")).encode()
    for suffix, data in (("png", image), ("json", text)):
        entry = tarfile.TarInfo(f"{sample.id}.{suffix}")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))


def _picture(dataset: Dataset, sample: Sample) -> Path:
    from hornbeam.kandy.pictures import picture_of

    path = picture_of(dataset, sample)
    if path is None:
        raise UsageError(f"sample '{sample.id}' has no picture", file=str(dataset.path))
    return path
