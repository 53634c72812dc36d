"""RuDaS: the rules and facts of a world, and the question whether another fact follows.

Facts that follow are samples of the dataset. Facts that do not follow are drawn: they have the predicate of a sample
and constants of the world, and are not in the closure, which the dataset has in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.language.item import LABEL
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.language.prompts.telling import Question, Teller, Told
from hornbeam.logic.terms import Clause, Compound, Term, quote, to_text
from hornbeam.rudas.record import TaskTheory, fact_row, theories
from hornbeam.seeds import fast_rng

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FOLLOWS, NOT = "yes", "no"
_MOST_FACTS = 2000
_DRAWS = 200

Row = tuple[str, ...]


@dataclass(frozen=True)
class World:
    """The facts that hold in a world, and those that its rules start from."""

    support: tuple[Row, ...]
    closure: frozenset[Row]
    derived: tuple[tuple[Sample, Row], ...]

    @cached_property
    def constants(self) -> list[str]:
        """All constants of the world."""
        return sorted({constant for row in self.closure for constant in row[1:]})

    @cached_property
    def facts(self) -> list[str]:
        """The facts that the rules start from, in the words of the dataset."""
        return [_text(row, {}, {}) for row in self.support]


class RudasTeller(Teller):
    """A world is the train or the test part of a task."""

    def __init__(self, dataset: Dataset, settings: PromptSettings) -> None:
        super().__init__(dataset, settings)
        self._theories: dict[str, TaskTheory] = theories(dataset)
        self._worlds: dict[tuple[str, bool], World] = {}
        self._names: dict[str, list[str]] = {}
        self._rules: dict[str, Mapping[str, Any]] = {}

    def questions(self) -> Iterable[Question]:
        """Each derived fact, and beside it one that does not follow."""
        for task in self.dataset.tasks:
            for fresh in (False, True):
                yield from self._questions(task, fresh)

    def _questions(self, task: str, fresh: bool) -> Iterator[Question]:
        world = self.world(task, fresh)
        constants = world.constants
        for sample, row in world.derived:
            proof: Any = sample.proof
            steps = int(proof.get("depth", 0))
            yield Question(task, sample.split, sample.id, FOLLOWS, steps, sample, {"fact": row, "fresh": fresh})
            other = self._false(world, row, constants, sample.id)
            if other is not None:
                more = {"fact": other, "fresh": fresh}
                yield Question(task, sample.split, f"{sample.id}/not", NOT, steps, None, more)

    def _false(self, world: World, row: Row, constants: Sequence[str], key: str) -> Row | None:
        """A fact of the same predicate that does not hold; they share a constant if that is possible."""
        rng = fast_rng(self.settings.seed, "language", "false", key)
        for _ in range(_DRAWS):
            place = rng.randrange(1, len(row)) if len(row) > 2 else 1
            other = tuple(rng.choice(constants) if number == place else part for number, part in enumerate(row))
            if other not in world.closure:
                return other
        return None

    def world(self, task: str, fresh: bool) -> World:
        """One of the two worlds of a task."""
        key = (task, fresh)
        if key not in self._worlds:
            samples = [sample for sample in self.dataset.task(task) if (sample.split == "test") is fresh]
            rows = {sample.id: fact_row(sample) for sample in samples}
            support = tuple(rows[one.id] for one in samples if one.label in ("support", "missing"))
            if len(support) > _MOST_FACTS:
                said = (
                    f"the task {task} has {len(support)} facts, and a prompt at most {_MOST_FACTS}: use a smaller size"
                )
                raise UsageError(said, file=str(self.dataset.path))
            derived = tuple((one, rows[one.id]) for one in samples if one.label in ("consequence", "removed"))
            closure = frozenset(rows[one.id] for one in samples if one.label != "noise")
            self._worlds[key] = World(support, closure, derived)
        return self._worlds[key]

    def words(self, task: str) -> Sequence[str]:
        if task not in self._names:
            self._names[task] = self._words(task)
        return self._names[task]

    def _words(self, task: str) -> list[str]:
        names = {row[0] for fresh in (False, True) for row in self.world(task, fresh).closure}
        for clause in self._theories[task].clauses:
            names |= {term.functor for term in (clause.head, *clause.body) if isinstance(term, Compound)}
        return sorted(names - {"\\+"})

    def tell(self, question: Question, rng: Random, vocabulary: Mapping[str, str]) -> Told:
        world = self.world(question.task, question.more["fresh"])
        constants = world.constants
        if self.settings.style == "symbols":
            numbers = rng.sample(range(1, 2 * len(constants) + 10), len(constants))
            names = {constant: f"e{number}" for constant, number in zip(constants, numbers, strict=True)}
            facts = [_text(row, names, vocabulary) for row in world.support]
        else:
            names = {}
            facts = list(world.facts)
        rng.shuffle(facts)
        values = {"facts": facts, "fact": _text(question.more["fact"], names, vocabulary)}
        renamed = {vocabulary[word]: word for word in self.words(question.task) if vocabulary[word] != word}
        return Told(values, (FOLLOWS, NOT), question.label, LABEL, renamed, entities=names)

    def rules(self, task: str, vocabulary: Mapping[str, str]) -> Mapping[str, Any]:
        if self.settings.style == "symbols":
            return self._stated(task, vocabulary)
        if task not in self._rules:
            self._rules[task] = self._stated(task, vocabulary)
        return self._rules[task]

    def _stated(self, task: str, vocabulary: Mapping[str, str]) -> Mapping[str, Any]:
        theory = self._theories[task]
        clauses = [to_text(_renamed(clause, vocabulary)) + "." for clause in theory.clauses]
        return {"clauses": clauses, "properties": [(kind, vocabulary[name]) for kind, name in theory.properties]}


def _text(row: Row, names: Mapping[str, str], vocabulary: Mapping[str, str]) -> str:
    """A fact in Prolog; what is not renamed keeps its name."""
    predicate, *constants = row
    arguments = ",".join([quote(names.get(constant, constant)) for constant in constants])
    return f"{quote(vocabulary.get(predicate, predicate).lower())}({arguments})"


def _renamed(clause: Clause, vocabulary: Mapping[str, str]) -> Clause:
    def other(term: Term) -> Term:
        if not isinstance(term, Compound):
            return term
        if term.functor == "\\+":
            return Compound("\\+", tuple(other(part) for part in term.args))
        return Compound(vocabulary[term.functor].lower(), term.args)

    return Clause(other(clause.head), tuple(other(goal) for goal in clause.body))
