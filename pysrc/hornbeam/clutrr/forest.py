"""Claims about given families, judged by clingo: many families at once, as one forest.

>>> couple = [Member("Ann", 1, -1, -1, 1), Member("Bob", 0, -1, -1, 0)]
>>> false_claims(("base",), [(couple, [("spouse", 0, 1), ("sibling", 0, 1)])])
[[1]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbeam.clutrr.kin import NOBODY
from hornbeam.clutrr.knowledge import GENDERS, Packs, links
from hornbeam.clutrr.proving import RelationFact, levels, programs
from hornbeam.clutrr.record import Member
from hornbeam.logic.asp import engine

Claims = tuple[Sequence[Member], Sequence[RelationFact]]
Kin = tuple[tuple[int, int, int, int], ...]  # gender, father, mother and spouse of each person
Judged = set[RelationFact] | None  # the false claims about a family; None for what is not a family

_FOREST = 100  # families that clingo gets at once; with more each takes longer


def false_claims(packs: Packs, families: Sequence[Claims], *, wide: bool = False) -> list[list[int] | None]:
    """For each family the numbers of the claims that are false in it; None for what is not a family.

    Families that are equal but for the names are judged once: published stories have few.
    """
    named = [kin_of(family) for family, _ in families]
    claimed: dict[Kin, dict[RelationFact, None]] = {}
    for kin, (_, claims) in zip(named, families, strict=True):
        claimed.setdefault(kin, {}).update(dict.fromkeys(claims))
    distinct = [(kin, [*claims]) for kin, claims in claimed.items()]
    false: dict[Kin, Judged] = {}
    for start in range(0, len(distinct), _FOREST):
        false |= _judge(packs, distinct[start : start + _FOREST], wide)
    return [_places(claims, false[kin]) for kin, (_, claims) in zip(named, families, strict=True)]


def _places(claims: Sequence[RelationFact], false: Judged) -> list[int] | None:
    return None if false is None else [place for place, claim in enumerate(claims) if claim in false]


def _judge(packs: Packs, forest: Sequence[tuple[Kin, list[RelationFact]]], wide: bool) -> dict[Kin, Judged]:
    """One that is not a family leaves the forest without a model; then each half is judged by itself."""
    false = _solve(packs, forest, wide)
    if false is not None:
        return {kin: claims for (kin, _), claims in zip(forest, false, strict=True)}
    if len(forest) == 1:
        return {forest[0][0]: None}
    half = len(forest) // 2
    return _judge(packs, forest[:half], wide) | _judge(packs, forest[half:], wide)


def _solve(
    packs: Packs, forest: Sequence[tuple[Kin, list[RelationFact]]], wide: bool
) -> list[set[RelationFact]] | None:
    """The false claims about each family. Nothing in the program joins persons of two families."""
    lines: list[str] = []
    owners: list[tuple[int, RelationFact]] = []
    first = 0  # persons and claims are numbered through the forest: clingo is fastest with numbers
    for number, (kin, claims) in enumerate(forest):
        lines += _told(first, kin)
        for relation, one, two in claims:
            lines.append(f"claim({len(owners)},{relation},{first + one},{first + two}).")
            owners.append((number, (relation, one, two)))
        first += len(kin)
    control = engine.grounded("\n".join(lines), files=programs(packs, "told", wide=wide))
    false: list[set[RelationFact]] = [set() for _ in forest]
    with control.solve(yield_=True) as handle:
        for model in handle:
            for symbol in model.symbols(shown=True):
                number, claim = owners[symbol.arguments[0].number]
                false[number].add(claim)
            return false
    return None


def _told(first: int, kin: Kin) -> Iterator[str]:
    """A line for each person, the first of whom has this number."""
    for place, ((gender, *others), generation) in enumerate(zip(kin, generations(kin), strict=True), start=first):
        father, mother, spouse = (other if other == NOBODY else first + other for other in others)
        yield f"member({place},{generation},{GENDERS[gender]},{father},{mother},{spouse})."


def kin_of(family: Sequence[Member]) -> Kin:
    """A family without its names."""
    return tuple((member.gender, member.father, member.mother, member.spouse) for member in family)


def generations(kin: Kin) -> list[int]:
    """A generation for each person, one more than their children's; contradictions are left to the program."""
    steps = links()
    up = (steps["father"], steps["mother"], steps["spouse"])
    known = levels(
        range(len(kin)),
        [
            (place, other, step)
            for place, (_, *others) in enumerate(kin)
            for other, step in zip(others, up, strict=True)
            if other != NOBODY
        ],
    )
    return [known[place] for place in range(len(kin))]
