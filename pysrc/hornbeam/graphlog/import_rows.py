"""A row of the original's JSON lines, in any of its versions, with errors that name the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.graphlog.logic import Chain, Edge

_LABEL = re.compile(r"[^\s,;|()]+")


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row as it was published; `path` and `chain` are empty where it does not say how it is resolved."""

    edges: tuple[Edge, ...]
    label: str
    path: tuple[int, ...]
    chain: Chain

    @property
    def nodes(self) -> int:
        return len({node for u, v, _ in self.edges for node in (u, v)})


def read_rows(file: Path) -> Iterator[ReadRow]:
    """The rows of a file."""
    for number, line in enumerate(read_lines(file), start=1):
        if line.strip():
            yield _row(line, str(file), number)


def read_lines(file: Path) -> Iterator[str]:
    """The lines of a file, one after the other."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(file)) from None


def _row(line: str, file: str, number: int) -> ReadRow:
    try:
        value = json.loads(line)
        edges = tuple([_edge(edge) for edge in value["edges"]])
        source, sink, label = _query(value)
        path = tuple([_node(node) for node in value.get("resolution_path") or ()])
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"expected a row with edges [[node, node, label], ...], query [node, node, label] and resolution_path "
            f"({type(error).__name__}: {error})",
            file=file,
            line=number,
        ) from None
    if not edges:
        raise UsageError("a row without edges", file=file, line=number)
    if path and (path[0], path[-1]) != (source, sink):
        message = f"the resolution path leads from {path[0]} to {path[-1]}, not from {source} to {sink}"
        raise UsageError(message, file=file, line=number)
    chain = _chain(edges, path, value.get("descriptor")) if path else None
    return ReadRow(edges, label, path, chain) if chain else ReadRow(edges, label, (source, sink), ())


def _edge(edge: Any) -> Edge:
    source, sink, label = edge
    return _node(source), _node(sink), checked_label(label)


def _node(node: Any) -> int:
    number = -1 if isinstance(node, float) and not node.is_integer() else int(node)
    if number < 0:
        raise ValueError(f"expected the number of a node, found {node!r}")
    return number


def checked_label(label: Any) -> str:
    """A label that descriptors and lists of edges can be written with."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise ValueError(f"expected a label without blanks, commas, semicolons, bars and brackets, found {label!r}")
    return label


def _query(value: Any) -> tuple[int, int, str]:
    """The two nodes and the label; the newest files keep the label apart."""
    query = value["query"]
    label = query[2] if len(query) > 2 else value["target"]
    return _node(query[0]), _node(query[1]), checked_label(label)


def _chain(edges: tuple[Edge, ...], path: tuple[int, ...], descriptor: Any) -> Chain | None:
    """The labels along the path; where a pair has several, the one that the descriptor names."""
    labels: dict[tuple[int, int], list[str]] = {}
    for source, sink, label in edges:
        labels.setdefault((source, sink), []).append(label)
    steps = [labels.get(pair, []) for pair in pairwise(path)]
    if not all(steps):
        return None
    named = str(descriptor).split(",") if descriptor else []
    if len(named) == len(steps) and all(name in step for name, step in zip(named, steps, strict=True)):
        return tuple(named)
    return tuple(step[0] for step in steps)
