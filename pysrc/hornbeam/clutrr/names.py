"""Who is called what. No two puzzles of a dataset name their first three persons alike.

The number of a puzzle decides the names of three of its persons through a one-to-one map, so that no two puzzles are
the same, without a memory of those made before. The other names are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd, prod
from random import Random

from hornbeam import resources, seeds
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog


@cache
def pools() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names for men and for women, from kb/clutrr/names.pl."""
    prolog = Prolog()
    prolog.load(resources.kb("clutrr", "names.pl"), "user")
    rows = prolog.all("name(Gender, Name)", module="clutrr_names")
    men, women = (tuple(str(row["Name"]) for row in rows if row["Gender"] == g) for g in ("male", "female"))
    return men, women


@dataclass(frozen=True, slots=True)
class Register:
    """Names for men and for women; where both draw from one pool, a name tells nothing of gender."""

    men: tuple[str, ...]
    women: tuple[str, ...]

    def pool(self, gender: int) -> tuple[str, ...]:
        return self.women if gender else self.men

    def sizes(self, genders: Sequence[int]) -> list[int]:
        """How many names are left for each of some persons, one after the other."""
        shared = self.men is self.women
        before = [place if shared else list(genders[:place]).count(gender) for place, gender in enumerate(genders)]
        return [len(self.pool(gender)) - used for gender, used in zip(genders, before, strict=True)]

    def capacity(self) -> int:
        """How many puzzles can name their first three persons differently, whatever their genders."""
        return min(prod(self.sizes(genders)) for genders in product((0, 1), repeat=3))


def first_names() -> Register:
    """The names of kb/clutrr/names.pl."""
    return Register(*pools())


@cache
def placeholders(number: int) -> Register:
    """@ent0, @ent1, ... for everybody."""
    pool = tuple(f"@ent{place}" for place in range(number))
    return Register(pool, pool)


def assign(
    register: Register, number: int, seed: int, persons: Sequence[int], genders: Sequence[int], rng: Random
) -> dict[int, str]:
    """Names for `persons`, the first three by the puzzle's number; `genders` are those of all persons."""
    sizes = register.sizes([genders[person] for person in persons])
    if min(sizes) < 1:
        advice = "raise story.pool" if register.men is register.women else "make the families smaller"
        raise UsageError(f"{len(persons)} persons need more names than there are: {advice}")
    names: dict[int, str] = {}
    for person, choice in zip(persons[:3], _spread(number, seed, sizes[:3]), strict=True):
        names[person] = _left(register.pool(genders[person]), names.values(), choice)
    for gender in (0, 1):
        others = [person for person in persons[3:] if genders[person] == gender]
        if others:
            used = set(names.values())
            # Enough for all, whichever of them are used: cheaper than a pool without those.
            pool = register.pool(gender)
            drawn = rng.sample(pool, min(len(others) + len(used), len(pool)))
            names.update(zip(others, (name for name in drawn if name not in used), strict=False))
    return names


def _left(pool: Sequence[str], used: Iterable[str], choice: int) -> str:
    """The name of number `choice` among those of the pool that are not used."""
    for place in sorted(pool.index(name) for name in used if name in pool):
        choice += choice >= place
    return pool[choice]


def _spread(number: int, seed: int, sizes: Sequence[int]) -> list[int]:
    value = _shuffled(number, seed, prod(sizes))
    digits = []
    for size in sizes:
        value, digit = divmod(value, size)
        digits.append(digit)
    return digits


def _shuffled(number: int, seed: int, total: int) -> int:
    factor, offset = _affine(seed, total)
    return (number * factor + offset) % total


@cache
def _affine(seed: int, total: int) -> tuple[int, int]:
    rng = seeds.fast_rng(seed, "clutrr", "names", total)
    factor = rng.randrange(total // 3, total)
    while gcd(factor, total) != 1:
        factor += 1
    return factor, rng.randrange(total)
