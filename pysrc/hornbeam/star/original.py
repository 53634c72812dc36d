"""The published CSV files: their names, columns and literals, written and read."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.star.calculus import Calculus
from hornbeam.star.network import Network, read_network

COLUMNS = ("", "edges", "edge_labels", "query_edge", "query_label")
# The names of the calculi in file names; both of the published ones lie in a folder called rcc8.
FILE_NAMES = {"allen": "interval"}
FOLDER = "data/rcc8"
_CELL = re.compile(r"(?P<split>train|valid|test)_(?P<calculus>[a-z0-9]+)(_k_(?P<k>\d+)_b_(?P<b>\d+))?\.csv\Z")


def file_of(calculus: str, sample: Sample) -> str:
    """Where a sample stands: training samples in one file, test samples in one for each cell."""
    name = FILE_NAMES.get(calculus, calculus)
    if sample.split != "test":
        return f"{FOLDER}/{sample.split}_{name}.csv"
    symbolic: Any = sample.symbolic
    cell = f"k_{symbolic['k']}_b_{symbolic['b']}" if "k" in symbolic else f"n_{symbolic['nodes']}"
    return f"{FOLDER}/test_{name}_{cell}.csv"


def csv_lines(calculus: str, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
    """Each sample's line with the file that it belongs to; a file's first line is its header."""
    rows: dict[str, int] = {}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for sample in samples:
        name = file_of(calculus, sample)
        buffer.seek(0)
        buffer.truncate()
        if name not in rows:
            rows[name] = 0
            writer.writerow(COLUMNS)
        given: Any = sample.input
        edges = [(u, v) for u, _, v in given["edges"]]
        labels = [label for _, label, _ in given["edges"]]
        writer.writerow([rows[name], edges, labels, tuple(given["query"]), sample.label])
        rows[name] += 1
        yield name, buffer.getvalue()


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """What the name of a published file says."""

    path: Path
    split: str
    calculus: str
    cell: tuple[int, int] | None


def published_file(path: Path) -> PublishedFile:
    match = _CELL.match(path.name)
    if match is None:
        raise UsageError(
            "expected a name like train_rcc8.csv or test_interval_k_4_b_3.csv, which says split and calculus",
            file=str(path),
        )
    cell = (int(match["k"]), int(match["b"])) if match["k"] else None
    if cell is not None and (cell[0] < 2 or cell[1] < 1):
        raise UsageError("expected a k of 2 or more and a b of 1 or more in the name", file=str(path))
    calculus = {text: name for name, text in FILE_NAMES.items()}.get(match["calculus"], match["calculus"])
    return PublishedFile(path, match["split"], calculus, cell)


def read_rows(path: Path, calculus: Calculus) -> Iterator[tuple[Network, str]]:
    """The rows of a published file as checked networks with their labels; an error names the line and the edge."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in COLUMNS[1:] if name not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(f"the column {missing[0]} is missing", file=str(path), line=1)
            for row in reader:
                yield _row(row, calculus, path, reader.line_num)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None


def _row(row: Mapping[str, Any], calculus: Calculus, path: Path, line: int) -> tuple[Network, str]:
    edges = _literal(row, "edges", path, line)
    labels = _literal(row, "edge_labels", path, line)
    query = _literal(row, "query_edge", path, line)
    pairs = [*edges, query] if isinstance(edges, list) else []
    if not pairs or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise UsageError("edges must be a list of pairs and query_edge a pair", file=str(path), line=line)
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise UsageError("edge_labels must be a list of texts", file=str(path), line=line)
    label = row["query_label"]
    if label not in calculus.relations:
        raise UsageError(f"query_label: unknown {calculus.name} relation '{label}'", file=str(path), line=line)
    return read_network(calculus, edges, labels, query, file=str(path), line=line), label


def _literal(row: Mapping[str, Any], column: str, path: Path, line: int) -> Any:
    try:
        return ast.literal_eval(row[column])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        found = repr(row[column])[:60]
        raise UsageError(f"{column}: expected a Python literal, found {found}", file=str(path), line=line) from None
