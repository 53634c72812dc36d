"""docs/samples.md names every key of a sample of each family, and no key that does not exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam import family as families
from hornbeam.cli.app import invoke
from tests.documents import ROOT

PAGE = ROOT / "docs" / "samples.md"
FREE = ("symbolic.tree", "symbolic.noise")  # objects whose keys are names of things, not of a sample's parts
GENERATED = {
    "clutrr": [["tiny"]],
    "graphlog": [["tiny"]],
    "kandy": [["tour"]],
    "rudas": [["demo"]],
    "star": [
        ["rcc8-small"],
        [
            "rcc8-hard",
            "--set", "train={cells: [{k: [3], b: [2], rows: 2}], tangles: [{nodes: [6], rows: 3}]}",
            "--set", "test={cells: [{k: [3], b: [2], rows: 1}], tangles: [{nodes: [6], rows: 1}]}",
        ],
    ],
}  # fmt: skip
IMPORTED = {"kandy": "sets", "star": "data/rcc8/test_rcc8_k_4_b_1.csv"}  # files of the original's, written by ourselves


def section(title: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> dict[str, str]:
    """The keys of a section's table, each with its example."""
    found = re.findall(r"^\| `([a-z_.\[\]]+)` \| .* \| (.+?) \|$", section(title), flags=re.MULTILINE)
    assert len({key for key, _ in found}) == len(found)
    return dict(found)


def keys(value: Any, place: str) -> Iterator[str]:
    if place in FREE:
        return
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield f"{place}.{key}"
        yield from keys(inner, f"{place}.{key}")
    for inner in value if isinstance(value, list) else ():
        if isinstance(inner, dict):
            yield from keys(inner, f"{place}[]")


def datasets(family: str, folder: Path) -> Iterator[Path]:
    for number, arguments in enumerate(GENERATED[family]):
        out = folder / f"made-{number}"
        assert invoke(["generate", family, *arguments, "--seed", "3", "--out", str(out)]) == 0
        yield out
    if family in IMPORTED:
        assert invoke(["import", family, str(folder / "made-0" / IMPORTED[family]), "--out", str(folder / "im")]) == 0
        yield folder / "im"


@pytest.mark.parametrize("family", sorted(GENERATED))
def test_the_page_has_the_keys_of_samples_and_no_others(family: str, tmp_path: Path) -> None:
    seen: set[str] = set()
    for folder in datasets(family, tmp_path):
        for line in (folder / "samples.jsonl").read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            for part in ("input", "symbolic", "proof"):
                assert isinstance(sample[part], dict)
                seen.update(keys(sample[part], part))
            if "edges" in sample["input"]:
                nodes = [node for u, _, v in sample["input"]["edges"] for node in (u, v)]
                assert all(type(node) is int for node in (*nodes, *sample["input"]["query"]))
                assert all(type(relation) is str for _, relation, _ in sample["input"]["edges"])
    assert set(rows(families.get(family).title)) == seen


@pytest.mark.parametrize("family", sorted(GENERATED))
def test_the_examples_on_the_page_are_json(family: str) -> None:
    for example in rows(families.get(family).title).values():
        assert example == "see below" or json.loads(example.strip("`")) is not ...


def test_the_columns_on_the_page_are_those_of_exports() -> None:
    listed = dict(re.findall(r"^\| (\w+) \| (`.*`) \|$", section("As tables"), flags=re.MULTILINE))
    for name in families.BUILT_IN:
        family = families.get(name)
        own = [column.name for column in family.columns() if column.name != "label"]
        assert listed[family.title] == ", ".join(f"`{column}`" for column in own)


def test_a_sample_whose_parts_are_no_objects_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from hornbeam.clutrr import generate
    from hornbeam.errors import DatasetError

    def flattened(*arguments: Any) -> Any:
        batch = make(*arguments)
        batch.samples = [replace(sample, proof=["a list"]) for sample in batch.samples]
        return batch

    make = generate.make
    monkeypatch.setattr(generate, "make", flattened)
    with pytest.raises(DatasetError, match=r"key \"proof\": expected an object.*see docs/samples\.md"):
        hornbeam.generate("clutrr", "tiny", out=tmp_path / "out", seed=1)
    assert not (tmp_path / "out").exists()
