"""Files of datasets: digests, atomic writes, safe relative paths, and tables in the parquet format."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from hornbeam.data.sample import KEYS
from hornbeam.errors import DatasetError


def sha256(path: Path) -> str:
    """The digest of a file, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or absent, also after a power cut."""
    beside = path.with_name(path.name + ".partial")
    with beside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)


def inside(folder: Path, relative: str) -> Path:
    """The path of a dataset's file; refuses one that would lie outside the dataset."""
    pure = PurePosixPath(relative)
    if not relative or pure.is_absolute() or ".." in pure.parts or "\\" in relative:
        raise DatasetError(f"'{relative}' is not a path inside a dataset")
    return folder.joinpath(*pure.parts)


# samples.parquet ------------------------------------------------------------------------------------------------------

PARQUET = "samples.parquet"
_SAMPLES = "samples.jsonl"
_ROWS_AT_ONCE = 1_000


def pyarrow_installed() -> bool:
    return find_spec("pyarrow") is not None


def write_parquet(folder: Path) -> None:
    """Write samples.parquet beside samples.jsonl, if pyarrow is installed: the same keys, structures as JSON text.

    It is derived from samples.jsonl and its bytes depend on pyarrow's release, so the manifest does not list it: a
    dataset has the same manifest on a machine without pyarrow.
    """
    if not pyarrow_installed():
        return
    with (folder / _SAMPLES).open(encoding="utf-8") as lines:
        write_rows(folder / PARQUET, (_flat(json.loads(line)) for line in lines), _schema())


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema([(key, pa.bool_() if key == "supervised" else pa.string()) for key in KEYS])


def write_rows(file: Path, rows: Iterator[dict[str, Any]], schema: Any) -> None:
    """Rows of a schema of pyarrow, a few at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, schema) as writer:
        while chunk := list(islice(rows, _ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))


def _flat(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample's keys and values as a row of a table: what is not text in them is JSON, but for `supervised`."""
    plain = {key: value for key, value in sample.items() if key == "supervised" or isinstance(value, str)}
    return {key: plain[key] if key in plain else json.dumps(value, ensure_ascii=False) for key, value in sample.items()}


def whole_lines(file: Path) -> list[bytes]:
    """The lines of a file that is written line by line, none if it does not exist yet.

    A last line that was not written completely is cut off, so that the next one does not continue it.
    """
    data = file.read_bytes() if file.is_file() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(file, len(whole))
    return whole.split(b"\n")[:-1]
