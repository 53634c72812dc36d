"""Concepts without annotation: how many there are, what they mean, and what labels alone cannot tell."""

from __future__ import annotations

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.tree import DEFAULT_DOMAIN, from_json, leaves
from hornbeam.perception.perceiver import Picture
from hornbeam.perception.pictures.arrangements import nested
from hornbeam.perception.pictures.concept_reader import ConceptReader, concept_reader
from hornbeam.perception.pictures.concept_scores import concept_scores
from hornbeam.perception.pictures.concepts import background_color, find_concepts, segments
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.pictures.shortcuts import count_shortcuts, renamings
from hornbeam.seeds import fast_rng


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("concepts") / "tour"
    hornbeam.generate("kandy", "tour", out=folder, seed=4, overrides={"samples": "24"})
    return hornbeam.load(folder)


@pytest.fixture(scope="module")
def reader(tour: Dataset) -> ConceptReader:
    return concept_reader(pictures_of(tour, tour.samples.split("train")), tour.config.domain, seed=0)


def test_segments_are_the_objects() -> None:
    tree = ("side_by_side", ["circle_red_small", "square_red_large", "triangle_cyan_large"])
    scene = Renderer(CurriculumConfig()).scene(tree, fast_rng(2, "picture"))
    pixels = np.asarray(scene.picture())
    found = sorted(segments(pixels, background_color([pixels])))
    boxes = [(one.left, one.top, one.right, one.bottom) for one in found]
    assert boxes == sorted(thing.box for thing in scene.objects)


def test_the_number_of_concepts_is_found_and_not_given(tour: Dataset) -> None:
    pixels = [one.pixels for one in pictures_of(tour, tour.samples.split("train"))]
    model = find_concepts(pixels, (7, 9, 5), seed=0)
    shapes, colors, sizes = map(len, model.centers)
    assert (colors, sizes) == (6, 2)
    assert 3 <= shapes <= 4  # small triangles of few pixels may be a shape of their own


def test_concepts_mean_the_attributes_under_other_names(tour: Dataset, reader: ConceptReader) -> None:
    samples = list(tour.samples.split("test"))
    readings = reader.perceive(pictures_of(tour, samples))
    scores = concept_scores(samples, readings, tour.config.domain)
    assert all(score.matched > 0.95 for score in scores.values())
    assert scores["color"].named < 0.9  # the names are invented
    assert sorted(scores["color"].matching.values()) == sorted(DEFAULT_DOMAIN.colors)
    # With each name in the place of what it means, the objects are the true ones.
    meaning = [scores[attribute].matching for attribute in ("shape", "color", "size")]
    domain = tour.config.domain
    right = 0
    for sample, reading in zip(samples, readings, strict=True):
        assert reading.best is not None
        read = [
            domain.name(*(table[value] for table, value in zip(meaning, domain.props[name], strict=True)))
            for name in leaves(from_json(reading.best.symbolic["tree"], domain))
        ]
        right += sorted(read) == sorted(leaves(from_json(sample.symbolic["tree"], domain)))
    assert right >= 0.9 * len(samples)


def test_a_kept_reader_reads_the_same(tour: Dataset, reader: ConceptReader) -> None:
    pictures = pictures_of(tour, tour.samples.split("test"))[:6]
    again = ConceptReader.from_json(json.loads(json.dumps(reader.to_json())), tour.config.domain)
    assert again.perceive(pictures) == reader.perceive(pictures)


def test_nothing_to_see_is_unread(reader: ConceptReader) -> None:
    blank = Picture("blank", np.full((32, 32, 3), 127, np.uint8))
    (reading,) = reader.perceive([blank])
    assert reading.best is None and reading.unread == "nothing but background"


def test_groups_by_gaps() -> None:
    rows = np.array([[x + dx, y] for y in (0.0, 100.0) for x in (0.0, 100.0) for dx in (0.0, 12.0)])
    assert nested(rows) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_shortcuts_are_those_of_brute_force(tour: Dataset) -> None:
    names = [name for name in tour.tasks if name.endswith(("_red", "_house"))]
    counted = count_shortcuts(tour, names)
    assert counted.renamings == 6 * 720 * 2
    domain = tour.config.domain
    # "Some object is red": shapes and sizes may be anything, and red must stay red.
    assert counted.by_task["t00_red"] == 6 * 120 * 2
    # Both tasks together, counted by hand: a house is a triangle on a square of equal size, of any colors.
    by_hand = {
        one
        for one in product(*(permutations(values) for values in domain.values))
        if one[0] == domain.shapes and one[1][domain.colors.index("red")] == "red"
    }
    assert set(counted.joint) == by_hand
    assert next(renamings(domain)) in by_hand


def test_the_command_tells_scores_and_shortcuts(
    tour: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["concepts", str(tour.path), "--perceiver-set", "annotated=0", "--task", "t00_red"]
    assert run([*arguments, "--readings", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["concepts"]["color"]["matched"] > 0.95 and told["unread"] == 0
    assert told["shortcuts"]["joint"] == 1440
    assert list(tmp_path.glob("concepts-*.json"))
