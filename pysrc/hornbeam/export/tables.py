"""Samples as tables, a file a split: CSV, and Parquet as Hugging Face's `datasets` reads it from a folder.

The columns are those of the family (`hornbeam.data.columns`, docs/samples.md). CSV has lists as plain text, e.g.
``0 father 1; 1 brother 2`` for edges, and pictures as files beside it; Parquet has real lists and records, and pictures
in the column itself, of Hugging Face's type for images. Ids are opaque (`hornbeam.data.opaque`): those of a dataset may
tell the label.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.characters import no_formula
from hornbeam.data.columns import ANYTHING, FLAG, IMAGE, INTEGER, NUMBER, Column, Kind, with_common
from hornbeam.data.files import pyarrow_installed, write_rows
from hornbeam.data.opaque import hidden
from hornbeam.data.sample import Sample
from hornbeam.errors import EngineUnavailable
from hornbeam.export import ExportRequest

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


_CARD = """\
---
pretty_name: {title}, {preset}
configs:
- config_name: default
  data_files:
{files}
---

{title}: {question}

Made by Hornbeam: family {family}, preset {preset}, seed {seed}.

| column | what it holds |
|---|---|
{columns}

{paper}
"""


def csv_files(request: ExportRequest, folder: Path) -> list[Path]:
    """SPLIT.csv for each split that has samples, and the pictures that it names, by their path from there."""
    request.refuse_options("csv")
    columns = with_common(request.dataset.family.columns())
    files = []
    for split, samples in _splits(request):
        files.append(folder / f"{split}.csv")
        with files[-1].open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(column.name for column in columns)
            for sample in samples:
                shown = hidden(request.dataset, sample)
                writer.writerow([no_formula(column.text(shown)) for column in columns])
                _copy_pictures(request.dataset, sample, columns, folder)
    return files


def huggingface(request: ExportRequest, folder: Path) -> list[Path]:
    """A folder for ``datasets.load_dataset``: data/SPLIT.parquet, and README.md, its card."""
    request.refuse_options("huggingface")
    if not pyarrow_installed():
        raise EngineUnavailable("this export needs pyarrow, which is not installed: install hornbeam[parquet]")
    (folder / "data").mkdir()
    columns = with_common(request.dataset.family.columns())
    files = []
    for split, samples in _splits(request):
        files.append(folder / "data" / f"{split}.parquet")
        rows = (_row(request.dataset, hidden(request.dataset, sample), columns) for sample in samples)
        write_rows(files[-1], rows, _schema(columns))
    (folder / "README.md").write_text(_card(request.dataset, columns, files), encoding="utf-8")
    return files


def _splits(request: ExportRequest) -> Iterator[tuple[str, Sequence[Sample]]]:
    for split in request.dataset.splits:
        samples = request.dataset.split(split)
        chosen = samples if request.task is None else samples.task(request.task)
        if len(chosen):
            yield split, chosen


# CSV ------------------------------------------------------------------------------------------------------------------


def _copy_pictures(dataset: Dataset, sample: Sample, columns: Sequence[Column], folder: Path) -> None:
    for column in columns:
        name = column.value(sample) if column.kind == IMAGE else None
        if name is not None:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(dataset.file(name), place)


# Parquet --------------------------------------------------------------------------------------------------------------


def _row(dataset: Dataset, sample: Sample, columns: Sequence[Column]) -> dict[str, Any]:
    row = {column.name: column.value(sample) for column in columns}
    for column in columns:
        name = row[column.name]
        if column.kind == IMAGE and name is not None:
            row[column.name] = {"bytes": dataset.file(name).read_bytes(), "path": name}
    return row


def _schema(columns: Sequence[Column]) -> Any:
    """The columns with their types, and with what `datasets` must know of them."""
    import pyarrow as pa

    features = {column.name: _feature(column.kind) for column in columns}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(column.name, _arrow(column.kind)) for column in columns], metadata=metadata)


def _arrow(kind: Kind) -> Any:
    import pyarrow as pa

    if isinstance(kind, list):
        return pa.list_(_arrow(kind[0]))
    if isinstance(kind, dict):
        return pa.struct([(name, _arrow(inner)) for name, inner in kind.items()])
    if kind == IMAGE:
        return pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    return {INTEGER: pa.int64(), NUMBER: pa.float64(), FLAG: pa.bool_()}.get(kind, pa.string())


def _feature(kind: Kind) -> Any:
    """A kind in the notation of Hugging Face's features."""
    if isinstance(kind, list):
        return [_feature(kind[0])]
    if isinstance(kind, dict):
        return {name: _feature(inner) for name, inner in kind.items()}
    if kind == IMAGE:
        return {"_type": "Image"}
    return {"dtype": "string" if kind == ANYTHING else kind, "_type": "Value"}


def _card(dataset: Dataset, columns: Sequence[Column], files: Sequence[Path]) -> str:
    family, manifest = dataset.family, dataset.manifest
    listed = "\n".join(f"  - split: {_hub_split(file.stem)}\n    path: data/{file.name}" for file in files)
    return _CARD.format(
        title=family.title,
        preset=manifest.preset,
        seed=manifest.seed,
        family=family.name,
        question=family.question,
        paper=family.paper,
        files=listed,
        columns="\n".join(f"| {column.name} | {column.about.replace('|', chr(92) + '|')} |" for column in columns),
    )


def _hub_split(split: str) -> str:
    return "validation" if split == "valid" else split
