"""Families: random family trees of a given shape, and the relations between their persons.

A family stores only fathers, mothers and spouses. Every other relation is computed from its definition in the theory,
on sets of persons that are the bits of an integer.

>>> from random import Random
>>> from hornbeam.clutrr import knowledge
>>> kin = Kin(knowledge.load(), grow(FamilySettings(generations=2, children=(2, 2)), Random(1)))
>>> [kin.theory.names[kin.relation(0, other)] for other in (1, 2, 3)]
['spouse', 'child', 'child']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from random import Random

from hornbeam.bitsets import bits
from hornbeam.clutrr.config import FamilySettings
from hornbeam.clutrr.knowledge import All, Expression, KinTheory, Walk

MALE, FEMALE = 0, 1
NOBODY = -1


@dataclass(slots=True)
class FamilyTree:
    """Persons are 0, 1, ...; `father`, `mother` and `spouse` hold numbers of persons, or NOBODY."""

    gender: list[int] = field(default_factory=list)
    father: list[int] = field(default_factory=list)
    mother: list[int] = field(default_factory=list)
    spouse: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.gender)

    def add(self, gender: int, father: int = NOBODY, mother: int = NOBODY) -> int:
        self.gender.append(gender)
        self.father.append(father)
        self.mother.append(mother)
        self.spouse.append(NOBODY)
        return len(self.gender) - 1

    def wed(self, one: int) -> int:
        """Marry a new person to `one`."""
        other = self.add(1 - self.gender[one])
        self.spouse[one], self.spouse[other] = other, one
        return other

    def couple(self, one: int, other: int) -> tuple[int, int]:
        """Father and mother, of two partners."""
        return (one, other) if self.gender[one] == MALE else (other, one)


def grow(shape: FamilySettings, rng: Random) -> FamilyTree:
    """A random family of this shape. The first couple always marries: without it there is no family."""
    tree = FamilyTree()
    rows = [tree.add(_gender(rng))]
    for level in range(shape.generations):
        older, rows = rows, []
        for person in older:
            if level and rng.random() >= shape.marry:
                continue
            partner = tree.wed(person)
            if level and shape.in_laws and rng.random() < shape.in_laws:
                _bring_in_laws(tree, partner, shape, rng)
            if level < shape.generations - 1:
                rows += _children(tree, person, partner, shape, rng)
                if shape.remarry and rng.random() < shape.remarry:
                    rows += _remarry(tree, person, partner, shape, rng)
    return tree


def largest(shape: FamilySettings) -> FamilyTree:
    """The family of this shape in which everybody marries who can, and has as many children as can be."""
    return _extreme(shape, shape.children[1], lambda chance: chance > 0)


def smallest(shape: FamilySettings) -> FamilyTree:
    """The smallest family of this shape: as few marriages and children as possible."""
    return _extreme(shape, shape.children[0], lambda chance: chance >= 1)


def _extreme(shape: FamilySettings, children: int, happens: Callable[[float], bool]) -> FamilyTree:
    chances = {name: float(happens(getattr(shape, name))) for name in ("marry", "in_laws", "remarry")}
    return grow(shape.model_copy(update={"children": (children, children), **chances}), Random(0))


def _gender(rng: Random) -> int:
    return rng.random() < 0.5


def _children(tree: FamilyTree, one: int, other: int, shape: FamilySettings, rng: Random) -> list[int]:
    father, mother = tree.couple(one, other)
    low, high = shape.children
    number = low if low == high else rng.randint(low, high)
    return [tree.add(_gender(rng), father, mother) for _ in range(number)]


def _bring_in_laws(tree: FamilyTree, person: int, shape: FamilySettings, rng: Random) -> None:
    one = tree.add(MALE)
    father, mother = tree.couple(one, tree.wed(one))
    tree.father[person], tree.mother[person] = father, mother
    for _ in range(max(0, rng.randint(*shape.children) - 1)):
        tree.add(_gender(rng), father, mother)


def _remarry(tree: FamilyTree, one: int, other: int, shape: FamilySettings, rng: Random) -> list[int]:
    """The couple parts; `one` marries somebody who may have a child of an earlier marriage, and they have children."""
    tree.spouse[one] = tree.spouse[other] = NOBODY
    partner = tree.wed(one)
    if rng.random() < 0.5:
        former = tree.add(1 - tree.gender[partner])
        tree.add(_gender(rng), *tree.couple(former, partner))
    return _children(tree, one, partner, shape, rng)


class Kin:
    """Who is what to whom in a family. Rows are computed when they are asked for."""

    def __init__(self, theory: KinTheory, tree: FamilyTree) -> None:
        self.theory = theory
        self.tree = tree
        size = len(tree)
        self._links = _links(tree)
        self._rows: list[list[int]] = [[-1] * size for _ in theory.names]
        males = sum(1 << person for person, gender in enumerate(tree.gender) if gender == MALE)
        self.of_gender = (males, ((1 << size) - 1) & ~males)

    def row(self, relation: int, person: int) -> int:
        """The persons that are the `relation` of `person`, as bits."""
        others = self._rows[relation][person]
        if others < 0:
            others = 0
            for expression in self.theory.meanings[relation]:
                others |= self._evaluate(expression, person)
            others &= ~(1 << person)
            self._rows[relation][person] = others
        return others

    def relation(self, person: int, other: int) -> int | None:
        """What `other` is to `person`: in the families of kb/clutrr there is at most one answer."""
        bit = 1 << other
        return next((r for r in range(len(self.theory.names)) if self.row(r, person) & bit), None)

    def pairs(self) -> Iterator[tuple[int, int, int]]:
        """All (relation, person, other)."""
        for relation in range(len(self.theory.names)):
            for person in range(len(self.tree)):
                for other in bits(self.row(relation, person)):
                    yield relation, person, other

    def _evaluate(self, expression: Expression, person: int) -> int:
        if isinstance(expression, Walk):
            return self._walk(expression.relations, person)
        if isinstance(expression, All):
            return reduce(and_, (self._evaluate(part, person) for part in expression.parts))
        others = self._evaluate(expression.part, person)
        for name in expression.relations:
            others &= ~self._named(name, person)
        return others

    def _walk(self, relations: tuple[str, ...], person: int) -> int:
        reached = self._named(relations[0], person)
        for name in relations[1:]:
            step = 0
            for middle in bits(reached):
                step |= self._named(name, middle)
            reached = step
        return reached

    def _named(self, name: str, person: int) -> int:
        link = self._links.get(name)
        return self.row(self.theory.id(name), person) if link is None else link[person]


def _links(tree: FamilyTree) -> dict[str, list[int]]:
    father, mother, spouse = (
        [0 if other < 0 else 1 << other for other in others] for others in (tree.father, tree.mother, tree.spouse)
    )
    parent = [one | other for one, other in zip(father, mother, strict=True)]
    child = [0] * len(tree)
    for person, pair in enumerate(zip(tree.father, tree.mother, strict=True)):
        for older in pair:
            if older >= 0:
                child[older] |= 1 << person
    return {"father": father, "mother": mother, "parent": parent, "child": child, "spouse": spouse}
