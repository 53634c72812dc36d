"""samples.parquet beside samples.jsonl, where pyarrow is installed: the same keys, structures as JSON text.

It is derived from samples.jsonl and its bytes depend on pyarrow's release, so the manifest does not list it: a dataset
has the same manifest on a machine without pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

NAME = "samples.parquet"
_SAMPLES = "samples.jsonl"
_ROWS_AT_ONCE = 1_000


def installed() -> bool:
    return find_spec("pyarrow") is not None


def write(folder: Path) -> None:
    """Write samples.parquet into a dataset's folder, if pyarrow is there."""
    if not installed():
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.string()
    schema = pa.schema(
        [("id", text), ("task", text), ("split", text), ("label", text), ("supervised", pa.bool_())]
        + [(key, text) for key in ("input", "symbolic", "proof")]
    )
    with (folder / _SAMPLES).open(encoding="utf-8") as lines, pq.ParquetWriter(folder / NAME, schema) as writer:
        for rows in _chunks(lines):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def _chunks(lines: Iterator[str]) -> Iterator[list[dict[str, Any]]]:
    while chunk := list(islice(lines, _ROWS_AT_ONCE)):
        yield [flat(json.loads(line)) for line in chunk]


def flat(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample's keys and values as a row of a table: what is not text in them is JSON, but for `supervised`."""
    plain = {key: value for key, value in sample.items() if key == "supervised" or isinstance(value, str)}
    return {key: plain[key] if key in plain else json.dumps(value, ensure_ascii=False) for key, value in sample.items()}
