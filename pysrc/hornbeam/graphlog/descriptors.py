"""Which descriptors belong to which split.

`sound`: each descriptor has one split in the whole suite, drawn from the seed and the descriptor alone; bodies of rules
(length 2) are for training. Validation has descriptors of its own.

`compat`: the published way. One pass over the worlds: what an earlier world trained on is for training, what it tested
on is for testing, the rest is split at random. Validation repeats training descriptors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hornbeam.graphlog.config import Descriptors
from hornbeam.graphlog.logic import Chain
from hornbeam.seeds import derive

SPLITS = ("train", "valid", "test")
# For each split and class its descriptors; a descriptor that stands twice is drawn twice as often.
SplitBook = dict[str, dict[str, list[Chain]]]


def _empty() -> SplitBook:
    return {split: {} for split in SPLITS}


# sound ----------------------------------------------------------------------------------------------------------------


def split_of(chain: Chain, shares: Descriptors, seed: int) -> str:
    """The split of a descriptor in every world of a suite."""
    if len(chain) == 2:
        return "train"
    drawn = derive(seed, "graphlog", "descriptor", ",".join(chain)) / 2**128
    if drawn < shares.train:
        return "train"
    return "valid" if drawn < shares.train + shares.valid else "test"


def split_sound(classes: Mapping[str, Sequence[Chain]], shares: Descriptors, seed: int) -> SplitBook:
    """The descriptors of one world by split; a class without a training descriptor is left out."""
    book = _empty()
    for label, chains in classes.items():
        parts: dict[str, list[Chain]] = {split: [] for split in SPLITS}
        for chain in chains:
            parts[split_of(chain, shares, seed)].append(chain)
        for split in SPLITS if parts["train"] else ():
            if parts[split]:
                book[split][label] = parts[split]
    return book


# compat ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Pass:
    """What the worlds so far trained and tested on."""

    shares: Descriptors
    train: set[Chain] = field(default_factory=set)
    test: set[Chain] = field(default_factory=set)

    def split(self, classes: Mapping[str, Collection[Chain]], rng: Random) -> SplitBook:
        """The descriptors of the next world by split."""
        book = _empty()
        for label, chains in classes.items():
            parts = self._split_class(chains, rng)
            for split in SPLITS:
                if parts[split]:
                    book[split][label] = parts[split]
        return book

    def _split_class(self, chains: Collection[Chain], rng: Random) -> dict[str, list[Chain]]:
        train: list[Chain] = []
        valid: list[Chain] = []
        test: list[Chain] = []
        for length in sorted({len(chain) for chain in chains}):
            group = [chain for chain in chains if len(chain) == length]
            to_train, to_test = self._split_group(group, length, rng)
            train += to_train
            test += to_test
            self.train.update(to_train)
            self.test.update(to_test)
            valid += rng.sample(train, int(len(train) * (1 - (1 - self.shares.valid))))
        return {"train": train, "valid": valid, "test": test}

    def _split_group(self, group: list[Chain], length: int, rng: Random) -> tuple[list[Chain], list[Chain]]:
        if length == 2:
            return group, []
        known = [chain for chain in group if chain in self.train]
        tested = [chain for chain in group if chain in self.test and chain not in self.train]
        rest = [chain for chain in group if chain not in self.train and chain not in self.test]
        if len(rest) < 2:  # a single one is dropped
            return known, tested
        rng.shuffle(rest)
        cut = int(len(rest) * self.shares.train)  # rounded down: of two, one is tested
        # Each descriptor that is trained on because of an earlier world frees a new one for testing.
        cut = max(0, cut - len(known))
        return known + rest[:cut], tested + rest[cut:]


# For shards -----------------------------------------------------------------------------------------------------------


def to_json(book: SplitBook) -> dict[str, Any]:
    return {
        split: {label: [",".join(chain) for chain in chains] for label, chains in classes.items()}
        for split, classes in book.items()
    }


def from_json(value: Any) -> SplitBook:
    return {
        split: {label: [tuple(text.split(",")) for text in texts] for label, texts in classes.items()}
        for split, classes in value.items()
    }
