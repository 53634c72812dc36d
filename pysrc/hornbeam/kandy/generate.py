"""Generates a dataset: the plan of a task, its split into train, valid and test, and the batches that workers make.

A symbol belongs to one split. A split that has fewer symbols than rows repeats its own, so that nothing leaks; a split
without any symbol of a label stays short of it, and the report says so.

Which samples keep their label follows the exponential decay of the paper, f(t) = gamma * exp(-t * log(gamma / beta)):

>>> [round(probability(0.8, 0.2, t), 2) for t in (0.0, 0.5, 1.0)]
[0.8, 0.4, 0.2]
>>> probability(0.0, 0.0, 0.5), probability(0.8, 0.0, 0.0), probability(0.8, 0.0, 0.5)
(0.0, 0.8, 0.0)
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from hornbeam.data.sample import Json
from hornbeam.family import Batch
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import Curriculum, CurriculumConfig, NamedRule, Task
from hornbeam.kandy.proving import Proven, judge_of, prove, reasoner, rule_key
from hornbeam.kandy.record import PlannedRow, drawn_sample
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.search import FAMILY, SearchResult, find_symbols, quota
from hornbeam.kandy.tree import Domain
from hornbeam.seeds import fast_rng

SPLITS = ("train", "valid", "test")
_MOST_ATTEMPTS = 1000
_ENOUGH_TRIES = 20


@dataclass(frozen=True)
class TaskPlan:
    """What a task's dataset will be: its rows, and how its symbols were found."""

    task: Task
    search: SearchResult
    rows: list[PlannedRow]


def make_plan(task: Task, curriculum: Curriculum, seed: int) -> TaskPlan:
    """Draws the symbols of a task and lays out its rows."""
    config = curriculum.config
    with reasoner(task, config.domain) as logic:
        search = find_symbols(task, config, seed, judge_of(task, logic))
    _refuse_one_sided(task, search)
    return TaskPlan(task, search, planned_rows(task, config, seed, search))


def _refuse_one_sided(task: Task, search: SearchResult) -> None:
    """A set of which nothing at all could be used is a mistake in the file, not a task."""
    for label, tally in search.tallies.items():
        if not tally.taken and (tally.tried >= _ENOUGH_TRIES or not search.symbols):
            side = "positive" if label else "negative"
            raise task.side(label)[0].place.error(
                f"{task.title}: none of {tally.tried} samples of the {side} set could be used: the rule did not "
                f"confirm {tally.refused}, {tally.twins} looked like others, {tally.repeated} were repetitions"
            )


@lru_cache(maxsize=2)
def plan_of(config_text: str, index: int, seed: int) -> TaskPlan:
    """The plan of a task. Kept, because the parts of a large task are made one after the other."""
    curriculum = KandyConfig.model_validate_json(config_text).curriculum
    return make_plan(curriculum.tasks[index], curriculum, seed)


def make_batch(config: KandyConfig, seed: int, index: int, start: int, stop: int, *, painted: bool = True) -> Batch:
    """The samples and pictures of rows `start` to `stop` of a task; the report comes with its first row.

    Without `painted` there are no pictures; the samples are the same.
    """
    plan = plan_of(config.model_dump_json(), index, seed)
    batch = Batch(report=report(plan) if start == 0 else {})
    chosen = plan.rows[start:stop]
    proofs, proven = proofs_of(plan.task, chosen, config.domain)
    batch.report |= {"proven": proven.labels, "confirmed": proven.confirmed}
    renderer = Renderer(config.curriculum.config)
    for row in chosen:
        sample, path, scene = drawn_sample(renderer, plan.task, seed, row, proofs.get(row.symbol, {}))
        batch.samples.append(sample)
        if painted:
            batch.files[path] = scene.png()
    return batch


def proofs_of(task: Task, chosen: Sequence[PlannedRow], domain: Domain) -> tuple[dict[int, Json], Proven]:
    """Why the rule holds of each symbol or does not, by its number, and what was proven; nothing without a rule."""
    if task.rule is None or not chosen:
        return {}, Proven(0, 0)
    trees = {row.symbol: row.tree for row in chosen}
    with reasoner(task, domain) as logic:
        key = rule_key(task.rule, logic)
        proven = prove(task, key, chosen, logic)
        proofs = logic.certificates(key, list(trees.values()))
    name = _rule_name(task)
    return {symbol: {"rule": name, **proof} for symbol, proof in zip(trees, proofs, strict=True)}, proven


def _rule_name(task: Task) -> str | None:
    return task.rule.name if isinstance(task.rule, NamedRule) else "positive_rule" if task.rule else None


def report(plan: TaskPlan) -> dict[str, Json]:
    """How a task's samples were found, for people and for the manifest."""
    task, search = plan.task, plan.search
    sides = {"positive": True, "negative": False}
    labels = Counter((row.split, row.label) for row in plan.rows)
    summary: dict[str, Any] = {
        "rule": _rule_name(task),
        **{name: asdict(search.tallies[label]) for name, label in sides.items()},
        "distinct": len(search.symbols),
        "repeats": len(plan.rows) - len({row.symbol for row in plan.rows}),
        "exhausted": {name: search.exhausted[label] for name, label in sides.items()},
        "positives": {split: labels[split, True] for split in SPLITS},
        "rows": {split: labels[split, True] + labels[split, False] for split in SPLITS},
        "missing": task.samples - len(plan.rows),
        "supervised": sum(row.supervised for row in plan.rows),
    }
    tallies = search.tallies.values()
    rejected = {
        "repetition": sum(tally.repeated for tally in tallies),
        "picture": sum(tally.twins for tally in tallies),
        "rule": sum(tally.refused for tally in tallies),
    }
    return {"rejected": rejected, "tasks": {task.id: summary}}  # type: ignore[dict-item]


# Splits


def sizes(task: Task, count: int) -> dict[str, int]:
    """How `count` samples divide into the splits: train and valid rounded up, the rest is test."""
    train = min(count, math.ceil(round(task.train_split * count, 9)))
    valid = min(count - train, math.ceil(round(task.val_split * count, 9)))
    return {"train": train, "valid": valid, "test": count - train - valid}


def planned_rows(task: Task, config: CurriculumConfig, seed: int, search: SearchResult) -> list[PlannedRow]:
    """The rows of a task, split by split, in the order of the dataset."""
    rng = fast_rng(seed, FAMILY, task.id, "splits")
    wanted = sizes(task, task.samples)
    ways = {"coin": _coin, "stratified": _stratified, "exact": _quotas}
    chosen = ways[config.balance](task, search, wanted, rng)
    rows = [row for split in SPLITS for row in _split_rows(task, config, seed, search, split, chosen[split])]
    return _apart(task, config, seed, search, rows)


def _coin(task: Task, search: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    order = list(range(len(search.symbols)))
    rng.shuffle(order)
    have = sizes(task, len(order))
    chosen: dict[str, list[int]] = {}
    for split in SPLITS:
        own, order = order[: have[split]], order[have[split] :]
        chosen[split] = _filled(own, wanted[split], rng)
    return chosen


def _stratified(task: Task, search: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    """Every split has its share of each label, as nearly as whole numbers allow."""
    have = list(sizes(task, len(search.symbols)).values())
    positive, negative = search.of(True), search.of(False)
    rng.shuffle(positive)
    rng.shuffle(negative)
    chosen: dict[str, list[int]] = {}
    for split, size, share in zip(SPLITS, have, _shares(len(positive), have), strict=True):
        own = positive[:share] + negative[: size - share]
        positive, negative = positive[share:], negative[size - share :]
        rng.shuffle(own)
        chosen[split] = _filled(own, wanted[split], rng)
    return chosen


def _quotas(task: Task, search: SearchResult, wanted: dict[str, int], rng: random.Random) -> dict[str, list[int]]:
    chosen: dict[str, list[int]] = {split: [] for split in SPLITS}
    for label in (True, False):
        order = search.of(label)
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
    task: Task, config: CurriculumConfig, seed: int, search: SearchResult, split: str, chosen: list[int]
) -> list[PlannedRow]:
    symbols = [search.symbols[number] for number in chosen]
    flags = supervised(task, len(chosen), closed=config.decay == "closed", seed=seed, split=split)
    return [
        PlannedRow(split, index, symbol.label, flag, symbol.tree, number, symbol.laid)
        for index, (number, symbol, flag) in enumerate(zip(chosen, symbols, flags, strict=True))
    ]


def probability(gamma: float, beta: float, t: float) -> float:
    """The chance that the sample at t in 0..1 is supervised; at 0 and 1 the law has its limits."""
    if gamma <= 0:
        return 0.0
    if beta <= 0:
        return gamma if t <= 0 else 0.0
    return float(gamma * (beta / gamma) ** t)


def supervised(task: Task, count: int, *, closed: bool, seed: int, split: str) -> list[bool]:
    """Draws for the samples of a split. `closed`: the last one is at t = 1; else t stops one step short of it."""
    rng = fast_rng(seed, FAMILY, task.id, split, "supervised")
    last = max(1, count - 1) if closed else count
    return [rng.random() < probability(task.gamma, task.beta, index / last) for index in range(count)]


def _apart(
    task: Task, config: CurriculumConfig, seed: int, search: SearchResult, rows: list[PlannedRow]
) -> list[PlannedRow]:
    """Draws positions again where two splits would show the same picture; only `random` has positions to draw."""
    if config.unique != "picture" or all(symbol.laid for symbol in search.symbols):
        return rows
    renderer = Renderer(config)
    seen: dict[bytes, str] = {look: row.split for row in rows if (look := search.symbols[row.symbol].look) is not None}
    return [_moved(task, seed, row, renderer, seen) if row.laid is None else row for row in rows]


def _moved(task: Task, seed: int, row: PlannedRow, renderer: Renderer, seen: dict[bytes, str]) -> PlannedRow:
    for attempt in range(_MOST_ATTEMPTS):
        candidate = replace(row, attempt=attempt)
        look = renderer.look(row.tree, candidate.rng(task, seed))
        if seen.setdefault(look, row.split) == row.split:
            return candidate
    return row
