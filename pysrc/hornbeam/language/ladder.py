"""The ladder: twenty levels of difficulty for each family.

curricula/prompts/ladder.yml lists the rungs of each family and what grows on them. A level is a pure function to
generator settings (:func:`settings`); the level of a sample that is already there is that of the lowest rung that has
all of its measures (:func:`level_of`).

>>> rung("clutrr", 1)["k"] == 2, settings("clutrr", 1, rows=10)["test"]
(True, {'1.2': 10})
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.curriculum import NamedRule
from hornbeam.logic.terms import Compound
from hornbeam.theory import Theory
from hornbeam.theory.theory import indicator
from hornbeam.yaml_reader import plain, read_file, read_yaml

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

LOWEST, HIGHEST = 1, 20
Rung = Mapping[str, Any]


@cache
def ladders() -> Mapping[str, Any]:
    """What ladder.yml holds: for each family what grows, and its rungs."""
    path = resources.curricula("prompts", "ladder.yml")
    read: Mapping[str, Any] = plain(read_yaml(read_file(path), str(path)))
    return read


def rung(family: str, level: int) -> Rung:
    """The measures of a level.

    Raises:
        UsageError: if the family has no ladder, or the level is not from 1 to 20.
    """
    if family not in ladders():
        raise unknown_name("family with a ladder", family, list(ladders()))
    if not LOWEST <= level <= HIGHEST:
        raise UsageError(f"level: expected {LOWEST} to {HIGHEST}, found {level}")
    found: Rung = ladders()[family]["rungs"][level - 1]
    return found


def settings(family: str, level: int, rows: int) -> dict[str, Any]:
    """The settings of a generator for about `rows` test samples of a level, as a preset has them."""
    made: dict[str, Any] = _SETTINGS[family](rung(family, level), rows)
    return made


# Generator settings ---------------------------------------------------------------------------------------------------


def _clutrr(rung: Rung, rows: int) -> dict[str, Any]:
    long = rung["k"] > 6
    # Several stories of one family are faster than a family each, and no story shows the whole family.
    shape = {"generations": 4, "children": [2, 4]} if long else {"children": [2, 2 if rung["k"] < 4 else 3]}
    family = {"puzzles": 5, **shape}
    extra = rung["extra"]
    noise = {"supporting": [max(2, extra)] * 2, "irrelevant": [max(1, extra)] * 2, "disconnected": [max(1, extra)] * 2}
    train = {"1.2": 40}
    # A phrasing for each fact: pronouns of longer ones can point to two persons.
    story = {"join": 1}
    return {
        "family": family,
        "story": story,
        "noise": noise,
        "train": train,
        "test": {f"{rung['noise']}.{rung['k']}": rows},
    }


_STAR_LABELS = 7  # of RCC-8 without EQ, which no path without identity edges gives


def _star(rung: Rung, rows: int) -> dict[str, Any]:
    each = -(-rows // _STAR_LABELS)
    cells = {"cells": [{"k": [rung["k"]], "b": [rung["b"]], "rows": each}]}
    # The shortest paths are few: training must not take them from the test.
    train = {"cells": [{"k": [2 if rung["k"] > 2 else 3], "b": [1], "rows": 4}]}
    return {
        "calculus": "rcc8",
        "width": rung["width"],
        "answers": "sets" if rung["sets"] else "single",
        "needed": "most",
        "train": train,
        "test": cells,
    }


def _graphlog(rung: Rung, rows: int) -> dict[str, Any]:
    worlds = 4
    each = -(-rows // worlds)
    return {
        "relations": rung["relations"],
        "rules": rung["rules"] + 2 * (worlds - 1),
        "rules_per_world": rung["rules"],
        "stride": 2,
        "worlds": worlds,
        "rows": {"train": 60, "valid": 0, "test": each},
        "descriptors": {"train": 0.6, "valid": 0.0, "test": 0.4},
        "length": {"min": 2, "max": max(3, rung["k"])},
        "growth": {"cycles": 14, "expansions": [6, 18]} if rung["k"] > 6 else {},
        "noise": {"kinds": rung["kinds"]},
    }


def _rudas(rung: Rung, rows: int) -> dict[str, Any]:
    # A world has some forty derived facts, and each gives a question that is true and one that is not.
    return {
        "category": rung["category"],
        "size": rung["size"],
        "depth": rung["depth"],
        "recursion": rung["recursion"],
        "unfold": rung["unfold"],
        "max_components": 1,
        "constants": 40 + 20 * rung["depth"],
        "learnability": False,
        "count": max(1, rows // 80),
    }


_KANDY_SOLVED = 100  # training samples of a task: enough for the most shots that a prompt can have


def _kandy(rung: Rung, rows: int) -> dict[str, Any]:
    source = resources.curricula("kandy", f"{rung['curriculum']}.yml")
    preset: dict[str, Any] = plain(read_yaml(read_file(source), str(source)))
    named = {str(task["rule"]): task for task in preset["tasks"]}
    samples = max(20, rows // len(rung["rules"])) + _KANDY_SOLVED
    given = {**preset.get("set", {}), "samples": samples, "train_split": _KANDY_SOLVED / samples, "val_split": 0.0}
    tasks = [named[rule] for rule in rung["rules"]]
    kept = {key: value for key, value in preset.items() if key not in ("tasks", "set", "define")}
    config = {**kept.get("config", {}), "balance": "exact"}
    return {**kept, "config": config, "set": given, "tasks": tasks}


_SETTINGS = {"clutrr": _clutrr, "star": _star, "graphlog": _graphlog, "rudas": _rudas, "kandy": _kandy}


# The level of what is there -------------------------------------------------------------------------------------------


def level_of(dataset: Dataset, task: str, sample: Sample | None) -> int:
    """The level of a question: the lowest whose rung has all that the question has; the highest if none has."""
    family = dataset.manifest.family
    measured = _MEASURES[family](dataset, task, sample)
    for level, one in enumerate(ladders()[family]["rungs"], start=1):
        if all(_reached(one[name], value) for name, value in measured.items()):
            return level
    return HIGHEST


def _reached(limit: Any, value: Any) -> bool:
    if isinstance(limit, list):
        return set(value) <= set(limit)
    return bool(value <= limit)


def _clutrr_measures(dataset: Dataset, task: str, sample: Sample | None) -> dict[str, Any]:
    noise, _, k = task.partition(".")
    # Dead ends and other persons are one tier.
    return {"k": int(k), "noise": 4 if noise == "3" else int(noise)}


def _star_measures(dataset: Dataset, task: str, sample: Sample | None) -> dict[str, Any]:
    assert sample is not None
    symbolic: Any = sample.symbolic
    given: Any = sample.input
    width = max((str(label).count("|") + 1 for _, label, _ in given["edges"]), default=1)
    k = symbolic.get("k", HIGHEST)  # a tangle has none
    sets = "|" in str(sample.label) or sample.label == "inconsistent"
    return {"k": k, "b": symbolic.get("b", 1), "width": width, "sets": sets}


def _graphlog_measures(dataset: Dataset, task: str, sample: Sample | None) -> dict[str, Any]:
    assert sample is not None
    proof: Any = sample.proof
    config = dataset.config
    kinds = list(config.noise.kinds)
    return {"k": max(2, len(proof.get("path", ())) - 1), "kinds": kinds}


def _rudas_measures(dataset: Dataset, task: str, sample: Sample | None) -> dict[str, Any]:
    proof: Any = sample.proof if sample is not None else {}
    spec = dataset.config.specs_by_name().get(task)
    depth = int(proof.get("depth", 0))
    return {"depth": max(depth, spec.depth if spec is not None else 0)}


def _kandy_measures(dataset: Dataset, task: str, sample: Sample | None) -> dict[str, Any]:
    named = next((one.rule for one in dataset.config.tasks if one.id == task), None)
    return {"rules": [named.name if isinstance(named, NamedRule) else ""]}


def _literals(theory: Theory) -> int:
    return max((len(clause.body) for clause in theory.clauses), default=1)


_MEASURES = {
    "clutrr": _clutrr_measures,
    "star": _star_measures,
    "graphlog": _graphlog_measures,
    "rudas": _rudas_measures,
    "kandy": _kandy_measures,
}


def level_of_theory(theory: Theory) -> int:
    """The level of a task of rule induction: longer bodies, then negation, then recursion.

    A table of compositions gains a level with every ten facts.

    >>> level_of_theory(Theory.parse("p(X) :- q(X, Y), r(Y).")), level_of_theory(Theory.parse("p(X) :- p(X)."))
    (2, 16)
    """
    composed = sum(indicator(clause.head) == ("compose", 3) for clause in theory.clauses)
    if composed:
        return min(HIGHEST, -(-composed // 10))
    longest = _literals(theory)
    heads = {indicator(clause.head) for clause in theory.clauses}
    goals = [goal for clause in theory.clauses for goal in clause.body if isinstance(goal, Compound)]
    if any(indicator(goal) in heads for goal in goals):
        return min(HIGHEST, 15 + longest)
    if any(goal.functor == "\\+" for goal in goals):
        return min(15, 10 + longest)
    return min(15, max(1, longest) if longest <= 2 else 3 * longest - 4)
