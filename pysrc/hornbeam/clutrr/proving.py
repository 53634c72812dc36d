"""Labels, derived twice: by SWI-Prolog from the files that a dataset ships, and by clingo in two ways.

`prove` derives the answer of every sample of a shard in SWI-Prolog. `confirm_derivable` has clingo derive it again, as
the least model of the theory's rules (kb/clutrr/closure.lp). `entails` needs none of these rules: kb/clutrr/families.lp
says what a family is and what the kinship words mean. An answer is entailed when no family in which all facts hold
denies it or gives the two persons another relation.

Families are searched with the persons of the story and as many unnamed ones as the facts can call for: a fact such as
"uncle" speaks of a parent and of a grandparent. A nuclear family that refutes an answer stays one when all others are
left out, so there this search decides the question for families of every size. In blended families some words are
defined by what is not so, and the argument does not carry over: there the search is over families of that size.

>>> entails(("base",), KinStory((("parent", 0, 1), ("sibling", 1, 2)), (), 0, 2), "pibling")
True
>>> entails(("base",), KinStory((("child", 0, 1), ("grandparent", 1, 2)), (), 0, 2), "parent")
False
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from hornbeam import resources
from hornbeam.clutrr.knowledge import GENDERS, PREDICATES, KinTheory, Packs, load, side
from hornbeam.clutrr.puzzle import Puzzle
from hornbeam.data.prolog_files import Unproven, derived, in_process
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.logic.asp import Facts, engine

# Id, the two of the question, then two flat lists: word, person and other of each fact; name and gender of each person.
Story = list[Any]

_JUDGED = {"nuclear": 15, "blended": 4}  # facts of the longest stories that are judged before they leave


def prove(packs: Packs, samples: Sequence[Sample]) -> int:
    """The number of labels that are proven, which is all of them; Unproven for the first that is not."""
    for sample, words in zip(samples, derive(packs, [_story(sample) for sample in samples]), strict=True):
        if words != sample.label:
            raise Unproven(sample.id, str(sample.label), words)
    return len(samples)


def derive(packs: Packs, stories: Sequence[Story]) -> list[str | list[str]]:
    """The one word that follows from each story, or all that do where there are several or none. One call for all."""
    given = {"D": _dataset(packs), "_Stories": list(stories)}
    return derived("clutrr", "proven_answers(D, _Stories, Answers)", given)


@cache
def _dataset(packs: Packs) -> str:
    return in_process(side(packs), PREDICATES)


def _story(sample: Sample) -> Story:
    """What a sample says. Atoms cross to Prolog several times faster than text."""
    seen: Any = sample.input
    names = seen["names"]
    facts: list[str] = []
    for person, word, other in seen["edges"]:
        facts += (word, names[person], names[other])
    persons: list[str] = []
    for name, gender in zip(names, seen["genders"], strict=True):
        persons += (name, gender)
    return [sample.id, *(names[person] for person in seen["query"]), facts, persons]


# clingo derives the answers again ------------------------------------------------------------------------------------

RelationFact = tuple[str, int, int]  # relation, person, other
Asked = tuple[Sequence[RelationFact], int, int]  # facts, person, other


def answers(theory: KinTheory, stories: Sequence[Asked]) -> list[set[str]]:
    """All relations that clingo derives between the two persons of each story."""
    names = theory.names
    facts = (
        Facts.rows("fact", [(number, *fact) for number, (told, _, _) in enumerate(stories) for fact in told])
        | Facts.rows("asked", [(number, person, other) for number, (_, person, other) in enumerate(stories)])
        | Facts.rows("composes", [tuple(names[r] for r in (*pair, whole)) for pair, whole in theory.table.items()])
        | Facts.rows("inverse", [(names[relation], names[other]) for relation, other in enumerate(theory.inverses)])
    )
    control = engine.grounded(facts.source, files=[resources.kb("clutrr", "closure.lp")])
    relations: list[set[str]] = [set() for _ in stories]
    # Grounding alone has the least model; reading only the answers of it is what makes this fast.
    for atom in control.symbolic_atoms.by_signature("answer", 2):
        number, relation = atom.symbol.arguments
        relations[number.number].add(relation.name)
    return relations


def confirm_derivable(theory: KinTheory, puzzles: Sequence[Puzzle]) -> int:
    """The number of puzzles; HornbeamError if clingo does not derive an answer, or derives another one beside it.

    All facts are told, noise included. Stories that are equal but for who the persons are make one question.
    """
    questions: dict[Asked, str] = {}
    for puzzle in puzzles:
        number = {person: place for place, person in enumerate(puzzle.persons())}
        told = tuple((theory.names[r], number[person], number[other]) for r, person, other in puzzle.told())
        relation, person, other = puzzle.target
        question = (told, number[person], number[other])
        if questions.setdefault(question, theory.names[relation]) != theory.names[relation]:
            raise HornbeamError("two puzzles of the same facts have different answers")
    for (facts, _, _), answer, relations in zip(
        questions, questions.values(), answers(theory, [*questions]), strict=True
    ):
        if relations != {answer}:
            raise HornbeamError(f"clingo derives {sorted(relations)} from {facts}, not {answer} alone")
    return len(puzzles)


# clingo searches all families ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KinStory:
    """Facts over numbered persons, what is known of genders (0 man, 1 woman), and the two of the question."""

    facts: tuple[RelationFact, ...]
    genders: tuple[tuple[int, int], ...]
    person: int
    other: int


def confirm_first(theory: KinTheory, puzzles: Sequence[Puzzle]) -> int:
    """Let clingo judge the first puzzle of a shard over all families; the number that is judged.

    A puzzle of more than _JUDGED facts takes too long here; `hornbeam check` judges all.
    """
    first = puzzles[0]
    if len(first.facts) > _JUDGED["blended" if "blended" in theory.packs else "nuclear"]:
        return 0
    facts = tuple((theory.names[fact.relation], fact.person, fact.other) for fact in first.facts)
    story = KinStory(facts, (), first.target.person, first.target.other)
    if not entails(theory.packs, story, theory.names[first.target.relation]):
        raise HornbeamError(f"clingo has a family that denies the answer of a puzzle: {facts}")
    return 1


@lru_cache(maxsize=1 << 16)
def entails(packs: Packs, story: KinStory, answer: str, *, wide: bool = False) -> bool:
    """Whether some family has all facts of a story, and all such families have this answer and no other.

    Equal questions are asked once. With `wide` uncles, aunts, nephews and nieces may be such by marriage.
    """
    control = _judging(packs, replace(story, genders=()), wide)
    function, number = engine.Function, engine.Number
    genders = [(function("gender", [number(one), function(GENDERS[gender])]), True) for one, gender in story.genders]
    denied = (function("denies", [function(answer)]), True)
    if control.solve(assumptions=[*genders, denied]).satisfiable:
        return False
    return bool(control.solve(assumptions=genders).satisfiable)


@lru_cache(maxsize=8)
def _judging(packs: Packs, story: KinStory, wide: bool) -> engine.Control:
    """The families with the facts of a story, grounded once for all genders and answers that are asked about."""
    asked = f"asked({story.person},{story.other}). relation({';'.join(load(packs).names)})."
    return families_with(packs, story, asked, files=[str(resources.kb("clutrr", "denial.lp"))], wide=wide)


def families_with(
    packs: Packs,
    story: KinStory,
    condition: str = "",
    *,
    files: Sequence[str] = (),
    options: Sequence[str] = (),
    wide: bool = False,
) -> engine.Control:
    """clingo's search for families with the facts of a story in which `condition`, in clingo's syntax, holds.

    Args:
        packs: The packs of the theory.
        story: What is told.
        condition: Rules and constraints.
        files: Programs that `condition` needs.
        options: Of clingo's command line.
        wide: Whether uncles, aunts, nephews and nieces may be such by marriage.
    """
    program = _program(load(packs), story, wide) + condition
    return engine.grounded(program, files=[*programs(packs, "search", wide=wide), *files], options=options)


def programs(packs: Packs, source: str, *, wide: bool = False) -> list[str]:
    """The files that say what a family of these packs is, and where it comes from: "search", or "told"."""
    kinds = ["families", "blended" if "blended" in packs else "nuclear", "relations"]
    kinds += [pack for pack in packs if pack not in ("base", "blended")]
    kinds += [source] + ["wide"] * wide
    return [str(resources.kb("clutrr", f"{kind}.lp")) for kind in kinds]


def _program(theory: KinTheory, story: KinStory, wide: bool) -> str:
    steps = [(person, other, theory.generations[theory.id(relation)]) for relation, person, other in story.facts]
    generation = levels((story.person, story.other), steps)
    lines = [f"pair({x},{y}). :- not rel({relation},{x},{y})." for relation, x, y in story.facts]
    lines.append(f"pair({story.person},{story.other}).")
    lines += [f":- not gender({person},{GENDERS[gender]})." for person, gender in story.genders]
    unnamed = _unnamed(theory, story, generation, wide)
    lowest = min([*generation.values(), *unnamed])
    everyone = [*generation.items(), *((f"u({place})", step) for place, step in enumerate(unnamed))]
    lines += [f"person({person}). generation({person},{step - lowest})." for person, step in everyone]
    return "\n".join([*lines, ""])


def levels(persons: Iterable[int], steps: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """The level of each person, from steps (person, other, how much higher); parts that are apart start at 0 each.

    >>> levels([0, 5], [(0, 1, 2)])
    {0: 0, 1: 2, 5: 0}
    """
    links: dict[int, list[tuple[int, int]]] = {person: [] for person in persons}
    for person, other, step in steps:
        links.setdefault(person, []).append((other, step))
        links.setdefault(other, []).append((person, -step))
    known: dict[int, int] = {}
    for start in links:
        waiting = [(start, 0)]
        while waiting:
            person, level = waiting.pop()
            if person not in known:
                known[person] = level
                waiting += [(other, level + step) for other, step in links[person]]
    return known


def _unnamed(theory: KinTheory, story: KinStory, generation: dict[int, int], wide: bool) -> list[int]:
    """The generations of the unnamed persons that the facts, and any answer, can call for."""
    speaks_of = theory.witnesses[wide]
    wanted: Counter[int] = Counter()
    for relation, person, _ in story.facts:
        wanted.update(generation[person] + step for step in speaks_of[theory.id(relation)])
    asked: Counter[int] = Counter()
    apart = generation[story.other] - generation[story.person]
    for steps, step in zip(speaks_of, theory.generations, strict=True):
        if step == apart:
            asked |= Counter(steps)
    wanted.update(generation[story.person] + step for step in asked.elements())
    return sorted(wanted.elements())
