"""The kinship theory as tables, compiled from kb/clutrr through Prolog: no rule is written here.

Relations are small numbers, so that the generator can work with them fast.

>>> theory = load(("base",))
>>> theory.names[theory.compose(theory.id("parent"), theory.id("parent"))]
'grandparent'
>>> theory.word(theory.id("grandparent"), "female")
'grandmother'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, TypeAlias

from hornbeam import resources
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import PrologSide
from hornbeam.logic import Compound, Prolog
from hornbeam.logic.terms import Var
from hornbeam.tasks import network_files

Gender = Literal["male", "female"]
Expression: TypeAlias = "Walk | All | Except"
Packs = tuple[str, ...]

GENDERS: tuple[Gender, Gender] = ("male", "female")


@dataclass(frozen=True, slots=True)
class Walk:
    """Relations that are walked one after the other."""

    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class All:
    """Persons that each of the parts gives."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """Persons that `part` gives and none of the relations does."""

    part: Expression
    relations: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class KinTheory:
    """Relations, their words, inverses, meanings and compositions; `load` has one for each choice of packs."""

    packs: Packs
    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...]  # for a man, for a woman
    generations: tuple[int, ...]
    inverses: tuple[int, ...]
    meanings: tuple[tuple[Expression, ...], ...]
    rules: tuple[tuple[tuple[int, int], ...], ...]  # for each whole, the pairs that compose to it
    table: dict[tuple[int, int], int]
    # What each relation speaks of beside its two persons: generations of others, in the narrow and the wide reading.
    witnesses: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]

    def id(self, name: str) -> int:
        return self.names.index(name)

    def compose(self, first: int, second: int) -> int | None:
        """The one relation that the two compose to."""
        return self.table.get((first, second))

    def word(self, relation: int, gender: Gender) -> str:
        return self.words[relation][GENDERS.index(gender)]

    def of_word(self, word: str) -> tuple[int, tuple[Gender, ...]]:
        """The relation that a word names, and the genders of which it is said."""
        if word not in self._by_word:
            raise unknown_name("kinship word", word, set(self._by_word))
        return self._by_word[word]

    @cached_property
    def _by_word(self) -> dict[str, tuple[int, tuple[Gender, ...]]]:
        known: dict[str, tuple[int, tuple[Gender, ...]]] = {}
        for relation, pair in enumerate(self.words):
            for word in pair:
                genders = tuple(gender for gender, said in zip(GENDERS, pair, strict=True) if said == word)
                known.setdefault(word, (relation, genders))
        return known

    def relation(self, word: str) -> str:
        """The name of the relation that a word says."""
        return self.names[self.of_word(word)[0]]

    def labels(self) -> list[str]:
        """All words, each once, in the theory's order."""
        return list(dict.fromkeys(word for pair in self.words for word in pair))

    def wholes(self, length: int) -> set[int]:
        """The relations that some chain of `length` relations composes to."""
        reached: list[set[int]] = [set(), set(range(len(self.names)))]
        for size in range(2, length + 1):
            reached.append(
                {
                    whole
                    for (first, second), whole in self.table.items()
                    if any(first in reached[cut] and second in reached[size - cut] for cut in range(1, size))
                }
            )
        return reached[length]


def engine() -> Prolog:
    """SWI-Prolog with the theory and the reasoner over it."""
    prolog = Prolog()
    prolog.load(resources.prolog("clutrr", "kin.pl"))
    prolog.load(resources.prolog("clutrr", "theory.pl"))
    return prolog


def known_packs() -> list[str]:
    """The packs that kb/clutrr has."""
    answer = engine().once("known_packs(Packs)", module="clutrr_theory")
    assert answer is not None
    packs: Any = answer["Packs"]
    return list(packs)


@cache
def load(packs: Packs = ("base",)) -> KinTheory:
    """The theory of these packs."""
    refuse_packs(packs)
    return _compile(packs)


def refuse_packs(packs: Packs) -> None:
    """UsageError for packs that do not exist, or do not go together."""
    known = known_packs()
    for pack in packs:
        if pack not in known:
            raise unknown_name("kinship pack", pack, known)
    if "base" not in packs:
        raise UsageError("the packs must include 'base': the others build on it")
    if "blended" in packs and len(packs) > 2:
        raise UsageError("the pack 'blended' combines with 'base' only: other packs are proven for nuclear families")


def _compile(packs: Packs) -> KinTheory:
    relations = _ask("theory_relation(T, R, M, F, G)", "RMFG", packs)
    names = tuple(str(row[0]) for row in relations)
    number = {name: index for index, name in enumerate(names)}
    inverses = dict(_ask("theory_inverse(T, R, I)", "RI", packs))
    rules = _ask("theory_rule(T, R, S, W)", "RSW", packs)
    meanings: dict[str, list[Expression]] = {name: [] for name in names}
    for relation, expression in _ask("theory_meaning(T, R, E)", "RE", packs):
        meanings[relation].append(_expression(expression))
    table = {(number[first], number[second]): number[whole] for first, second, whole in rules}
    if len(table) != len(rules):
        raise AssertionError("kb/clutrr composes one pair of relations to two")
    return KinTheory(
        packs=packs,
        names=names,
        words=tuple((str(row[1]), str(row[2])) for row in relations),
        generations=tuple(int(row[3]) for row in relations),
        inverses=tuple(number[inverses[name]] for name in names),
        meanings=tuple(tuple(meanings[name]) for name in names),
        rules=tuple(
            tuple(sorted(pair for pair, whole in table.items() if whole == index)) for index in range(len(names))
        ),
        table=table,
        witnesses=(_witnesses(packs, "narrow", names), _witnesses(packs, "wide", names)),
    )


def _witnesses(packs: Packs, reading: str, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    goal = "theory_witnesses(T, M, R, S)"
    answers = engine().all(goal, given={"T": list(packs), "M": reading}, module="clutrr_theory")
    steps: Any = {answer["R"]: answer["S"] for answer in answers}
    return tuple(tuple(steps[name]) for name in names)


@cache
def links() -> dict[str, int]:
    """What a family itself says of two persons, and how many generations older the other is."""
    answers: list[Any] = engine().all("theory_link(L, G)", module="clutrr_theory")
    return {answer["L"]: answer["G"] for answer in answers}


def _ask(goal: str, variables: str, packs: Packs) -> list[tuple[Any, ...]]:
    answers = engine().all(goal, given={"T": list(packs)}, module="clutrr_theory")
    return [tuple(answer[name] for name in variables) for answer in answers]


def _expression(term: Any) -> Expression:
    if not isinstance(term, Compound):
        raise AssertionError(f"not a meaning: {term}")
    match term.functor, term.args:
        case "path", (relations,):
            return Walk(tuple(map(str, relations)))  # type: ignore[arg-type]
        case "all", (parts,):
            return All(tuple(map(_expression, parts)))  # type: ignore[arg-type]
        case "except", (part, relations):
            return Except(_expression(part), tuple(map(str, relations)))  # type: ignore[arg-type]
    raise AssertionError(f"not a meaning: {term}")


# The Prolog that a dataset ships ------------------------------------------------------------------------------------

PREDICATES = ("sample/5", "story/2", "fact/4", "noise/5", "person/3", "family/2")

QUERIES = (
    ("sample(Id, Task, test, Label, query(X, Y))", "the questions of the test stories, with their answers"),
    ("story(Id, Text), fact(Id, Word, X, Y)", "what a story says"),
    ("kin(Id, Word, X, Y)", "every relation that follows from a story"),
    ("sample(Id, _, test, _, _), true_answer(Id, Word)", "the answers that follow from the stories"),
    ("explain_kin(Id, X-Y)", "why a person is what they are to another, in English"),
    ("family_tree(Id)", "the family behind a story"),
    ("derives(theory, [parent,sibling], Whole)", "what a chain of relations composes to"),
)


def side(packs: Packs) -> PrologSide:
    """The files of a dataset whose theory has these packs."""
    goal = "theory_text(T, Theory), theory_clauses(T, Rules)"
    answer = engine().once(goal, given={"T": list(packs)}, module="clutrr_theory")
    assert answer is not None
    theory, rules = (str(getattr(answer[name], "value", answer[name])) for name in ("Theory", "Rules"))
    words = load(packs).labels()
    modules = {name: _text(name) for name in ("reasoning.pl", "english.pl", "network.pl")} | {"rules.pl": rules}
    modules |= network_files.modules()
    modules["relations.pl"] = network_files.relations_file(words, [(word,) for word in words], edge_goal)
    return PrologSide(theory, _text("background.pl"), QUERIES, modules, network_files.INCLUDED)


def edge_goal(story: Var, person: Var, words: Sequence[str], other: Var) -> Compound:
    """What the predicate of a word means: the story says so."""
    return Compound("fact", (story, words[0], person, other))


def _text(name: str) -> str:
    return resources.prolog("clutrr", name).read_text(encoding="utf-8")
