"""How the networks of the reader learn: each without some of the forms, which tell how sure to be of new ones.

A *form* is a passage without its persons and pronouns. Each network is trained without one fold of the forms; on these
it shows how often it takes the wrong pair of persons, and how often the right pair the wrong way round, in a passage of
a form that it never saw. The reader's probability is the mean of the networks', mixed with these two shares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hornbeam.neural.learner import Rows
from hornbeam.neural.perceiver.training import DrawnLearner, TrainingPlan, seeded, train_network
from hornbeam.neural.processes import threads
from hornbeam.neural.reader.clues import ASKED, OTHER, Clue, Couple, Lesson, Marks, varied
from hornbeam.neural.reader.network import CoupleNetwork, batch_of, place_of, vocabulary_of
from hornbeam.perception.stories.passages import personal_pronouns
from hornbeam.progress import Progress, no_progress
from hornbeam.seeds import fast_rng

_BATCH = 32
_TOGETHER = 256  # clues of one forward pass


class LessonLearner(DrawnLearner):
    """A network on lessons, each told in another way each time."""

    def __init__(self, module: CoupleNetwork, lessons: Sequence[Lesson], seed: int) -> None:
        super().__init__(module, seed)
        self._lessons = lessons

    def losses(self, rows: Rows) -> Tensor:
        drawn = [self._drawn(row) for row in rows.tolist()]
        network: Any = self.module
        scores = network(batch_of([one.marks for one in drawn], network.vocabulary))
        right = torch.zeros_like(scores)
        for number, one in enumerate(drawn):
            for couple, share in one.targets:
                right[number, place_of(couple)] = share
        loss: Tensor = -(right * scores).sum(1)
        return loss

    def _drawn(self, row: int) -> Lesson:
        rng = fast_rng(self.seed, "lesson", row)
        return varied(rng.choice(self._lessons), rng.choice(self._lessons), rng)


@dataclass(frozen=True)
class Ensemble:
    """The trained networks; `reversed_share` and `other_share` are what they got wrong of forms that they never saw."""

    networks: Sequence[CoupleNetwork]
    reversed_share: float
    other_share: float

    def couples(self, clues: Sequence[Clue]) -> list[dict[Couple, float]]:
        """For each clue the probability of each pair of persons."""
        known: dict[Marks, dict[Couple, float]] = {}
        fresh = list({clue.marks: clue for clue in clues if clue.persons > 1}.values())
        for start in range(0, len(fresh), _TOGETHER):
            some = fresh[start : start + _TOGETHER]
            for clue, row in zip(some, self._mean([clue.marks for clue in some]), strict=True):
                known[clue.marks] = self._mixed(clue, row)
        return [dict(known.get(clue.marks, {})) for clue in clues]

    def _mean(self, passages: Sequence[Marks]) -> list[list[float]]:
        with threads(1), torch.inference_mode():
            each = [network(batch_of(passages, network.vocabulary)).exp() for network in self.networks]
            rows: list[list[float]] = torch.stack(each).mean(0).tolist()
        return rows

    def _mixed(self, clue: Clue, row: Sequence[float]) -> dict[Couple, float]:
        plain = {couple: row[place_of(couple)] for couple in clue.couples()}
        kept = 1 - self.reversed_share - self.other_share
        return {
            (one, two): kept * chance + self.reversed_share * plain[two, one] + self.other_share / len(plain)
            for (one, two), chance in plain.items()
        }


@dataclass(frozen=True)
class Course:
    """What decides how the networks are trained."""

    folder: Path
    identity: Mapping[str, Any]
    seed: int
    steps: int
    networks: int
    progress: Progress = no_progress


def trained(lessons: Sequence[Lesson], course: Course) -> Ensemble:
    """Train the networks, or load them if they are in the folder."""
    distinct = sorted(set(lessons), key=repr)
    folds = _folds(distinct, course)
    vocabulary = vocabulary_of(one.marks for one in distinct)
    networks, wrong = [], [0.0, 0.0, 0.0]
    total = course.steps * course.networks
    for number in range(course.networks):
        seeded(course.seed, "reader", str(number))
        network = CoupleNetwork(vocabulary)
        before = number * course.steps
        plan = TrainingPlan(
            course.folder / f"network-{number}",
            {**course.identity, "network": number, "networks": course.networks},
            course.seed,
            course.steps,
            batch=_BATCH,
            lr=4e-3,
            weight_decay=1e-2,
            progress=lambda done, _, before=before: course.progress(before + done, total),  # type: ignore[misc]
        )
        kept = [one for one, fold in zip(distinct, folds, strict=True) if fold != number] or distinct
        with threads(1):  # for matrices as small as these, more threads only wait for each other
            train_network(LessonLearner(network, kept, course.seed + number), plan)
        networks.append(network)
        unseen = [one for one, fold in zip(distinct, folds, strict=True) if fold == number]
        wrong = [a + b for a, b in zip(wrong, _wrong(network, unseen), strict=True)]
    seen = wrong[0]
    return Ensemble(networks, (wrong[1] + 1) / (seen + 4), (wrong[2] + 1) / (seen + 4))


def _folds(lessons: Sequence[Lesson], course: Course) -> list[int]:
    """The network that is trained without each lesson; lessons of one form go together."""
    forms = sorted({_form(one.marks) for one in lessons})
    fast_rng(course.seed, "folds").shuffle(forms)
    fold = {form: number % course.networks for number, form in enumerate(forms)}
    # A single network learns from everything.
    return [fold[_form(one.marks)] if course.networks > 1 else -1 for one in lessons]


def _form(marks: Marks) -> tuple[str, ...]:
    hidden = {*personal_pronouns(), ASKED, OTHER}
    return tuple(mark for mark in marks if isinstance(mark, str) and mark not in hidden)


def _wrong(network: CoupleNetwork, lessons: Sequence[Lesson]) -> tuple[float, float, float]:
    """How many lessons there are, how many are read the wrong way round, and how many are wrong otherwise."""
    turned = other = 0.0
    for start in range(0, len(lessons), _TOGETHER):
        some = lessons[start : start + _TOGETHER]
        with torch.inference_mode():
            rows = network(batch_of([one.marks for one in some], network.vocabulary)).exp().tolist()
        for one, row in zip(some, rows, strict=True):
            couple = max(one.targets, key=lambda target: target[1])[0]
            right, reverse = row[place_of(couple)], row[place_of((couple[1], couple[0]))]
            turned += reverse
            other += max(0.0, 1 - right - reverse)
    return float(len(lessons)), turned, other
