"""Random curricula: valid ones, ones with a wrong part, and ones whose text was damaged."""

from __future__ import annotations

import random

import yaml

from hornbeam.kandy.language.operators import LIST_OPERATORS, SET_OPERATORS
from hornbeam.kandy.tree import DEFAULT_DOMAIN, groups, operators

WORDS = (
    *("red", "circle", "small", "~", "not_red", "n", "list", "alias", "stack", "samples", "0", "-1", "1e9", "true"),
    *("[", "]", "{", "}", ":", "- ", "&a ", "*a ", "<<", "|", "#", '"', "'", "\t", "\n", "%", "!!python/x ", "é", "\0"),
)


class Author:
    """Writes random curricula."""

    def __init__(self, rng: random.Random, rules: list[str]) -> None:
        self.rng = rng
        self.rules = rules
        self.stored: list[str] = []

    def curriculum(self) -> str:
        tasks = [self.task(index) for index in range(self.rng.randint(1, 2))]
        document: object = tasks
        if self.rng.random() < 0.3:
            document = {"config": self.config(), "tasks": tasks}
        return yaml.safe_dump(document, sort_keys=False, default_flow_style=self.rng.choice([None, False, True]))

    def config(self) -> dict[str, object]:
        rng = self.rng
        return {
            "canvas_size": [rng.choice([32, 64, 101]), rng.choice([32, 64, 90])],
            "geometry": rng.choice(["right", "compat"]),
            "unique": rng.choice(["picture", "symbol"]),
            "balance": rng.choice(["coin", "stratified", "exact"]),
            "profile": rng.choice(["sound", "compat"]),
            "size_noise": rng.choice([0, 1, 2]),
            "patience": rng.choice([1, 20, 60]),
        }

    def task(self, index: int) -> dict[str, object]:
        rng = self.rng
        task: dict[str, object] = {
            "name": f"fuzz {index}",
            "gamma": rng.choice([0, 0.0, 0.5, 1.0, 1]),
            "beta": rng.choice([0, 0.3, 1.0]),
            "samples": rng.randint(1, 12),
            "train_split": rng.choice([0.5, 0.8, 1.0]),
            "val_split": rng.choice([0, 0.1]) if rng.random() < 0.5 else 0,
            "noisy_color": rng.random() < 0.5,
            "noisy_size": rng.random() < 0.5,
            "positive_set": [self.top() for _ in range(rng.randint(1, 3))],
            "negative_set": [self.top() for _ in range(rng.randint(1, 3))],
        }
        if rng.random() < 0.5:
            task["rule"] = rng.choice(self.rules)
        return task

    def top(self) -> object:
        self.stored = []
        return self.composition(3) if self.rng.random() < 0.9 else self.atom()

    def atom(self) -> dict[str, object]:
        return {
            attribute: self.value(names)
            for attribute, names in zip(("shape", "color", "size"), DEFAULT_DOMAIN.values, strict=True)
        }

    def value(self, names: tuple[str, ...]) -> str | None:
        some = self.rng.choice(names)
        other = self.rng.choice(names)
        return self.rng.choice([None, None, some, f"not_{some}", f"{some}|{other}"])

    def composition(self, depth: int) -> dict[str, object]:
        name = self.rng.choice([*operators(), *groups()])
        return {name: self.members(depth - 1)}

    def members(self, depth: int) -> list[object]:
        return [self.member(depth) for _ in range(self.rng.randint(1, 3))]

    def member(self, depth: int) -> object:
        kind = self.rng.random()
        if depth <= 0 or kind < 0.35:
            return self.atom()
        if kind < 0.55:
            return self.composition(depth)
        if kind < 0.65:
            return self.set_operator(1)
        return self.list_operator(depth - 1)

    def set_operator(self, depth: int) -> object:
        anything = {"shape": None, "color": None, "size": None}
        first = anything if self.rng.random() < 0.8 else self.set_member(depth)
        rest = [self.set_member(depth) for _ in range(self.rng.randint(0, 1))]
        return {self.rng.choice(SET_OPERATORS): [first, *rest]}

    def set_member(self, depth: int) -> object:
        if depth and self.rng.random() < 0.3:
            return self.set_operator(depth - 1)
        atom = self.atom()
        for attribute in self.rng.sample(["shape", "color", "size"], 2):
            atom[attribute] = None
        return atom

    def list_operator(self, depth: int) -> object:
        name = self.rng.choice(list(LIST_OPERATORS))
        operator = LIST_OPERATORS[name]
        if operator.name == "recall":
            return {"recall": {"alias": self.rng.choice(self.stored)}} if self.stored else self.atom()
        simple = operator.name in ("argsort", "sort") or self.rng.random() < 0.3
        members = [self.atom() for _ in range(self.rng.randint(1, 3))] if simple else self.members(depth)
        if not operator.parameters:
            return {name: members}
        arguments: dict[str, object] = {}
        for parameter in operator.parameters:
            if parameter.required or self.rng.random() < 0.4:
                arguments[parameter.name] = self.argument(parameter.name, len(members))
        if "min" in arguments:
            arguments["min"], arguments["max"] = sorted([arguments["min"], arguments["max"]])  # type: ignore[type-var]
        if "alias" in arguments:
            self.stored.append(str(arguments["alias"]))
        return {name: {**arguments, "list": members}}

    def argument(self, name: str, count: int) -> object:
        rng = self.rng
        return {
            "n": rng.choice([1, 1, 1, 1, 1, 1, 2, 2, 3, 0]),
            "min": rng.choice([0, 1, 1, 2]),
            "max": rng.randint(0, 3),
            "fresh": rng.random() < 0.7,
            "alias": rng.choice(["a", "b"]),
            "order": rng.choice(["asc", "desc", "DESC"]),
            "keys": rng.sample(["n", "shape", "color", "size"], rng.randint(1, 3)),
            "idx": rng.sample(range(count), count),
        }[name]


def damaged(text: str, rng: random.Random) -> str:
    """The text with a few things cut out, put in, doubled or exchanged."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 3, 20]))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:start] + rng.choice(WORDS) + text[end:]
        elif kind == 2:
            text = text[:end] + text[start:end] + text[end:]
        else:
            lines = text.split("\n")
            one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one]
            text = "\n".join(lines)
    return text


def spoiled(document: object, rng: random.Random) -> None:
    """Changes one part of a parsed curriculum to something of another kind."""
    places: list[tuple[object, object]] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            places.extend((value, key) for key in value)
            for item in list(value.values()):
                collect(item)
        elif isinstance(value, list):
            places.extend((value, index) for index in range(len(value)))
            for item in value:
                collect(item)

    collect(document)
    holder, key = rng.choice(places)
    wrong = rng.choice([None, True, -1, 10**12, 0.5, float("nan"), "", "stak", [], {}, [[]], {"stack": None}, {"n": 1}])
    if isinstance(holder, dict) and rng.random() < 0.3:
        holder[rng.choice(["stack", "lst", "n", "grid", "x"])] = holder.pop(key)
    else:
        holder[key] = wrong  # type: ignore[index]
