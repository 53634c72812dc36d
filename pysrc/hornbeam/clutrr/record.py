"""A puzzle as a sample of a dataset, and back to what can be asked about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from hornbeam.clutrr.families import NOBODY
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.clutrr.render import Told
from hornbeam.clutrr.theory import Theory
from hornbeam.data.sample import Json, Sample
from hornbeam.logic import quote

GENDERS = ("male", "female")
Named = tuple[str, str, str]  # word, person, other


@dataclass(frozen=True, slots=True)
class Member:
    """A person of a family, with the numbers of their kin in it, or NOBODY."""

    name: str
    gender: int
    father: int
    mother: int
    spouse: int


@dataclass(frozen=True)
class Record:
    """What a sample says, typed. Story facts come first in `facts`, noise after them."""

    sample: Sample
    names: list[str]  # by node
    genders: list[str]
    facts: list[Named]
    length: int  # of the story without noise
    query: tuple[str, str]
    noise: dict[str, int]
    family_line: str
    nodes: list[int]  # the family's number of each node

    @classmethod
    def of(cls, sample: Sample) -> Record:
        seen: Any = sample.input
        known: Any = sample.symbolic
        names = seen["names"]
        facts = [(word, names[person], names[other]) for person, word, other in seen["edges"]]
        first, second = seen["query"]
        return cls(
            sample=sample,
            names=names,
            genders=seen["genders"],
            facts=facts,
            length=known["k"],
            query=(names[first], names[second]),
            noise=known["noise"],
            family_line=known["family"],
            nodes=known["nodes"],
        )

    @cached_property
    def family(self) -> list[Member]:
        return parse_family(self.family_line)

    @property
    def story_facts(self) -> list[Named]:
        return self.facts[: self.length]

    @property
    def proof(self) -> list[list[Named]]:
        proof: Any = self.sample.proof
        return [[(word, person, other) for person, word, other in step] for step in proof["steps"]]


def family_text(members: Sequence[Member]) -> str:
    """A family in one short line: name, gender, father, mother and spouse of each."""
    return ";".join(f"{m.name} {'mf'[m.gender]} {m.father} {m.mother} {m.spouse}" for m in members)


def parse_family(text: str) -> list[Member]:
    """The family that `family_text` wrote; an empty text is an unknown family.

    >>> parse_family("Mary Ann f -1 -1 1;Bob m -1 -1 0")[0].name
    'Mary Ann'
    """
    rows = [row.rsplit(" ", 4) for row in text.split(";")] if text else []
    return [Member(row[0], "mf".index(row[1]), int(row[2]), int(row[3]), int(row[4])) for row in rows]


def members(puzzle: Puzzle, names: Mapping[int, str]) -> list[Member]:
    """A puzzle's family with its names."""
    tree = puzzle.tree
    rows = zip(tree.gender, tree.father, tree.mother, tree.spouse, strict=True)
    return [Member(names[person], int(gender), *kin) for person, (gender, *kin) in enumerate(rows)]


def make_sample(
    theory: Theory,
    puzzle: Puzzle,
    *,
    place: tuple[str, str, str],  # id, task, split
    names: Mapping[int, str],
    told: Told,
    question: str,
    node_rng: Random | None,
) -> Sample:
    """The sample of a puzzle; with `node_rng` the numbers of its nodes are shuffled."""
    gender = puzzle.tree.gender
    words = theory.words
    people = puzzle.persons()
    if node_rng is not None:
        node_rng.shuffle(people)
    node = {person: number for number, person in enumerate(people)}
    facts = [*puzzle.facts, *(fact for noise in puzzle.noise for fact in noise.facts)]
    types = [words[fact.relation][gender[fact.other]] for fact in facts]
    target = puzzle.target
    label = words[target.relation][gender[target.other]]

    def said(fact: Fact) -> list[Json]:
        return [names[fact.person], words[fact.relation][gender[fact.other]], names[fact.other]]

    length = len(puzzle.facts)
    return Sample(
        id=place[0],
        task=place[1],
        split=place[2],
        label=label,
        input={
            "story": told.story,
            "question": question,
            "names": [names[person] for person in people],
            "genders": [GENDERS[gender[person]] for person in people],
            "edges": [[node[fact.person], word, node[fact.other]] for fact, word in zip(facts, types, strict=True)],
            "query": [node[target.person], node[target.other]],
        },
        symbolic={
            "clause": clause_text(label, types[:length]),
            "pattern": "-".join(types[:length]),
            "k": length,
            "hops": length,
            "noise": {noise.kind: len(noise.facts) for noise in puzzle.noise},
            "clean_story": told.clean,
            "phrasings": list(told.phrasings),
            "nodes": list(people),
            "family": family_text(members(puzzle, names)),
        },
        proof={"steps": [[said(step.whole), said(step.first), said(step.second)] for step in puzzle.proof]},
    )


def clause_text(label: str, words: Sequence[str]) -> str:
    """A clause in Prolog.

    >>> clause_text("grandfather", ["mother", "father"])
    'grandfather(A,C) :- mother(A,B), father(B,C).'
    """
    variables = [chr(ord("A") + place) if place < 26 else f"A{place}" for place in range(len(words) + 1)]
    body = ", ".join(f"{quote(word)}({variables[i]},{variables[i + 1]})" for i, word in enumerate(words))
    return f"{quote(label)}({variables[0]},{variables[-1]}) :- {body}."


def member_term(member: Member, family: Sequence[Member]) -> str:
    """A person of a family as a Prolog term."""
    kin = (member.father, member.mother, member.spouse)
    others = ",".join(atom(family[other].name) if other != NOBODY else "-" for other in kin)
    return f"person({atom(member.name)},{GENDERS[member.gender]},{others})"


@lru_cache(maxsize=10_000)
def atom(name: str) -> str:
    """A name as a Prolog atom; the same few hundred come again and again."""
    return quote(name)
