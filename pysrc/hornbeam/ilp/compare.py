"""Compares learners on tasks under the same limits. Each finished row is saved at once, and a later run keeps it."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import msgspec

from hornbeam import resources
from hornbeam.data.files import whole_lines
from hornbeam.errors import HornbeamError, UsageError, unknown_name
from hornbeam.ilp import learner as learners
from hornbeam.ilp.learned import Learned, plain_file, save_learned
from hornbeam.ilp.learner import Learner
from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
from hornbeam.ilp.runner import CRASHED, UNAVAILABLE, fit, problem_of, settings_of
from hornbeam.progress import Progress, no_progress
from hornbeam.tasks.court import FRESH
from hornbeam.tasks.verdicts import Case
from hornbeam.theory.verdict import Verdict
from hornbeam.writing import locked, naming, refuse_foreign

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.family import Family
    from hornbeam.perception.readings import Perception


ROWS, READINGS = "rows.jsonl", "readings"
ResultRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A learner with its settings and the encoding that it is to get; `label` is its name in tables."""

    label: str
    learner: Learner
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, options: Mapping[str, str], settings: Mapping[str, Mapping[str, Any]]) -> Entrant:
        """NAME, NAME@ENCODING or NAME@ENCODING/BACKGROUND; `settings` are by label or name."""
        name, _, way = text.strip().partition("@")
        encoding, _, background = way.partition("/")
        own = {key: value for key, value in (("encoding", encoding), ("background", background)) if value}
        learner = learners.get(name)
        chosen = {**settings.get(name, {}), **settings.get(text.strip(), {})}
        settings_of(learner, chosen)
        return cls(text.strip(), learner, {**options, **own}, chosen)


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is compared on what, and under which limits."""

    datasets: Sequence[Dataset]
    entrants: Sequence[Entrant]
    timeout: float = 60.0
    memory: int = 4 << 30
    tasks: Sequence[str] = ()  # empty: all
    fresh: int = FRESH  # samples that a verdict may draw
    perception: Perception | None = None  # how samples are perceived; None: learners get the true symbols
    rules: Path | None = None  # where rules are kept as background knowledge of later tasks; None: nowhere
    tighten: bool = False  # whether theories from pictures are tightened

    def perceive(self, progress: Progress = no_progress) -> None:
        """Read the inputs of all tasks, if learners learn from what is perceived."""
        if self.perception is not None:
            for dataset in self.datasets:
                wanted = self._tasks_of(dataset)
                samples = [sample for sample in dataset.samples if None in wanted or sample.task in wanted]
                self.perception.readings(dataset, samples, progress)

    def heats(self) -> Iterator[TaskRun]:
        """All rows, in the order of the tables."""
        for dataset in self.datasets:
            for task in self._tasks_of(dataset):
                for entrant in self.entrants:
                    yield TaskRun(self, dataset, task, entrant)

    def check(self) -> None:
        """UsageError for a task that no dataset has, and for names that are given twice."""
        known = sorted({task for dataset in self.datasets for task in dataset.tasks})
        for task in self.tasks:
            if task not in known:
                raise unknown_name("task", task, known)
        for names in ([entrant.label for entrant in self.entrants], [dataset.path.name for dataset in self.datasets]):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise UsageError(f"'{twice}' is given twice")

    def _tasks_of(self, dataset: Dataset) -> list[str | None]:
        if not self.tasks:
            return list(dataset.family.learning_tasks(dataset))
        return [task for task in dataset.tasks if task in self.tasks]


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One learner on one task."""

    contest: Contest
    dataset: Dataset
    task: str | None
    entrant: Entrant

    @property
    def rules(self) -> Path | None:
        """The folder of the rules that the learner found for earlier tasks of the dataset."""
        kept = self.contest.rules
        return None if kept is None else kept / self.dataset.path.name / self.entrant.label.replace("/", "_")

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the learning problem."""
        if self.rules is None:
            return self.entrant.options
        self.rules.mkdir(parents=True, exist_ok=True)
        return {**self.entrant.options, "earlier": str(self.rules)}

    def key(self) -> str:
        """The same for a row that would come out the same: what is kept of an earlier run."""
        parts = [
            self.dataset.path.name,
            hashlib.sha256((self.dataset.path / "manifest.json").read_bytes()).hexdigest(),
            self.task,
            self.entrant.label,
            sorted(self.entrant.options.items()),
            settings_of(self.entrant.learner, self.entrant.settings).model_dump(mode="json"),
            self.contest.timeout,
            self.contest.memory,
            self.contest.fresh,
            self.code(),
            *([self.contest.perception.key(self.dataset)] if self.contest.perception is not None else []),
            *(["rules of earlier tasks"] if self.rules is not None else []),
            *(["tightened"] if self.contest.tighten else []),
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]

    def code(self) -> str:
        return fingerprint(self.entrant.learner, self.dataset.family)

    def run(self, making: threading.Lock, stop: threading.Event) -> ResultRow:
        """Run the learner; any failure becomes the status of this row. The row records the version of the code."""
        key, code = self.key(), self.code()
        return {**self._run(making, stop), "key": key, "code": code, "code_changed": code != self.code()}

    def _run(self, making: threading.Lock, stop: threading.Event) -> ResultRow:
        entrant, views = self.entrant, self.dataset.family.learning_views
        if not set(entrant.learner.views) & set(views):
            takes, offers = ", ".join(entrant.learner.views), ", ".join(views) or "nothing"
            return self._row(None, UNAVAILABLE, f"takes {takes}; the family offers {offers}")
        if self.contest.perception is not None:
            return self._run_perceived(self.contest.perception, making, stop)
        with making:
            problem = problem_of(self.dataset, entrant.learner, task=self.task, options=self.options)
        try:
            learned = fit(
                problem,
                entrant.learner,
                timeout=self.contest.timeout,
                memory=self.contest.memory,
                settings=entrant.settings,
                curve=True,
                case=Case.of(self.dataset, self.task, self.options, fresh=self.contest.fresh),
                stop=stop,
            )
        except HornbeamError as error:
            return self._row(None, CRASHED, str(error))
        self._keep(learned)
        return self._row(learned, learned.status, learned.message)

    def _keep(self, learned: Learned) -> None:
        """Write the rule for later tasks, if rules are kept."""
        if self.rules is not None and learned.theory.clauses:
            save_learned(learned, self.dataset, self.rules / f"{plain_file(learned.task)}.pl", self.options)

    def _run_perceived(self, perception: Perception, making: threading.Lock, stop: threading.Event) -> ResultRow:
        with making:
            sight = Sight.of(self.dataset, self.task, perception, no_progress, tighten=self.contest.tighten)
        contest, entrant = self.contest, self.entrant
        given = SightSettings(contest.timeout, contest.memory, self.options, entrant.settings, contest.fresh, True)
        try:
            learned = fit_seen(sight, entrant.learner, given, making=making, stop=stop)
        except HornbeamError as error:
            return self._row(None, CRASHED, str(error))
        self._keep(learned)
        row = self._row(learned, learned.status, learned.message)
        return {**row, "perceiver": perception.perceiver.name, "perception": dict(learned.perception)}

    def _row(self, learned: Learned | None, status: str, message: str) -> ResultRow:
        figures = learned.to_json() if learned else {}
        test: Any = figures.get("test") or {}
        truth: Any = figures.get("truth") or {}
        return {
            "dataset": self.dataset.path.name,
            "family": self.dataset.family.name,
            "task": self.task or "all",
            "kind": self.dataset.family.kind_of_task(self.dataset, self.task) if self.task else "",
            "learner": self.entrant.label,
            "status": status,
            **{name: test.get(name) for name in ("accuracy", "balanced_accuracy", "precision", "recall", "h_score")},
            **{name: figures.get(name) for name in ("verdict", "equivalent")},
            **{name: truth.get(name) for name in ("exact", "clause_ratio", "literal_ratio", "r_score")},
            **{name: figures.get(name) for name in _TAKEN},
            "message": message,
            "by_group": test.get("by_group"),
            "curve": [[round(at, 4), value] for at, value in learned.curve] if learned else [],
            # A row without a test split says nothing of accuracy; one that could not be judged does.
            "tested": learned is None or learned.evaluation is None or learned.test is not None,
            "answers": _answers(test),
        }


def _answers(test: Mapping[str, Any]) -> int | None:
    """How many held-out samples were answered; None for facts, of which none is a question."""
    if "tn" in test:
        return sum(int(test[name]) for name in ("tp", "fp", "fn", "tn"))
    groups: Mapping[str, Any] = test.get("by_group") or {}
    return sum(int(cell["count"]) for cell in groups.values()) or None


_TAKEN = (
    *("clauses", "literals", "seconds", "wall_seconds", "memory_mb", "tried", "complete"),
    *("view", "encoding", "theory"),
)


_PACKAGE = Path(__file__).parents[1]
_SOURCES = frozenset({".py", ".pl", ".lp"})


def fingerprint(learner: Learner, family: Family) -> str:
    """The same as long as no source of the learner, of the family, of the frame and of the judge has changed."""
    digest = hashlib.sha256()
    for file in sorted(_files(learner, family)):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _files(learner: Learner, family: Family) -> set[Path]:
    """The sources; of another package, those in the folder that the class is in."""
    folders = [Path(inspect.getfile(type(part))).parent for part in (learner, family)]
    folders += [resources.prolog(name) for name in (learner.name, family.name, "ilp", "networks", "theory")]
    # What is true is the family's as well: tasks and their truth are made from it.
    folders += [resources.kb(family.name), *(_PACKAGE / name for name in ("logic", "networks", "tasks", "theory"))]
    files = {file for folder in folders for file in folder.rglob("*")}
    files |= {file for folder in (_PACKAGE, _PACKAGE / "ilp", resources.prolog()) for file in folder.iterdir()}
    return {file for file in files if file.suffix in _SOURCES}


# Running --------------------------------------------------------------------------------------------------------------


def run(contest: Contest, folder: Path, *, workers: int = 1, progress: Progress = no_progress) -> list[ResultRow]:
    """All rows, in order. Those that an earlier run left in the folder are not made again.

    If learners learn from what is perceived, all pictures are read first; `progress` counts them, then the rows.

    Raises:
        UsageError: if rules of earlier tasks are kept, and several learners are to run at a time.
    """
    contest.check()
    if contest.rules is not None and workers > 1:
        raise UsageError("with rules of earlier tasks, tasks are learned one after the other: use one worker")
    refuse_foreign(folder, [ROWS, READINGS], "a comparison")
    folder.mkdir(parents=True, exist_ok=True)
    busy = "another run is comparing learners in this folder now"
    with naming(folder), locked(folder / ".lock", busy, of=folder):
        contest.perceive(progress)
        return _run(contest, folder, workers, progress)


def _run(contest: Contest, folder: Path, workers: int, progress: Progress) -> list[ResultRow]:
    heats = {heat.key(): heat for heat in contest.heats()}
    # A row in the making of which the code changed belongs to neither.
    kept = {key: row for key, row in _kept(folder / ROWS).items() if not row.get("code_changed")}
    if contest.rules is not None and not contest.rules.is_dir():
        kept = {}  # later tasks need the rules that are gone
    rows = {key: row for key, row in kept.items() if key in heats}
    missing = {key: heat for key, heat in heats.items() if key not in rows}
    progress(len(rows), len(heats))
    with (folder / ROWS).open("a", encoding="utf-8") as stream:
        for key, row in _made(missing, workers):
            rows[key] = row
            # One that is not installed now may be when the run goes on.
            if row["status"] != UNAVAILABLE:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                stream.flush()
            progress(len(rows), len(heats))
    return [rows[key] for key in heats]


def _kept(file: Path) -> dict[str, ResultRow]:
    """The rows of earlier runs."""
    rows: dict[str, ResultRow] = {}
    for line in whole_lines(file):
        # A row that is damaged is made again.
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            msgspec.convert(row, _StoredRow)
            rows[row["key"]] = row
    return rows


class _GroupCell(TypedDict):
    accuracy: float
    count: int


class _StoredRow(TypedDict):
    """What the tables need of a row that an earlier run left."""

    key: str
    code: str
    code_changed: bool
    dataset: str
    family: str
    task: str
    kind: str
    learner: str
    status: str
    message: str
    tested: bool
    accuracy: float | None
    balanced_accuracy: float | None
    precision: float | None
    recall: float | None
    h_score: float | None
    verdict: Verdict | None
    equivalent: bool | None
    exact: bool | None
    clause_ratio: float | None
    literal_ratio: float | None
    r_score: float | None
    clauses: int | None
    literals: int | None
    seconds: float | None
    wall_seconds: float | None
    memory_mb: int | None
    tried: int | None
    complete: bool | None
    view: str | None
    encoding: str | None
    theory: str | None
    by_group: dict[str, _GroupCell] | None
    curve: list[tuple[float, float]]
    answers: NotRequired[int | None]


def _made(heats: Mapping[str, TaskRun], workers: int) -> Iterator[tuple[str, ResultRow]]:
    """Rows as they are finished, by the keys asked for. On Ctrl-C, or an error, all learners are ended first."""
    making, stop = threading.Lock(), threading.Event()
    pool = ThreadPoolExecutor(max_workers=max(1, workers))
    asked = {pool.submit(heat.run, making, stop): key for key, heat in heats.items()}
    waiting: set[Future[ResultRow]] = set(asked)
    try:
        while waiting:
            # A wait without an end would keep Ctrl-C waiting, too.
            done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                yield asked[future], future.result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
