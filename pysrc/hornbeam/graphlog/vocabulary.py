"""The labels of a suite: base relations with two signs, and which label reads which backwards.

>>> labels = Vocabulary((0, 2, 1))
>>> labels.names
('R_0_+', 'R_0_-', 'R_1_+', 'R_1_-', 'R_2_+', 'R_2_-')
>>> labels.inverses()[:3]
[('R_0_+', 'R_0_-'), ('R_0_-', 'R_0_+'), ('R_1_+', 'R_2_-')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from hornbeam.graphlog import logic

UNKNOWN = "UNK_REL"
SIGNS = ("+", "-")
# The order in which the labels stand in the published label2id.json; models of the original expect these numbers.
_PUBLISHED = "2+ 4+ 5+ 4- 0+ 7+ 9+ 7- 1+ 0- 3- 2- 8+ 5- 6- 6+ 8- 1- 9- 3+"
_NAME = re.compile(r"R_(\d+)_([+-])")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Base relation i reads `partners[i]` backwards; a symmetric relation is its own partner."""

    partners: tuple[int, ...]

    @classmethod
    def draw(cls, relations: int, invertible: float, rng: Random) -> Vocabulary:
        """Relations of which about the share `invertible` swaps with a partner."""
        order = list(range(relations))
        rng.shuffle(order)
        partners = list(range(relations))
        for pair in range(int(relations * invertible) // 2):
            one, other = order[2 * pair], order[2 * pair + 1]
            partners[one], partners[other] = other, one
        return cls(tuple(partners))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name(base, sign) for base in range(len(self.partners)) for sign in (0, 1))

    def inverses(self) -> list[tuple[str, str]]:
        """Each label with the one that reads it backwards."""
        return [
            (name(base, sign), name(partner, other))
            for base, sign, partner, other in logic.inverse_labels(self.partners)
        ]


def name(base: int, sign: int) -> str:
    return f"R_{base}_{SIGNS[sign]}"


def is_backward(label: str) -> bool:
    """Whether a label has the sign that reads a relation backwards."""
    return label.endswith("_-")


def label_order(label: str) -> tuple[int, int, str]:
    """A key that sorts labels by base relation and sign, and foreign names after them."""
    found = _NAME.fullmatch(label)
    return (int(found[1]), SIGNS.index(found[2]), "") if found else (1 << 30, 0, label)


def label_ids(labels: Iterable[str]) -> dict[str, int]:
    """label2id: the published numbers for the labels of ten relations, and after them any others."""
    published = [f"R_{text[0]}_{text[1]}" for text in _PUBLISHED.split()]
    wanted = set(labels)
    order = published if wanted <= set(published) else sorted(wanted, key=label_order)
    return {label: number for number, label in enumerate([UNKNOWN, *order])}
