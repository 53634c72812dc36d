"""The original's file formats: its CSV columns with Python-literal values, and the layout of the Hugging Face mirror.

The columns are those that CLUTRR's own generator writes, in its order; `edge_types` also has the types of noise edges.
"""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hornbeam.clutrr.config import ClutrrConfig
from hornbeam.clutrr.record import Record
from hornbeam.data.sample import Sample

COLUMNS = (
    "id", "story", "query", "text_query", "target", "text_target", "clean_story", "proof_state", "f_comb", "task_name",
    "story_edges", "edge_types", "query_edge", "genders", "syn_story", "node_mapping", "task_split",
)  # fmt: skip

HUB_COLUMNS = (
    "id", "story", "query", "target", "target_text", "clean_story", "proof_state", "f_comb", "task_name", "story_edges",
    "edge_types", "query_edge", "genders", "task_split",
)  # fmt: skip

# The numbers of the labels in the Hugging Face mirror, which lacks brother-in-law; further words follow these.
HUB_LABELS = (
    "aunt", "son-in-law", "grandfather", "brother", "sister", "father", "mother", "grandmother", "uncle",
    "daughter-in-law", "grandson", "granddaughter", "father-in-law", "mother-in-law", "nephew", "son", "daughter",
    "niece", "husband", "wife", "sister-in-law", "brother-in-law",
)  # fmt: skip

HUB_SPLITS = {"train": "train", "valid": "validation", "test": "test"}


def label_number(label: str, labels: Sequence[str]) -> int:
    """The number of a label in the mirror; labels of further packs are numbered after those."""
    if label in HUB_LABELS:
        return HUB_LABELS.index(label)
    return len(HUB_LABELS) + sorted(set(labels) - set(HUB_LABELS)).index(label)


def is_ours(cells: Mapping[str, str]) -> bool:
    """Whether a row was written here: our ids are made from the sample's name, those of the original are random."""
    try:
        return uuid.UUID(cells.get("id", "")).version == 5
    except ValueError:
        return False


def row(sample: Sample) -> dict[str, str]:
    """A sample's cells by column."""
    record = Record.of(sample)
    seen: Any = sample.input
    known: Any = sample.symbolic
    person, other = record.query
    # The original writes a fact of a proof as person, word, other.
    proof = [[(one, word, two) for word, one, two in step] for step in record.proof]
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_OID, sample.id + seen["story"])),
        "story": seen["story"],
        "query": repr((person, other)),
        "text_query": seen["question"],
        "target": str(sample.label),
        "text_target": repr([f"[{other}] is the {sample.label} of [{person}]."]),
        "clean_story": known["clean_story"],
        "proof_state": repr([{whole: [first, second]} for whole, first, second in proof]),
        "f_comb": known["pattern"],
        "task_name": f"task_{sample.task}",
        "story_edges": repr([(first, second) for first, _, second in seen["edges"]]),
        "edge_types": repr([word for _, word, _ in seen["edges"]]),
        "query_edge": repr(tuple(seen["query"])),
        "genders": ",".join(f"{name}:{gender}" for name, gender in zip(record.names, record.genders, strict=True)),
        "syn_story": "",
        "node_mapping": repr({member: node for node, member in enumerate(record.nodes)}),
        "task_split": "test" if sample.split == "test" else "train",
    }


def files(config: ClutrrConfig, samples: Iterable[Sample], labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The lines of all files of the original's formats."""
    names = {"train": f"{','.join(config.train)}_train.csv", "valid": f"{','.join(config.valid)}_valid.csv"}
    numbers: dict[str, int] = {}
    yield "huggingface/README.md", _card(config, labels)
    for sample in samples:
        cells = row(sample)
        name = "original/" + names.get(sample.split, f"{sample.task}_test.csv")
        if name not in numbers:
            numbers[name] = 0
            yield name, _line(["", *COLUMNS])
        yield name, _line([numbers[name], *(cells[column] for column in COLUMNS)])
        numbers[name] += 1
        hub = f"huggingface/{HUB_SPLITS[sample.split]}.csv"
        if hub not in numbers:
            numbers[hub] = 0
            yield hub, _line(list(HUB_COLUMNS))
        cells |= {"target": str(label_number(str(sample.label), labels)), "target_text": str(sample.label)}
        yield hub, _line([cells[column] for column in HUB_COLUMNS])


def _line(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _card(config: ClutrrConfig, labels: Sequence[str]) -> str:
    splits = [split for split, rows in config.splits() if rows]
    data = "\n".join(f"      - split: {HUB_SPLITS[s]}\n        path: {HUB_SPLITS[s]}.csv" for s in splits)
    numbered = sorted((label_number(label, labels), label) for label in labels)
    numbers = "\n".join(f"| {number} | {label} |" for number, label in numbered)
    return (
        "---\nlanguage: en\ntask_categories:\n  - text-classification\nconfigs:\n  - config_name: default\n"
        f"    data_files:\n{data}\n---\n\n# CLUTRR, generated by Hornbeam\n\n"
        "Kinship stories in the columns of the CLUTRR mirror. Every answer follows from its story, and it alone.\n\n"
        f"| number | label |\n|---|---|\n{numbers}\n"
    )
