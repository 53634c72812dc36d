"""The perceiver `inverse`: what is drawn is read back, up to looks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from hornbeam import generate, import_dataset
from hornbeam.cli import run
from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.record import annotated
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.tree import Tree, from_json, nodes, operators
from hornbeam.perception import perceiver as perceivers
from hornbeam.perception.perceiver import Picture, Preparation, Reading
from hornbeam.perception.pictures.inverse import InverseReader, _best_geometry
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.pictures.looks import Looks
from hornbeam.seeds import fast_rng

FIXED = sorted(set(operators()) - {"random"})
LINES = [name for name in FIXED if name != "in" and not name.startswith("quadrant")]


class Studio:
    """Draws trees and reads the pictures back."""

    def __init__(self, **changes: object) -> None:
        self.config = CurriculumConfig(**changes)  # type: ignore[arg-type]
        self.renderer = Renderer(self.config)
        self.looks = Looks(self.config)
        self.reader = InverseReader(self.config)
        self.names = sorted(self.config.domain.props)

    def picture(self, tree: Tree, rng: random.Random) -> Picture:
        return Picture(repr(tree), np.asarray(self.renderer.scene(tree, rng).picture()))

    def visible(self, tree: Tree, rng: random.Random) -> float:
        """The share of the object of which the least can be seen."""
        return float(min(seen["visible"] for seen in annotated(self.renderer.scene(tree, rng))[0]))

    def read(self, reading: Reading) -> Tree:
        assert reading.best is not None, reading.unread
        return from_json(reading.best.symbolic["tree"], self.config.domain)

    def misread(self, trees: Sequence[Tree], seed: int = 0) -> list[tuple[Tree, Reading]]:
        """Those that are read as something that looks different, or not at all."""
        rng = fast_rng(seed, "studio")
        readings = self.reader.perceive([self.picture(tree, rng) for tree in trees])
        return [
            (tree, reading)
            for tree, reading in zip(trees, readings, strict=True)
            if reading.best is None or not self.looks.alike(tree, self.read(reading))
        ]


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def drawn(rng: random.Random, depth: int, names: Sequence[str]) -> Tree:
    op = rng.choice(FIXED)
    count = rng.randint(2, 4) if op in LINES else 1
    return op, [
        drawn(rng, depth - 1, names) if depth > 1 and rng.random() < 0.4 else rng.choice(names) for _ in range(count)
    ]


def trees(studio: Studio, count: int, accept: Callable[[float], bool], seed: int) -> Iterator[Tree]:
    """Trees of all compositions, nested in each other, whose objects are visible as wanted."""
    rng = fast_rng(seed, "trees")
    while count:
        tree = drawn(rng, rng.choice((1, 2, 2, 3)), studio.names)
        if accept(studio.visible(tree, fast_rng(seed, repr(tree)))):
            count -= 1
            yield tree


@pytest.mark.parametrize("geometry", ["right", "compat"])
@pytest.mark.parametrize("op", FIXED)
def test_every_composition_is_drawn_and_read_back(op: str, geometry: str) -> None:
    studio = Studio(geometry=geometry)
    rng = fast_rng(3, op)
    counts = range(2, 8) if op in LINES else (1,)
    pictures = [(op, [rng.choice(studio.names) for _ in range(count)]) for count in counts for _ in range(3)]
    assert studio.misread(pictures) == []


def test_nested_compositions_are_read_up_to_looks(studio: Studio) -> None:
    nested = list(trees(studio, 160, lambda visible: visible >= 0.35, seed=1))
    assert {node[0] for tree in nested for node in nodes(tree) if not isinstance(node, str)} == set(FIXED)
    assert len(studio.misread(nested)) <= 2  # some trees look alike but for the noise


def test_objects_that_lie_on_each_other_are_named_by_what_is_visible(studio: Studio) -> None:
    overlapping = list(trees(studio, 25, lambda visible: 0.35 <= visible < 0.95, seed=2))
    assert len(studio.misread(overlapping)) <= 1


def test_the_parts_of_a_reading_are_the_objects_and_where_they_lie(studio: Studio) -> None:
    tree = ("diag_ul_lr", [("stack", ["square_red_large", "square_blue_large", "square_green_large"])] * 4)
    scene = studio.renderer.scene(tree, fast_rng(4, "parts"))
    (reading,) = studio.reader.perceive([Picture("one", np.asarray(scene.picture()))])
    assert reading.best is not None
    assert [part.name for part in reading.best.parts] == [spot.name for spot in scene.layout.spots]
    assert [part.path for part in reading.best.parts] == scene.layout.paths
    objects, _ = annotated(scene)
    for part, seen in zip(reading.best.parts, objects, strict=True):
        left, top, width, height = seen["box"]
        assert part.visible == pytest.approx(seen["visible"], abs=0.1)
        # What is hidden, or cut off, is known up to the noise in size.
        assert np.abs(np.array(part.box) - np.array([left, top, left + width, top + height])).max() <= 5


def test_objects_that_their_canvas_cuts_off_are_read(studio: Studio) -> None:
    tree = ("grid", [("diag_ll_ur", [("stack", ["square_red_large"] * 3), "circle_blue_small"] * 2)] * 2)
    scene = studio.renderer.scene(tree, fast_rng(5, "cut"))
    assert any(thing.mask is not None and thing.mask.area < thing.area for thing in scene.objects)
    assert studio.misread([tree] * 5) == []


def test_compositions_on_each_other_are_read(studio: Studio) -> None:
    on_each_other: list[Tree] = [
        ("in", ["square_red_large", "circle_blue_small"]),
        ("in", [("grid", ["square_red_large", "circle_blue_small", "triangle_cyan_small"]), "circle_green_small"]),
        ("quadrant_lr", ["circle_yellow_large", "triangle_blue_small"]),
    ]
    assert studio.misread(on_each_other) == []


def test_objects_in_random_places_are_read_with_doubt(studio: Studio) -> None:
    tree = ("random", ["circle_red_small", "square_blue_large", "triangle_green_small", "circle_cyan_large"])
    (reading,) = studio.reader.perceive([studio.picture(tree, fast_rng(6, "random"))])
    assert studio.looks.alike(tree, studio.read(reading))
    assert reading.best is not None
    assert reading.best.probability < 0.4


def test_trees_that_look_alike_are_alternatives_of_nearly_the_same_probability(studio: Studio) -> None:
    tree = ("stack", ["circle_red_small", "square_blue_large"])
    (reading,) = studio.reader.perceive([studio.picture(("in", [tree]), fast_rng(7, "in"))])
    read = [from_json(one.symbolic["tree"], studio.config.domain) for one in reading.alternatives]
    assert read == [tree, ("in", [tree])]
    assert reading.alternatives[0].probability < 0.6


def test_other_shapes_colours_and_sizes_of_a_curriculum_are_read() -> None:
    from hornbeam.kandy.shapes import BUILT_IN

    names = ("star", "cross", "diamond", "circle")
    studio = Studio(
        shapes=tuple((name, BUILT_IN[name]) for name in names),
        colors=(("white", (255, 255, 255)), ("orange", (255, 140, 0)), ("navy", (0, 0, 128))),
        sizes=(("tiny", 9), ("huge", 30)),
        canvas_size=(320, 240),
        bg_color=(10, 10, 10),
        s_sigma=0.05,
        v_sigma=0.05,
    )
    rng = fast_rng(8, "others")
    pictures = [(op, [rng.choice(studio.names) for _ in range(3)]) for op in LINES for _ in range(2)]
    assert studio.misread(pictures) == []


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda pixels: np.full_like(pixels, 127), "nothing but background"),
        (lambda pixels: pixels[:100], "expected 224 x 224"),
        (lambda pixels: np.random.default_rng(0).integers(0, 256, pixels.shape, np.uint8), "colours"),
        (lambda pixels: _with_a_bar(pixels), "no object is that large"),
        (lambda pixels: _with_a_ring(pixels), "no known shape at (3, 3)"),
        (lambda pixels: _with_a_dot(pixels), "no composition explains the places of its 3 objects"),
    ],
)
def test_what_cannot_be_read_is_unread_with_the_reason(
    studio: Studio, spoil: Callable[[np.ndarray], np.ndarray], reason: str
) -> None:
    picture = studio.picture(("grid", ["circle_red_small", "square_blue_large"]), fast_rng(9, "spoilt"))
    spoilt = Picture("spoilt", spoil(picture.pixels))
    good, bad = studio.reader.perceive([picture, spoilt])
    assert good.best is not None
    assert bad.best is None and reason in bad.unread


def _with_a_bar(pixels: np.ndarray) -> np.ndarray:
    return np.where(np.arange(224)[None, :, None] < 60, np.uint8(9), pixels).astype(np.uint8)


def _with_a_ring(pixels: np.ndarray) -> np.ndarray:
    pixels = pixels.copy()
    pixels[3:13, 3:13] = 255, 0, 0
    pixels[6:10, 6:10] = 127
    return pixels


def _with_a_dot(pixels: np.ndarray) -> np.ndarray:
    pixels = pixels.copy()
    pixels[3, 3] = 255, 0, 0
    return pixels


@pytest.mark.slow
def test_pictures_of_the_original_are_read_in_its_geometry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = generate("kandy", "tour", out=tmp_path / "made", seed=3, overrides={"profile": "compat", "samples": 12})
    imported = import_dataset("kandy", [made.path / "sets"], out=tmp_path / "imported")
    reader = perceivers.REGISTRIES[perceivers.PICTURES].get("inverse").prepare(Preparation(imported, tmp_path))
    assert isinstance(reader, InverseReader) and reader.config.geometry == "compat"
    samples = list(imported.samples)
    readings = reader.perceive(pictures_of(imported, samples))
    score = Looks(reader.config).score(samples, {reading.id: reading for reading in readings})
    assert score.pictures == 60 and score.trees == score.pictures and score.named == score.objects
    # The original draws two quadrants in one place: that is one reading, not one that is wrong every other time.
    corners = [one for reading in readings for one in reading.alternatives if "quadrant_ur" in one.symbolic["tree"]]  # type: ignore[operator]
    assert corners and min(one.probability for one in corners) > 0.9
    asked = ["perceive", str(imported.path), "--task", "t00_task_0", "--readings", str(tmp_path / "r"), "--json"]
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["trees_up_to_looks"] == 1.0


@pytest.mark.parametrize(
    ("geometry", "rows", "chosen"), [("right", 3, "right"), ("compat", 3, "compat"), ("right", 0, "compat")]
)
def test_a_geometry_is_chosen_by_the_pictures_that_tell(geometry: str, rows: int, chosen: str) -> None:
    """An object in the upper right looks the same in both geometries and has two readings in one of them."""
    studio = Studio(geometry=geometry)
    corner: Tree = ("quadrant_ur", ["circle_red_small"])
    row: Tree = ("side_by_side", ["circle_red_small", "square_blue_large"])
    drawn = [studio.picture(tree, fast_rng(number, "kandy")) for number, tree in enumerate([corner] * 4 + [row] * rows)]
    assert _best_geometry(CurriculumConfig(), drawn).config.geometry == chosen


def test_samples_without_pictures_are_refused(tmp_path: Path) -> None:
    stories = generate("clutrr", "tiny", out=tmp_path / "stories", seed=0)
    with pytest.raises(UsageError, match="reads pictures of kandy"):
        perceivers.REGISTRIES[perceivers.PICTURES].get("inverse").prepare(Preparation(stories, tmp_path))
