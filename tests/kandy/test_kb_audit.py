"""The audit finds what is planted: shortcuts, leaks, skew; and nothing where nothing is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hornbeam
from hornbeam.kandy.audit import FeatureTable, bag, balanced_accuracy, fit, structure
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Tree, as_json
from hornbeam.seeds import fast_rng
from tests.kandy.test_kb_import import folder

NAMES = sorted(DEFAULT_DOMAIN.props)


def dataset_of(root: Path, rows: dict[str, list[tuple[Tree, bool]]]) -> Any:
    lines = {
        split: [
            f'"0/{number:04d}.png",0,{int(label)},1,"{as_json(tree, DEFAULT_DOMAIN)}"'
            for number, (tree, label) in enumerate(kept)
        ]
        for split, kept in rows.items()
    }
    made = folder(root / "in", lines)
    return hornbeam.import_dataset("kandy", [made], out=root / "out", options={"rules": "hard", "images": "skip"})


def drawn(count: int, name: str, *, shortcut: bool) -> list[tuple[Tree, bool]]:
    """Dimers of one colour (hard 0), or of two; with the shortcut positives always stand in a stack."""
    random = fast_rng(1, "audit", name)
    found: list[tuple[Tree, bool]] = []
    for number in range(count):
        label = number % 2 == 0
        first = random.choice(NAMES)
        color = DEFAULT_DOMAIN.props[first][1]
        second = random.choice([other for other in NAMES if (DEFAULT_DOMAIN.props[other][1] == color) == label])
        operator = ("stack" if label else "grid") if shortcut else random.choice(["stack", "grid"])
        found.append((("in", [(operator, [first, second])]), label))
    return found


def three_splits(*, shortcut: bool) -> dict[str, list[tuple[Tree, bool]]]:
    counts = {"train": 60, "val": 30, "test": 30}
    return {split: drawn(count, split, shortcut=shortcut) for split, count in counts.items()}


def test_a_planted_shortcut_is_named(tmp_path: Path) -> None:
    report = hornbeam.audit(dataset_of(tmp_path, three_splits(shortcut=True)))
    assert report.derivable == 1.0
    assert report.shortcuts["solved_by_structure"] == ["t00_dimer_colour"]
    scores: Any = report.shortcuts["tasks"]
    found = scores["t00_dimer_colour"]["structure"]
    assert found["stump_test"] == 1.0 and found["held_out_samples"] == 60
    assert found["question"] in ("first child is stack > 0.5", "last child is stack > 0.5")


def test_without_a_shortcut_there_is_none(tmp_path: Path) -> None:
    rows = three_splits(shortcut=False)
    report = hornbeam.audit(dataset_of(tmp_path, rows))
    assert report.shortcuts["solved_by_structure"] == []
    assert report.leaks["symbol train/valid"] == sum(row in rows["train"] for row in rows["val"])
    positives: Any = report.details["positives"]
    assert positives["t00_dimer_colour"]["train"] == {"positive": 30, "samples": 60}


def test_leaks_by_symbol_and_by_look(tmp_path: Path) -> None:
    same: tuple[Tree, bool] = (("in", [("stack", ["circle_red_small", "square_red_small"])]), True)
    twin: tuple[Tree, bool] = (("in", [("in", ["square_red_large", "square_red_large"])]), True)
    looks_like: tuple[Tree, bool] = (("in", [("in", ["circle_red_small", "square_red_large"])]), True)
    other: tuple[Tree, bool] = (("in", [("stack", ["circle_red_small", "square_blue_small"])]), False)
    rows = {"train": [same, twin, other], "val": [same], "test": [looks_like, same, same]}
    report = hornbeam.audit(dataset_of(tmp_path, rows))
    assert report.leaks["symbol train/valid"] == 1
    assert report.leaks["symbol train/test"] == 2
    assert report.leaks["noise-free picture train/test"] == 3  # the small circle hides behind the large square
    assert report.duplicates == 3


def test_features_see_no_more_than_they_say() -> None:
    tree: Tree = ("grid", [("stack", ["circle_red_small", "square_red_large"]), ("in", ["circle_red_small"])])
    renamed: Tree = ("grid", [("stack", ["triangle_blue_large", "circle_cyan_small"]), ("in", ["square_red_small"])])
    moved: Tree = ("in", ["square_red_large", "circle_red_small", "circle_red_small"])
    assert structure(tree) == structure(renamed) != structure(moved)
    assert bag(tree) == bag(moved) != bag(renamed)
    assert structure(tree)["groups differ in operator or size"] == 1
    assert bag(tree)["number of red color"] == 3


@pytest.mark.parametrize("depth", [1, 3])
def test_trees_fit_on_what_separates(depth: int) -> None:
    random = np.random.default_rng(0)
    values = random.integers(0, 3, size=(200, 5))
    labels = values[:, 3] > 1
    table = FeatureTable(tuple("abcde"), values, labels)
    tree = fit(table, depth)
    assert balanced_accuracy(tree.predict(values), labels) == 1.0
    assert tree.text(table.names) == "d > 1.5"


def test_a_small_tree_finds_what_a_stump_does_not() -> None:
    values = np.array([[a, b] for a in range(2) for b in range(2)] * 20)
    labels = (values[:, 0] > 0) & (values[:, 1] > 0)
    table = FeatureTable(("a", "b"), values, labels)
    stump, tree = fit(table, 1), fit(table, 3)
    assert balanced_accuracy(tree.predict(values), labels) == 1.0
    assert (balanced_accuracy(stump.predict(values), labels) or 0.0) < 1.0


def test_one_class_has_no_question() -> None:
    table = FeatureTable(("a",), np.array([[0], [1], [2], [3]]), np.array([True] * 4))
    tree = fit(table, 3)
    assert tree.text(table.names) is None and tree.predict(table.values).all()
