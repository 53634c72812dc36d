"""Verdicts on a rule while it is typed: a contained SWI-Prolog that keeps the samples of a task.

The predicates that are asked are those of the court (:mod:`hornbeam.tasks.courtroom`), so that the page, the command
and plain `swipl` say the same. The limits are narrower: a person waits for the answer, and a rule that loops on one
sample loops on most. So samples are asked in a mixed order, and asking stops when the patience is used up.

>>> with LiveJudge(ds, "ancestor") as judge:
...     judged = judge.judge("ancestor(Tree, X, Y) :- parent(Tree, X, Y).")
...     judge.judge("ancestor(Tree, X, Y) :- parnt(Tree, X, Y).").problem.message
'the theory calls parnt/3, which neither it nor the dataset defines; did you mean parent/3?'
>>> len(judged.answers) == judged.total, judged.problem
(True, None)
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hornbeam.data.sample import Sample
from hornbeam.errors import (
    HornbeamError,
    InferenceLimit,
    LimitExceeded,
    PrologError,
    StackLimit,
    UsageError,
)
from hornbeam.logic import Limits
from hornbeam.seeds import fast_rng
from hornbeam.studio.engine.places import ignored_directives, named_place, singletons
from hornbeam.studio.engine.verdicts import Answer, Judgement, Note, Problem
from hornbeam.tasks.court import Difference
from hornbeam.tasks.courtroom import UNDECIDED, Courtroom, said
from hornbeam.theory import Theory, read
from hornbeam.theory.theory import Indicator, atom_of, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

# Inferences for a sample; the court allows ten times as many.
INFERENCES = 500_000
# Seconds that a person waits for the answers of one edit.
PATIENCE = 2.5
MOST_TEXT = 200_000
_MEMORY = 1 << 30
# Seconds are a net below the inferences, for what Prolog does in C; a busy machine must not tear it.
_LIMITS = Limits(inferences=INFERENCES, seconds=5.0, together=12.0)
_FIRST = 24  # samples that show whether a rule loops
_AT_ONCE = 0.6  # seconds of one call

_CALLS = re.compile(r"\bcalls? (\S+)/(\d+)")


class LiveJudge:
    """Judges the text of a rule on the samples of a task, again and again. Any thread may call it.

    Args:
        dataset: The dataset.
        task: The task; None if all tasks share one theory.
        options: The options of the family's tasks, e.g. the encoding of the rule.

    Raises:
        UsageError: if the dataset has no such task, or its family no true theories.
    """

    def __init__(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> None:
        self.dataset, self.task, self.options = dataset, task, options
        self.court = dataset.family.court(dataset, task, options)
        self._room: Courtroom | None = None
        self._lock = threading.RLock()
        self._newest: dict[str, int] = {}
        self._tickets = 0

    def __enter__(self) -> LiveJudge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. The next text starts another."""
        with self._lock:
            room, self._room = self._room, None
            if room is not None:
                room.close()

    # The samples ------------------------------------------------------------------------------------------------------

    @cached_property
    def samples(self) -> dict[str, Sample]:
        """The samples of the task, by id, in the order of the dataset."""
        view = self.dataset.samples if self.task is None else self.dataset.task(self._dataset_task)
        return {sample.id: sample for sample in view}

    @property
    def _dataset_task(self) -> str:
        """RuDaS calls a task TASK:TARGET where one predicate is learned."""
        task = self.task or ""
        return task if task in self.dataset.tasks else task.rpartition(":")[0]

    @cached_property
    def _expected(self) -> dict[str, str]:
        room = self._open()
        return {name: said for name, said in room.expected().items() if name in self.samples}

    @cached_property
    def _order(self) -> list[str]:
        """All samples that can be judged, mixed: any first part of it tells of the whole."""
        names = list(self._expected)
        fast_rng(0, "studio", self.task or "").shuffle(names)
        return names

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {}

    def size(self, name: str) -> int:
        """The size of a sample, by which the smallest counterexample is found."""
        if name not in self._sizes:
            self._sizes[name] = self.court.size(self.samples[name])
        return self._sizes[name]

    # Judging ----------------------------------------------------------------------------------------------------------

    def judge(self, text: str, *, page: str = "", patience: float = PATIENCE) -> Judgement:
        """What a text says of the samples.

        Args:
            text: Rules, as Prolog text.
            page: Who asks. A newer text of the same page ends the judging of an older one.
            patience: Seconds after which no further samples are asked.

        Returns:
            The answers, or the problem with its place. Nothing is raised for a bad text.
        """
        self._tickets += 1
        ticket = self._newest[page] = self._tickets
        started = time.monotonic()
        with self._lock:
            if self._newest[page] != ticket:
                return Judgement(superseded=True)
            judged = self._judged(text, page, ticket, patience)
        return replace(judged, seconds=time.monotonic() - started)

    def _judged(self, text: str, page: str, ticket: int, patience: float) -> Judgement:
        problem = _too_long(text)
        if problem is not None:
            return Judgement(problem=problem)
        try:
            theory = read(text, dialect="prolog")
        except HornbeamError as error:
            return Judgement(problem=Problem("syntax", error.message, error.line, error.column))
        if not len(theory):
            return Judgement(problem=Problem("empty", "there is no rule yet"))
        notes = (*singletons(text, theory), *ignored_directives(theory))
        try:
            total = len(self._order)
            self._hear(self.court.defined_at_once(theory))
        except UsageError as error:
            return Judgement(problem=_rule_problem(text, theory, error), notes=notes)
        except LimitExceeded as error:
            return self._ended(error, notes)
        except HornbeamError as error:
            self.close()
            return Judgement(problem=Problem("dataset", error.message), notes=notes)
        if not total:
            return Judgement(problem=Problem("dataset", "the task has no samples that a rule can be judged on"))
        return self._asked(notes, page, ticket, patience)

    def _hear(self, theory: Theory) -> None:
        """Hearing runs nothing of the theory: a process that is gone by then died before, and is replaced."""
        try:
            self._open().hear(theory)
        except (PrologError, OSError, ValueError) as error:
            if isinstance(error, UsageError) and self._alive:
                raise
            self.close()
            self._open().hear(theory)

    @property
    def _alive(self) -> bool:
        return self._room is not None and self._room.alive

    def _asked(self, notes: tuple[Note, ...], page: str, ticket: int, patience: float) -> Judgement:
        """Ask in parts, as large as fit into the time; the first one shows how long a sample takes."""
        outcomes: dict[str, str | HornbeamError] = {}
        started, size = time.monotonic(), _FIRST
        try:
            while len(outcomes) < len(self._order):
                names = self._order[len(outcomes) : len(outcomes) + size]
                before = time.monotonic()
                outcomes.update(zip(names, self._open().outcomes(names), strict=True))
                now = time.monotonic()
                if self._newest[page] != ticket:
                    return Judgement(superseded=True)
                if now - started > patience:
                    break
                size = max(8, int(_AT_ONCE * len(names) / max(now - before, 1e-4)))
        except (LimitExceeded, PrologError) as error:
            return self._ended(error, notes)
        notes = (*notes, *_outcome_notes(outcomes, len(self._order)))
        return Judgement(self._answers(outcomes), len(self._order), None, notes)

    def _answers(self, outcomes: Mapping[str, str | HornbeamError]) -> tuple[Answer, ...]:
        expected, samples = self._expected, self.samples
        return tuple(
            Answer(name, samples[name].task, samples[name].split, expected[name], said(outcomes[name]))
            for name in samples
            if name in outcomes
        )

    def _ended(self, error: HornbeamError, notes: tuple[Note, ...]) -> Judgement:
        """The process was ended, or cannot be trusted any more; the next text gets a new one."""
        self.close()
        what = "memory" if isinstance(error, StackLimit) else "time"
        told = f"the rule used up its {what} and was ended: {error.message}"
        return Judgement(
            problem=Problem("limit", told if isinstance(error, LimitExceeded) else error.message), notes=notes
        )

    # Why --------------------------------------------------------------------------------------------------------------

    def smallest(self, answers: Sequence[Answer]) -> Answer | None:
        """The smallest of some samples."""
        return min(answers, key=lambda one: self.size(one.sample), default=None)

    def why(self, text: str, answer: Answer) -> str | None:
        """The literal of the rules that fails on a sample, or the rule that holds of it wrongly.

        Args:
            text: The rules that gave the answer.
            answer: The sample, what was expected and what the rules said.

        Returns:
            One line, or None if it cannot be told.
        """
        if answer.said == UNDECIDED:
            return "the rules meet a limit on this sample, or raise an error"
        with self._lock:
            try:
                theory = self.court.defined_at_once(read(text, dialect="prolog"))
                difference = Difference(self.samples[answer.sample], answer.expected, answer.said)
                return self.court.blame_in(self._open(), theory, difference)
            except LimitExceeded:
                self.close()
                return None
            except HornbeamError:
                return None

    def _open(self) -> Courtroom:
        if self._room is None:
            self._room = Courtroom(self.dataset, list(self.samples.values()), limits=_LIMITS, memory=_MEMORY)
        return self._room


def _too_long(text: str) -> Problem | None:
    if len(text) > MOST_TEXT:
        return Problem(
            "rule", f"the text has {len(text):,} characters; at most {MOST_TEXT:,} are judged while you type"
        )
    return None


def _rule_problem(text: str, theory: Theory, error: UsageError) -> Problem:
    """A rule that cannot be run, at the place of the call that it names."""
    message, called = error.message, _called(error.message)
    if "sandbox" in message.lower():
        called = _refused_call(theory, message)
        message = (
            f"a rule may not call {called[0]}/{called[1]}: rules are run in a sandbox, which lets them compute only"
            if called
            else message.partition("Reachable from")[0].replace("\n", " ").strip()
        )
    place = named_place(text, theory, called, error.line) if called else None
    line, column, length = place or (error.line, None, 0)
    return Problem("rule", message, line, column, length)


def _called(message: str) -> Indicator | None:
    """The predicate that a message names."""
    found = _CALLS.search(message)
    return (found[1], int(found[2])) if found else None


def _refused_call(theory: Theory, message: str) -> Indicator | None:
    """The call of the theory through which the sandbox found what it refuses: it lists the calls on the way."""
    named = set(re.findall(r"([a-z]\w*)'?(?=[(,\s'])", message))
    bodies = (literal for one in theory.statements for literal in one.clause.body)
    called = (indicator(atom_of(literal)) for literal in bodies)
    return next((one for one in called if one[0] in named and one not in theory.defines), None)


def _outcome_notes(outcomes: Mapping[str, str | HornbeamError], total: int) -> list[Note]:
    notes = []
    errors = [one for one in outcomes.values() if isinstance(one, HornbeamError)]
    limits = Counter(_limit(one) for one in errors if isinstance(one, LimitExceeded))
    raised = [one.message.splitlines()[0][:160] for one in errors if not isinstance(one, LimitExceeded)]
    for what, count in limits.most_common():
        notes.append(Note(f"on {count:,} samples the rules need more than {what}; that counts as wrong"))
    if raised:
        told = f"on {len(raised):,} samples the rules raise an error; that counts as wrong. The first: {raised[0]}"
        notes.append(Note(told))
    if len(outcomes) < total:
        notes.append(Note(f"only {len(outcomes):,} of {total:,} samples were asked in the time that an edit has"))
    return notes


def _limit(error: LimitExceeded) -> str:
    if isinstance(error, InferenceLimit):
        return f"{INFERENCES:,} inferences"
    return f"{_MEMORY >> 20} MB of memory" if isinstance(error, StackLimit) else f"{_LIMITS.seconds:g} s"
