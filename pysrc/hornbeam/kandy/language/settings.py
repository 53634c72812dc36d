"""Reads a configuration: the mapping under `config`, or a config file of the original.

Each reader of a single value gives the value, or raises the error that says what was expected, and where.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from itertools import repeat
from typing import Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.curriculum import CHOICES, PROFILES, CurriculumConfig
from hornbeam.kandy.shapes import BUILT_IN, Outline
from hornbeam.yaml_reader import Fields, Items, Located, Scalar, describe

Reader = Callable[[str, Located], Any]
_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")


def text(key: str, value: Located) -> str:
    """A text that is not empty."""
    if isinstance(value, Scalar) and isinstance(value.value, str) and value.value.strip():
        return value.value
    raise value.place.error(f"{key}: expected a text, got {describe(value)}")


def flag(key: str, value: Located) -> bool:
    """A truth value."""
    if isinstance(value, Scalar) and isinstance(value.value, bool):
        return value.value
    raise value.place.error(f"{key}: expected true or false, got {describe(value)}")


def whole(low: int, high: int) -> Reader:
    """A whole number between two bounds."""

    def read(key: str, value: Located) -> int:
        number = value.value if isinstance(value, Scalar) else None
        if not isinstance(number, int) or isinstance(number, bool):
            raise value.place.error(f"{key}: expected a whole number, got {describe(value)}")
        if not low <= number <= high:
            raise value.place.error(f"{key}: expected a number from {low} to {high}, got {number}")
        return number

    return read


def number(low: float, high: float) -> Reader:
    """A number between two bounds; an integer is a number."""

    def read(key: str, value: Located) -> float:
        given = value.value if isinstance(value, Scalar) else None
        if not isinstance(given, int | float) or isinstance(given, bool):
            raise value.place.error(f"{key}: expected a number, got {describe(value)}")
        if not low <= given <= high:
            raise value.place.error(f"{key}: expected a number from {low:g} to {high:g}, got {given}")
        return float(given)

    return read


def choice(options: tuple[str, ...]) -> Reader:
    """One of several words."""

    def read(key: str, value: Located) -> str:
        word = text(key, value)
        if word not in options:
            raise unknown_name(key, word, options, **asdict(value.place))
        return word

    return read


def color(key: str, value: Located) -> tuple[int, int, int]:
    """A colour as "#rrggbb"."""
    code = value.value if isinstance(value, Scalar) else None
    if not isinstance(code, str) or not _HEX.match(code):
        raise value.place.error(f'{key}: expected a colour such as "#ff0000" in quotes, got {describe(value)}')
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def _pair_of_sizes(key: str, value: Located) -> tuple[int, int]:
    """Width and height of a canvas: at least 32 pixels each, as the original clamps them."""
    if not isinstance(value, Items) or len(value.items) != 2:
        raise value.place.error(f"{key}: expected [width, height], got {describe(value)}")
    width, height = (whole(1, 8192)(key, item) for item in value.items)
    return max(32, width), max(32, height)


def named(inner: Reader) -> Reader:
    """A list of one-key mappings ``- name: value``, in their order."""

    def read(key: str, value: Located) -> tuple[tuple[str, Any], ...]:
        if not isinstance(value, Items) or not value.items:
            raise value.place.error(f"{key}: expected a list such as '- name: value', got {describe(value)}")
        return tuple(map(entry, repeat(key), value.items))

    def entry(key: str, item: Located) -> tuple[str, Any]:
        if not isinstance(item, Fields) or len(item.fields) != 1:
            raise item.place.error(f"{key}: expected one 'name: value', got {describe(item)}")
        ((name, value),) = item.fields.items()
        return name, inner(f"{key}.{name}", value)

    return read


def _shapes(key: str, value: Located) -> tuple[tuple[str, Outline], ...]:
    if not isinstance(value, Items) or not value.items:
        raise value.place.error(f"{key}: expected a list of shapes, got {describe(value)}")
    return tuple(_shape(key, item) for item in value.items)


def _shape(key: str, item: Located) -> tuple[str, Outline]:
    if isinstance(item, Scalar):
        name = choice(tuple(BUILT_IN))(key, item)
        return name, BUILT_IN[name]
    if isinstance(item, Fields) and len(item.fields) == 1:
        ((name, points),) = item.fields.items()
        if isinstance(points, Scalar):
            return name, BUILT_IN[choice(tuple(BUILT_IN))(f"{key}.{name}", points)]
        if isinstance(points, Items) and len(points.items) >= 3:
            return name, Outline(tuple(_point(f"{key}.{name}", point) for point in points.items))
    raise item.place.error(f"{key}: expected a shape, 'name: shape' or 'name: [[x, y], ...]', got {describe(item)}")


def _point(key: str, value: Located) -> tuple[float, float]:
    if not isinstance(value, Items) or len(value.items) != 2:
        raise value.place.error(f"{key}: expected a point [x, y] from -1 to 1, got {describe(value)}")
    x, y = (number(-1, 1)(key, item) for item in value.items)
    return x, y


def _optional_text(key: str, value: Located) -> str | None:
    return None if isinstance(value, Scalar) and value.value is None else text(key, value)


READERS: dict[str, Reader] = {
    "seed": whole(0, 2**63),
    "canvas_size": _pair_of_sizes,
    "padding": whole(0, 4096),
    "bg_color": color,
    "colors": named(color),
    "sizes": named(number(1, 4096)),
    "shapes": _shapes,
    "size_noise": number(0, 4096),
    "h_sigma": number(0, 100),
    "s_sigma": number(0, 100),
    "v_sigma": number(0, 100),
    "background_knowledge": _optional_text,
    "patience": whole(1, 10_000_000),
    **{key: choice(options) for key, options in CHOICES.items()},
}

# What each key of a configuration means: for the schema, editors and the documentation.
CONFIG_MEANINGS = {
    "seed": "not used: a dataset has the seed that it is generated with (--seed)",
    "canvas_size": "width and height of a picture in pixels, at least 32 each",
    "padding": "pixels that are left free at the border, both sides together",
    "bg_color": "the colour of the background",
    "colors": "names and values of the colours",
    "sizes": "names of the sizes, and their pixels",
    "shapes": "shapes by name, or a name with a shape or with the points of an outline",
    "size_noise": "most pixels that a size varies by",
    "h_sigma": "deviation of an object's hue",
    "s_sigma": "deviation of its saturation",
    "v_sigma": "deviation of its brightness",
    "background_knowledge": "not used: rules see the background knowledge of kb/kandy",
    "patience": "consecutive rejections after which a set counts as exhausted",
    "profile": "the defaults of geometry, hue, unique, decay and balance; compat is how the original does it",
    "geometry": "compat draws quadrant_ll in the upper right, as the original does",
    "hue": "what noise of the hue does at red: go round, or stop",
    "unique": "whether two samples of a task may have the same noise-free picture (symbol) or not (picture)",
    "decay": "whether the last sample of a split has the supervision probability beta, or stops short of it",
    "balance": "labels by a coin, in each split its share of both (stratified) or as it falls (coin); or exact quotas",
}


def written_defaults() -> dict[str, Any]:
    """The values of keys that a file leaves out, as a file would write them."""
    default = CurriculumConfig()
    values = {**asdict(default), "profile": "sound", "canvas_size": list(default.canvas_size)}
    values["bg_color"] = _hex(default.bg_color)
    values["colors"] = [{name: _hex(rgb)} for name, rgb in default.colors]
    values["sizes"] = [{name: pixels} for name, pixels in default.sizes]
    values["shapes"] = [name for name, _ in default.shapes]
    return values


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def read_config(values: Fields) -> CurriculumConfig:
    """The configuration that a mapping describes."""
    for key in values:
        if key not in READERS:
            raise unknown_name("setting", key, READERS, **asdict(values.key_places[key]))
    given: dict[str, Any] = {key: READERS[key](key, value) for key, value in values.fields.items()}
    profile = PROFILES[given.pop("profile", "sound")]
    config = CurriculumConfig(**{**profile, **given})
    try:
        _ = config.domain
    except UsageError as error:
        raise values.place.error(error.message) from None
    if config.padding + config.largest + config.size_noise > min(config.canvas_size):
        raise values.place.error("the largest size with its noise and the padding do not fit on the canvas")
    return config
