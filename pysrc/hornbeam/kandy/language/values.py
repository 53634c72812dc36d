"""Readers of single values: each gives the value or raises the error that says what was expected, and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hornbeam.errors import unknown_name
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
        found = value.value if isinstance(value, Scalar) else None
        if not isinstance(found, int | float) or isinstance(found, bool):
            raise value.place.error(f"{key}: expected a number, got {describe(value)}")
        if not low <= found <= high:
            raise value.place.error(f"{key}: expected a number from {low:g} to {high:g}, got {found}")
        return float(found)

    return read


def choice(options: tuple[str, ...]) -> Reader:
    """One of several words."""

    def read(key: str, value: Located) -> str:
        word = text(key, value)
        if word not in options:
            place = value.place
            raise unknown_name(key, word, options, file=place.file, line=place.line, column=place.column)
        return word

    return read


def color(key: str, value: Located) -> tuple[int, int, int]:
    """A colour as "#rrggbb"."""
    code = value.value if isinstance(value, Scalar) else None
    if not isinstance(code, str) or not _HEX.match(code):
        raise value.place.error(f'{key}: expected a colour such as "#ff0000" in quotes, got {describe(value)}')
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def pair_of_sizes(key: str, value: Located) -> tuple[int, int]:
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
        return tuple(_entry(key, item, inner) for item in value.items)

    return read


def _entry(key: str, item: Located, inner: Reader) -> tuple[str, Any]:
    if not isinstance(item, Fields) or len(item.fields) != 1:
        raise item.place.error(f"{key}: expected one 'name: value', got {describe(item)}")
    ((name, value),) = item.fields.items()
    return name, inner(f"{key}.{name}", value)
