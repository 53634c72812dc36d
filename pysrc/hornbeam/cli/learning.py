"""Commands on learners of theories: learners, learn, bias, compare."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hornbeam.cli import completing
from hornbeam.cli.options import BACKGROUND, DIR, ENCODING, FRESH, JSON, OPTION, TASK, task_options
from hornbeam.cli.perceiving import PERCEIVER, PERCEIVER_SET, READINGS, SOURCE, perception_of
from hornbeam.progress import no_progress
from hornbeam.report.terminal import print_figures, print_json, print_table, progress_bar, say
from hornbeam.writing import check_writable

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.diagnosis import Why
    from hornbeam.ilp.learned import Learned
    from hornbeam.ilp.watch import Trace
    from hornbeam.perception.readings import Perception

app = typer.Typer()
SECONDS = typer.Option(60.0, "--timeout", min=0.1, help="CPU seconds for a task, over all processes of the learner.")
MEMORY = typer.Option(4096, "--memory", min=64, help="Megabytes of memory that a learner may use.")
SAMPLES = typer.Option(
    None, "--samples", min=1, help="Use at most so many samples of each task and split, drawn at random; default: all."
)
KEEP_RULES = typer.Option(
    False, "--keep-rules", help="Rules learned for earlier tasks are background knowledge of later ones (kandy)."
)
TIGHTEN = typer.Option(
    False,
    "--tighten",
    help="With --from pictures: add conditions that all positives share, and pictures of other tasks do not.",
)
BY_LEARNER = typer.Option([], "--set", metavar="LEARNER.KEY=VALUE", help="Change a setting of one learner.")
WHY = (
    "Show what the theory gets wrong in training and in each held-out split, and what is to blame: for examples and "
    "facts the clause and the literal that fails, for networks the composition. For examples also near misses, and "
    "pairs that no rule can tell apart."
)


@app.command()
def learners(as_json: bool = JSON) -> None:
    """List the learners: what they learn from, whether they can run here, and what to install if not.

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
        learner = registry.get(name)
        missing = learner.available()
    except Exception as error:
        if isinstance(error, BrokenPlugin):
            warnings.warn(str(error), PluginWarning, stacklevel=2)
        return {"name": name, "title": "", "views": [], "available": False, "missing": f"{error}", "settings": {}}
    fields = learner.settings_type.model_fields
    settings = {key: {"default": field.default, "about": field.description or ""} for key, field in fields.items()}
    return {
        "name": name,
        "title": learner.title,
        "views": list(learner.views),
        "available": missing is None,
        "missing": missing or "",
        "settings": settings,
    }


@app.command()
def learn(
    dataset: Path = DIR,
    learner: str = typer.Option(
        ..., "--learner", "-l", help="See `hornbeam learners`.", show_default=False, autocompletion=completing.learners
    ),
    task: str | None = TASK,
    all_tasks: bool = typer.Option(False, "--all-tasks", help="Learn every task of the dataset."),
    keep_rules: bool = KEEP_RULES,
    tighten: bool = TIGHTEN,
    timeout: float = SECONDS,
    memory: int = MEMORY,
    settings: list[str] = typer.Option(
        [],
        "--set",
        metavar="KEY=VALUE",
        help="Change a setting of the learner.",
        autocompletion=completing.learner_settings,
    ),
    encoding: str | None = ENCODING,
    background: str | None = BACKGROUND,
    option: list[str] = OPTION,
    samples: int | None = SAMPLES,
    source: str = SOURCE,
    perceiver: str | None = PERCEIVER,
    perceiver_settings: list[str] = PERCEIVER_SET,
    readings: Path = READINGS,
    out: Path | None = typer.Option(None, "--out", "-o", help="The file for the theory; with --all-tasks a folder."),
    trace: Path | None = typer.Option(None, "--trace", help="The file for the events of the search, as JSON lines."),
    replay: Path | None = typer.Option(None, "--replay", help="A trace; fail if this search differs from it."),
    explain: bool = typer.Option(False, "--why", help=WHY),
    fresh: int = FRESH,
    no_verdict: bool = typer.Option(False, "--no-verdict", help="Do not compare the theory with the true one."),
    as_json: bool = JSON,
) -> None:
    """Learn a theory from a dataset, and judge it on held-out samples and against the true theory.

    The verdict is one of: proven equal, refuted (with a counterexample), no difference in N fresh samples, not
    comparable. The learner runs in its own process. At the time limit, and at Ctrl-C, the result is the best
    theory so far. Load the file that --out writes in plain swipl: swipl data/easy/load.pl learned.pl

    With --from pictures, all samples are seen as pixels only: a perceiver reads training and test pictures, the
    learner learns from what was read, and pictures on which a nearly perfect theory fails are read again. Test
    pictures that cannot be read count as wrong.

    Example: hornbeam learn data/easy --learner lff --task t03_red --out learned.pl
    """
    from hornbeam.config import key_values
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.ilp import fit
    from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
    from hornbeam.ilp.runner import INTERRUPTED
    from hornbeam.ilp.watch import Trace

    data = Dataset(dataset) if samples is None else Dataset(dataset).drawn(samples)
    for file in (out, trace):
        if file is not None and not all_tasks:
            check_writable(file)
    perception = perception_of(source, perceiver, perceiver_settings, readings)
    _check_tightening(tighten, perception)
    if perception is not None and replay is not None:
        raise UsageError(f"--replay cannot be used with --from {source}: a theory may take several searches")
    if all_tasks and (task is not None or replay is not None or explain):
        raise UsageError("--all-tasks cannot be used with --task, --replay or --why")
    if keep_rules and not (all_tasks and out is not None):
        raise UsageError("--keep-rules needs --all-tasks and a folder --out: the rules are kept there")
    recorded = Trace.load(replay) if replay is not None else None
    tasks: list[str | None] = [*data.family.learning_tasks(data)] if all_tasks else [task]
    options = task_options(encoding, background, option)
    if keep_rules and out is not None:
        out.mkdir(parents=True, exist_ok=True)
        options["earlier"] = str(out)
    common: dict[str, Any] = {"timeout": timeout, "memory": memory << 20, "settings": key_values(settings)}
    common |= {"trace": trace is not None or replay is not None, "fresh": None if no_verdict else fresh}
    common |= {"options": options, "keep_interrupted": True}
    results: list[Learned] = []
    seen: Dataset = data
    with progress_bar(f"{learner} on {dataset.name}") as progress:
        for done, name in enumerate(tasks):
            progress(done, len(tasks))
            if perception is None:
                results.append(fit(data, learner, task=name, **common))
            else:
                sight = Sight.of(data, name, perception, no_progress if all_tasks else progress, tighten=tighten)
                seen = sight.seen({})
                results.append(fit_seen(sight, learner, SightSettings(**common)))
            _save(results[-1], data, options, out, trace, several=all_tasks)
            if results[-1].status == INTERRUPTED:
                break
    interrupted = results[-1].status == INTERRUPTED
    if all_tasks:
        _print_rows(results, as_json)
    else:
        report = _why(seen, results[0], task, options) if explain and not interrupted else None
        if as_json:
            print_json({**results[0].to_json(), **({"why": report.to_json()} if report else {})})
        else:
            _print_learned(results[0])
            say(f"\n{report}" if report else "", end="")
    if interrupted:
        raise typer.Exit(130)
    if recorded is not None:
        _check_replay(recorded, results[0])


@app.command()
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
    """Show whether each learner can express the true theory, and if not, what is missing in its search space.

    Example: hornbeam bias data/easy --task t03_red --encoding natural
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.ilp.diagnosis.auditor import audit_learners

    data, options = Dataset(dataset), task_options(encoding, background, option)
    chosen = [name.strip() for name in names.split(",")] if names else None
    audits = audit_learners(data, chosen, task=task, options=options, settings=_settings_by_learner(settings))
    if as_json:
        print_json({"task": task, "learners": [audit.to_json() for audit in audits]})
        return
    for audit in audits:
        say(f"{audit.learner}: the true theory is {'in' if audit.inside else 'outside'} its search space")
        for line in (*map(str, audit.findings), *([audit.note] if audit.note else [])):
            say(f"  {line}")
    if audits:
        needs = audits[0].needs
        sizes = f"at most {needs.max_body} body literals, {needs.max_vars} variables, depth {needs.depth}"
        say(f"The true theory has {needs.clauses} clauses, {sizes}")


@app.command()
def compare(
    folders: list[Path] = typer.Argument(..., metavar="DIR...", help="Folders of datasets.", show_default=False),
    names: str = typer.Option(
        "",
        "--learners",
        "-l",
        metavar="A,B,...",
        help="The learners; NAME@ENCODING sets the encoding of one of them.",
        show_default=False,
    ),
    answers: list[Path] = typer.Option(
        [], "--answers", metavar="FOLDER", help="A run of `hornbeam ask`: its model gets rows beside the learners."
    ),
    timeout: float = SECONDS,
    memory: int = MEMORY,
    tasks: str | None = typer.Option(None, "--tasks", metavar="T,U,...", help="Only these tasks."),
    settings: list[str] = BY_LEARNER,
    encoding: str | None = ENCODING,
    background: str | None = BACKGROUND,
    option: list[str] = OPTION,
    source: str = SOURCE,
    perceiver: str | None = PERCEIVER,
    perceiver_settings: list[str] = PERCEIVER_SET,
    keep_rules: bool = KEEP_RULES,
    tighten: bool = TIGHTEN,
    fresh: int = FRESH,
    workers: int = typer.Option(1, "--workers", "-w", min=1, help="How many learners run at a time."),
    out: Path = typer.Option(Path("comparison"), "--out", "-o", help="The folder for tables and plots."),
    as_json: bool = JSON,
) -> None:
    """Compare learners on the tasks of datasets: one table, and accuracy over time.

    Each row has a verdict: proven equal, refuted, same on N fresh samples, or not comparable. A learner that fails
    only loses its own row. An interrupted run resumes. With --from pictures, learners see what a perceiver read.
    With --answers, language models are in the table, which then tells what an answer costs.

    Example: hornbeam compare data/easy --learners lff,mdie --timeout 60
    """
    from hornbeam.data.dataset import Dataset
    from hornbeam.errors import UsageError
    from hornbeam.ilp import compare as comparing
    from hornbeam.ilp import report
    from hornbeam.language.contest import rows_of

    if not names.strip() and not answers:
        raise UsageError("expected --learners A,B,... or --answers FOLDER")
    options = task_options(encoding, background, option)
    chosen = _settings_by_learner(settings)
    entrants = [comparing.Entrant.parse(name, options, chosen) for name in names.split(",") if name.strip()]
    wanted = [task.strip() for task in (tasks or "").split(",") if task.strip()]
    perception = perception_of(source, perceiver, perceiver_settings, out / comparing.READINGS)
    _check_tightening(tighten, perception)
    datasets = list(map(Dataset, folders))
    rules = out / "rules" if keep_rules else None
    asked = [row for folder in answers for row in rows_of(folder, datasets)]
    contest = comparing.Contest(datasets, entrants, timeout, memory << 20, wanted, fresh, perception, rules, tighten)
    with progress_bar("compare") as progress:
        rows = [*comparing.run(contest, out, workers=workers, progress=progress), *asked]
    seen = f" from {source} ({perception.perceiver.name})" if perception is not None else ""
    title = f"Learners on {', '.join(folder.name for folder in folders)}{seen}, {timeout:g} s of CPU time a task"
    report.save(rows, out, title, report.draw(rows, out, timeout=timeout, title=title))
    if as_json:
        print_json(report.as_json(rows))
    elif not sys.stdout.isatty():
        say(report.markdown(rows, title), end="")
    else:
        for table in report.tables(rows):
            print_table(*table)
    if report.mixed(rows):
        print(report.MIXED, file=sys.stderr)
    say(f"Tables and plots are in {out}", file=sys.stderr)


def _check_tightening(tighten: bool, perception: Perception | None) -> None:
    from hornbeam.errors import UsageError

    if tighten and perception is None:
        raise UsageError("--tighten needs --from pictures: it compares with the pictures of other tasks")


def _settings_by_learner(settings: list[str]) -> dict[str, dict[str, str]]:
    from hornbeam.config import key_values
    from hornbeam.errors import UsageError

    by_learner: dict[str, dict[str, str]] = {}
    for name, value in key_values(settings).items():
        learner, dot, key = name.rpartition(".")
        if not dot:
            raise UsageError(f"--set {name}: expected LEARNER.KEY=VALUE, e.g. lff.noise=true")
        by_learner.setdefault(learner, {})[key] = value
    return by_learner


def _save(
    learned: Learned, data: Dataset, options: dict[str, str], out: Path | None, trace: Path | None, *, several: bool
) -> None:
    """Write the theory and the trace, as far as they are wanted; of several tasks into folders, a file each."""
    from hornbeam.ilp.learned import plain_file, save_learned

    name = plain_file(learned.task)
    if out is not None:
        save_learned(learned, data, out / f"{name}.pl" if several else out, options)
    if trace is not None:
        file = trace / f"{name}.jsonl" if several else trace
        file.parent.mkdir(parents=True, exist_ok=True)
        learned.trace.save(file)


def _why(data: Dataset, learned: Learned, task: str | None, options: dict[str, str]) -> Why:
    from hornbeam.ilp import learner as registry
    from hornbeam.ilp.diagnosis import why
    from hornbeam.ilp.runner import problem_of

    return why(problem_of(data, registry.get(learned.learner), task=task, options=options), learned.theory)


def _check_replay(recorded: Trace, learned: Learned) -> None:
    """A search that was ended by its time may be longer or shorter, but not different."""
    from hornbeam.errors import HornbeamError
    from hornbeam.ilp.watch import divergence

    parting = divergence(recorded, learned.trace, prefix=not (recorded.complete and learned.trace.complete))
    if parting is not None:
        raise HornbeamError(f"the search is not the recorded one: {parting}")
    print(f"the search is the recorded one: {len(learned.trace.search)} events", file=sys.stderr)


def _print_rows(results: list[Learned], as_json: bool) -> None:
    if as_json:
        print_json({"rows": [learned.to_json() for learned in results]})
        return
    rows = [
        [
            learned.task,
            learned.status,
            f"{learned.test.accuracy:.4f}" if learned.test else "",
            learned.verdict.short if learned.verdict else "",
            len(learned.theory),
            f"{learned.seconds:.2f}",
        ]
        for learned in results
    ]
    print_table("Learned", ["task", "status", "test accuracy", "verdict", "clauses", "seconds"], rows)


def _plain(learned: Learned) -> list[tuple[str, object]]:
    """The figures of perception that are numbers."""
    return [(name, value) for name, value in learned.perception.items() if isinstance(value, int | float)]


def _print_learned(learned: Learned) -> None:
    say(str(learned.theory).rstrip() or "% no clause", end="\n\n")
    figures: dict[str, object] = {"learner": learned.learner, "task": learned.task, "status": learned.status}
    if learned.message:
        figures["message"] = learned.message
    figures |= {"seconds": f"{learned.seconds:.2f}", "hypotheses": learned.tried, "complete": learned.complete}
    parts = {"train": learned.train, **(learned.evaluation.held if learned.evaluation else {})}
    for split, scores in parts.items():
        values = scores.to_json().items() if scores is not None else ()
        if values:
            figures[split] = ", ".join(f"{name} {value:.4f}" for name, value in values if isinstance(value, float))
    if learned.perception:
        figures["perceived"] = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in _plain(learned))
    if learned.verdict is not None:
        figures["verdict"] = learned.verdict
    print_figures(figures)
