"""Samples as tables, a file a split: CSV, and Parquet as Hugging Face's `datasets` reads it from a folder.

The columns are the keys of samples.jsonl; what is not plain text in them is JSON. With pictures there is one column
more, `image`, of Hugging Face's type for images.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.parquet import flat, installed, write_rows
from hornbeam.data.sample import KEYS, Sample
from hornbeam.errors import EngineUnavailable
from hornbeam.export import Order

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

Made by Hornbeam: family {family}, preset {preset}, seed {seed}. `input`, `symbolic` and `proof` are JSON.

{paper}
"""


def csv_files(order: Order, folder: Path) -> list[Path]:
    """SPLIT.csv for each split that has samples."""
    order.refuse_options("csv")
    made = []
    for split, samples in _splits(order):
        made.append(folder / f"{split}.csv")
        with made[-1].open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, KEYS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(flat(sample.to_json()) for sample in samples)
    return made


def huggingface(order: Order, folder: Path) -> list[Path]:
    """A folder for ``datasets.load_dataset``: data/SPLIT.parquet, and README.md, its card."""
    order.refuse_options("huggingface")
    if not installed():
        raise EngineUnavailable("this export needs pyarrow, which is not installed: install hornbeam[parquet]")
    (folder / "data").mkdir()
    made = []
    for split, samples in _splits(order):
        made.append(folder / "data" / f"{split}.parquet")
        _write_parquet(made[-1], order.dataset, samples)
    (folder / "README.md").write_text(_card(order.dataset, made), encoding="utf-8")
    return made


def _splits(order: Order) -> Iterator[tuple[str, Sequence[Sample]]]:
    for split in order.dataset.splits:
        samples = order.dataset.split(split)
        chosen = samples if order.task is None else samples.task(order.task)
        if len(chosen):
            yield split, chosen


def _image(sample: Sample) -> str | None:
    given: Any = sample.input
    return given.get("image") if isinstance(given, dict) else None


def _write_parquet(file: Path, dataset: Dataset, samples: Sequence[Sample]) -> None:
    import pyarrow as pa

    pictures = _image(samples[0]) is not None
    image = pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    rows = (flat(sample.to_json()) | (_picture(dataset, sample) if pictures else {}) for sample in samples)
    features = json.dumps({"info": {"features": _features(pictures)}})
    write_rows(file, rows, more=[image] if pictures else [], metadata={"huggingface": features})


def _picture(dataset: Dataset, sample: Sample) -> dict[str, Any]:
    name = _image(sample)
    data = dataset.file(name).read_bytes() if name is not None else None
    return {"image": {"bytes": data, "path": name}}


def _features(pictures: bool) -> dict[str, Any]:
    kinds = {key: "bool" if key == "supervised" else "string" for key in KEYS}
    features: dict[str, Any] = {key: {"dtype": kind, "_type": "Value"} for key, kind in kinds.items()}
    return features | ({"image": {"_type": "Image"}} if pictures else {})


def _card(dataset: Dataset, files: Sequence[Path]) -> str:
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
    )


def _hub_split(split: str) -> str:
    return "validation" if split == "valid" else split
