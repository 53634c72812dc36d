"""The content of a sample: written from a puzzle, read as a `Record`, and converted to Prolog facts and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from hornbeam.clutrr.kin import NOBODY
from hornbeam.clutrr.knowledge import GENDERS, KinTheory, load
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.clutrr.story import Told
from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column
from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SAMPLES, SampleCheck
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import Count, Edge, Name, Node, Query, SampleShape, Shape, WrongValue, check_nodes
from hornbeam.errors import DatasetError
from hornbeam.logic import String, quote, to_text

Named = tuple[str, str, str]  # word, person, other


class StoryInput(Shape):
    """What a learner sees."""

    story: str
    question: str
    names: list[Name]
    genders: list[Literal["male", "female"]]
    edges: list[Edge]
    query: Query

    def __post_init__(self) -> None:
        if len(self.genders) != len(self.names):
            raise WrongValue("genders", f"expected one for each of the {len(self.names)} names")
        if len(set(self.names)) != len(self.names):
            raise WrongValue("names", "two persons have the same name")
        check_nodes(self.edges, self.query, len(self.names))


class StorySymbols(Shape):
    """The chain of the story, and the family."""

    clause: str
    pattern: str
    k: Count
    hops: Count
    noise: dict[str, Count]
    clean_story: str
    phrasings: list[str]
    nodes: list[Node]
    family: str  # parse_family checks it: it is long, and few need it


StatedFact = tuple[Name, Name, Name]  # person, word, other


class StoryProof(Shape):
    """Each step is a conclusion and the two facts that it follows from."""

    steps: list[tuple[StatedFact, StatedFact, StatedFact]]


class StoryShape(SampleShape, kw_only=True):
    """A sample of CLUTRR."""

    label: Name
    input: StoryInput
    symbolic: StorySymbols
    proof: StoryProof

    def __post_init__(self) -> None:
        known, members = self.symbolic, self.symbolic.family.count(";") + 1
        if not 0 < known.k <= len(self.input.edges):
            raise WrongValue("symbolic.k", f"expected a number from 1 to {len(self.input.edges)}, the number of edges")
        if known.family and len(known.nodes) != len(self.input.names):
            raise WrongValue("symbolic.nodes", f"expected one for each of the {len(self.input.names)} names")
        if known.family and max(known.nodes) >= members:
            raise WrongValue("symbolic.nodes", f"expected numbers of the {members} members of the family")


SHAPE = StoryShape


def sample_check(dataset: Dataset) -> SampleCheck:
    """Refuses words that the theory of the dataset does not have."""
    words = {*load(tuple(dataset.config.packs)).labels()}

    def check(shape: StoryShape, sample: Sample) -> None:
        if shape.label not in words:
            raise WrongValue("label", f'"{shape.label}" is no kinship word of this dataset')
        for number, (_, word, _) in enumerate(shape.input.edges):
            if word not in words:
                raise WrongValue(f"input.edges[{number}][1]", f'"{word}" is no kinship word of this dataset')

    return check


class Member(NamedTuple):
    """A person of a family, with the numbers of their kin in it, or NOBODY."""

    name: str
    gender: int
    father: int
    mother: int
    spouse: int


def make_sample(
    theory: KinTheory,
    puzzle: Puzzle,
    *,
    place: tuple[str, str, str],  # id, task, split
    names: Mapping[int, str],
    told: Told,
    question: str,
    node_rng: Random | None,
) -> Sample:
    """The sample of a puzzle; with `node_rng` the numbers of its nodes are shuffled."""
    tree, target = puzzle.tree, puzzle.target
    people = puzzle.persons()
    if node_rng is not None:
        node_rng.shuffle(people)
    node = {person: number for number, person in enumerate(people)}
    label, body = puzzle.word(theory, target), puzzle.body(theory)
    kin = zip(tree.gender, tree.father, tree.mother, tree.spouse, strict=True)
    family = [Member(names[person], int(gender), *others) for person, (gender, *others) in enumerate(kin)]

    def said(fact: Fact, name: Mapping[int, str | int] = names) -> list[Json]:
        return [name[fact.person], puzzle.word(theory, fact), name[fact.other]]

    return Sample(
        id=place[0],
        task=place[1],
        split=place[2],
        label=label,
        input={
            "story": told.story,
            "question": question,
            "names": [names[person] for person in people],
            "genders": [GENDERS[tree.gender[person]] for person in people],
            "edges": [said(fact, node) for fact in puzzle.told()],
            "query": [node[target.person], node[target.other]],
        },
        symbolic={
            "clause": clause_text(label, body),
            "pattern": "-".join(body),
            "k": len(body),
            "hops": len(body),
            "noise": {noise.kind: len(noise.facts) for noise in puzzle.noise},
            "clean_story": told.clean,
            "phrasings": list(told.phrasings),
            "nodes": list(people),
            "family": family_text(family),
        },
        proof={"steps": [[said(fact) for fact in step] for step in puzzle.proof]},
    )


def clause_text(label: str, words: Sequence[str]) -> str:
    """A clause in Prolog.

    >>> clause_text("grandfather", ["mother", "father"])
    'grandfather(A,C) :- mother(A,B), father(B,C).'
    """
    variables = [chr(ord("A") + place) if place < 26 else f"A{place}" for place in range(len(words) + 1)]
    body = ", ".join(f"{quote(word)}({variables[i]},{variables[i + 1]})" for i, word in enumerate(words))
    return f"{quote(label)}({variables[0]},{variables[-1]}) :- {body}."


def family_text(members: Sequence[Member]) -> str:
    """A family in one short line: name, gender, father, mother and spouse of each."""
    return ";".join(f"{m.name} {'mf'[m.gender]} {m.father} {m.mother} {m.spouse}" for m in members)


def parse_family(text: str) -> list[Member]:
    """The family that `family_text` wrote; an empty text is an unknown family.

    Raises:
        ValueError: if a row is not a name, m or f, and three numbers of other members or -1.

    >>> parse_family("Mary Ann f -1 -1 1;Bob m -1 -1 0")[0].name
    'Mary Ann'
    """
    members = []
    rows = text.split(";") if text else []
    for row in rows:
        name, gender, *kin = row.rsplit(" ", 4)
        father, mother, spouse = map(int, kin)
        if not -1 <= min(father, mother, spouse) <= max(father, mother, spouse) < len(rows):
            raise ValueError(row)
        members.append(Member(name, "mf".index(gender), father, mother, spouse))
    return members


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
        try:
            return parse_family(self.family_line)
        except ValueError:
            expected = "members as name, m or f, and the numbers of father, mother and spouse or -1, separated by ;"
            message = f'sample {self.sample.id}: key "symbolic.family": expected {expected}'
            raise DatasetError(message, file=SAMPLES) from None

    @property
    def story_facts(self) -> list[Named]:
        return self.facts[: self.length]

    @property
    def proof(self) -> list[list[Named]]:
        proof: Any = self.sample.proof
        return [[(word, person, other) for person, word, other in step] for step in proof["steps"]]


def facts(sample: Sample) -> str:
    """The clauses of a sample in facts.pl."""
    record = Record.of(sample)
    name = _atom(sample.id)
    person, other = record.query
    seen: Any = sample.input
    label, task = _atom(str(sample.label)), _atom(sample.task)
    lines = [
        f"sample({name},{task},{sample.split},{label},query({_atom(person)},{_atom(other)})).",
        f"story({name},{to_text(String(seen['story']))}).",
    ]
    said = [f"{_atom(word)},{_atom(one)},{_atom(two)}" for word, one, two in record.facts]
    lines += [f"fact({name},{terms})." for terms in said]
    start = record.length
    for kind, size in record.noise.items():
        lines += [f"noise({name},{_atom(kind)},{terms})." for terms in said[start : start + size]]
        start += size
    lines += [f"person({name},{_atom(n)},{g})." for n, g in zip(record.names, record.genders, strict=True)]
    if record.family:
        persons = ",".join(_member_term(member, record.family) for member in record.family)
        lines.append(f"family({name},[{persons}]).")
    return "\n".join([*lines, ""])


def _member_term(member: Member, family: Sequence[Member]) -> str:
    """A person of a family as a Prolog term."""
    kin = (member.father, member.mother, member.spouse)
    others = ",".join(_atom(family[other].name) if other != NOBODY else "-" for other in kin)
    return f"person({_atom(member.name)},{GENDERS[member.gender]},{others})"


@lru_cache(maxsize=10_000)
def _atom(name: str) -> str:
    """A name as a Prolog atom; the same few hundred come again and again."""
    return quote(name)


COLUMNS = (
    Column("story", TEXT, "input.story", "the story, names in square brackets"),
    Column("question", TEXT, "input.question", "the question in words"),
    Column("names", [TEXT], "input.names", "the names of the persons, by node"),
    Column("genders", [TEXT], "input.genders", "male or female, by node"),
    Column("edges", EDGES, "input.edges", "what the story says: the target is the source's relation, e.g. its father"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about: what is the second to the first?"),
    Column("k", INTEGER, "symbolic.k", "the facts of the chain from the first to the second, without noise"),
    Column("noise", [TEXT], "symbolic.noise", "the kinds of noise in the story"),
    Column("clause", TEXT, "symbolic.clause", "the clause of the chain, in Prolog"),
    Column(
        "proof",
        [[{"source": TEXT, "relation": TEXT, "target": TEXT}]],
        "proof.steps",
        "the steps of the proof: each a conclusion and the two facts that it follows from",
    ),
)
