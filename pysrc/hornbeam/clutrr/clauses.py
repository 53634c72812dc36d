"""Clauses: all chains of relations of a given length that have an answer, and which of them are held out.

A clause is what the original calls a pattern: the words of the facts along the chain. A clause counts when the theory
derives a relation of its two ends and when distinct persons of the configured families can form it.

>>> from hornbeam.clutrr import knowledge
>>> clauses = of_length(knowledge.load(), FamilySettings(), 2)
>>> KinClause("grandfather", ("mother", "father")) in clauses
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product
from operator import attrgetter
from random import Random
from typing import Any

from hornbeam import seeds
from hornbeam.clutrr.config import ClutrrConfig, FamilySettings, length_of
from hornbeam.clutrr.kin import Kin, largest
from hornbeam.clutrr.knowledge import KinTheory, engine, load
from hornbeam.clutrr.puzzle import embed


@dataclass(frozen=True, slots=True, order=True)
class KinClause:
    """`label` follows from the facts whose words are `body`."""

    label: str
    body: tuple[str, ...]


# There are five times as many clauses with each fact more: longer ones are not listed, but held out by a hash.
LISTED = 5


@cache
def of_length(theory: KinTheory, shape: FamilySettings, length: int) -> tuple[KinClause, ...]:
    """All clauses of this length, at most LISTED, sorted."""
    kin = Kin(theory, largest(shape))
    rng = Random(0)
    clauses = set()
    given: Any = {"T": list(theory.packs), "L": length}
    answer: Any = engine().once("clauses(T, L, Clauses)", given=given, module="clutrr_kin")
    for whole, body, couples in answer["Clauses"]:
        relations = [theory.id(name) for name in body]
        if embed(kin, relations, None, rng) is None:
            continue
        for genders in product((0, 1), repeat=length + 1):
            if all(genders[one] != genders[other] for one, other in couples):
                words = tuple(theory.words[r][g] for r, g in zip(relations, genders[1:], strict=True))
                clauses.add(KinClause(theory.words[theory.id(whole)][genders[-1]], words))
    return tuple(sorted(clauses))


def hold_out(clauses: Sequence[KinClause], share: float, seed: int, length: int) -> set[KinClause]:
    """Exactly `share` of the clauses (rounded), spread over the labels as evenly as their numbers allow."""
    wanted = round(share * len(clauses))
    groups = by_label(clauses)
    rng = seeds.fast_rng(seed, "clutrr", "held out", length)
    for group in groups.values():
        rng.shuffle(group)
    quotas = _quotas({label: len(group) for label, group in groups.items()}, wanted)
    return {clause for label, group in groups.items() for clause in group[: quotas[label]]}


def hashed_out(clause: KinClause, share: float, seed: int) -> bool:
    """Whether a clause that is too long for a list is held out: `share` of all are, by a hash of their words."""
    return seeds.derive(seed, "clutrr", "held out", clause.label, *clause.body) < share * 2**128


def _quotas(sizes: dict[str, int], wanted: int) -> dict[str, int]:
    """Seats by size, by largest remainder, with one for each label if there are enough.

    >>> _quotas({"aunt": 97, "son": 1, "wife": 1}, 3)
    {'aunt': 1, 'son': 1, 'wife': 1}
    """
    total = sum(sizes.values())
    fewest = int(wanted >= len(sizes))
    exact = {label: wanted * size / total for label, size in sizes.items()}
    quotas = {label: max(int(share), fewest) for label, share in exact.items()}
    order = sorted(sizes, key=lambda label: (quotas[label] - exact[label], label))
    while sum(quotas.values()) < wanted:
        for label in order:
            if sum(quotas.values()) < wanted and quotas[label] < sizes[label]:
                quotas[label] += 1
    while sum(quotas.values()) > wanted:
        spare = [label for label in quotas if quotas[label] > fewest]
        largest_label = max(spare, key=lambda label: (quotas[label] - exact[label], quotas[label], label))
        quotas[largest_label] -= 1
    return quotas


def by_label(clauses: Iterable[KinClause]) -> dict[str, list[KinClause]]:
    """The clauses of each label, sorted."""
    groups = groupby(sorted(clauses), key=attrgetter("label"))
    return {label: list(group) for label, group in groups}


@dataclass(frozen=True)
class PuzzleRules:
    """What the puzzles of a task in a split must be: their labels, clauses that they must not have or must have."""

    labels: tuple[str, ...]
    forbidden: frozenset[KinClause] = frozenset()
    only: tuple[KinClause, ...] | None = None
    hashed: float = 0.0  # share of the clauses that are held out by a hash: those too long for a list
    hashed_only: bool = False  # whether puzzles must have such a clause, or must not


def rules_of(config: ClutrrConfig, seed: int, split: str, task: str) -> PuzzleRules:
    """The labels and clauses of a task in a split.

    Clauses of two facts are never held out, so that training sees every rule. Test puzzles of a trained length have
    held-out clauses only; those of other lengths have any. Exactly the configured share of clauses is held out, but
    for lengths above LISTED, where each clause is with that chance.
    """
    theory = load(config.packs)
    length = length_of(task)
    labels = tuple(label for label in theory.labels() if theory.of_word(label)[0] in theory.wholes(length))
    held_out: set[KinClause] = set()
    if length > 2 and length in config.trained_lengths() and config.hold_out.clauses and config.test:
        if length > LISTED:
            return PuzzleRules(labels, hashed=config.hold_out.clauses, hashed_only=split == "test")
        everything = of_length(theory, config.family, length)
        held_out = hold_out(everything, config.hold_out.clauses, seed, length)
    if held_out and split == "test":
        only = tuple(sorted(held_out))
        return PuzzleRules(tuple(label for label in labels if any(c.label == label for c in only)), only=only)
    return PuzzleRules(labels, forbidden=frozenset(held_out))
