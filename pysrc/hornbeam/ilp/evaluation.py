"""Evaluates the theories of all learners on held-out examples, facts or networks.

The learner's own scores are ignored: examples are asked in a contained Prolog, facts are derived by clingo, networks
are answered by the reasoner over the theory's composition rules.
"""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from hornbeam.data.sample import Json
from hornbeam.errors import HornbeamError
from hornbeam.networks import reasoning
from hornbeam.networks.network import Network
from hornbeam.tasks.problem import ExampleTask, FactTask, Held, NetworkTask, Problem
from hornbeam.theory import Bench, Judgement, Theory, compare, fact_scores, herbrand_model, rule_scores
from hornbeam.theory.distance import canonical
from hornbeam.theory.weights import average_precision, degrees, is_weighted

TRAIN = "train"
_MOST_CURVE = 40  # points of a curve that are judged
_MOST_RULES = 400  # beyond them the distance of theories is not worth its time


@dataclass(frozen=True, slots=True)
class Scores:
    """A theory on one split. `balanced` is the mean of the accuracies of the classes."""

    accuracy: float
    balanced: float
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    details: Mapping[str, Json] = field(default_factory=dict)  # counts; the view's own figures

    @property
    def headline(self) -> float:
        """The figure that curves are drawn of: accuracy, or of facts the H-score, for nearly all atoms are false."""
        score = self.details.get("h_score")
        return score if isinstance(score, float) else self.accuracy

    def to_json(self) -> dict[str, Json]:
        return {
            "accuracy": self.accuracy,
            "balanced_accuracy": self.balanced,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            **self.details,
        }


@dataclass(frozen=True, slots=True)
class Against:
    """The clauses of a theory compared with those of the true one; equivalence is left to the verdict."""

    exact: bool  # the same clauses, but for names of variables and order
    clause_ratio: float | None
    literal_ratio: float | None
    r_score: float | None

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TheoryEvaluation:
    """All figures of one theory."""

    theory: Theory
    train: Scores | None
    held: Mapping[str, Scores | None]  # by split
    against: Against | None  # None if the truth cannot be said in the language of the task
    unknown: tuple[str, ...] = ()  # undefined predicates that the theory calls
    curve: tuple[float | None, ...] = ()  # headline figures on the test split of the theories before it

    @property
    def test(self) -> Scores | None:
        return self.held.get("test")


def evaluate(problem: Problem, theory: Theory | str, before: Sequence[str] = ()) -> TheoryEvaluation:
    """Score a theory on the training examples and on each held-out split, and compare its clauses with the true ones.

    `before` are texts of earlier theories: the headline figure of each on the test split goes into `curve`.
    """
    read = Theory.parse(theory) if isinstance(theory, str) else theory
    with _judge(problem) as judge:
        return TheoryEvaluation(
            theory=read,
            train=judge.on(TRAIN, read),
            held={split: judge.on(split, read) for split in problem.held},
            against=_against(problem.truth, read) if problem.truth is not None else None,
            unknown=judge.unknown(read),
            curve=tuple(_curve(judge, before)),
        )


def _curve(judge: _Judge, before: Sequence[str]) -> Iterable[float | None]:
    """Of many theories an even choice is judged; the others are None."""
    step = max(1.0, len(before) / _MOST_CURVE)
    chosen = {0, *(len(before) - 1 - int(n * step) for n in range(_MOST_CURVE))}
    for number, text in enumerate(before):
        figure = None
        if number in chosen and "test" in judge.problem.held:
            with contextlib.suppress(HornbeamError):
                scores = judge.on("test", Theory.parse(text))
                figure = scores.headline if scores else None
        yield figure


# The truth ------------------------------------------------------------------------------------------------------------


def _against(truth: Theory, theory: Theory) -> Against:
    few = max(len(truth), len(theory)) <= _MOST_RULES
    rules = rule_scores(truth, theory) if few else None
    variants = Counter(map(canonical, truth.clauses)) == Counter(map(canonical, theory.clauses))
    alike = rules is not None and len(truth) == len(theory) and rules.r_score == rules.r_precision == 1.0
    return Against(
        exact=variants or alike,
        clause_ratio=len(theory) / len(truth) if len(truth) else None,
        literal_ratio=theory.literals / truth.literals if truth.literals else None,
        r_score=rules.r_score if rules else None,
    )


# The three views ------------------------------------------------------------------------------------------------------


class _Judge(contextlib.ExitStack, ABC):
    """Judges theories of one problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem
        self._scores: dict[tuple[str, str], Scores | None] = {}

    def on(self, split: str, theory: Theory) -> Scores | None:
        """The figures of a theory, computed once; None if the split has none in this view."""
        key = (split, str(theory))
        if key not in self._scores:
            self._scores[key] = self._score(split, theory)
        return self._scores[key]

    @abstractmethod
    def _score(self, split: str, theory: Theory) -> Scores | None: ...

    def unknown(self, theory: Theory) -> tuple[str, ...]:
        return ()


def _judge(problem: Problem) -> _Judge:
    task = problem.task
    if isinstance(task, ExampleTask):
        return _OnExamples(problem, task)
    return _OnFacts(problem) if isinstance(task, FactTask) else _OnNetworks(problem, task)


class _OnExamples(_Judge):
    """Examples asked in contained Prologs, one for each background."""

    def __init__(self, problem: Problem, task: ExampleTask) -> None:
        super().__init__(problem)
        self._task = task
        self._benches: dict[str, Bench] = {}
        self._judged: dict[tuple[str, str], Judgement] = {}

    def _score(self, split: str, theory: Theory) -> Scores:
        return _binary(self._asked(split, theory), self._examples(split))

    def unknown(self, theory: Theory) -> tuple[str, ...]:
        return tuple(f"{name}/{arity}" for name, arity in self._asked(TRAIN, theory).unknown)

    def _examples(self, split: str) -> Held:
        task = self._task
        return Held(task.positive, task.negative, task.background) if split == TRAIN else self.problem.held[split]

    def _asked(self, split: str, theory: Theory) -> Judgement:
        key = (split, str(theory))
        if key not in self._judged:
            held = self._examples(split)
            background = held.background or self._task.background
            if background not in self._benches:
                self._benches[background] = self.enter_context(Bench(background))
            self._judged[key] = self._benches[background].judge(theory, [*held.positive, *held.negative])
        return self._judged[key]


def _binary(judged: Judgement, held: Held) -> Scores:
    """The figures of examples; one that could not be read counts as wrong."""
    positives, negatives = held.unread
    labels = [number < len(held.positive) for number in range(len(judged.outcomes))]
    with_unread = Judgement((*judged.outcomes, *[False] * positives, *[True] * negatives))
    counts = with_unread.against([*labels, *[True] * positives, *[False] * negatives])
    pairs = [(counts[right], counts[wrong]) for right, wrong in (("tp", "fn"), ("tn", "fp"))]
    classes = [right / (right + wrong) for right, wrong in pairs if right + wrong]
    balanced = sum(classes) / len(classes) if classes else 1.0
    details: dict[str, Json] = {name: int(counts[name]) for name in ("tp", "fp", "fn", "tn", "undecided")}
    if positives + negatives:
        details["unread"] = positives + negatives
    return Scores(counts["accuracy"], balanced, counts["precision"], counts["recall"], counts["f1"], details)


class _OnFacts(_Judge):
    """What follows from facts, against what should; of a theory with weights also as a weighted judge sees it."""

    def _score(self, split: str, theory: Theory) -> Scores | None:
        if split == TRAIN:
            return None
        held, truth = self.problem.held[split], self.problem.truth
        if truth is None:
            return _retrieval(held, theory)
        scores = fact_scores(compare(truth, theory, held.support, samples=0, effects=False))
        details = {name: value for name, value in asdict(scores).items() if name not in _COMMON}
        if is_weighted(theory):
            expected = set(herbrand_model(truth, held.support)) - set(held.support)
            details["average_precision"] = average_precision(degrees(theory, held.support), expected)
        balanced = (scores.recall + scores.tn / max(1, scores.tn + scores.fp)) / 2
        return Scores(scores.accuracy, balanced, scores.precision, scores.recall, scores.f1, details)


_COMMON = frozenset({"accuracy", "precision", "recall", "f1"})


def _retrieval(held: Held, theory: Theory) -> Scores:
    """Where the truth is not known: the facts that follow against those that are known to be right."""
    derived = set(herbrand_model(theory, held.support)) - set(held.support)
    expected = set(held.expected) - set(held.support)
    right = len(derived & expected)
    wrong, missing = len(derived) - right, len(expected) - right
    either = right + wrong + missing
    score = right / either if either else 1.0
    precision = right / len(derived) if derived else float(not expected)
    recall = right / len(expected) if expected else 1.0
    f1 = 2 * right / (2 * right + wrong + missing) if either else 1.0
    details: dict[str, Json] = {"tp": right, "fp": wrong, "fn": missing, "h_score": score}
    return Scores(score, recall, precision, recall, f1, details)


class _OnNetworks(_Judge):
    """Networks answered by reasoning with the theory's composition rules."""

    def __init__(self, problem: Problem, task: NetworkTask) -> None:
        super().__init__(problem)
        self._task = task

    def _score(self, split: str, theory: Theory) -> Scores:
        networks = self._task.networks if split == TRAIN else self.problem.held[split].networks
        # An empty answer says that a network contradicts itself; a theory without clauses says nothing at all.
        answers = reasoning.answers(theory, networks) if len(theory) else [None] * len(networks)
        return answers_scores(networks, answers)


def answers_scores(networks: Sequence[Network], answers: Sequence[tuple[str, ...] | None]) -> Scores:
    """The figures of answers to networks; None is an answer that was not given."""
    right = [
        answer is not None and sorted(network.answer) == sorted(answer)
        for network, answer in zip(networks, answers, strict=True)
    ]
    groups: dict[str, list[bool]] = defaultdict(list)
    classes: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    for network, correct in zip(networks, right, strict=True):
        classes[tuple(sorted(network.answer))].append(correct)
        if network.group:
            groups[", ".join(f"{name}={_plain(value)}" for name, value in network.group.items())].append(correct)
    by_group: dict[str, Json] = {
        name: {"accuracy": _mean(group), "count": len(group)} for name, group in sorted(groups.items())
    }
    return Scores(
        accuracy=_mean(right),
        balanced=sum(map(_mean, classes.values())) / len(classes) if classes else 1.0,
        details={"correct": sum(right), "networks": len(right), "by_group": by_group},
    )


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 1.0
