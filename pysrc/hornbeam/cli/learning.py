"""Commands on learners of theories: learners, learn, bias, compare."""

from __future__ import annotations

import sys
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.diagnosis import Why
    from hornbeam.ilp.runner import Learned
    from hornbeam.ilp.trace import Trace

DIR = typer.Argument(..., help="The dataset's folder.", show_default=False)
JSON = typer.Option(False, "--json", help="Print one JSON object.")
TASK = typer.Option(None, "--task", help="The task, where the dataset has several.", show_default=False)
SECONDS = typer.Option(60.0, "--timeout", min=0.1, help="CPU seconds for a task, all of the learner's processes.")
MEMORY = typer.Option(4096, "--memory", min=64, help="Megabytes that a learner may have in use.")
SETTINGS = typer.Option([], "--set", metavar="KEY=VALUE", help="Change a setting of the learner.")
BY_LEARNER = typer.Option([], "--set", metavar="LEARNER.KEY=VALUE", help="Change a setting of one learner.")
ENCODING = typer.Option(None, "--encoding", help="How samples become terms, where the family has several ways.")
BACKGROUND = typer.Option(None, "--background", help="How much background knowledge, e.g. minimal, mid, large.")
FRESH = typer.Option(2000, "--fresh", min=1, help="Fresh samples that the verdict draws where nothing can be proven.")
WHY = (
    "Show what the theory gets wrong in training and in each held-out split, and what is to blame: of examples and "
    "facts the clause and the literal that fails, of networks the composition. Of examples also near misses, and pairs "
    "that no rule tells apart."
)
OPTION = typer.Option([], "--option", metavar="KEY=VALUE", help="A further option of the family's tasks.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(learners)
    app.command()(learn)
    app.command()(bias)
    app.command()(compare)


def learners(as_json: bool = JSON) -> None:
    """List the learners of theories: what they take, whether they can run here, and what to install if not.

    Example: hornbeam learners
    """
    from hornbeam.ilp import learner as registry

    rows = [_described(name) for name in registry.names()]
    if as_json:
        print_json({"learners": rows})
        return
    header = ["learner", "what it is", "takes", "here"]
    shown = [[row["name"], row["title"], ", ".join(row["views"]), row["missing"] or "ready"] for row in rows]
    print_table("Learners", header, shown)


def _described(name: str) -> dict[str, Any]:
    """A learner that cannot be loaded keeps its row, and a warning names it."""
    from hornbeam.ilp import learner as registry
    from hornbeam.registry import BrokenPlugin, PluginWarning

    try:
        found = registry.get(name)
        missing = found.available()
    except Exception as error:
        if isinstance(error, BrokenPlugin):
            warnings.warn(str(error), PluginWarning, stacklevel=2)
        return {"name": name, "title": "", "views": [], "available": False, "missing": f"{error}", "settings": {}}
    fields = found.settings_type.model_fields
    settings = {key: {"default": field.default, "about": field.description or ""} for key, field in fields.items()}
    return {
        "name": name,
        "title": found.title,
        "views": list(found.views),
        "available": missing is None,
        "missing": missing or "",
        "settings": settings,
    }


def learn(
    dataset: Path = DIR,
    learner: str = typer.Option(..., "--learner", "-l", help="Its name; see `hornbeam learners`.", show_default=False),
    task: str | None = TASK,
    all_tasks: bool = typer.Option(False, "--all-tasks", help="Learn every task of the dataset."),
    timeout: float = SECONDS,
    memory: int = MEMORY,
    settings: list[str] = SETTINGS,
    encoding: str | None = ENCODING,
    background: str | None = BACKGROUND,
    option: list[str] = OPTION,
    out: Path | None = typer.Option(None, "--out", "-o", help="Write the theory here; with --all-tasks a folder."),
    trace: Path | None = typer.Option(None, "--trace", help="Write the events of the search here, as JSON lines."),
    replay: Path | None = typer.Option(None, "--replay", help="A trace: fail where this search differs from it."),
    explain: bool = typer.Option(False, "--why", help=WHY),
    fresh: int = FRESH,
    no_verdict: bool = typer.Option(False, "--no-verdict", help="Do not compare the theory with the truth."),
    as_json: bool = JSON,
) -> None:
    """Learn a theory from a dataset, in a process of its own, and judge it: on held-out samples, and by the truth.

    The verdict is one of: proven equal, refuted (with a counterexample), no difference in N fresh samples, not
    comparable. At the time limit, and at Ctrl-C, the best theory so far is the result. The file that --out writes loads
    in plain swipl: swipl data/easy/load.pl learned.pl

    Example: hornbeam learn data/easy --learner lff --task t03_red --out learned.pl
    """
    from hornbeam.config import key_values
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.ilp import fit
    from hornbeam.ilp.runner import INTERRUPTED
    from hornbeam.ilp.trace import Trace

    data = Dataset(dataset)
    if all_tasks and (task is not None or replay is not None or explain):
        raise UsageError("--all-tasks goes without --task, --replay and --why")
    recorded = Trace.load(replay) if replay is not None else None
    tasks: list[str | None] = [*data.family.learning_tasks(data)] if all_tasks else [task]
    options, chosen = family_options(encoding, background, option), key_values(settings)
    learned = partial(
        fit,
        data,
        learner,
        timeout=timeout,
        memory=memory << 20,
        options=options,
        settings=chosen,
        trace=trace is not None or replay is not None,
        fresh=None if no_verdict else fresh,
        keep_interrupted=True,
    )
    made: list[Learned] = []
    with progress_bar(f"{learner} on {dataset.name}") as progress:
        for done, name in enumerate(tasks):
            progress(done, len(tasks))
            made.append(learned(task=name))
            _save(made[-1], data, options, out, trace, several=all_tasks)
            if made[-1].status == INTERRUPTED:
                break
    interrupted = made[-1].status == INTERRUPTED
    if all_tasks:
        _print_rows(made, as_json)
    else:
        report = _why(data, made[0], task, options) if explain and not interrupted else None
        if as_json:
            print_json({**made[0].to_json(), **({"why": report.to_json()} if report else {})})
        else:
            _print_learned(made[0])
            print(f"\n{report}" if report else "", end="")
    if interrupted:
        raise typer.Exit(130)
    if recorded is not None:
        _check_replay(recorded, made[0])


def bias(
    dataset: Path = DIR,
    task: str | None = TASK,
    names: str | None = typer.Option(None, "--learners", "-l", metavar="A,B,...", help="Only these learners."),
    settings: list[str] = BY_LEARNER,
    encoding: str | None = ENCODING,
    background: str | None = BACKGROUND,
    option: list[str] = OPTION,
    as_json: bool = JSON,
) -> None:
    """Say whether the true theory is in each learner's space, and if not what is missing: what it could not find.

    Example: hornbeam bias data/easy --task t03_red --encoding natural
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.diagnosis.auditor import audit_learners

    data, options = Dataset(dataset), family_options(encoding, background, option)
    chosen = [name.strip() for name in names.split(",")] if names else None
    audits = audit_learners(data, chosen, task=task, options=options, settings=_settings_by_learner(settings))
    if as_json:
        print_json({"task": task, "learners": [found.to_json() for found in audits]})
        return
    for found in audits:
        print(f"{found.learner}: {'the truth is in its space' if found.inside else 'the truth is outside'}")
        for line in (*map(str, found.findings), *([found.note] if found.note else [])):
            print(f"  {line}")
    if audits:
        needs = audits[0].needs
        sizes = f"at most {needs.max_body} body literals, {needs.max_vars} variables, depth {needs.depth}"
        print(f"The truth has {needs.clauses} clauses, {sizes}")


def compare(
    folders: list[Path] = typer.Argument(..., metavar="DIR...", help="Datasets.", show_default=False),
    names: str = typer.Option(
        ...,
        "--learners",
        "-l",
        metavar="A,B,...",
        help="Learners; NAME@ENCODING gives one of them an encoding of its own.",
        show_default=False,
    ),
    timeout: float = SECONDS,
    memory: int = MEMORY,
    tasks: str | None = typer.Option(None, "--tasks", metavar="T,U,...", help="Only these tasks."),
    settings: list[str] = BY_LEARNER,
    encoding: str | None = ENCODING,
    background: str | None = BACKGROUND,
    option: list[str] = OPTION,
    fresh: int = FRESH,
    workers: int = typer.Option(1, "--workers", "-w", min=1, help="Learners that run at a time."),
    out: Path = typer.Option(Path("comparison"), "--out", "-o", help="The folder for tables and plots."),
    as_json: bool = JSON,
) -> None:
    """Compare learners on the tasks of datasets: one table, and accuracy over time. An interrupted run goes on.

    Each row has its verdict: proven equal, refuted, same on N fresh samples, or not comparable. Whatever a learner does
    costs only its own row.

    Example: hornbeam compare data/easy --learners lff,mdie --timeout 60
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp import compare as comparing
    from hornbeam.ilp import plots, report

    options = family_options(encoding, background, option)
    chosen = _settings_by_learner(settings)
    entrants = [comparing.Entrant.parse(name, options, chosen) for name in names.split(",") if name.strip()]
    wanted = [task.strip() for task in (tasks or "").split(",") if task.strip()]
    contest = comparing.Contest(list(map(Dataset, folders)), entrants, timeout, memory << 20, wanted, fresh)
    with progress_bar("compare") as progress:
        rows = comparing.run(contest, out, workers=workers, progress=progress)
    title = f"Learners on {', '.join(folder.name for folder in folders)}, {timeout:g} s of CPU time a task"
    report.save(rows, out, title, plots.draw(rows, out, timeout=timeout, title=title))
    if as_json:
        print_json(report.as_json(rows))
    elif not sys.stdout.isatty():
        print(report.markdown(rows, title), end="")
    else:
        _print_comparison(rows)
    if report.mixed(rows):
        print(report.MIXED, file=sys.stderr)
    print(f"Tables and plots are in {out}", file=sys.stderr)


def _print_comparison(rows: list[dict[str, Any]]) -> None:
    from hornbeam.ilp import report

    print_table("Every task", *report.filled(report.ROWS_HEADER, report.rows_cells(rows)))
    for name, found in report.by_dataset(rows).items():
        print_table(f"Means: {name}", *report.filled(report.MEANS_HEADER, report.means_cells(found)))
        if kinds := report.kinds_cells(found):
            print_table(f"By kind of task: {name}", *report.filled(report.KINDS_HEADER, kinds))


def _settings_by_learner(settings: list[str]) -> dict[str, dict[str, str]]:
    from hornbeam.config import key_values
    from hornbeam.errors import UsageError

    found: dict[str, dict[str, str]] = {}
    for name, value in key_values(settings).items():
        learner, dot, key = name.rpartition(".")
        if not dot:
            raise UsageError(f"--set {name}: expected LEARNER.KEY=VALUE, e.g. lff.noise=true")
        found.setdefault(learner, {})[key] = value
    return found


def family_options(encoding: str | None, background: str | None, more: list[str]) -> dict[str, str]:
    """What goes to the family's tasks."""
    from hornbeam.config import key_values

    named = {"encoding": encoding, "background": background}
    return {**{name: value for name, value in named.items() if value is not None}, **key_values(more, "--option")}


def _save(
    found: Learned, data: Dataset, options: dict[str, str], out: Path | None, trace: Path | None, *, several: bool
) -> None:
    from hornbeam.ilp.saving import save_learned

    for target, suffix in ((out, ".pl"), (trace, ".jsonl")):
        if target is None:
            continue
        file = target / f"{_file_name(found.task)}{suffix}" if several else target
        if suffix == ".pl":
            save_learned(found, data, file, options)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            found.trace.save(file)


def _file_name(task: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in task)


def _why(data: Dataset, found: Learned, task: str | None, options: dict[str, str]) -> Why:
    from hornbeam.ilp import learner as registry
    from hornbeam.ilp.diagnosis import why
    from hornbeam.ilp.runner import problem_of

    return why(problem_of(data, registry.get(found.learner), task=task, options=options), found.theory)


def _check_replay(recorded: Trace, found: Learned) -> None:
    """A search that was ended by its time may be longer or shorter, but not different."""
    from hornbeam.errors import HornbeamError
    from hornbeam.ilp.trace import divergence

    parting = divergence(recorded, found.trace, prefix=not (recorded.complete and found.trace.complete))
    if parting is not None:
        raise HornbeamError(f"the search is not the recorded one: {parting}")
    print(f"the search is the recorded one: {len(found.trace.search)} events", file=sys.stderr)


def _print_rows(made: list[Learned], as_json: bool) -> None:
    if as_json:
        print_json({"rows": [found.to_json() for found in made]})
        return
    header = ["task", "status", "test accuracy", "verdict", "clauses", "seconds"]
    rows = [
        [
            found.task,
            found.status,
            f"{found.test.accuracy:.4f}" if found.test else "",
            found.verdict.short if found.verdict else "",
            len(found.theory),
            f"{found.seconds:.2f}",
        ]
        for found in made
    ]
    print_table("Learned", header, rows)


def _print_learned(found: Learned) -> None:
    print(str(found.theory).rstrip() or "% no clause")
    print()
    figures: dict[str, object] = {"learner": found.learner, "task": found.task, "status": found.status}
    if found.message:
        figures["message"] = found.message
    figures |= {"seconds": f"{found.seconds:.2f}", "hypotheses": found.tried, "complete": found.complete}
    parts = {"train": found.train, **(found.evaluation.held if found.evaluation else {})}
    for split, scores in parts.items():
        if scores is not None:
            figures[split] = ", ".join(
                f"{name} {value:.4f}" for name, value in scores.to_json().items() if isinstance(value, float)
            )
    if found.verdict is not None:
        figures["verdict"] = found.verdict
    print_figures(figures)
