"""Learning from stories: a theory from what was read of the training stories, judged on what is read of the others.

The most probable reading of each training story is a network, and the learner gets all of them; it is told how many may
be misread. If it learned a table of compositions, training stories whose answer the table does not give are read
again: the first other reading that gives the answer is taken, and the learner learns once more. Other stories are
answered with all of their readings, each with its probability. Stories that cannot be read count as wrong.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from hornbeam.clutrr.learning import network
from hornbeam.data.sample import Json, Sample
from hornbeam.ilp.evaluation import Scores, answers_scores
from hornbeam.ilp.learned import Learned
from hornbeam.ilp.learner import Learner
from hornbeam.ilp.perceived import TRAIN, Sight, SightSettings
from hornbeam.ilp.runner import FINISHED, NO_THEORY, TIMEOUT, fit, judge_apart, problem_of
from hornbeam.networks.table import Table
from hornbeam.perception.stories.answering import answer_told
from hornbeam.tasks.problem import NETWORKS
from hornbeam.tasks.verdicts import Case

if TYPE_CHECKING:
    from hornbeam.perception.stories.answering import ToldAnswer

_DOUBTFUL = 0.1  # misread stories, by expectation, from which on a learner must tolerate errors
_JUDGED = (FINISHED, TIMEOUT, NO_THEORY)


def fit_told(
    sight: Sight,
    learner: Learner,
    given: SightSettings,
    *,
    making: threading.Lock | None = None,
    stop: threading.Event | None = None,
) -> Learned:
    """Learn a theory from what was read of stories; see the module.

    Args:
        sight: What was read.
        learner: A learner.
        given: Limits, options and settings.
        making: Held while a problem is made, if several threads learn.
        stop: Ends the learner when it is set.

    Returns:
        The theory with its scores, and the verdict on it; `perception` tells how many stories were unread.
    """
    wrong = math.ceil(sight.misread) if sight.misread >= _DOUBTFUL else 0
    settings = {**learner.tolerance(wrong), **given.settings}
    picked: dict[str, int] = {}
    left, rounds = given.timeout, 0
    while True:
        with making or nullcontext():
            problem = problem_of(sight.seen(picked), learner, task=sight.task, options=given.options)
        learned = fit(
            problem,
            learner,
            task=sight.task,
            timeout=max(0.1, left),
            memory=given.memory,
            settings=settings,
            curve=given.curve,
            trace=given.trace,
            keep_interrupted=given.keep_interrupted,
            stop=stop,
        )
        left -= learned.seconds
        tabled = learned.status in _JUDGED and problem.task.view == NETWORKS and len(learned.theory) > 0
        again = _again(sight, learned, picked) if tabled and rounds == 0 and left > given.timeout / 10 else {}
        if not again:
            break
        picked |= again
        rounds += 1
    if tabled:
        learned = _scored(sight, learned)
    return _told(sight, learned, given, rounds, len(picked), stop)


def _again(sight: Sight, learned: Learned, picked: Mapping[str, int]) -> dict[str, int]:
    """Training stories that the theory answers wrongly, with the reading that it answers rightly."""
    changed = {}
    table = Table.of(learned.theory)
    training = [one for one in sight.training if len(sight.readings[one.id].alternatives) > 1]
    for sample, answer in zip(training, answer_told(table, training, sight.readings), strict=True):
        assert answer is not None
        right = [number for number, relation in enumerate(answer.each) if relation == sample.label]
        if right and picked.get(sample.id, 0) not in right:
            changed[sample.id] = right[0]
    return changed


def _scored(sight: Sight, learned: Learned) -> Learned:
    """The figures of the theory with all readings of each story."""
    assert learned.evaluation is not None
    table = Table.of(learned.theory)
    splits: dict[str, list[Sample]] = {}
    for sample in sight.samples:
        splits.setdefault(sample.split, []).append(sample)
    scores = {split: _scores(samples, answer_told(table, samples, sight.readings)) for split, samples in splits.items()}
    train = scores.pop(TRAIN, learned.evaluation.train)
    return replace(learned, evaluation=replace(learned.evaluation, train=train, held=scores))


def _scores(samples: list[Sample], answers: list[ToldAnswer | None]) -> Scores:
    given = [None if one is None else (one.relation,) for one in answers]
    return answers_scores([network(sample) for sample in samples], given)


def _told(
    sight: Sight, learned: Learned, given: SightSettings, rounds: int, reread: int, stop: threading.Event | None
) -> Learned:
    """The result with what it was learned from, and the verdict."""
    unread = sight.unread()
    perception: dict[str, Json] = {
        "stories": len(sight.samples),
        "unread": sum(unread.values()),
        "unread_by_split": dict(unread),
        "expected_misread_in_training": round(sight.misread, 3),
        "rounds_of_reading_again": rounds,
        "read_again": reread,
    }
    learned = replace(learned, perception=perception)
    if given.fresh is None or learned.status not in _JUDGED:
        return learned
    case = Case.of(sight.dataset, sight.task, given.options, fresh=given.fresh)
    return replace(learned, verdict=judge_apart(case, learned.theory, stop))
