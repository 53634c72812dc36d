"""The page that `hornbeam show` writes for a dataset."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.report.page import Section, page, table


def dataset_page(dataset: Dataset) -> str:
    """The page of `hornbeam show`."""
    family, manifest = dataset.family, dataset.manifest
    lead = f"<p>{html.escape(family.paper)}</p>\n" + table(
        ("family", "preset", "seed", "samples"),
        [(family.name, manifest.preset, manifest.seed, manifest.counts["samples"])],
    )
    sections = [_counts(dataset), *family.show(dataset), _settings(manifest.config)]
    return page(f"{family.title}: {manifest.preset}", lead, sections)


def _counts(dataset: Dataset) -> Section:
    tasks: Any = dataset.manifest.counts["tasks"]
    splits = dataset.splits
    rows = [(task, *(row.get(split, 0) for split in splits)) for task, row in tasks.items()]
    return Section("Samples", table(("task", *splits), rows))


def _settings(config: Mapping[str, Any]) -> Section:
    text = json.dumps(config, indent=1, ensure_ascii=False)
    return Section("Settings", f"<details><summary>show</summary><pre>{html.escape(text)}</pre></details>")
