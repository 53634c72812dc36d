"""Configurations: YAML files and `--set`, checked by a pydantic model; errors name file, line and column.

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

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hornbeam import resources
from hornbeam.errors import UsageError, nearest, unknown_name
from hornbeam.yaml_reader import Located, place_of, plain, read_file, read_yaml, refuse_repeated, shortened

Model = TypeVar("Model", bound=BaseModel)
Path_ = tuple[str | int, ...]

# Samples, facts or constants that a setting may ask for: more would only be a mistake, and never come to an end.
MOST_ROWS = 10_000_000


def presets(family: str) -> list[str]:
    """The names of a family's presets: the YAML files of curricula/FAMILY."""
    return sorted(path.stem for path in resources.curricula(family).glob("*.yml"))


def description(family: str, preset: str) -> str:
    """What a preset is: its `about`, or the first lines of comment in its file, but not those for editors."""
    text = resources.curricula(family, f"{preset}.yml").read_text(encoding="utf-8")
    value = plain(read_yaml(text, preset))
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
    return parse(read_file(path), model, file=str(path), overrides=overrides)


def parse(text: str, model: type[Model], *, file: str, overrides: Mapping[str, str] | None = None) -> Model:
    """Check a configuration's text; `overrides` are ``a.b=value`` pairs, the value being YAML."""
    document = read_yaml(text, file)
    refuse_repeated(document)
    value = plain(document)
    if not isinstance(value, dict | None):
        raise document.place.error(f"expected a mapping of settings, found {_kind(value)}")
    return check(value or {}, model, file=file, overrides=overrides, document=document)


def check(
    values: Mapping[str, Any],
    model: type[Model],
    *,
    file: str,
    overrides: Mapping[str, str] | None = None,
    document: Located | None = None,
) -> Model:
    """Settings as a checked model, `overrides` applied; errors name their place in `document`, else `file` alone."""
    value = dict(values)
    for key, override in (overrides or {}).items():
        value = _with(value, key.split("."), setting_value(key, override), key)
    try:
        return model.model_validate(value, strict=False)
    except ValidationError as error:
        path, message = _first_error(model, error)
        name = ".".join(map(str, path))
        if any(name == key or name.startswith(f"{key}.") for key in overrides or {}):
            raise UsageError(f"--set {message}") from None
        raise (
            UsageError(message, file=file) if document is None else place_of(document, path).error(message)
        ) from None


# `--set` --------------------------------------------------------------------------------------------------------------


def validated(model: type[Model], values: Mapping[str, Any], *, kind: str, option: str) -> Model:
    """Settings of a learner, a perceiver or a task from their values, which may be text.

    Args:
        model: The type of the settings.
        values: By name.
        kind: What a name is called, e.g. ``setting of mdie``.
        option: What a value was given with, e.g. ``--set``.

    Raises:
        UsageError: names the setting and what was expected.

    >>> class Sizes(BaseModel):
    ...     max_body: int = 3
    >>> validated(Sizes, {"max_body": "5"}, kind="setting", option="--set").max_body
    5
    """
    for name in values:
        if name not in model.model_fields:
            raise unknown_name(kind, name, list(model.model_fields))
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "settings"
        raise UsageError(f"{option} {place}: {first['msg']}, not {first['input']!r}") from None


def key_values(texts: Sequence[str], option: str = "--set") -> dict[str, str]:
    """The ``key=value`` texts of an option as a mapping.

    >>> key_values(["rows=3", "name = a=b"])
    {'rows': '3', 'name': ' a=b'}
    >>> key_values(["rows"])
    Traceback (most recent call last):
    ...
    hornbeam.errors.UsageError: --set expects key=value, found 'rows'
    """
    pairs = [text.partition("=") for text in texts]
    for key, equals, _ in pairs:
        if not equals or not key:
            raise UsageError(f"{option} expects key=value, found '{key}'")
    return {key.strip(): value for key, _, value in pairs}


def setting_value(key: str, text: str, option: str = "--set") -> Any:
    """What the text of a setting stands for: YAML.

    >>> setting_value("rows", "[1, 2]")
    [1, 2]
    """
    try:
        return plain(read_yaml(text, key))
    except UsageError as error:
        raise UsageError(f"{option} {key}: {error.message}") from None


def _with(settings: dict[str, Any], keys: list[str], new: Any, whole: str) -> dict[str, Any]:
    """The settings with one of them changed. Groups are copied: an alias makes one object of several groups."""
    first, *rest = keys
    if not rest:
        return {**settings, first: new}
    group = settings.get(first, {})
    if not isinstance(group, dict):
        raise UsageError(f"--set {whole}: {first} is not a group of settings")
    return {**settings, first: _with(group, rest, new, whole)}


def _first_error(model: type[BaseModel], error: ValidationError) -> tuple[Path_, str]:
    """The path of the first setting that is wrong, and what is wrong with it."""
    first = error.errors()[0]
    path = tuple(first["loc"])
    name = ".".join(str(part) for part in path)
    if first["type"] == "extra_forbidden":
        message = f"unknown setting '{name}'{_nearest(model, path)}"
    elif first["type"] == "missing":
        message = f"the setting '{name}' is missing"
    else:
        given = first.get("input")
        text = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ").partition(", unable to")[0]
        shown = shortened(repr(given), 200)
        message = f"{name}: expected {text}, found {shown}" if first["msg"].startswith("Input") else f"{name}: {text}"
    return path, message


def _nearest(model: type[BaseModel], path: Path_) -> str:
    near = nearest(str(path[-1]), model.model_fields) if len(path) == 1 else None
    return f"; did you mean '{near}'?" if near else ""


def _kind(value: Any) -> str:
    return {list: "a list", str: "text", int: "a number", float: "a number"}.get(type(value), type(value).__name__)
