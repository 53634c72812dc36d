"""The columns of samples in tables: exports to CSV and Hugging Face have them instead of nested objects.

A family lists its columns; each has the place of its value in a sample and a kind. A kind is TEXT, INTEGER,
NUMBER, FLAG, IMAGE (the path of a picture) or ANYTHING (written as JSON), a list of one of them, or a record with named
parts. Records may stand in a sample as lists in the order of their parts, as edges do. Where a list of texts is wanted
and the sample has an object, its keys are taken.

>>> from hornbeam.data.sample import Sample
>>> edges = Column("edges", EDGES, "input.edges", "the graph")
>>> sample = Sample("s1", "t1", "train", "uncle", input={"edges": [[0, "father", 1], [1, "brother", 2]]})
>>> edges.text(sample)
'0 father 1; 1 brother 2'
>>> edges.value(sample)[0]
{'source': 0, 'relation': 'father', 'target': 1}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from hornbeam.data.sample import Sample

Kind: TypeAlias = "str | list[Kind] | dict[str, Kind]"

TEXT, INTEGER, NUMBER, FLAG, IMAGE, ANYTHING = "string", "int64", "float64", "bool", "image", "json"
EDGES: Kind = [{"source": INTEGER, "relation": TEXT, "target": INTEGER}]


@dataclass(frozen=True)
class Column:
    """A column: `place` are the keys that lead to its value, e.g. ``input.edges``."""

    name: str
    kind: Kind
    place: str
    about: str
    shown: tuple[str, ...] = ()  # the parts of its records that CSV has; all of them if none is named

    def value(self, sample: Sample) -> Any:
        """Its value in a sample, with the parts of records by name; None if the sample has none."""
        return _typed(self._found(sample), self.kind)

    def text(self, sample: Sample) -> str:
        """Its value as plain text: numbers of a list and parts of a record are separated by blanks, texts and records
        of a list by semicolons, lists of a list by slashes."""
        return _text(self.value(sample), self.shown)

    def _found(self, sample: Sample) -> Any:
        first, *keys = self.place.split(".")
        value: Any = getattr(sample, first)
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value


COMMON = (
    Column("id", TEXT, "id", "a name that says nothing about the sample; `hornbeam judge` takes it"),
    Column("task", TEXT, "task", "the task that it belongs to"),
    Column("split", TEXT, "split", "train, valid or test"),
    Column("label", TEXT, "label", "the true answer"),
    Column("supervised", FLAG, "supervised", "whether a learner may see the label"),
)
UNDECLARED = tuple(
    Column(name, ANYTHING, name, f"{name} as JSON: the family does not say what its columns are")
    for name in ("input", "symbolic", "proof")
)


def with_common(columns: Sequence[Column]) -> list[Column]:
    """The columns of all families, and then a family's own; one of the same name takes the common one's place."""
    own = {column.name: column for column in columns}
    first = [own.pop(column.name, column) for column in COMMON]
    return [*first, *own.values()]


def _typed(value: Any, kind: Kind) -> Any:
    if value is None:
        return None
    if isinstance(kind, list):
        return [_typed(part, kind[0]) for part in value]
    if isinstance(kind, dict):
        parts = value if isinstance(value, Mapping) else dict(zip(kind, value, strict=True))
        return {name: _typed(parts.get(name), inner) for name, inner in kind.items()}
    if kind == ANYTHING:
        return json.dumps(value, ensure_ascii=False)
    if kind == TEXT and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value


def _text(value: Any, shown: Sequence[str]) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return " ".join(_text(value[name], ()) for name in shown or value)
    if isinstance(value, list):
        return _separator(value).join(_text(part, shown) for part in value)
    return str(value)


def _separator(parts: Sequence[Any]) -> str:
    if any(isinstance(part, list) for part in parts):
        return " / "
    return " " if all(isinstance(part, int | float) for part in parts) else "; "
