"""The JSON Schema of curriculum files, for editors: made from the same tables that the reader uses."""

from __future__ import annotations

from typing import Any

from hornbeam.kandy.curriculum import CHOICES
from hornbeam.kandy.language.operators import LIST_OPERATORS, SET_OPERATORS, SORT_KEYS, ListOperator
from hornbeam.kandy.language.read import MEANINGS, SETS, TASK_READERS
from hornbeam.kandy.language.settings import MEANINGS as SETTINGS
from hornbeam.kandy.language.settings import READERS
from hornbeam.kandy.shapes import BUILT_IN
from hornbeam.kandy.tree import ATTRIBUTES, groups, operators

_ELEMENTS = {"$ref": "#/$defs/elements"}
_KINDS: dict[str, dict[str, Any]] = {
    "natural": {"type": "integer", "minimum": 0},
    "integer": {"type": "integer"},
    "name": {"type": "string", "minLength": 1},
    "order": {"type": "string", "pattern": "^([aA][sS][cC]|[dD][eE][sS][cC])$"},
    "keys": {"type": "array", "items": {"enum": list(SORT_KEYS)}, "minItems": 1},
    "indexes": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1},
    "flag": {"type": "boolean"},
}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_COLOR = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}


def schema() -> dict[str, Any]:
    """The schema of a curriculum file, draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "KANDY curriculum",
        "description": "A list of tasks, or a mapping with config, set and tasks.",
        "oneOf": [{"$ref": "#/$defs/tasks"}, {"$ref": "#/$defs/file"}],
        "$defs": {
            "file": _file(),
            "tasks": {"type": "array", "items": {"$ref": "#/$defs/task"}, "minItems": 1},
            "task": {"type": "object", "properties": {**_task_keys(), **_task_sets()}, "required": ["name", *SETS]},
            "config": {"type": "object", "properties": _config(), "additionalProperties": False},
            "elements": {"type": "array", "items": {"$ref": "#/$defs/element"}, "minItems": 1},
            "element": {"oneOf": [{"$ref": "#/$defs/object"}, {"$ref": "#/$defs/operator"}]},
            "object": _object(),
            "operator": {
                "type": "object",
                "properties": _operators(),
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        },
    }


def _file() -> dict[str, Any]:
    properties = {
        "about": {"type": "string"},
        "define": {"description": "blocks to give anchors to"},
        "config": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/config"}]},
        "set": {"type": "object", "properties": _task_keys(), "description": "task keys for all tasks"},
        "tasks": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/tasks"}]},
    }
    return {"type": "object", **_closed(properties, ["tasks"])}


def _task_keys() -> dict[str, Any]:
    kinds: dict[str, dict[str, Any]] = {
        "name": {"type": "string", "minLength": 1},
        "samples": {"type": "integer", "minimum": 1},
        "noisy_color": {"type": "boolean"},
        "noisy_size": {"type": "boolean"},
    }
    return {key: {**kinds.get(key, _SHARE), "description": MEANINGS[key]} for key in TASK_READERS}


def _task_sets() -> dict[str, Any]:
    return {
        **{key: {**_ELEMENTS, "description": MEANINGS[key]} for key in SETS},
        "rule": {"type": "string", "description": "the name of a rule of kb/kandy"},
        "positive_rule": {"type": "string", "description": "Prolog text that defines valid/1"},
        "about": {"type": "string"},
    }


def _object() -> dict[str, Any]:
    value = {"type": ["string", "null"], "description": "~ for any, x, not_x, or x|y"}
    return {"type": "object", **_closed(dict.fromkeys(ATTRIBUTES, value), list(ATTRIBUTES))}


def _closed(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"properties": properties, "required": required, "additionalProperties": False}


def _operators() -> dict[str, Any]:
    about = dict.fromkeys(operators(), "composition")
    about |= {name: f"one of {', '.join(members)}" for name, members in groups().items()}
    about |= dict.fromkeys(SET_OPERATORS, "set, attribute by attribute")
    on_elements = {name: {**_ELEMENTS, "description": said} for name, said in about.items()}
    return on_elements | {name: _list_operator(name, operator) for name, operator in LIST_OPERATORS.items()}


def _list_operator(name: str, operator: ListOperator) -> dict[str, Any]:
    when = "before grounding" if name != operator.name else "after grounding"
    about = f"{operator.about} ({when})"
    if not operator.parameters:
        return {**_ELEMENTS, "description": about}
    properties = {one.name: {**_KINDS[one.kind], "description": one.about} for one in operator.parameters}
    required = [parameter.name for parameter in operator.parameters if parameter.required]
    if operator.takes_list:
        properties["list"] = _ELEMENTS
        required.append("list")
    return {"type": "object", "description": about, **_closed(properties, required)}


def _config() -> dict[str, Any]:
    point = {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}, "minItems": 2, "maxItems": 2}
    built_in = {"enum": list(BUILT_IN)}
    outline = {"oneOf": [built_in, {"type": "array", "items": point, "minItems": 3}]}
    kinds: dict[str, dict[str, Any]] = {
        "seed": {"type": "integer", "minimum": 0},
        "canvas_size": {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2},
        "padding": {"type": "integer", "minimum": 0},
        "bg_color": _COLOR,
        "colors": _named(_COLOR),
        "sizes": _named({"type": "number", "minimum": 1}),
        "shapes": {"type": "array", "items": {"oneOf": [built_in, _one(outline)]}, "minItems": 1},
        "background_knowledge": {"type": ["string", "null"]},
        "patience": {"type": "integer", "minimum": 1},
        **{key: {"enum": list(options)} for key, options in CHOICES.items()},
    }
    number = {"type": "number", "minimum": 0}
    return {key: {**kinds.get(key, number), "description": SETTINGS[key]} for key in READERS}


def _named(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _one(value), "minItems": 1}


def _one(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value, "minProperties": 1, "maxProperties": 1}
