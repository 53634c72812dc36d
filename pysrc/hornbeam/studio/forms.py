"""Forms from JSON Schema: the settings of a dataset, with the values of a preset.

A setting with a plain type is a field of that type. Groups of settings are unfolded up to a depth; what is deeper, and
lists, are text in YAML, as after `--set`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import yaml

UNSET = object()  # a setting without a value or a default: its field is empty, and what is empty is not set
Widget = Literal["integer", "number", "boolean", "choice", "text", "yaml"]
_DEEPEST = 1  # groups inside groups are text


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form.

    Attributes:
        key: The setting's name, with dots between groups.
        widget: How it is edited.
        value: The text that stands in it, or "true"/"false".
        about: What the setting is.
        choices: What can be chosen.
        minimum, maximum: Limits of a number.
        group: The group that it belongs to; "" for none.
        group_about: What the group is.
    """

    key: str
    widget: Widget
    value: str
    about: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    group: str = ""
    group_about: str = ""


def fields(schema: Mapping[str, Any], values: Mapping[str, Any]) -> list[Field]:
    """The fields of an object's schema.

    Args:
        schema: The JSON Schema of the whole, with its `$defs`.
        values: The values to start with, by key.

    >>> schema = {"properties": {"rows": {"type": "integer", "minimum": 1, "description": "how many"}}}
    >>> fields(schema, {"rows": 3})
    [Field(key='rows', widget='integer', value='3', about='how many', choices=(), minimum=1, maximum=None, group='',
     group_about='')]
    """
    return list(_of_object(schema, schema.get("$defs", {}), values, "", 0))


def _of_object(
    schema: Mapping[str, Any], defs: Mapping[str, Any], values: Mapping[str, Any], prefix: str, depth: int
) -> Iterator[Field]:
    for name, stated in schema.get("properties", {}).items():
        part = resolved(stated, defs)
        key = f"{prefix}{name}"
        value = values.get(name, part.get("default", UNSET))
        if depth < _DEEPEST and part.get("type") == "object" and part.get("properties") and isinstance(value, dict):
            about = _about(part)
            for field in _of_object(part, defs, value, f"{key}.", depth + 1):
                yield replace(field, group_about=about)
        else:
            yield _field(key, part, value, prefix.rstrip("."))


def resolved(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that a reference means; what stands beside the reference wins."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**resolved(defs[name], defs), **schema} if name in defs else schema


def _about(schema: Mapping[str, Any]) -> str:
    return " ".join(str(schema.get("description", "")).split())


def _field(key: str, schema: Mapping[str, Any], value: Any, group: str) -> Field:
    about = _about(schema)
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    unset = value is UNSET
    if choices and all(isinstance(choice, str) for choice in choices):
        shown = ("", *choices) if unset else tuple(choices)
        return Field(key, "choice", "" if unset else str(value), about, shown, group=group)
    match schema.get("type"):
        case "boolean" if unset:
            return Field(key, "choice", "", about, ("", "true", "false"), group=group)
        case "boolean":
            return Field(key, "boolean", "true" if value else "false", about, group=group)
        case "integer" | "number" as kind if value is not None:
            low = schema.get("minimum", schema.get("exclusiveMinimum"))
            high = schema.get("maximum", schema.get("exclusiveMaximum"))
            return Field(key, kind, "" if unset else f"{value}", about, (), low, high, group)
        case "string" if value is not None:
            return Field(key, "text", "" if unset else str(value), about, group=group)
    return Field(key, "yaml", "" if unset else as_yaml(value), about, group=group)


def as_yaml(value: Any) -> str:
    """A value as the YAML of a setting.

    >>> as_yaml([2, 3]), as_yaml(None)
    ('[2, 3]', 'null')
    """
    if value is None:
        return "null"
    # Python's own tuples are lists to YAML.
    text = yaml.safe_dump(_plain(value), default_flow_style=True, width=1 << 20, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def changed(shown: Sequence[Field], form: Mapping[str, str], prefix: str = "set.") -> dict[str, str]:
    """The settings that a visitor changed, as `--set` takes them; a box that is not ticked is not sent."""
    overrides: dict[str, str] = {}
    for field in shown:
        given = form.get(prefix + field.key, "false" if field.widget == "boolean" else field.value)
        given = given.replace("\r\n", "\n").strip()
        if given != field.value.strip():
            overrides[field.key] = as_yaml(given) if field.widget == "text" else given
    return overrides
