"""What was read of stories against the facts that they were told from, or that a published file gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Json

if TYPE_CHECKING:
    from hornbeam.data.sample import Sample
    from hornbeam.perception.perceiver import Reading


@dataclass(frozen=True, slots=True)
class FactScores:
    """Counts over all stories. Facts of stories that are unread are missed."""

    stories: int = 0
    unread: int = 0
    right_stories: int = 0  # all facts read, and no other
    told: int = 0
    read: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.read if self.read else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.told if self.told else 1.0

    def to_json(self) -> dict[str, Json]:
        return {
            "stories": self.stories,
            "unread": self.unread,
            "stories_right": self.right_stories / max(1, self.stories),
            "facts": self.told,
            "facts_read": self.read,
            "precision": self.precision,
            "recall": self.recall,
        }


def fact_scores(samples: Sequence[Sample], readings: Mapping[str, Reading]) -> FactScores:
    """The most probable reading of each story against the edges of its sample."""
    unread = whole = told = read = right = 0
    for sample in samples:
        given: Any = sample.input
        true = Counter(tuple(edge) for edge in given["edges"])
        best = readings[sample.id].best
        unread += best is None
        edges: Any = best.symbolic["edges"] if best else []
        found = Counter(tuple(edge) for edge in edges)
        told += true.total()
        read += found.total()
        right += (true & found).total()
        whole += best is not None and true == found
    return FactScores(len(samples), unread, whole, told, read, right)
