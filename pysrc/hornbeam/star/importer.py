"""Reads the published CSV files as a Hornbeam dataset."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.bundles import paths
from hornbeam.star.config import SPLITS, Cells, Split, StarConfig
from hornbeam.star.knowledge import Calculus, load_calculus
from hornbeam.star.original import COLUMNS, FILE_NAMES
from hornbeam.star.record import input_of, read_network

_BATCH = 1000
_CELL = re.compile(r"(?P<split>train|valid|test)_(?P<calculus>[a-z0-9]+)(_k_(?P<k>\d+)_b_(?P<b>\d+))?\.csv\Z")


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[StarConfig, Iterator[Batch]]:
    """Files of one calculus, or folders with such files; their names say split and cell."""
    if options:
        raise UsageError(f"the import of star takes no options, found {sorted(options)[0]}")
    if not files:
        raise UsageError("expected published files such as train_rcc8.csv or test_interval_k_4_b_3.csv")
    published = [published_file(path) for given in files for path in _in_folder(given)]
    for file in published:
        if not file.path.is_file():
            raise UsageError("there is no such file", file=str(file.path))
    others = {file.calculus for file in published}
    if len(others) > 1:
        raise UsageError(f"files of one calculus at a time, found {', '.join(sorted(others))}")
    calculus = load_calculus(published[0].calculus)
    return _config(calculus, published), _batches(calculus, published)


def _in_folder(path: Path) -> list[Path]:
    """The published files at or below a path; other files of a folder are left out."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*.csv") if _CELL.match(file.name))
    if not files:
        raise UsageError("there is no file such as train_rcc8.csv or test_interval_k_4_b_3.csv here", file=str(path))
    return files


def _config(calculus: Calculus, files: Sequence[PublishedFile]) -> StarConfig:
    """A configuration that names the cells; the rows are whatever the files hold."""
    splits: dict[str, list[Cells]] = {}
    for file in files:
        k, b = file.cell or (2, 1)
        splits.setdefault(file.split, []).append(Cells(k=(k,), b=(b,), rows=1))
    held = {split: Split(cells=tuple(splits.get(split, ()))) for split in SPLITS}
    return StarConfig.model_validate({"calculus": calculus.name, "profile": "compat", **held})


def _batches(calculus: Calculus, files: Sequence[PublishedFile]) -> Iterator[Batch]:
    for number, file in enumerate(files):
        batch = Batch()
        row = -1
        for row, (network, label) in enumerate(read_rows(file.path, calculus)):
            batch.samples.append(_sample(calculus, file, f"{file.split}-f{number:03}-{row:06}", network, label))
            if len(batch.samples) == _BATCH:
                yield batch
                batch = Batch()
        if row < 0:
            raise UsageError("the file has no row", file=str(file.path))
        yield batch


def _sample(calculus: Calculus, file: PublishedFile, name: str, network: ConstraintNetwork, label: str) -> Sample:
    k, b = file.cell or _cell_of(network)
    return Sample(
        id=name,
        task=f"k{k}_b{b}",
        split=file.split,
        label=label,
        input=input_of(calculus, network),
        symbolic={"calculus": calculus.name, "k": k, "b": b, "file": file.path.name},
    )


def _cell_of(network: ConstraintNetwork) -> tuple[int, int]:
    """A training file does not say its cells: k is the length of a path, b the number of edges from the source."""
    first = next(paths(network), [])
    return len(first), sum(u == network.query[0] for u, _ in network.edges)


# The files ------------------------------------------------------------------------------------------------------------


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


def read_rows(path: Path, calculus: Calculus) -> Iterator[tuple[ConstraintNetwork, str]]:
    """The rows of a published file as checked networks with their labels; an error names the line and the edge."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in COLUMNS[1:] if name not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(f"the column {missing[0]} is missing", file=str(path), line=1)
            for row in reader:
                try:
                    yield _row(row, calculus)
                except UsageError as error:
                    raise UsageError(error.message, file=str(path), line=reader.line_num) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None


def _row(row: Mapping[str, Any], calculus: Calculus) -> tuple[ConstraintNetwork, str]:
    edges, labels, query = (_literal(row, column) for column in COLUMNS[1:4])
    pairs = [*edges, query] if isinstance(edges, list) else []
    if not pairs or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise UsageError("edges must be a list of pairs and query_edge a pair")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise UsageError("edge_labels must be a list of texts")
    label = row["query_label"]
    if label not in calculus.relations:
        raise UsageError(f"query_label: unknown {calculus.name} relation '{label}'")
    return read_network(calculus, edges, labels, query), label


def _literal(row: Mapping[str, Any], column: str) -> Any:
    try:
        return ast.literal_eval(row[column])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise UsageError(f"{column}: expected a Python literal, found {repr(row[column])[:60]}") from None
