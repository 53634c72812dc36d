"""The page, the tables beside the paper's, the explanation, the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import fmean

import pytest

import hornbeam
from hornbeam import resources
from hornbeam.cli.datasets import dataset_page
from hornbeam.data.dataset import Dataset
from hornbeam.graphlog.figures import WorldFigures, comparison, difficulty, world_figures
from hornbeam.graphlog.knowledge import Certificate
from hornbeam.graphlog.record import DrawnRow, Grounds, read
from hornbeam.graphlog.show import graph_svg


def test_published_tables_have_the_means_of_the_paper() -> None:
    paper = resources.published("graphlog")
    suite, worlds = paper["suite"], paper["worlds"]
    assert (suite["worlds"], suite["rules"], suite["all_descriptors"], len(worlds)) == (57, 76, 522, 57)
    assert sum(world["descriptors"] for world in worlds.values()) / 57 == pytest.approx(428.9, abs=0.1)
    levels = [world["difficulty"] for world in worlds.values()]
    assert [levels.count(level) for level in ("easy", "moderate", "hard")] == [19, 20, 18]
    train = [world["accuracy"] for world in worlds.values() if world["split"] == "train"]
    for result in paper["results"]:
        mean = fmean(accuracy[result["name"]] for accuracy in train)
        assert result["accuracy"]["mean"] == pytest.approx(mean, abs=0.0006), result["name"]


def test_published_difficulty_goes_by_the_accuracy_of_one_model() -> None:
    for name, world in resources.published("graphlog")["worlds"].items():
        accuracy = world["accuracy"]["gat-egat"]
        level = "easy" if accuracy >= 0.70 else "moderate" if accuracy >= 0.54 else "hard"
        assert world["difficulty"] == level, name


def test_figures_stand_beside_the_papers(tiny: Dataset) -> None:
    found = comparison(tiny).to_json()
    suite = {row["mean over the worlds"]: row for row in found["suite"]}
    assert suite["worlds"] == {"mean over the worlds": "worlds", "here": 4, "published": 57}
    assert [row["world"] for row in found["worlds"]] == tiny.tasks
    assert found["worlds"][0]["descriptors (paper)"] == 286
    rows = [read(sample) for sample in tiny.task("rule_0")]
    assert found["worlds"][0]["descriptors"] == len({row.chain for row in rows})
    assert found["worlds"][0]["edges"] == pytest.approx(sum(len(row.edges) for row in rows) / len(rows), abs=0.01)


def test_without_test_rows_nothing_is_said_of_them(tmp_path: Path) -> None:
    dataset = hornbeam.generate("graphlog", "tiny", out=tmp_path / "a", overrides={"rows.valid": 0, "rows.test": 0})
    found = comparison(dataset).to_json()
    suite = {row["mean over the worlds"]: row["here"] for row in found["suite"]}
    assert suite["test labels that follow from the rules"] == "-"
    assert {(world["derivable"], world["shortcut"]) for world in found["worlds"]} == {("-", "-")}
    assert hornbeam.audit(dataset).shortcuts["ends of the path"] is None


def test_the_page_shows_graphs_and_similarity(tiny: Dataset, compat: Dataset) -> None:
    page = dataset_page(tiny)
    assert page.count("<svg") == 2 + 6
    assert "rule_0 and rule_1: 0.666667" in page
    assert "It follows alone." in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page
    assert "does not follow" in dataset_page(compat)


def test_a_drawing_has_path_and_noise(tiny: Dataset) -> None:
    row = read(tiny.test[0])
    drawn = graph_svg(row)
    assert drawn.count('class="path"') == len(row.chain)
    assert drawn.count('class="noise"') == len(row.edges) - len(row.chain)
    assert drawn.count("<circle") == row.nodes


def test_explanation_is_a_proof(tiny: Dataset) -> None:
    sample = next(sample for sample in tiny.test if len(read(sample).chain) == 3)
    text = tiny.family.explain(tiny, sample)
    assert text.count("an edge") == 3 and text.count(": rule ") == 2
    assert f"It is {sample.label}." in text


def test_explanation_says_what_does_not_follow(compat: Dataset) -> None:
    sample = next(sample for sample in compat.samples if read(sample).proof["derivable"] == "no")
    assert "Nothing follows from the path" in compat.family.explain(compat, sample)


def test_difficulty_is_ranked_by_depth_descriptors_and_shortcut() -> None:
    def world(name: str, depth: int, lengths: int) -> WorldFigures:
        def row(number: int, node: int, *chain: str) -> DrawnRow:
            return DrawnRow(((number, node, "a"),), "R_0_+", (0, 1, 2), chain, 3)

        train = [row(number, 1, "a", f"l{number}") for number in range(lengths)]
        test = [row(0, 9, *(("a", "l0") if depth == 1 else ("b", "q")))]
        why = Grounds("unique", Certificate("", (), depth))
        grounds = {(each.label, each.chain): why for each in (*train, *test)}
        return world_figures(name, "train", {"train": train, "test": test}, grounds)

    figures = [world("a", 1, 9), world("b", 2, 5), world("c", 3, 2)]
    assert difficulty(figures) == {"a": "easy", "b": "moderate", "c": "hard"}
    assert figures[0].shortcut == 1.0 and figures[2].shortcut == 0.0


def _hornbeam(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hornbeam", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_commands(tiny: Dataset) -> None:
    done = _hornbeam("graphlog", "statistics", str(tiny.path), "--json")
    assert done.returncode == 0 and len(json.loads(done.stdout)["worlds"]) == 4
    done = _hornbeam("graphlog", "similarity", str(tiny.path), "--jaccard")
    assert done.stdout.splitlines()[1] == "rule_0,1,0.5,0.2,0"


def test_wrong_settings_end_with_code_2_and_the_place(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("rules: 30\nworlds: 40\n")
    done = _hornbeam("generate", "graphlog", str(file), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "40 windows of 20 rules with stride 1 need 59 rules, there are 30" in done.stderr
    assert not (tmp_path / "out").exists()
