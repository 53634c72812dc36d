"""From a picture's pixels to a proof that is drawn onto it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.kandy.drawing import drawn, node_box
from hornbeam.kandy.knowledge import ExplanationLine
from hornbeam.perception.pictures.explaining import explain_all, explain_from_picture
from hornbeam.perception.readings import Perception
from hornbeam.theory import Theory

HOUSE = "t02_house"


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "tour", out=tmp_path_factory.mktemp("tour") / "kandy", seed=3)


def inverse(folder: Path) -> Perception:
    return Perception.of("pictures", "inverse", {}, folder)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hornbeam", *words], capture_output=True, text=True, check=False)


def test_the_command_reads_proves_and_draws(tour: Dataset, tmp_path: Path) -> None:
    sample = next(one for one in tour.task(HOUSE) if one.label)
    file = tmp_path / "house.png"
    done = command(
        "explain",
        str(tour.path),
        sample.id,
        "--from",
        "pictures",
        "--out",
        str(file),
        "--readings",
        str(tmp_path / "read"),
    )
    assert done.returncode == 0, done.stderr
    assert "it is valid. Its label is valid." in done.stdout
    assert "+ house(" in done.stdout and "[1 2 3]" in done.stdout
    with Image.open(file) as drawing, Image.open(tour.file(sample.input["image"])) as picture:  # type: ignore
        assert drawing.width > picture.width
        colours = {colour for _, colour in drawing.convert("RGB").getcolors(1 << 24) or ()}
    assert {(255, 140, 0), (179, 136, 255), (127, 255, 212)} <= colours, "a box for each of the three nodes"


def test_options_that_need_a_picture(tour: Dataset, tmp_path: Path) -> None:
    done = command("explain", str(tour.path), tour.samples[0].id, "--out", str(tmp_path / "x.png"))
    assert done.returncode == 2 and "--from pictures" in done.stderr
    done = command("explain", str(tour.path), tour.samples[0].id, "--from", "sounds")
    assert done.returncode == 2 and "pictures" in done.stderr


def test_what_is_read_has_the_label_of_the_sample(tour: Dataset, tmp_path: Path) -> None:
    reds = list(tour.task("t00_red"))
    explanations = explain_all(tour, reds, inverse(tmp_path))
    assert [getattr(one, "holds", None) for one in explanations] == [one.label for one in reds]


def test_a_learned_theory_is_explained_in_its_own_words(tour: Dataset, tmp_path: Path) -> None:
    sample = next(one for one in tour.task("t00_red") if one.label)
    theory = Theory.parse("valid(X) :- contains(X, Y), extract_color(Y, blue).")
    explanation = explain_from_picture(tour, sample, inverse(tmp_path), theory)
    assert not explanation.holds and "- extract_color(" in explanation.text


def test_the_box_of_a_composition_holds_its_objects() -> None:
    boxes = {(0, 0): (10, 20, 15, 25), (0, 1): (30, 5, 40, 12), (1,): (0, 0, 2, 2)}
    assert node_box((0,), boxes) == (10, 5, 40, 25)
    assert node_box((2,), boxes) is None


def test_a_long_explanation_is_cut_in_the_drawing() -> None:
    lines = [ExplanationLine(f"+ p({number})", ((0,),)) for number in range(500)]
    picture = Image.fromarray(np.zeros((224, 224, 3), np.uint8))
    assert drawn(picture, lines, {(0,): (100, 100, 110, 110)}).height < 1000
