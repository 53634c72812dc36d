"""The shape of what a dataset holds as JSON: msgspec reads it, and an error names the key and what was expected there.

A family states the shape of its samples once, in its record.py, as a subclass of :class:`SampleShape`. What must hold
within a sample beyond its types (a node that an edge names exists) is checked in ``__post_init__``, which raises
:class:`WrongValue`.

>>> class Size(Shape):
...     rows: int
...     columns: list[Count]
>>> from_json(b'{"rows": 3, "columns": [1, 2]}', Size, file="a.json")
Size(rows=3, columns=[1, 2])
>>> from_json(b'{"rows": 3, "columns": [1, "x"]}', Size, file="a.json")
Traceback (most recent call last):
...
hornbeam.errors.DatasetError: a.json: key "columns[1]": expected a whole number, found "x"
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from hornbeam.errors import DatasetError

Value = TypeVar("Value")

MOST = 1 << 53  # the largest number that every reader of JSON gives back as it is
Count = Annotated[int, Meta(ge=0, le=MOST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Name = Annotated[str, Meta(min_length=1)]
Node = Count
Edge = tuple[Node, Name, Node]
Query = tuple[Node, Node]

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


class WrongValue(ValueError):
    """A value that has the right type and is wrong nevertheless; `key` leads to it from the object that was checked."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class Shape(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An object with these keys and no others."""


class SampleShape(Shape, kw_only=True):
    """A line of samples.jsonl. A family's own shape says more of `label`, `input`, `symbolic` and `proof`."""

    id: Name
    task: Name
    split: Literal["train", "valid", "test"]
    label: Any
    supervised: bool
    input: Any
    symbolic: Any
    proof: Any


class OpenShape(SampleShape, kw_only=True):
    """The samples of a family that does not state their shape."""

    input: dict[str, Any]
    symbolic: dict[str, Any]
    proof: dict[str, Any]


def check_nodes(edges: Sequence[Edge], query: Query, nodes: int) -> None:
    """Refuse a node of an edge or of the query that is none of 0 .. `nodes` - 1."""
    for number, (source, _, target) in enumerate(edges):
        if source >= nodes or target >= nodes:
            wrong = max(source, target)
            raise WrongValue(f"edges[{number}]", f"there is no node {wrong}: nodes are numbered from 0 to {nodes - 1}")
    if max(query) >= nodes:
        raise WrongValue("query", f"there is no node {max(query)}: nodes are numbered from 0 to {nodes - 1}")


# Reading --------------------------------------------------------------------------------------------------------------


def read_json(path: Path, kind: type[Value] | Any) -> Value:
    """The content of a JSON file as a value of a type.

    Raises:
        DatasetError: if the file cannot be read, is not JSON, or its content is not of this type.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from None
    value: Value = from_json(data, kind, file=str(path))
    return value


def read_json_lines(path: Path, kind: type[Value] | Any) -> list[Value]:
    """The lines of a file, each JSON of a type; empty lines are left out. DatasetError names file and line."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from None
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    return [from_json(line, kind, file=str(path), line=number) for number, line in numbered]


def from_json(data: bytes, kind: type[Value] | Any, *, file: str, line: int | None = None) -> Value:
    """The value of a type that a JSON text states; DatasetError says what is wrong with it."""
    try:
        value: Value = msgspec.json.decode(data, type=kind)
        return value
    except UNREADABLE as error:
        raise DatasetError(complaint(error, data), file=file, line=line) from None


def as_kind(value: Any, kind: type[Value] | Any, *, file: str, line: int | None = None) -> Value:
    """A value that was read from JSON as one of a type; DatasetError says what is wrong with it."""
    try:
        result: Value = msgspec.convert(value, kind)
    except UNREADABLE as error:
        raise DatasetError(complaint(error, value), file=file, line=line) from None
    return result


# What is wrong --------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"(?P<said>.*) - at `\$(?P<path>[^`]*)`", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<kinds>[^`]*)`(?P<more>.*?)(?:, got .*)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_LONGEST = 60  # characters of a wrong value that a message shows


def complaint(error: Exception, data: Any) -> str:
    """What is wrong with a JSON text, or with what was read from one, from the error that reading it raised."""
    if isinstance(error, UnicodeError):
        return "not JSON: the text is not UTF-8"
    if isinstance(error, RecursionError):
        return "not JSON that can be read: it is nested too deeply"
    if not isinstance(error, msgspec.ValidationError):
        return f"not JSON: {_small(str(error).removeprefix('JSON is malformed: '))}"
    place = _PLACE.fullmatch(str(error))
    said, path = (place["said"], place["path"]) if place else (str(error), "")
    if isinstance(error.__cause__, WrongValue):
        return wrong_value(error.__cause__, path)
    return _of_key(path, _translated(said, path, data))


def wrong_value(error: WrongValue, path: str = "") -> str:
    """What a :class:`WrongValue` says, with the whole key."""
    joint = "" if not path or error.key.startswith("[") or not error.key else "."
    return _of_key(f"{path}{joint}{error.key}", str(error))


def _of_key(path: str, message: str) -> str:
    name = path.lstrip(".").replace("[...]", ".*")
    return f'key "{name}": {message}' if name else message


def _translated(said: str, path: str, data: Any) -> str:
    missing = re.fullmatch(r"Object missing required field `([^`]*)`", said)
    if missing:
        return f'the key "{missing[1]}" is missing'
    unknown = re.fullmatch(r"Object contains unknown field `([^`]*)`", said)
    if unknown:
        return f'unknown key "{unknown[1]}"'
    expected = _EXPECTED.fullmatch(said)
    message = f"expected {_wanted(expected['kinds'], expected['more'])}" if expected else _small(said)
    return message + _found(path, data)


def _wanted(kinds: str, more: str) -> str:
    words = " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))
    more = (
        more.replace(" of length >= 1", " that is not empty").replace(">=", "of at least").replace("<=", "of at most")
    )
    return words + re.sub(r" matching regex .*", " in the format of this key", more)


def _found(path: str, data: Any) -> str:
    """The value at a path, as a part of a message."""
    try:
        value = msgspec.json.decode(data) if isinstance(data, bytes) else data
        for key, index in _STEP.findall(path):
            if index == "...":
                return ""
            value = value[int(index)] if index else value[key]
    except (*UNREADABLE, LookupError, TypeError):
        return ""
    text = json.dumps(value, ensure_ascii=True)
    return f", found {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
