"""Noise on pictures: repeatable, stronger with the strength, refused by an unknown name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.render import Renderer
from hornbeam.perception.pictures.corruptions import CORRUPTIONS, STRENGTHS, corrupted
from hornbeam.seeds import fast_rng


@pytest.fixture(scope="module")
def picture() -> npt.NDArray[np.uint8]:
    tree = ("grid", ["circle_red_small", "square_blue_large", "triangle_green_large", "circle_yellow_large"])
    return np.asarray(Renderer(CurriculumConfig()).scene(tree, fast_rng(1, "picture")).picture())


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_the_same_seed_gives_the_same_pixels_and_strength_grows(kind: str, picture: npt.NDArray[np.uint8]) -> None:
    changes = []
    for strength in STRENGTHS:
        noisy = corrupted(picture, kind, strength, seed=5, name="a")
        assert noisy.shape == picture.shape and noisy.dtype == np.uint8
        assert (noisy == corrupted(picture, kind, strength, seed=5, name="a")).all()
        changes.append(float(np.abs(noisy.astype(int) - picture).mean()))
    assert 0 < changes[0] < changes[1] < changes[2]


def test_what_is_drawn_differs_between_pictures_and_seeds(picture: npt.NDArray[np.uint8]) -> None:
    first = corrupted(picture, "gaussian", 2, seed=5, name="a")
    assert (first != corrupted(picture, "gaussian", 2, seed=5, name="b")).any()
    assert (first != corrupted(picture, "gaussian", 2, seed=6, name="a")).any()


def test_a_hue_shift_leaves_the_grey_background(picture: npt.NDArray[np.uint8]) -> None:
    grey = (picture == 127).all(axis=2)
    assert (corrupted(picture, "hue", 3)[grey] == 127).all()


def test_unknown_strengths_are_refused(picture: npt.NDArray[np.uint8]) -> None:
    with pytest.raises(UsageError, match="1, 2 or 3, not 4"):
        corrupted(picture, "blur", 4)
