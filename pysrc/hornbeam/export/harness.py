"""Prompts for lm-evaluation-harness: the questions of the test split, or of all splits if there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hornbeam.export import ExportRequest
from hornbeam.language.adapters.lm_eval import write
from hornbeam.language.prompts import prompts


def lm_eval(request: ExportRequest, folder: Path) -> list[Path]:
    """items.jsonl, hornbeam_FAMILY.yaml and the module that it calls; options are settings of prompts."""
    dataset = request.dataset
    split = "test" if "test" in dataset.splits else None
    settings: dict[str, Any] = dict(request.options)
    items = prompts(dataset, split=split, task=request.task, **settings)
    return write(items, dataset.manifest.family, folder)
