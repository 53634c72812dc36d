"""Settings as a table: name, values, default and meaning, from the type that checks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from hornbeam.handbook.markdown import code, table
from hornbeam.studio.forms import as_yaml, resolved

_HEADER = ("setting", "values", "default", "meaning")
_KINDS = {"integer": "a whole number", "number": "a number", "boolean": "`true` or `false`", "string": "a text",
          "array": "a list", "object": "a mapping"}  # fmt: skip
_LIMITS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its name with dots between groups, its values in words, its default in YAML, what it means."""

    key: str
    values: str
    default: str
    about: str


def settings_table(kind: type[BaseModel]) -> str:
    """The settings of a type as a Markdown table.

    >>> from pydantic import Field
    >>> class Size(BaseModel):
    ...     rows: int | None = Field(default=None, ge=1, description="how many rows")
    >>> print(settings_table(Size))
    | setting | values | default | meaning |
    |---|---|---|---|
    | `rows` | a whole number, at least 1 | - | how many rows |
    """
    return schema_table(kind.model_json_schema())


def schema_table(schema: Mapping[str, Any]) -> str:
    """The properties of a JSON Schema as a Markdown table."""
    rows = [
        (code(one.key), one.values, code(one.default) if one.default else "-", one.about) for one in settings(schema)
    ]
    return table(_HEADER, rows)


def settings(schema: Mapping[str, Any]) -> list[Setting]:
    """The settings of an object's schema; groups are unfolded."""
    return list(_of_object(schema, schema.get("$defs", {}), ""))


def _of_object(schema: Mapping[str, Any], defs: Mapping[str, Any], prefix: str) -> Iterator[Setting]:
    for name, stated in schema.get("properties", {}).items():
        part = resolved(stated, defs)
        if part.get("properties"):
            yield from _of_object(part, defs, f"{prefix}{name}.")
        else:
            default = part.get("default")
            about = " ".join(str(part.get("description", "")).split())
            yield Setting(prefix + name, _values(part, defs), "" if default is None else as_yaml(default), about)


def _values(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    options = [resolved(one, defs) for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if options:
        return " or ".join(dict.fromkeys(_values(option, defs) for option in options))
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if choices:
        return ", ".join(code(choice) for choice in choices)
    kind = schema.get("type", "")
    limits = [f"{words} {schema[key]:g}" for key, words in _LIMITS.items() if key in schema]
    return ", ".join([_KINDS.get(kind, "YAML") if isinstance(kind, str) else "YAML", *limits])
