"""The commands of the family: `hornbeam kandy lint|expand|schema|shards`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import typer

from hornbeam.errors import UsageError

_FILE = typer.Argument(..., help="A curriculum file, or the name of a preset.", show_default=False)
_SETTINGS = typer.Option([], "--set", metavar="KEY=VALUE", help="Change a setting of the file.")
_OUT_FILE = typer.Option(None, "--out", "-o", help="Write it to this file.")
_DATASET = typer.Argument(..., help="A KANDY dataset.", show_default=False)
_OUT_FOLDER = typer.Option(..., "--out", "-o", help="The folder for the shards.", show_default=False)
_JSON = typer.Option(False, "--json", help="Print one JSON object.")


def app() -> typer.Typer:
    """The commands as a typer application."""
    commands = typer.Typer(help="KANDY curricula: check, try out, describe.", no_args_is_help=True)
    commands.command()(lint)
    commands.command()(expand)
    commands.command()(schema)
    commands.command()(shards)
    return commands


def lint(
    file: str = _FILE,
    settings: list[str] = _SETTINGS,
    draws: int = typer.Option(200, "--draws", min=1, help="Samples to draw of a set that is too large to go through."),
    as_json: bool = _JSON,
) -> int:
    """Report what is wrong or doubtful in a curriculum. Exit code 2 if it cannot be used.

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
    from hornbeam.kandy.curriculum import read_curriculum
    from hornbeam.kandy.expand import expand as run
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
        out.write_text(text, encoding="utf-8")
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
    from hornbeam.kandy.webdataset import write_shards
    from hornbeam.report.terminal import print_json

    files = write_shards(Dataset(dataset), out, size=size)
    if as_json:
        print_json({"folder": str(out), "files": [path.name for path in files]})
    else:
        print(f"wrote {len(files)} shards to {out}")
