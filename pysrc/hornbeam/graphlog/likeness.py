"""Which draws of the rules a compat suite takes: those whose worlds are in the mean like the published ones.

Worlds of a suite share rules, so the means of a suite go with its one draw of rules: from seed to seed the mean number
of nodes moves by about 1.4, twice as far as 57 worlds of their own rules would. The published suite is one such draw.
What is known of its means (Tables 3 and 6 of the paper) tells which draws are like it. Both means here follow from the
descriptors alone, before a row is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from hornbeam.graphlog.config import Config, Likeness, Rows
from hornbeam.graphlog.descriptors import SPLITS, SplitBook


def is_like(config: Config, books: Sequence[SplitBook]) -> bool:
    """Whether the means over the worlds lie within the bounds that the configuration sets, if it sets any."""
    bounds = config.likeness or Likeness()
    classes = fmean(classes_of(book, config.rows) for book in books)
    length = fmean(length_of(book, config.rows) for book in books)
    return _within(classes, bounds.classes) and _within(length, bounds.resolution_length)


def classes_of(book: SplitBook, rows: Rows) -> int:
    """How many classes a world's rows have."""
    return len({label for split in SPLITS if getattr(rows, split) for label in book[split]})


def length_of(book: SplitBook, rows: Rows) -> float:
    """The resolution length to expect in a world's rows: they go round the classes and draw descriptors evenly."""
    weights: dict[str, int] = {split: getattr(rows, split) for split in SPLITS if book[split]}
    lengths = {split: fmean(fmean(map(len, chains)) for chains in book[split].values()) for split in weights}
    return sum(lengths[split] * weights[split] for split in weights) / max(1, sum(weights.values()))


def _within(value: float, bounds: tuple[float, float] | None) -> bool:
    return bounds is None or bounds[0] <= value <= bounds[1]
