"""Writes files in the format of the published CSV files: names, columns and literals."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from hornbeam.data.sample import Sample

COLUMNS = ("", "edges", "edge_labels", "query_edge", "query_label")
# The names of the calculi in file names; both of the published ones lie in a folder called rcc8.
FILE_NAMES = {"allen": "interval"}
FOLDER = "data/rcc8"


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
