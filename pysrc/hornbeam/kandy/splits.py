"""Divides the symbols of a task into train, valid and test, and fills up what is missing.

A symbol belongs to one split. A split that has fewer symbols than rows repeats its own, so that nothing leaks; a split
without any symbol of a label stays short of it, and the report says so.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from hornbeam.kandy.config import CurriculumConfig
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.geometry import Layout
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.sample import FAMILY, SearchResult, quota
from hornbeam.kandy.supervision import supervised
from hornbeam.kandy.tree import Tree
from hornbeam.seeds import fast_rng

SPLITS = ("train", "valid", "test")
_MOST_ATTEMPTS = 1000


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a task's split: one picture to be drawn. `symbol` numbers the distinct trees of the task."""

    split: str
    index: int
    label: bool
    supervised: bool
    tree: Tree
    symbol: int
    laid: Layout | None = None
    attempt: int = 0

    def sample_id(self, task: Task) -> str:
        """The id of this row's sample."""
        return f"{task.id}_{self.split}_{self.index:04d}"

    def rng(self, task: Task, seed: int) -> random.Random:
        """The generator of this row's picture."""
        return fast_rng(seed, FAMILY, task.id, self.split, self.index, self.attempt)


def sizes(task: Task, count: int) -> dict[str, int]:
    """How `count` samples divide into the splits: train and valid rounded up, the rest is test."""
    train = min(count, math.ceil(round(task.train_split * count, 9)))
    valid = min(count - train, math.ceil(round(task.val_split * count, 9)))
    return {"train": train, "valid": valid, "test": count - train - valid}


def rows(task: Task, config: CurriculumConfig, seed: int, found: SearchResult) -> list[PlannedRow]:
    """The rows of a task, split by split, in the order of the dataset."""
    rng = fast_rng(seed, FAMILY, task.id, "splits")
    wanted = sizes(task, task.samples)
    ways = {"coin": _coin, "stratified": _stratified, "exact": _quotas}
    chosen = ways[config.balance](task, found, wanted, rng)
    made = [row for split in SPLITS for row in _split_rows(task, config, seed, found, split, chosen[split])]
    return _apart(task, config, seed, found, made)


def _coin(task: Task, found: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    order = list(range(len(found.symbols)))
    rng.shuffle(order)
    have = sizes(task, len(order))
    chosen: dict[str, list[int]] = {}
    for split in SPLITS:
        own, order = order[: have[split]], order[have[split] :]
        chosen[split] = _filled(own, wanted[split], rng)
    return chosen


def _stratified(task: Task, found: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    """Every split has its share of each label, as nearly as whole numbers allow."""
    have = list(sizes(task, len(found.symbols)).values())
    positive, negative = found.of(True), found.of(False)
    rng.shuffle(positive)
    rng.shuffle(negative)
    chosen: dict[str, list[int]] = {}
    for split, size, share in zip(SPLITS, have, _shares(len(positive), have), strict=True):
        own = positive[:share] + negative[: size - share]
        positive, negative = positive[share:], negative[size - share :]
        rng.shuffle(own)
        chosen[split] = _filled(own, wanted[split], rng)
    return chosen


def _quotas(task: Task, found: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    chosen: dict[str, list[int]] = {split: [] for split in SPLITS}
    for label in (True, False):
        order = found.of(label)
        rng.shuffle(order)
        quotas = _label_quotas(task, wanted, label)
        for split, share in zip(SPLITS, _shares(len(order), list(quotas.values())), strict=True):
            own, order = order[:share], order[share:]
            chosen[split].extend(_filled(own, quotas[split], rng))
    for split in SPLITS:
        rng.shuffle(chosen[split])
    return chosen


def _label_quotas(task: Task, wanted: dict[str, int], label: bool) -> dict[str, int]:
    """Half of each split, the odd ones dealt out so that the labels balance over all splits."""
    positive: dict[str, int] = {}
    left = quota(task.samples, True) - sum(count // 2 for count in wanted.values())
    for split, count in wanted.items():
        extra = min(count % 2, left)
        left -= extra
        positive[split] = count // 2 + extra
    return positive if label else {split: wanted[split] - positive[split] for split in SPLITS}


def _shares(count: int, quotas: list[int]) -> list[int]:
    """Divides `count` distinct symbols among quotas: all of them if they suffice, else in proportion, at least one."""
    total = sum(quotas)
    if count >= total:
        return list(quotas)
    shares = [count * quota_ // total for quota_ in quotas]
    by_need = sorted(range(len(quotas)), key=lambda i: (shares[i] > 0, -(count * quotas[i] % total), i))
    for index in by_need:
        if sum(shares) < count and shares[index] < quotas[index]:
            shares[index] += 1
    return shares


def _filled(own: list[int], wanted: int, rng: random.Random) -> list[int]:
    if len(own) >= wanted or not own:
        return own[:wanted]
    filled = own + [own[int(rng.random() * len(own))] for _ in range(wanted - len(own))]
    rng.shuffle(filled)
    return filled


def _split_rows(
    task: Task, config: CurriculumConfig, seed: int, found: SearchResult, split: str, chosen: list[int]
) -> list[PlannedRow]:
    flags = supervised(
        len(chosen),
        task.gamma,
        task.beta,
        closed=config.decay == "closed",
        seed=seed,
        names=(FAMILY, task.id, split, "supervised"),
    )
    made = []
    for index, (number, flag) in enumerate(zip(chosen, flags, strict=True)):
        symbol = found.symbols[number]
        made.append(PlannedRow(split, index, symbol.label, flag, symbol.tree, number, symbol.laid))
    return made


def _apart(
    task: Task, config: CurriculumConfig, seed: int, found: SearchResult, made: list[PlannedRow]
) -> list[PlannedRow]:
    """Draws positions again where two splits would show the same picture; only `random` has positions to draw."""
    if config.unique != "picture" or all(symbol.laid for symbol in found.symbols):
        return made
    renderer = Renderer(config)
    seen: dict[bytes, str] = {look: row.split for row in made if (look := found.symbols[row.symbol].look) is not None}
    return [_moved(task, seed, row, renderer, seen) if row.laid is None else row for row in made]


def _moved(task: Task, seed: int, row: PlannedRow, renderer: Renderer, seen: dict[bytes, str]) -> PlannedRow:
    for attempt in range(_MOST_ATTEMPTS):
        candidate = replace(row, attempt=attempt)
        look = renderer.look(row.tree, candidate.rng(task, seed))
        if seen.setdefault(look, row.split) == row.split:
            return candidate
    return row
