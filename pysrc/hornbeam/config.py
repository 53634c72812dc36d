"""Configurations: YAML files read with positions, checked by a pydantic model, errors that name line and column.

>>> class Size(BaseModel):
...     rows: int
>>> parse("rows: 3", Size, file="a.yml").rows
3
>>> parse("rows: many", Size, file="a.yml")
Traceback (most recent call last):
...
hornbeam.errors.UsageError: a.yml:1:7: rows: expected a valid integer, found 'many'
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from hornbeam import resources
from hornbeam.errors import UsageError, unknown_name

Model = TypeVar("Model", bound=BaseModel)
Path_ = tuple[str | int, ...]

_MERGE = "tag:yaml.org,2002:merge"
# What PyYAML raises: its own errors, those of a date or number that is none, and nesting without end.
_NOT_YAML = (yaml.YAMLError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML document: its value, and where each part of it stands."""

    file: str
    value: Any
    places: Mapping[Path_, tuple[int, int]]

    def place(self, path: Sequence[str | int]) -> tuple[int | None, int | None]:
        """Line and column of the part at `path`, or of the nearest part around it."""
        key = tuple(path)
        while key and key not in self.places:
            key = key[:-1]
        return self.places.get(key, (None, None))

    def error(self, path: Sequence[str | int], message: str) -> UsageError:
        """The error for the part at `path`."""
        line, column = self.place(path)
        return UsageError(message, file=self.file, line=line, column=column)


def presets(family: str) -> list[str]:
    """The names of a family's presets: the YAML files of curricula/FAMILY."""
    return sorted(path.stem for path in resources.curricula(family).glob("*.yml"))


def description(family: str, preset: str) -> str:
    """What a preset is: its `about`, or the first lines of comment in its file, but not those for editors."""
    text = resources.curricula(family, f"{preset}.yml").read_text(encoding="utf-8")
    value = yaml.safe_load(text)
    if isinstance(value, dict) and isinstance(value.get("about"), str):
        return " ".join(value["about"].split())
    comments = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ") for line in comments if "$schema" not in line)


def find(family: str, source: str | Path) -> Path:
    """The file of a preset's name, or the file itself."""
    path = Path(source)
    if path.suffix in (".yml", ".yaml"):
        if not path.is_file():
            raise UsageError("there is no such configuration file", file=str(path))
        return path
    if str(source) not in presets(family):
        raise unknown_name(f"preset of {family}", str(source), presets(family))
    return resources.curricula(family, f"{source}.yml")


def load(path: Path, model: type[Model], overrides: Mapping[str, str] | None = None) -> Model:
    """Read and check a configuration file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    return parse(text, model, file=str(path), overrides=overrides)


def parse(text: str, model: type[Model], *, file: str, overrides: Mapping[str, str] | None = None) -> Model:
    """Check a configuration's text; `overrides` are ``a.b=value`` pairs, the value being YAML."""
    document = read(text, file=file)
    value = {} if document.value is None else document.value
    if not isinstance(value, dict):
        raise document.error((), f"expected a mapping of settings, found {_kind(value)}")
    for key, override in (overrides or {}).items():
        value = _with(value, key.split("."), _override(key, override), key)
    try:
        return model.model_validate(value, strict=False)
    except ValidationError as error:
        raise _first_error(document, model, error, overrides or {}) from None


def read(text: str, *, file: str) -> Document:
    """Parse YAML with the position of every part; anchors, aliases and merges work."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        value = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise UsageError(f"not YAML: {error.problem or error}", file=file, line=line, column=column) from None
    except _NOT_YAML as error:
        raise UsageError(f"not YAML: {error}", file=file) from None
    places: dict[Path_, tuple[int, int]] = {}
    if node is not None:
        _collect(node, (), places, frozenset(), file)
    return Document(file, value, places)


def _collect(
    node: yaml.Node, path: Path_, places: dict[Path_, tuple[int, int]], inside: frozenset[int], file: str
) -> None:
    places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
    if id(node) in inside:  # an alias to a part that contains it
        return
    inside = inside | {id(node)}
    if isinstance(node, yaml.MappingNode):
        _refuse_repeated(node, file)
        for key, value in node.value:
            if key.tag == _MERGE:
                for merged in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    _collect(merged, path, places, inside, file)
            else:
                _collect(value, (*path, key.value), places, inside, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _collect(value, (*path, index), places, inside, file)


def _refuse_repeated(node: yaml.MappingNode, file: str) -> None:
    """PyYAML takes the last of two equal keys without a word."""
    seen: set[str] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
            if key.value in seen:
                mark = key.start_mark
                message = f"the setting '{key.value}' is there twice"
                raise UsageError(message, file=file, line=mark.line + 1, column=mark.column + 1)
            seen.add(key.value)


def _override(key: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except _NOT_YAML as error:
        reason = error.problem if isinstance(error, yaml.MarkedYAMLError) else error
        raise UsageError(f"--set {key}: not YAML: {reason}") from None


def _with(settings: dict[str, Any], keys: list[str], new: Any, whole: str) -> dict[str, Any]:
    """The settings with one of them changed. Groups are copied: an alias makes one object of several groups."""
    first, *rest = keys
    if not rest:
        return {**settings, first: new}
    group = settings.get(first, {})
    if not isinstance(group, dict):
        raise UsageError(f"--set {whole}: {first} is not a group of settings")
    return {**settings, first: _with(group, rest, new, whole)}


def _first_error(
    document: Document, model: type[BaseModel], error: ValidationError, overrides: Mapping[str, str]
) -> UsageError:
    first = error.errors()[0]
    path = tuple(first["loc"])
    name = ".".join(str(part) for part in path)
    if first["type"] == "extra_forbidden":
        message = f"unknown setting '{name}'{_nearest(model, path)}"
    elif first["type"] == "missing":
        message = f"the setting '{name}' is missing"
    else:
        found = first.get("input")
        text = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ").partition(", unable to")[0]
        message = f"{name}: expected {text}, found {found!r}" if first["msg"].startswith("Input") else f"{name}: {text}"
    if any(name == key or name.startswith(f"{key}.") for key in overrides):
        return UsageError(f"--set {message}")
    return document.error(path, message)


def _nearest(model: type[BaseModel], path: Path_) -> str:
    known = list(model.model_fields)
    near = difflib.get_close_matches(str(path[-1]), known, n=1) if len(path) == 1 else []
    return f"; did you mean '{near[0]}'?" if near else ""


def _kind(value: Any) -> str:
    return {list: "a list", str: "text", int: "a number", float: "a number"}.get(type(value), type(value).__name__)
