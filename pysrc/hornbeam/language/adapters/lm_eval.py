"""Hornbeam's prompts as tasks of lm-evaluation-harness.

    hornbeam export data/rcc8 out --to lm-eval
    lm-eval run --model dummy --include_path out --tasks hornbeam_star

An export has the items, a task file and a module with the four functions below, which the task file names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hornbeam.language.adapters.source import score
from hornbeam.language.item import Item

ITEMS, FUNCTIONS = "items.jsonl", "hornbeam_functions"
_MODULE = '''\
"""What the task file beside this module calls. Hornbeam must be installed."""

from pathlib import Path

from hornbeam.language.adapters import lm_eval


def dataset(**_):
    return lm_eval.dataset(Path(__file__).parent)


doc_to_text = lm_eval.doc_to_text
doc_to_target = lm_eval.doc_to_target
process_results = lm_eval.process_results
'''
_TASK = """\
# Made by Hornbeam: lm-eval run --include_path THIS_FOLDER --tasks hornbeam_{family}
task: hornbeam_{family}
custom_dataset: !function {functions}.dataset
test_split: test
output_type: generate_until
doc_to_text: !function {functions}.doc_to_text
doc_to_target: !function {functions}.doc_to_target
process_results: !function {functions}.process_results
generation_kwargs:
  # Without a stop string the harness stops at the first blank line, and without a length after 256 tokens.
  until: ["<|end of reply|>"]
  max_gen_toks: 2048
  do_sample: false
metric_list:
  - metric: score
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""


def write(items: Iterable[Item], family: str, folder: Path) -> list[Path]:
    """Write the items, the task file and its module into a folder."""
    files = [folder / ITEMS, folder / f"hornbeam_{family}.yaml", folder / f"{FUNCTIONS}.py"]
    with files[0].open("w", encoding="utf-8") as stream:
        for item in items:
            row = {"uid": item.uid, "level": item.level, "item": json.dumps(item.to_json(), ensure_ascii=False)}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    files[1].write_text(_TASK.format(family=family, functions=FUNCTIONS), encoding="utf-8")
    files[2].write_text(_MODULE, encoding="utf-8")
    return files


def dataset(folder: Path) -> dict[str, Any]:
    """The items of an export, as the harness reads them."""
    from importlib import import_module

    lines = (folder / ITEMS).read_text(encoding="utf-8").splitlines()
    datasets: Any = import_module("datasets")  # comes with the harness
    return {"test": datasets.Dataset.from_list([json.loads(line) for line in lines])}


def doc_to_text(doc: Mapping[str, Any]) -> str:
    """The prompt of a document."""
    item = item_of(doc)
    return f"{item.system}\n\n{item.text}\n"


def doc_to_target(doc: Mapping[str, Any]) -> str:
    """The right answer."""
    return item_of(doc).target


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, float]:
    """The score of a reply."""
    return {"score": score(item_of(doc), results[0]) or 0.0}


def item_of(doc: Mapping[str, Any]) -> Item:
    """The item of a document."""
    return Item.from_json(json.loads(doc["item"]))
