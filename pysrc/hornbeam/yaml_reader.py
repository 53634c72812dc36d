"""Reads YAML so that every value and every error has its file, line and column.

Anchors, aliases and merge keys mean what they mean to ``yaml.safe_load``. An alias is the same object as its anchor, so
that a file that repeats a block a thousand times is read once.

>>> document = read_yaml("a: [1, two]", "x.yml")
>>> [str(item.place) for item in document.get("a").items]
['x.yml:1:5', 'x.yml:1:8']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from hornbeam.errors import UsageError

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE = "tag:yaml.org,2002:merge"
MOST_NESTED = 120
"""Blocks inside blocks; far more than a scene can show, few enough for every walk over them."""
MOST_VALUES = 2_000_000
"""Values of a document with every alias written out: nine lines of aliases can stand for a billion values."""
_LARGEST = 2**63 - 1
_TAGS: dict[type[yaml.Node], str] = {
    yaml.SequenceNode: "tag:yaml.org,2002:seq",
    yaml.MappingNode: "tag:yaml.org,2002:map",
}


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file, counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def error(self, message: str) -> UsageError:
        """The error that says `message` of this place."""
        return UsageError(message, file=self.file, line=self.line, column=self.column)


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A text, number, truth value or null."""

    place: Position
    value: object


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """A YAML list."""

    place: Position
    items: tuple[Located, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """A YAML mapping whose keys are texts; merge keys are resolved, `repeated` holds keys written twice."""

    place: Position
    fields: dict[str, Located]
    key_places: dict[str, Position]
    repeated: tuple[tuple[str, Position], ...] = field(default=())

    def get(self, key: str) -> Any:
        """The value of a key, or None."""
        return self.fields.get(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)


Located = Scalar | Items | Fields


def describe(value: Located) -> str:
    """What a value is, for a message."""
    if isinstance(value, Items):
        return "a list" if value.items else "an empty list"
    if isinstance(value, Fields):
        return f"a mapping with the keys {', '.join(value)}" if value.fields else "an empty mapping"
    if value.value is None:
        return "nothing"
    kind = {bool: "the truth value", int: "the number", float: "the number", str: "the text"}
    return f"{kind.get(type(value.value), 'the value')} '{shortened(str(value.value))}'"


def shortened(text: str, length: int = 60) -> str:
    """A text for a message: its start, if it is long."""
    return text if len(text) < length else f"{text[: length - 3]}..."


def plain(value: Located) -> Any:
    """The value as plain Python data, as ``yaml.safe_load`` gives it."""
    if isinstance(value, Items):
        return [plain(item) for item in value.items]
    if isinstance(value, Fields):
        return {key: plain(item) for key, item in value.fields.items()}
    return value.value


def place_of(document: Located, path: Sequence[str | int]) -> Position:
    """The place of the part at `path`, or of the nearest part around it."""
    for step in path:
        if isinstance(document, Fields) and step in document.fields:
            document = document.fields[str(step)]
        elif isinstance(document, Items) and isinstance(step, int) and step < len(document.items):
            document = document.items[step]
        else:
            break
    return document.place


def refuse_repeated(document: Located) -> None:
    """UsageError for a mapping that has a key twice: PyYAML takes the last silently."""
    todo = [document]
    seen: set[int] = set()
    while todo:
        part = todo.pop()
        if id(part) in seen:  # an alias
            continue
        seen.add(id(part))
        if isinstance(part, Fields):
            for key, place in part.repeated:
                raise place.error(f"the setting '{key}' is there twice")
        todo += part.items if isinstance(part, Items) else part.fields.values() if isinstance(part, Fields) else ()


def read_file(path: Path) -> str:
    """The text of a YAML file; UsageError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None


def read_yaml(text: str, file: str) -> Located:
    """The one document of a YAML text; null at 1:1 if there is none.

    Args:
        text: The YAML.
        file: What messages call it.

    Raises:
        UsageError: if it is not YAML, nested too deeply, contains itself, stands for too many values, or has a tag of
            another language or a key that is not a text.
    """
    loader = None
    try:
        _refuse_depth(text, file)
        loader = _Loader(text)
        node = loader.get_single_node()
        return Scalar(Position(file, 1, 1), None) if node is None else _Reader(loader, file).read(node)
    except yaml.MarkedYAMLError as error:
        raise _marked(error, file) from None
    except yaml.reader.ReaderError as error:
        raise UsageError(f"not YAML: {error.reason} (character {error.position})", file=file) from None
    finally:
        if loader is not None:
            loader.dispose()


def _refuse_depth(text: str, file: str) -> None:
    # The parser gives events without recursion; what builds a document of them would overflow the stack.
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_NESTED:
            place = Position(file, event.start_mark.line + 1, event.start_mark.column + 1)
            raise place.error(f"nested too deeply: more than {MOST_NESTED} blocks inside each other")


def _marked(error: yaml.MarkedYAMLError, file: str) -> UsageError:
    mark = error.problem_mark or error.context_mark
    said = ", ".join(str(part) for part in (error.context, error.problem) if part)
    place = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
    return UsageError(f"not YAML: {said}", file=file, **place)


class _Reader:
    """Turns YAML nodes into located values, each node once."""

    def __init__(self, loader: Any, file: str) -> None:
        self._loader = loader
        self._file = file
        self._done: dict[int, Located] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()

    def read(self, node: yaml.Node) -> Located:
        known = self._done.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise self._place(node).error("this block contains itself through its alias")
        if len(self._open) >= MOST_NESTED:
            raise self._place(node).error(f"nested too deeply: more than {MOST_NESTED} blocks inside each other")
        self._open.add(id(node))
        value = self._convert(node)
        self._open.discard(id(node))
        self._done[id(node)] = value
        self._refuse_size(value)
        return value

    def _refuse_size(self, value: Located) -> None:
        parts = value.items if isinstance(value, Items) else value.fields.values() if isinstance(value, Fields) else ()
        size = self._sizes[id(value)] = 1 + sum(self._sizes[id(part)] for part in parts)
        if size > MOST_VALUES:
            raise value.place.error(f"with its aliases written out it has more than {MOST_VALUES:,} values")

    def _convert(self, node: yaml.Node) -> Located:
        place = self._place(node)
        if type(node) in _TAGS and node.tag != _TAGS[type(node)]:
            raise place.error(f"unknown tag {node.tag}: expected plain YAML")
        if isinstance(node, yaml.SequenceNode):
            return Items(place, tuple(map(self.read, node.value)))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place)
        try:
            value = self._loader.construct_object(node)
        except (ValueError, OverflowError) as error:
            raise place.error(f"cannot read '{shortened(node.value)}': {error}") from None
        except (AttributeError, LookupError, TypeError):  # of text that is not what its tag says
            raise place.error(f"cannot read '{shortened(node.value)}' as {node.tag}") from None
        if isinstance(value, list | set | dict):
            raise place.error(f"unknown tag {node.tag}: expected plain YAML")
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise place.error(f"the number '{shortened(node.value)}' is too large")
        return Scalar(place, value)

    def _mapping(self, node: yaml.MappingNode, place: Position) -> Fields:
        own: dict[str, Located] = {}
        places: dict[str, Position] = {}
        repeated = []
        merged: list[Fields] = []
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                merged.extend(self._merged(value_node))
                continue
            key = self.read(key_node)
            if not isinstance(key, Scalar) or not isinstance(key.value, str):
                raise key.place.error(f"expected a name as key, got {describe(key)}")
            if key.value in own:
                repeated.append((key.value, key.place))
            own[key.value] = self.read(value_node)
            places[key.value] = key.place
        for block in merged:
            for name, value in block.fields.items():
                if name not in own:
                    own[name], places[name] = value, block.key_places[name]
        return Fields(place, own, places, tuple(repeated))

    def _merged(self, node: yaml.Node) -> list[Fields]:
        value = self.read(node)
        blocks = value.items if isinstance(value, Items) else (value,)
        for block in blocks:
            if not isinstance(block, Fields):
                raise self._place(node).error(f"expected a mapping after <<, got {describe(block)}")
        return [block for block in blocks if isinstance(block, Fields)]

    def _place(self, node: yaml.Node) -> Position:
        return Position(self._file, node.start_mark.line + 1, node.start_mark.column + 1)
