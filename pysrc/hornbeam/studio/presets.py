"""What can be made: the presets of each family, and their settings as JSON Schema with values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hornbeam import config as configuration
from hornbeam import family as families
from hornbeam import resources
from hornbeam.errors import HornbeamError
from hornbeam.family import BUILT_IN, Family
from hornbeam.studio.forms import Field, fields
from hornbeam.yaml_reader import plain, read_yaml


@dataclass(frozen=True, slots=True)
class FamilyPresets:
    """A family, and its presets with what they are."""

    name: str
    title: str
    question: str
    presets: tuple[tuple[str, str], ...]


@cache
def catalogue() -> tuple[FamilyPresets, ...]:
    """All families that come with presets."""
    return tuple(
        FamilyPresets(
            name,
            families.get(name).title,
            families.get(name).question,
            tuple((preset, configuration.description(name, preset)) for preset in configuration.presets(name)),
        )
        for name in BUILT_IN
    )


def settings(family: str, preset: str) -> list[Field]:
    """The settings of a preset as fields of a form.

    Raises:
        UsageError: if there is no such family or preset.

    >>> [field.key for field in settings("star", "rcc8-small")][:2]
    ['calculus', 'profile']
    """
    chosen = families.get(family)
    configuration.find(family, preset)
    schema, values = _curriculum_settings(preset) if family == "kandy" else _model_settings(chosen, preset)
    return fields(schema, values)


def _model_settings(family: Family, preset: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    config = family.configure(preset)
    return family.config_type.model_json_schema(), config.model_dump(mode="json")


def _curriculum_settings(preset: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A curriculum is no list of settings; what can be set beside it are keys of all tasks, and its configuration."""
    from hornbeam.kandy.schema import schema

    stated = schema()["$defs"]
    properties = {**stated["file"]["properties"]["set"]["properties"], **stated["config"]["properties"]}
    # Each task has its own name, the form has the seed, and the file of the original is not loaded.
    for other in ("name", "seed", "background_knowledge"):
        properties.pop(other, None)
    path = resources.curricula("kandy", f"{preset}.yml")
    content = plain(read_yaml(path.read_text(encoding="utf-8"), str(path)))
    values: dict[str, Any] = {}
    for part in ("set", "config"):
        if isinstance(content, dict) and isinstance(content.get(part), dict):
            values |= content[part]
    return {"properties": properties}, values


def description(family: str, preset: str) -> str:
    """What a preset is."""
    try:
        return configuration.description(family, preset)
    except HornbeamError:
        return ""
