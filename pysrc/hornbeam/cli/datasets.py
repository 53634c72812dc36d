"""Commands on datasets: generate, import, check, audit, query, shell, explain, show, export."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli import completing
from hornbeam.cli.options import BACKGROUND, DIR, ENCODING, JSON, OPTION, TASK, task_options
from hornbeam.cli.perceiving import PERCEIVER, PERCEIVER_SET, READINGS, SOURCE, perception_of
from hornbeam.report.page import Macros, Section, page, table
from hornbeam.report.terminal import print_figures, print_json, print_outline, progress_bar, say
from hornbeam.writing import check_writable, replacing, write_atomic

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

app = typer.Typer()
_HTML = Macros(__file__, "dataset.html.j2")
GYM = "gym:"  # a task of reasoning-gym instead of a dataset
FAMILY = typer.Argument(
    ..., help="The family's name; see `hornbeam list`.", show_default=False, autocompletion=completing.families
)
OUT = typer.Option(..., "--out", "-o", help="The dataset's folder.", show_default=False)


@app.command()
def generate(
    family: str = FAMILY,
    preset: str = typer.Argument(
        ..., help="A preset's name, or a YAML file.", show_default=False, autocompletion=completing.presets
    ),
    out: Path = OUT,
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same bytes."),
    workers: int = typer.Option(0, "--workers", "-w", min=0, help="The number of processes; 0 means one per core."),
    scheduler: str = typer.Option(None, "--scheduler", help="A Dask cluster, e.g. tcp://host:8786."),
    settings: list[str] = typer.Option(
        [],
        "--set",
        metavar="KEY=VALUE",
        help="Change a setting of the preset.",
        autocompletion=completing.preset_settings,
    ),
    as_json: bool = JSON,
) -> None:
    """Generate a dataset. An interrupted run resumes.

    Example: hornbeam generate star rcc8-small --out data/rcc8 --seed 7
    """
    from hornbeam import family as families
    from hornbeam.config import key_values
    from hornbeam.data.build import Recipe, build
    from hornbeam.data.files import sha256
    from hornbeam.data.manifest import proven_text

    chosen = families.get(family)
    config = chosen.configure(preset, key_values(settings))
    recipe = Recipe(chosen, Path(preset).stem, seed, config)
    with progress_bar(f"{family} {recipe.preset}") as progress:
        built = build(recipe, out, workers=workers or os.cpu_count() or 1, scheduler=scheduler, progress=progress)
    manifest = built.dataset.manifest
    figures = {
        "dataset": str(out),
        "family": family,
        "preset": recipe.preset,
        "seed": seed,
        "samples": manifest.counts["samples"],
        "splits": manifest.counts["splits"],
        "rejected": manifest.report.get("rejected", {}),
        "shards": {"generated": built.shards_made, "kept": built.shards_kept},
        "cpu_seconds": round(built.cpu_seconds, 3),
        "sha256": sha256(out / "manifest.json"),
    }
    if as_json:
        print_json({**figures, "proven": manifest.proven, "report": manifest.report})
    else:
        print_figures({**figures, "proven": proven_text(manifest.proven)})
        say(f"\nOpen it with:  hornbeam shell {out}   (or: swipl {out / 'load.pl'})")


@app.command("import")
def import_files(
    family: str = FAMILY,
    files: list[Path] = typer.Argument(
        ..., help="The published files or folders, or archives (zip, tar).", show_default=False
    ),
    out: Path = OUT,
    settings: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="Set an option of the importer."),
    as_json: bool = JSON,
) -> None:
    """Read the published files of a benchmark as a dataset, to audit it or to learn from it.

    Example: hornbeam import clutrr test_0.csv train.csv --out data/published

    Example: hornbeam import graphlog graphlog_v1.1.zip --out data/published
    """
    import hornbeam
    from hornbeam.config import key_values
    from hornbeam.errors import UsageError

    for file in files:
        if not file.exists():
            raise UsageError("there is no such file or folder", file=str(file))
    dataset = hornbeam.import_dataset(family, list(files), out=out, options=key_values(settings))
    figures = {"dataset": str(out), "family": family, **dataset.manifest.counts}
    print_json(figures) if as_json else print_figures(figures)


@app.command()
def check(path: Path = DIR, as_json: bool = JSON) -> None:
    """Derive every label again with a second reasoner, and compare.

    Example: hornbeam check data/rcc8
    """
    import hornbeam

    with progress_bar(f"check {path}") as progress:
        result = hornbeam.check(hornbeam.load(path), progress)
    if as_json:
        print_json(asdict(result))
    else:
        print_figures({**asdict(result), "failures": ", ".join(result.failures[:20]) or "none"})
    raise typer.Exit(0 if result.ok else 1)


@app.command()
def audit(
    path: Path = typer.Argument(
        ..., metavar="DIR", help="The dataset's folder, or gym:TASK for a task of reasoning-gym.", show_default=False
    ),
    rows: int = typer.Option(1000, "--rows", min=1, help="gym: how many rows."),
    seed: int = typer.Option(0, "--seed", help="gym: the seed that the rows are drawn with."),
    full: bool = typer.Option(False, "--full", help="gym: show every row that is not right."),
    as_json: bool = JSON,
) -> None:
    """Grade a dataset: labels derivable and unique, leaks, duplicates, shortcuts, balance.

    With gym:family_relationships or gym:syllogism, check reasoning-gym's answers: each wrong row has a countermodel.

    Example: hornbeam audit data/rcc8

    Example: hornbeam audit gym:syllogism --rows 5000
    """
    import hornbeam
    from hornbeam.cli.prompting import print_gym_audit

    if str(path).startswith(GYM):
        print_gym_audit(str(path).removeprefix(GYM), rows, seed, full=full, as_json=as_json)
        return
    with progress_bar(f"audit {path}") as progress:
        result = hornbeam.audit(hornbeam.load(path), progress)
    if as_json:
        print_json(asdict(result))
        return
    figures = asdict(result)
    details = figures.pop("details")
    print_outline({**figures, **details})


@app.command()
def query(
    path: Path = DIR,
    goal: str = typer.Argument(..., help="A Prolog goal.", show_default=False),
    limit: int = typer.Option(20, "--limit", min=1, help="The maximum number of answers."),
    seconds: float = typer.Option(60.0, "--timeout", min=0.001, help="The maximum number of seconds."),
    as_json: bool = JSON,
) -> None:
    """Run a Prolog goal on a dataset, in a sandbox.

    Example: hornbeam query data/rcc8 "sample(Id, Task, train, Label, _)" --limit 3
    """
    import hornbeam
    from hornbeam.logic import Limits, to_text

    answers = hornbeam.load(path).query(goal, limits=Limits(seconds=seconds, stack=1 << 30, answers=limit))
    texts = [{name: to_text(value) for name, value in answer.items()} for answer in answers]
    if as_json:
        print_json({"goal": goal, "answers": texts, "limit": limit})
        return
    for answer in texts:
        say(", ".join(f"{name} = {value}" for name, value in answer.items()) or "true")
    if not texts:
        print("false")


@app.command()
def shell(path: Path = DIR) -> None:
    """Open a dataset in swipl, behind a wall.

    The session reads the dataset and the current folder, unless that holds your home. It cannot write files, start
    programs or open connections. Plain `swipl DIR/load.pl` and `hornbeam --trust shell DIR` have no wall: a dataset can
    then do what you can.

    Example: hornbeam shell data/rcc8
    """
    import hornbeam
    from hornbeam.logic import swipl
    from hornbeam.wall import Wall, holds_home, trusted

    dataset = hornbeam.load(path)
    engine = swipl.find()
    program = str(dataset.path.resolve() / "load.pl")
    if trusted():
        os.execv(engine.executable, [engine.executable, program])
    here = () if holds_home(Path.cwd()) else (Path.cwd(),)
    wall = Wall((*engine.parts, dataset.path.resolve(), *here))
    kept = {name: os.environ[name] for name in ("TERM", "LINES", "COLUMNS") if name in os.environ}
    command = wall.around([engine.program, "-f", "none", program])
    os.execve(command[0], command, {**engine.environment(os.devnull), **kept})


@app.command()
def explain(
    path: Path = DIR,
    sample: str = typer.Argument(..., help="A sample's id.", show_default=False),
    source: str = SOURCE,
    perceiver: str | None = PERCEIVER,
    settings: list[str] = PERCEIVER_SET,
    readings: Path = READINGS,
    theory: Path | None = typer.Option(None, "--theory", help="A learned theory; by default the true one."),
    out: Path | None = typer.Option(
        None,
        "--out",
        "-o",
        help="Of pictures a PNG file, with the boxes of what the proof speaks of; of stories an HTML page.",
    ),
) -> None:
    """Show why a sample has its label.

    Example: hornbeam explain data/rcc8 test-k4-b1-a00-000000

    Example: hornbeam explain data/kandy t02_house_train_0000 --from pictures --out house.png

    Example: hornbeam explain data/clutrr test-1_4-000000 --from stories --out story.html
    """
    import hornbeam
    from hornbeam.errors import UsageError
    from hornbeam.perception.perceiver import STORIES
    from hornbeam.perception.pictures.explaining import explain_from_picture
    from hornbeam.perception.stories.explaining import explain_from_story, explanation_page
    from hornbeam.theory import Theory

    dataset = hornbeam.load(path)
    perception = perception_of(source, perceiver, settings, readings)
    if perception is None:
        if theory is not None or out is not None:
            raise UsageError("--theory and --out need --from pictures or --from stories")
        say(dataset.family.explain(dataset, dataset.sample(sample)))
        return
    if out is not None:
        check_writable(out)
    learned = Theory.load(theory) if theory is not None else None
    if source == STORIES:
        told = explain_from_story(dataset, dataset.sample(sample), perception, learned)
        say(told.text)
        if out is not None:
            write_atomic(out, explanation_page(dataset.sample(sample), told).encode())
            say(out)
        return
    explanation = explain_from_picture(dataset, dataset.sample(sample), perception, learned)
    say(explanation.text)
    if out is not None:
        with replacing(out) as partial:
            explanation.drawing.save(partial, "PNG")
        say(out)


@app.command()
def show(
    path: Path = DIR,
    out: Path = typer.Option(None, "--out", "-o", help="The HTML file; by default DIR.html next to the dataset."),
) -> None:
    """Write one self-contained HTML page: samples, statistics, plots, prompts.

    Example: hornbeam show data/rcc8 --out rcc8.html
    """
    import hornbeam

    dataset = hornbeam.load(path)
    target = out or path.with_name(path.name + ".html")
    check_writable(target)
    write_atomic(target, dataset_page(dataset).encode())
    say(target)


def dataset_page(dataset: Dataset) -> str:
    """The page of `hornbeam show`: counts, what the family shows, one prompt of each kind, and the settings."""
    from hornbeam.language.prompts.page import prompt_sections
    from hornbeam.perception.pictures.explaining import explained_sections
    from hornbeam.perception.stories.explaining import story_sections

    family, manifest = dataset.family, dataset.manifest
    tasks: Any = manifest.counts["tasks"]
    rows = [(task, *(row.get(split, 0) for split in dataset.splits)) for task, row in tasks.items()]
    settings = json.dumps(manifest.config, indent=1, ensure_ascii=False)
    sections = [
        Section("Samples", table(("task", *dataset.splits), rows)),
        *family.show(dataset),
        *explained_sections(dataset),
        *story_sections(dataset),
        *prompt_sections(dataset),
        Section("Settings", _HTML.settings(settings)),
    ]
    return page(f"{family.title}: {manifest.preset}", _HTML.lead(family, manifest), sections)


@app.command()
def export(
    dataset: Path = DIR,
    out: Path = typer.Argument(..., metavar="OUT", help="A new or empty folder.", show_default=False),
    to: str = typer.Option(
        ...,
        "--to",
        help="popper (exs.pl, bk.pl, bias.pl) or aleph (.b, .f, .n): training tasks for learners. csv, huggingface "
        "(Parquet, for load_dataset) or pyg (PyTorch Geometric): samples, one file per split. lm-eval: prompts as a "
        "task of lm-evaluation-harness, with settings of prompts as --option, e.g. shots=3.",
        show_default=False,
    ),
    task: str = TASK,
    encoding: str = ENCODING,
    background: str = BACKGROUND,
    option: list[str] = OPTION,
    as_json: bool = JSON,
) -> None:
    """Write a dataset in the format of another system. Without --task all tasks are written.

    For popper and aleph each task gets its own folder.

    Example: hornbeam export data/easy out --to popper --task t00_triangle --encoding folded
    """
    import hornbeam
    from hornbeam.export import export as write

    written = write(hornbeam.load(dataset), to, out, task=task, options=task_options(encoding, background, option))
    if as_json:
        folders, files = ([str(path) for path in written if path.is_dir() is wanted] for wanted in (True, False))
        print_json({"format": to, "folders": folders, "files": files})
    else:
        for path in written:
            say(path)
