"""Commands that train models: train, reproduce."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli import completing
from hornbeam.cli.options import DIR, JSON
from hornbeam.neural.run_reading import PAGE, StoredRun, runs_below, stored_run
from hornbeam.neural.run_tables import figure_rows
from hornbeam.progress import Progress, no_progress
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from hornbeam.neural.experiment import Trained

app = typer.Typer()
SETTINGS = typer.Option(
    [],
    "--set",
    metavar="KEY=VALUE",
    help="Change an option of training, e.g. lr=0.01.",
    autocompletion=completing.model_options,
)


@app.command()
def train(
    path: Path = DIR,
    model: str = typer.Option(
        ...,
        "--model",
        "-m",
        help="The model's name; an unknown name lists all.",
        show_default=False,
        autocompletion=completing.models,
    ),
    setting: str = typer.Option(
        None,
        "--setting",
        "-s",
        help="The learning setting; an unknown name lists all.",
        autocompletion=completing.model_cases,
    ),
    seeds: int = typer.Option(1, "--seeds", "-n", min=1, help="The number of runs, with the seeds 0, 1, ..."),
    preset: str = typer.Option(None, "--preset", "-p", help="A preset of options, e.g. paper, or a YAML file."),
    settings: list[str] = SETTINGS,
    out: Path = typer.Option(None, "--out", "-o", help="The folder; by default runs/DATASET-MODEL-SETTING."),
    grid: bool = typer.Option(False, "--grid", help="Search the preset's grid for the best on the valid split."),
    search: list[str] = typer.Option([], "--try", metavar="KEY=A,B", help="Values to search, not the preset's grid."),
    checkpoint: float = typer.Option(60.0, "--checkpoint", min=0, help="Seconds between checkpoints; 0 is every step."),
    tensorboard: bool = typer.Option(False, "--tensorboard", help="Also write TensorBoard files."),
    keep_weights: bool = typer.Option(False, "--keep-weights", help="Keep the weights after each experience."),
    device: str = typer.Option("auto", "--device", help="auto (a GPU where there is one), cpu, cuda or mps."),
    precision: str = typer.Option("float32", "--precision", help="float32, or bfloat16 for passes in 16 bits."),
    plots: bool = typer.Option(False, "--plots", help="Draw accuracy by task and over time."),
    as_json: bool = JSON,
) -> None:
    """Train a model on a dataset. An interrupted run resumes, with the same result.

    Example: hornbeam train data/easy --model cnn --setting joint --seeds 3
    """
    import hornbeam
    from hornbeam.config import key_values
    from hornbeam.extras import need

    need("torch", "training")
    from hornbeam.neural import report
    from hornbeam.neural.experiment import train as run
    from hornbeam.neural.trainer import Habits

    dataset = hornbeam.load(path)
    habits = Habits(checkpoint_seconds=checkpoint, tensorboard=tensorboard, keep_weights=keep_weights)
    common: dict[str, Any] = {"setting": setting, "seeds": seeds, "preset": preset, "habits": habits}
    common |= {"device": device, "precision": precision}
    if grid or search:
        _search(dataset, model, common, key_values(settings), key_values(search, "--try"), out, as_json)
        return
    with _bar(f"{model} on {path.name}") as progress:
        trained = run(dataset, model, out=out, overrides=key_values(settings), progress=progress, **common)
    if not _leads():
        return
    drawn = report.draw(trained.path / "plots", [trained]) if plots else []
    if as_json:
        print_json({**trained.to_json(), "plots": [str(file) for file in drawn]})
    else:
        _show(trained, drawn)


def _leads() -> bool:
    """Whether this process speaks, of those that torchrun has started."""
    return os.environ.get("RANK", "0") == "0"


def _bar(what: str) -> AbstractContextManager[Progress]:
    """A progress bar, of the process that speaks."""
    return progress_bar(what) if _leads() else nullcontext(no_progress)


def _show(trained: Trained, drawn: list[Path]) -> None:
    metrics = trained.to_json()["metrics"]
    names = dict.fromkeys(name for figures in metrics.values() for name in figures)
    rows = [
        [name, *(_cell(metrics[split].get(name)) for split in metrics)]
        for name in names
        if name not in ("tasks", "definitions")
    ]
    for task in metrics.get("test", {}).get("tasks", {}):
        rows.append([f"  {task}", *(_cell(metrics[split]["tasks"].get(task)) for split in metrics)])
    print_table(str(trained), ["", *metrics], rows)
    page = trained.path / PAGE
    print_figures({"folder": trained.path, "page": page, **_used(trained), **{file.stem: file for file in drawn}})


def _used(trained: Trained) -> dict[str, str]:
    """What the runs were trained with."""
    run = stored_run(trained.path)
    return {name: ", ".join(map(str, run.told(name))) for name in ("device", "precision") if run.told(name)}


def _cell(figure: dict[str, float] | None) -> str:
    return "–" if figure is None else f"{figure['mean']:.3f} ± {figure['std']:.3f}"


def _search(
    dataset: Any, model: str, common: dict[str, Any], fixed: Mapping[str, str], given: Mapping[str, str],
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    from hornbeam.neural import presets, registry
    from hornbeam.neural.experiment import train as run
    from hornbeam.neural.grid import search, values_of

    domain, setting = registry.find(dataset.manifest.family, model, common["setting"])
    grid = values_of(given) or presets.load(domain.preset_place(dataset), common["preset"]).grid
    folder = out or Path("runs") / f"{dataset.path.resolve().name}-{model}-{setting}-grid"

    def one(overrides: dict[str, str], path: Path) -> Trained:
        with _bar(path.name) as progress:
            return run(dataset, model, out=path, overrides={**fixed, **overrides}, progress=progress, **common)

    tried = search(grid, folder, one)
    if as_json:
        print_json({"model": model, "setting": setting, "folder": str(folder), "best": tried[0].to_json(),
                    "rows": [row.to_json() for row in tried]})  # fmt: skip
    else:
        title = f"{model} {setting}, best on valid first"
        print_table(title, ["options", "valid", "test"], [row.row() for row in tried])


@app.command()
def reproduce(
    name: str = typer.Argument(..., help="What to reproduce; an unknown name lists all.", show_default=False),
    out: Path = typer.Option(None, "--out", "-o", help="The folder; by default runs/NAME."),
    seeds: int = typer.Option(3, "--seeds", "-n", min=1, help="The number of runs of each case."),
    preset: str = typer.Option("quick", "--preset", "-p", help="quick, or paper for the paper's hyper-parameters."),
    models: list[str] = typer.Option([], "--model", "-m", help="Only this model; can be repeated."),
    cases: list[str] = typer.Option([], "--setting", "-s", help="Only this setting; can be repeated."),
    data_seed: int = typer.Option(0, "--data-seed", help="The seed of the dataset."),
    source: str = typer.Option(
        "symbols", "--from", help="pictures (kandy) or stories (clutrr): NAME-pictures, NAME-stories."
    ),
    settings: list[str] = SETTINGS,
    as_json: bool = JSON,
) -> None:
    """Run a paper's experiments again and print the results next to the paper's.

    An interrupted run resumes.

    Example: hornbeam reproduce kandy --out runs/kandy

    Example: hornbeam reproduce clutrr --from stories --seeds 1
    """
    from hornbeam.config import key_values
    from hornbeam.extras import need

    need("torch", "training")
    from hornbeam.reproductions import reproduction

    name = name if source == "symbols" or name.endswith(f"-{source}") else f"{name}-{source}"
    chosen = reproduction.REPRODUCTIONS.get(name)
    with progress_bar(f"reproduce {name}") as progress:
        plan = reproduction.ReproductionPlan(
            out or Path("runs") / name, seeds, preset, tuple(models), tuple(cases), key_values(settings), progress,
            data_seed,
        )  # fmt: skip
        comparison = chosen.run(plan)
    if as_json:
        print_json({"name": name, **comparison.figures, "plots": [str(file) for file in comparison.plots]})
    else:
        say(comparison.text())
        say(plan.out, file=sys.stderr)


@app.command()
def runs(
    folders: list[Path] = typer.Argument(None, metavar="[DIR]...", help="Runs, or folders of runs; default: runs."),
    compare: bool = typer.Option(False, "--compare", help="Show all figures of the runs side by side."),
    open_page: bool = typer.Option(False, "--open", help="Open the page of each run in the browser."),
    as_json: bool = JSON,
) -> None:
    """List training runs, the best first, or compare them.

    Each run has a page, index.html in its folder: curves, accuracy by task and group, confusions, wrong samples.

    Example: hornbeam runs runs --compare
    """
    found = [stored_run(path) for folder in folders or [Path("runs")] for path in _runs_in(folder)]
    found.sort(key=lambda run: -run.summary["accuracy"].get("mean", 0.0))
    if as_json:
        print_json({"runs": [_row_of(run) for run in found]})
    elif compare:
        header = ["split", "figure", *(run.path.name for run in found)]
        rows = [[row.split, row.name.replace("_", " "), *row.figures] for row in figure_rows(found)]
        print_table(f"{len(found)} training runs", header, rows)
    else:
        header = ["run", "model", "setting", "dataset", "seeds", "accuracy", "device", "seconds"]
        print_table("Training runs", header, [_cells(run) for run in found])
    for run in found if open_page else ():
        typer.launch(str(run.path / PAGE))


def _runs_in(folder: Path) -> list[Path]:
    from hornbeam.errors import UsageError

    found = list(runs_below(folder))
    if not found:
        raise UsageError("there is no training run; `hornbeam train DIR --model NAME` makes one", file=str(folder))
    return found


def _row_of(run: StoredRun) -> dict[str, Any]:
    used = {name: run.told(name) for name in ("dataset", "device", "precision", "torch")}
    page = run.path / PAGE
    return {"folder": str(run.path), **run.summary, **used, "seconds": run.seconds, "page": str(page)}


def _cells(run: StoredRun) -> list[str]:
    dataset = ", ".join(Path(str(one)).name for one in run.told("dataset"))
    seconds = "" if run.seconds is None else f"{run.seconds:.1f}"
    device = ", ".join(map(str, run.told("device")))
    return [str(run.path), run.model, run.setting, dataset, str(len(run.seeds)), run.accuracy, device, seconds]
