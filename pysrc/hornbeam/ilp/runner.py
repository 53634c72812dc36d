"""Let a learner learn: in a process of its own, within limits, and judged by what its theory does.

>>> from hornbeam.ilp.runner import Limit
>>> Limit(seconds=10).bounds().cpu
12.0
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hornbeam.data.sample import Json
from hornbeam.errors import HornbeamError, UsageError, unknown_name
from hornbeam.ilp import learner as learners
from hornbeam.ilp.evaluation import Evaluation, Scores, evaluate
from hornbeam.ilp.jobs import EVENTS, fit_here
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.trace import Trace
from hornbeam.ilp.watch import Event
from hornbeam.processes import Bounds, Ended, Job, apart, last_lines, start
from hornbeam.tasks.court import FRESH
from hornbeam.tasks.problem import Problem
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Theory, Verdict

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FINISHED, TIMEOUT, MEMORY, CRASHED = "finished", "timeout", "memory", "crashed"
NO_THEORY, FALSE_CLAIM, UNAVAILABLE, INTERRUPTED = "no_theory", "false_claim", "unavailable", "interrupted"

# Judging is not the learner's time.
_JUDGING = Bounds(cpu=1200.0, wall=4800.0, memory=6 << 30)
_CLAIMS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True)
class Limit:
    """What a learner may use: CPU seconds of all its processes, and bytes that are resident at a time."""

    seconds: float = 60.0
    memory: int = 4 << 30
    wall: float | None = None  # None: enough for a machine that others use, too

    def bounds(self) -> Bounds:
        """What it is ended at: it gets the time to start, and a moment to hand over what it has."""
        cpu = self.seconds * 1.05 + 1.5
        return Bounds(cpu, self.wall if self.wall is not None else 4 * cpu + 30, self.memory)


@dataclass(frozen=True, slots=True)
class Learned:
    """What came out. `theory` is the best that the learner told of, whatever became of it later."""

    learner: str
    task: str
    view: str
    theory: Theory
    status: str
    message: str = ""
    complete: bool = False  # the learner says that nothing better is in its space
    seconds: float = 0.0  # of CPU, all its processes, without the start of Python
    wall: float = 0.0
    memory: int = 0
    tried: int = 0
    trace: Trace = field(default_factory=Trace)
    evaluation: Evaluation | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    encoding: str = ""
    verdict: Verdict | None = None  # how the theory stands to the truth; None where nobody asked, or nothing ran

    @property
    def train(self) -> Scores | None:
        return self.evaluation.train if self.evaluation else None

    @property
    def test(self) -> Scores | None:
        return self.evaluation.test if self.evaluation else None

    @property
    def curve(self) -> list[tuple[float, float]]:
        """CPU seconds and headline figure on the test split: the empty theory's, each best one's, the result's."""
        if self.evaluation is None or not self.evaluation.curve or self.test is None:
            return []
        times = [0.0, *(event.seconds for event in self.trace.bests)]
        points = [(at, value) for at, value in zip(times, self.evaluation.curve, strict=True) if value is not None]
        return [*points, (max(self.seconds, times[-1]), self.test.headline)]

    @property
    def equivalent(self) -> bool | None:
        """True where the theory was proven equal to the truth, False where it was refuted, None where it is open."""
        return self.verdict.equivalent if self.verdict else None

    def to_json(self) -> dict[str, Json]:
        """The keys of the design, and more."""
        found = self.evaluation
        return {
            "learner": self.learner,
            "task": self.task,
            "view": self.view,
            "encoding": self.encoding,
            "theory": str(self.theory),
            "status": self.status,
            "message": self.message,
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
            "wall_seconds": round(self.wall, 3),
            "memory_mb": self.memory >> 20,
            "tried": self.tried,
            "clauses": len(self.theory),
            "literals": self.theory.literals,
            "settings": dict(self.settings),
            "train": self.train.to_json() if self.train else None,
            **{split: scores.to_json() for split, scores in (found.held.items() if found else ()) if scores},
            "verdict": self.verdict.to_json() if self.verdict else None,
            "equivalent": self.equivalent,
            "truth": found.against.to_json() if found and found.against else None,
            "unknown": list(found.unknown) if found else [],
        }


def fit(
    source: Dataset | Problem,
    learner: str | Learner,
    *,
    task: str | None = None,
    timeout: float = 60.0,
    memory: int = 4 << 30,
    options: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    trace: bool = False,
    curve: bool = False,
    fresh: int | None = FRESH,
    case: Case | None = None,
    keep_interrupted: bool = False,
    stop: threading.Event | None = None,
) -> Learned:
    """Learn a theory for a task of a dataset, or for a problem that was made by hand.

    Args:
        source: A dataset, or a problem.
        learner: A learner or its name.
        task: The task, where the dataset has several.
        timeout: CPU seconds of all of the learner's processes.
        memory: Bytes that they may have in use.
        options: Go to the family: its encodings.
        settings: Go to the learner.
        trace: Keep all events of the search.
        curve: Score each theory that was the best of its time.
        fresh: How many fresh samples the verdict may draw; None for no verdict.
        case: What a problem's theory is judged on. Of a dataset it is known; of a problem alone there is no verdict.
        keep_interrupted: On Ctrl-C, give the best theory so far with the status `interrupted` instead of raising.
        stop: Ends the learner when it is set.

    Returns:
        The theory, its status, its scores and the verdict on it.

    Raises:
        UsageError: if the learner and the family do not go together, or a setting is wrong.
        KeyboardInterrupt: at Ctrl-C without `keep_interrupted`, or when `stop` was set.
    """
    found = learners.get(learner) if isinstance(learner, str) else learner
    if isinstance(source, Problem):
        problem = source
    else:
        problem = problem_of(source, found, task=task, options=options)
        case = Case.of(source, task, options, fresh=fresh) if fresh is not None else None
    chosen = settings_of(found, settings or {})
    missing = found.available()
    if missing is not None:
        return _unavailable(found, problem, chosen, missing)
    limit = Limit(timeout, memory)
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as name:
        folder = Path(name)
        job = Job(limit.bounds(), fit_here, (found, problem.task, chosen, timeout, trace))
        ended = start(job, folder, stop)
        if ended.reason == "stopped" or (ended.reason == "interrupted" and not keep_interrupted):
            raise KeyboardInterrupt
        run = _Run(ended, Trace.salvage(folder / EVENTS), limit)
    try:
        judged = _judged(problem, case, run, curve, stop)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        judged = _Judged(INTERRUPTED, "ended by Ctrl-C before it was judged", _read(run.text), None, None)
    return _learned(found, problem, chosen, run, judged, task)


def problem_of(
    dataset: Dataset, learner: Learner, *, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """The task in the first view of the learner's that the family offers."""
    offered = dataset.family.learning_views
    view = next((view for view in learner.views if view in offered), None)
    if view is None:
        raise UsageError(
            f"the learner {learner.name} takes {_listed(learner.views)}; "
            f"the family {dataset.family.name} offers {_listed(offered)}"
        )
    return dataset.family.learning_problem(dataset, view, task, options or {})


def settings_of(learner: Learner, values: Mapping[str, Any]) -> Settings:
    """Checked settings; UsageError names the setting and what was expected."""
    known = learner.settings_type.model_fields
    for name in values:
        if name not in known:
            raise unknown_name(f"setting of {learner.name}", name, known)
    try:
        return learner.settings_type.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "settings"
        raise UsageError(f"--set {place}: {first['msg']}, not {first['input']!r}") from None


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(names) or "nothing to learn from"


# What became of it ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """A learner's process after its end."""

    ended: Ended
    trace: Trace
    limit: Limit

    @property
    def result(self) -> Event | None:
        """What was returned; where nothing was, the best of the last time that was told."""
        returned = self.trace.result
        return returned if returned and returned.figures.get("theory") else self.trace.best

    @property
    def text(self) -> str:
        return str(self.result.figures["theory"]) if self.result else ""

    @property
    def seconds(self) -> float:
        started = self.trace.last("started")
        before: Any = started.figures.get("cpu", 0.0) if started else 0.0
        return max(0.0, self.ended.cpu - float(before))

    def status(self) -> tuple[str, str]:
        ended = self.ended
        if ended.reason == "memory":
            return MEMORY, f"ended at {self.limit.memory >> 20} MB"
        if ended.reason in ("cpu", "wall"):
            return TIMEOUT, f"ended after {ended.cpu:.1f} s of CPU time, {ended.wall:.1f} s on the clock"
        if ended.reason == "interrupted":
            return INTERRUPTED, f"ended by Ctrl-C after {ended.cpu:.1f} s of CPU time"
        if self.trace.result is None:
            return CRASHED, f"status {ended.code}: {last_lines(ended.printed)}"
        if not self.trace.complete and max(self.seconds, self.trace.result.seconds) >= 0.98 * self.limit.seconds:
            return TIMEOUT, "stopped by itself when its time was up"
        return (FINISHED, "") if self.text else (NO_THEORY, "it ended without any clause")


def _unavailable(learner: Learner, problem: Problem, settings: Settings, missing: str) -> Learned:
    task = problem.task
    return Learned(
        learner.name, task.name, task.view, Theory(()), UNAVAILABLE, missing, settings=settings.model_dump(mode="json")
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A theory and what the judges say of it."""

    status: str
    message: str
    theory: Theory
    evaluation: Evaluation | None
    verdict: Verdict | None


def _judged(problem: Problem, case: Case | None, run: _Run, curve: bool, stop: threading.Event | None) -> _Judged:
    status, message = run.status()
    before = ["", *(str(event.figures["theory"]) for event in run.trace.bests)] if curve else []
    try:
        scores: Evaluation | None = apart(_JUDGING, evaluate_text, problem, run.text, before, stop=stop)
    except HornbeamError as error:
        status, message = CRASHED, f"its theory cannot be judged: {error}"
        scores = _nothing(problem, stop)
    claim = _false_claim(run, scores)
    if claim:
        status, message = FALSE_CLAIM, claim
    theory = (scores.theory if scores else Theory(())).using(problem.definitions)
    verdict = None if case is None else judge_apart(case, theory, stop)
    return _Judged(status, message, theory, scores, verdict)


def _learned(
    learner: Learner, problem: Problem, settings: Settings, run: _Run, judged: _Judged, task: str | None
) -> Learned:
    return Learned(
        learner=learner.name,
        task=task if task is not None else problem.task.name,
        view=problem.task.view,
        theory=judged.theory,
        status=judged.status,
        message=judged.message,
        complete=run.trace.complete,
        seconds=run.seconds,
        wall=run.ended.wall,
        memory=run.ended.memory,
        tried=run.trace.tried,
        trace=run.trace,
        evaluation=judged.evaluation,
        settings=settings.model_dump(mode="json"),
        encoding=getattr(problem.task, "encoding", ""),
        verdict=judged.verdict,
    )


def judge_apart(case: Case, theory: Theory, stop: threading.Event | None = None) -> Verdict:
    """The verdict on a theory, in a process of its own; whatever goes wrong there is the verdict's reason."""
    try:
        verdict: Verdict = apart(_JUDGING, judge_case, case, theory, stop=stop)
    except HornbeamError as error:
        return Verdict.incomparable(str(error))
    return verdict


def judge_case(case: Case, theory: Theory) -> Verdict:
    """The verdict on a theory; runs in the judge's process."""
    return case.verdict(theory)


def _read(text: str) -> Theory:
    """A theory that nobody judged; none at all where its text is no Prolog."""
    try:
        return Theory.parse(text)
    except HornbeamError:
        return Theory(())


def _nothing(problem: Problem, stop: threading.Event | None) -> Evaluation | None:
    """The figures of the empty theory: what is left of a learner whose theory is none."""
    try:
        judged: Evaluation = apart(_JUDGING, evaluate_text, problem, "", [], stop=stop)
    except HornbeamError:
        return None
    return judged


def evaluate_text(problem: Problem, text: str, before: list[str]) -> Evaluation:
    """Judge the text of a theory; runs in the judge's process."""
    return evaluate(problem, text, before=before)


def _false_claim(run: _Run, judged: Evaluation | None) -> str:
    """How the learner's counts on the training examples differ from ours; "" where they do not.

    An example that met a limit of ours may be counted either way.
    """
    told = next((event for event in reversed(run.trace.bests) if event.figures["theory"] == run.text), None)
    if told is None or judged is None or judged.train is None:
        return ""
    ours = judged.train.details
    counts = {name: value for name, value in ours.items() if isinstance(value, int)}
    slack = counts.get("undecided", 0)
    claims = [(name, told.figures[name], counts[name]) for name in _CLAIMS if name in told.figures and name in counts]
    wrong = [
        f"{name} {claimed}, verified {counted}"
        for name, claimed, counted in claims
        if not isinstance(claimed, int) or abs(claimed - counted) > slack
    ]
    return f"claimed {'; '.join(wrong)}" if wrong else ""
