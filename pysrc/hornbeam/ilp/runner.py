"""Runs a learner in its own process, within limits, and evaluates its theory."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.config import validated
from hornbeam.errors import EngineUnavailable, HornbeamError, UsageError
from hornbeam.ilp import learner as learners
from hornbeam.ilp.evaluation import TheoryEvaluation, evaluate
from hornbeam.ilp.jobs import EVENTS, fit_here
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.watch import Event, Trace
from hornbeam.logic import swipl
from hornbeam.logic.swipl import SwiProlog
from hornbeam.processes import Bounds, Ended, Job, apart, last_lines, start
from hornbeam.tasks.court import FRESH
from hornbeam.tasks.problem import Problem
from hornbeam.tasks.verdicts import Case
from hornbeam.theory import Theory, Verdict
from hornbeam.wall import Wall, trusting
from hornbeam.wall.interpreter import python_files
from hornbeam.wall.trust import made_here

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FINISHED, TIMEOUT, MEMORY, CRASHED = "finished", "timeout", "memory", "crashed"
NO_THEORY, FALSE_CLAIM, UNAVAILABLE, INTERRUPTED = "no_theory", "false_claim", "unavailable", "interrupted"

# Judging is not the learner's time.
_JUDGING = Bounds(cpu=1200.0, wall=4800.0, memory=6 << 30)
_CLAIMS = ("tp", "fp", "fn", "tn")


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
    folder: Path | None = None,
) -> Learned:
    """Learn a theory for a task of a dataset, or for a problem, and evaluate it.

    Args:
        source: A dataset, or a problem.
        learner: A learner or its name.
        task: The task, if the dataset has several.
        timeout: CPU seconds for all processes of the learner.
        memory: Bytes of memory for all of them.
        options: Options of the family's tasks, e.g. the encoding.
        settings: Settings of the learner.
        trace: Keep all events of the search.
        curve: Score each theory that was the best so far.
        fresh: How many fresh samples the verdict may draw; None for no verdict.
        case: What the theory of a problem is judged on; without it a problem gets no verdict. Ignored for datasets.
        keep_interrupted: On Ctrl-C, return the best theory so far with the status `interrupted` instead of raising.
        stop: Ends the learner when it is set.
        folder: An empty folder for the learner to work in, e.g. to follow its events; default: a temporary one.

    Returns:
        The theory, its status, its scores and the verdict on it.

    Raises:
        UsageError: if the learner does not support the family, or a setting is invalid.
        KeyboardInterrupt: at Ctrl-C without `keep_interrupted`, or when `stop` was set.

    >>> learned = fit(ds, "mdie", timeout=20, fresh=None)
    >>> learned.status, learned.test.accuracy > 0.5
    ('finished', True)
    """
    chosen = learners.get(learner) if isinstance(learner, str) else learner
    if isinstance(source, Problem):
        problem = source
    else:
        problem = problem_of(source, chosen, task=task, options=options)
        case = Case.of(source, task, options, fresh=fresh) if fresh is not None else None
    checked = settings_of(chosen, settings or {})
    learned = Learned(chosen.name, problem.task.name, problem.task.view, settings=checked.model_dump(mode="json"))
    missing = chosen.available()
    if missing is not None:
        return replace(learned, status=UNAVAILABLE, message=missing)
    ours = not isinstance(source, Problem) and made_here(source.path)
    with trusting(ours), _place(folder) as place:
        engine = _engine()
        arguments = (engine, chosen, problem.task, checked, timeout, trace)
        job = Job(_bounds(timeout, memory), fit_here, arguments, _wall(chosen, engine))
        ended = start(job, place, stop)
        if ended.reason == "stopped" or (ended.reason == "interrupted" and not keep_interrupted):
            raise KeyboardInterrupt
        run = _EndedRun(ended, Trace.salvage(place / EVENTS), timeout, memory)
    learned = replace(
        learned,
        task=task if task is not None else problem.task.name,
        encoding=getattr(problem.task, "encoding", ""),
        complete=run.trace.complete,
        seconds=run.seconds,
        wall=ended.wall,
        memory=ended.memory,
        tried=run.trace.tried,
        trace=run.trace,
    )
    try:
        with trusting(ours):
            return _judged(learned, problem, case, run, curve, stop)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        message = "ended by Ctrl-C before it was judged"
        return replace(learned, theory=_read(run.text), status=INTERRUPTED, message=message)


@contextlib.contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """Where a learner works."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as name:
        yield Path(name)


def _engine() -> SwiProlog | None:
    """SWI-Prolog, for those learners that need it."""
    try:
        return swipl.find()
    except EngineUnavailable:
        return None


def _wall(learner: Learner, engine: SwiProlog | None) -> Wall | None:
    """What the process of a learner may read; its own folder is all that it may write."""
    if learner.starts_programs:
        return None
    ours = (resources.kb(), resources.prolog(), resources.curricula())
    return Wall((*python_files("hornbeam", type(learner).__module__), *ours, *(engine.parts if engine else ())))


def _bounds(seconds: float, memory: int) -> Bounds:
    """What a learner is ended at: it gets the time to start, and a moment to hand over what it has.

    The bound on the wall's time is wide: others may use the machine, too.
    """
    cpu = seconds * 1.05 + 1.5
    return Bounds(cpu, 4 * cpu + 30, memory)


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
    return validated(learner.settings_type, values, kind=f"setting of {learner.name}", option="--set")


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(names) or "nothing to learn from"


# What became of it ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _EndedRun:
    """A learner's process after its end."""

    ended: Ended
    trace: Trace
    timeout: float
    memory: int

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
            return MEMORY, f"ended at {self.memory >> 20} MB"
        if ended.reason in ("cpu", "wall"):
            return TIMEOUT, f"ended after {ended.cpu:.1f} s of CPU time, {ended.wall:.1f} s on the clock"
        if ended.reason == "interrupted":
            return INTERRUPTED, f"ended by Ctrl-C after {ended.cpu:.1f} s of CPU time"
        if self.trace.result is None:
            return CRASHED, f"status {ended.code}: {last_lines(ended.printed)}"
        if not self.trace.complete and max(self.seconds, self.trace.result.seconds) >= 0.98 * self.timeout:
            return TIMEOUT, "stopped by itself when its time was up"
        return (FINISHED, "") if self.text else (NO_THEORY, "it ended without any clause")


def _judged(
    learned: Learned, problem: Problem, case: Case | None, run: _EndedRun, curve: bool, stop: threading.Event | None
) -> Learned:
    """What the judges say of the theory: its scores, and the verdict on it."""
    status, message = run.status()
    before = ["", *(str(event.figures["theory"]) for event in run.trace.bests)] if curve else []
    evaluation: TheoryEvaluation | None
    try:
        evaluation = apart(_JUDGING, evaluate, problem, run.text, before, stop=stop)
    except HornbeamError as error:
        status, message = CRASHED, f"its theory cannot be judged: {error}"
        evaluation = _nothing(problem, stop)
    if claim := _false_claim(run, evaluation):
        status, message = FALSE_CLAIM, claim
    theory = (evaluation.theory if evaluation else Theory(())).using(problem.definitions)
    verdict = None if case is None else judge_apart(case, theory, stop)
    return replace(learned, status=status, message=message, theory=theory, evaluation=evaluation, verdict=verdict)


def judged_again(learned: Learned, problem: Problem, theory: Theory, stop: threading.Event | None = None) -> Learned:
    """What was learned, with another theory in the place of its own and the scores of that one."""
    evaluation: TheoryEvaluation = apart(_JUDGING, evaluate, problem, str(theory), stop=stop)
    if learned.evaluation is not None:
        evaluation = replace(evaluation, curve=learned.evaluation.curve)
    return replace(learned, theory=evaluation.theory.using(problem.definitions), evaluation=evaluation)


def _nothing(problem: Problem, stop: threading.Event | None) -> TheoryEvaluation | None:
    """The figures of the empty theory: what is left of a learner whose theory is none."""
    try:
        evaluation: TheoryEvaluation = apart(_JUDGING, evaluate, problem, "", stop=stop)
    except HornbeamError:
        return None
    return evaluation


def judge_apart(case: Case, theory: Theory, stop: threading.Event | None = None) -> Verdict:
    """The verdict on a theory, in its own process; whatever goes wrong there is the verdict's reason."""
    try:
        verdict: Verdict = apart(_JUDGING, Case.verdict, case, theory, stop=stop)
    except HornbeamError as error:
        return Verdict.incomparable(str(error))
    return verdict


def _read(text: str) -> Theory:
    """The theory without an evaluation; an empty theory if its text is not valid Prolog."""
    try:
        return Theory.parse(text)
    except HornbeamError:
        return Theory(())


def _false_claim(run: _EndedRun, judged: TheoryEvaluation | None) -> str:
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
