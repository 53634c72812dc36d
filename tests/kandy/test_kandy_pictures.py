"""Pictures: geometry to the pixel, noise, annotations, PNG files."""

from __future__ import annotations

import io
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.geometry import layout
from hornbeam.kandy.record import annotated
from hornbeam.kandy.render import Renderer, below_of, encode
from hornbeam.kandy.shapes import BUILT_IN
from hornbeam.kandy.tree import DEFAULT_DOMAIN, leaves, operators
from hornbeam.seeds import fast_rng

sys.path.insert(0, str(Path(__file__).parent))
from tests.kandy.kandy_reference import Reference

CONFIGS = {
    "right": CurriculumConfig(),
    "compat": CurriculumConfig(geometry="compat", hue="clip"),
    "small": CurriculumConfig(canvas_size=(96, 64), padding=1, size_noise=1),
    "odd": CurriculumConfig(canvas_size=(225, 131), padding=8, sizes=(("small", 4), ("large", 11.5)), size_noise=2.5),
}


def random_tree(rng: random.Random, depth: int, most: int, allowed=None):
    allowed = allowed or operators()
    if depth == 0:
        return rng.choice(list(DEFAULT_DOMAIN.props))
    children = [random_tree(rng, rng.randrange(depth), most, allowed) for _ in range(rng.randint(1, most))]
    return rng.choice(allowed), children


def centres(tree, config=None) -> list[tuple[float, float]]:
    return [(spot.x, spot.y) for spot in layout(tree, config or CurriculumConfig(), lambda n: 0).spots]


# Geometry ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONFIGS)
def test_the_picture_is_the_one_of_the_plain_renderer(name):
    config = CONFIGS[name]
    renderer = Renderer(config)
    rng = random.Random(name)
    plain = [op for op in operators() if op != "random"]
    for turn in range(60):
        tree = random_tree(rng, turn % 4, 5, plain)
        scene = renderer.scene(tree, fast_rng(turn, "test"))
        sizes, colors = _noise_of(renderer, tree, fast_rng(turn, "test"))
        assert scene.picture().tobytes() == Reference(config, sizes, colors, None).picture(tree).tobytes(), tree


def _noise_of(renderer, tree, rng):
    """The sizes and colours of a scene, drawn once more in the documented order: hue, saturation, value, size."""
    import colorsys

    config = renderer.config
    sizes, colors = [], []
    for name in leaves(tree):
        _, color, size = config.domain.props[name]
        red, green, blue = (channel / 255 for channel in dict(config.colors)[color])
        h, s, v = colorsys.rgb_to_hsv(red, green, blue)
        h += rng.gauss(0, config.h_sigma)
        h = h % 1 if config.hue == "wrap" else min(1, max(0, h))
        s = min(1, max(0, s + rng.gauss(0, config.s_sigma)))
        v = min(1, max(0, v + rng.gauss(0, config.v_sigma)))
        colors.append(tuple(int(channel * 255) for channel in colorsys.hsv_to_rgb(h, s, v)))
        step = int(rng.random() * (2 * config.size_noise * 64 + 1)) / 64
        sizes.append(max(1, dict(config.sizes)[size] - config.size_noise + step))
    return sizes, colors


def test_random_places_objects_as_the_plain_renderer_does():
    config = replace(CurriculumConfig(), h_sigma=0.0, s_sigma=0.0, v_sigma=0.0)
    renderer = Renderer(config)
    rng = random.Random(3)
    for turn in range(20):
        tree = ("random", [rng.choice(list(DEFAULT_DOMAIN.props)) for _ in range(rng.randint(1, 12))])
        scene = renderer.scene(tree, fast_rng(turn), noisy_color=False, noisy_size=False)
        sizes = [config.pixels[config.domain.props[name][2]] for name in tree[1]]
        colors = [dict(config.colors)[config.domain.props[name][1]] for name in tree[1]]
        reference = Reference(config, sizes, colors, below_of(fast_rng(turn)))
        assert scene.picture().tobytes() == reference.picture(tree).tobytes()


def test_objects_of_random_never_overlap_whatever_their_noise():
    renderer = Renderer(CurriculumConfig())
    for turn in range(30):
        tree = ("random", ["circle_red_large", "square_blue_large", "triangle_green_small"] * 4)
        objects, _ = annotated(renderer.scene(tree, fast_rng(turn)))
        assert all(thing["visible"] == 1 for thing in objects)


def test_random_on_a_small_cell_is_no_error():
    tree = ("grid", [("random", ["circle_red_large"] * 2)] * 25)
    picture = Renderer(CurriculumConfig(canvas_size=(64, 64))).scene(tree, fast_rng(1)).picture()
    assert picture.size == (64, 64)


@pytest.mark.parametrize("geometry", ["right", "compat"])
def test_quadrants(geometry):
    config = CurriculumConfig(geometry=geometry)
    found = {op: centres((op, ["circle_red_small"]), config)[0] for op in operators() if op.startswith("quadrant")}
    middle = 112
    assert found["quadrant_ul"][0] < middle > found["quadrant_ul"][1]
    assert found["quadrant_ur"][0] > middle > found["quadrant_ur"][1]
    assert found["quadrant_lr"][0] > middle < found["quadrant_lr"][1]
    if geometry == "compat":
        assert found["quadrant_ll"] == found["quadrant_ur"]
    else:
        assert found["quadrant_ll"][0] < middle < found["quadrant_ll"][1]
        assert found["quadrant_ll"] == (found["quadrant_ul"][0], found["quadrant_lr"][1])


def test_the_directions_of_compositions():
    three = ["circle_red_small", "square_red_small", "triangle_red_small"]
    for op in ("stack", "stack_reduce_bb"):
        points = centres((op, three))
        assert len({x for x, _ in points}) == 1
        assert [y for _, y in points] == sorted(y for _, y in points)
    for op in ("side_by_side", "side_by_side_reduce_bb"):
        points = centres((op, three))
        assert len({y for _, y in points}) == 1
        assert [x for x, _ in points] == sorted(x for x, _ in points)
    down = centres(("diag_ul_lr", three))
    up = centres(("diag_ll_ur", three))
    assert [x for x, _ in down] == sorted(x for x, _ in down)
    assert [y for _, y in down] == sorted(y for _, y in down)
    assert [y for _, y in up] == sorted((y for _, y in up), reverse=True)
    assert [x for x, _ in up] == [x for x, _ in down]


def test_a_grid_is_filled_row_by_row():
    points = centres(("grid", ["circle_red_small"] * 5))
    columns = sorted({x for x, _ in points})
    rows = sorted({y for _, y in points})
    assert (len(columns), len(rows)) == (3, 2)
    assert points == [(columns[i % 3], rows[i // 3]) for i in range(5)]


def test_compositions_that_look_alike_are_twins_and_others_are_not():
    renderer = Renderer(CurriculumConfig())
    pair = ["circle_red_small", "square_blue_large"]
    assert renderer.look(("stack", pair)) == renderer.look(("stack_reduce_bb", pair))
    assert renderer.look(("side_by_side", pair)) == renderer.look(("side_by_side_reduce_bb", pair))
    looks = {renderer.look((op, pair)) for op in ("stack", "side_by_side", "diag_ul_lr", "diag_ll_ur", "grid", "in")}
    assert len(looks) == 6
    hidden = ("in", ["circle_red_small", "square_blue_large"])
    assert renderer.look(hidden) == renderer.look(("in", ["square_blue_large"]))
    compat = Renderer(CurriculumConfig(geometry="compat"))
    assert compat.look(("quadrant_ll", pair)) == compat.look(("quadrant_ur", pair))


def test_the_look_is_that_of_the_noise_free_picture():
    renderer = Renderer(CurriculumConfig())
    rng = random.Random(5)
    pictures, looks = {}, {}
    for _ in range(300):
        tree = random_tree(rng, 1, 2, ("stack", "stack_reduce_bb", "in", "grid"))
        drawn = renderer.scene(tree, fast_rng(0), noisy_color=False, noisy_size=False).picture().tobytes()
        pictures[repr(tree)], looks[repr(tree)] = drawn, renderer.look(tree)
    for one in pictures:
        same = {other for other in pictures if pictures[other] == pictures[one]}
        assert same == {other for other in looks if looks[other] == looks[one]}


# Noise ------------------------------------------------------------------------------------------------------------


def test_noise_can_be_switched_off():
    tree = ("in", ["square_cyan_large"])
    for turn in range(5):
        picture = (
            Renderer(CurriculumConfig()).scene(tree, fast_rng(turn), noisy_color=False, noisy_size=False).picture()
        )
        pixels = np.asarray(picture)
        assert {tuple(pixel) for pixel in pixels.reshape(-1, 3)} == {(127, 127, 127), (0, 255, 255)}
        assert (pixels[:, :, 0] == 0).sum() == 16 * 16


def test_noise_in_size_stays_in_its_range_and_sizes_stay_apart():
    renderer = Renderer(CurriculumConfig())
    sides = {"small": set(), "large": set()}
    for turn in range(300):
        for size in sides:
            (box,) = [thing["box"] for thing in annotated(renderer.scene(f"square_red_{size}", fast_rng(turn)))[0]]
            sides[size].add(box[2])
    assert sides["small"] <= set(range(6, 11))
    assert sides["large"] <= set(range(14, 19))
    assert len(sides["small"]) >= 4


def test_hue_goes_round_or_stops():
    def blues(hue: str) -> set[bool]:
        renderer = Renderer(replace(CurriculumConfig(), hue=hue, h_sigma=0.05, s_sigma=0.0, v_sigma=0.0))
        colors = [renderer.scene("circle_red_small", fast_rng(turn)).objects[0].color for turn in range(60)]
        return {blue > green for _, green, blue in colors if blue or green}

    assert blues("wrap") == {True, False}
    assert blues("clip") == {False}


# Shapes and colours of one's own ----------------------------------------------------------------------------------


def test_shapes_colours_sizes_background_and_resolution_are_the_configurations():
    config = CurriculumConfig(
        canvas_size=(80, 50),
        bg_color=(1, 2, 3),
        shapes=(("kite", BUILT_IN["diamond"]), ("star", BUILT_IN["star"])),
        colors=(("dark_red", (90, 0, 0)),),
        sizes=(("tiny", 5),),
        size_noise=0,
    )
    picture = Renderer(config).scene("kite_dark_red_tiny", fast_rng(1), noisy_color=False).picture()
    pixels = {tuple(pixel) for pixel in np.asarray(picture).reshape(-1, 3)}
    assert picture.size == (80, 50)
    assert pixels == {(1, 2, 3), (90, 0, 0)}


# Annotations ------------------------------------------------------------------------------------------------------


def test_annotations_are_what_the_picture_shows():
    renderer = Renderer(CurriculumConfig(canvas_size=(96, 96)))
    rng = random.Random(8)
    for turn in range(40):
        tree = random_tree(rng, 1 + turn % 3, 4)
        scene = renderer.scene(tree, fast_rng(turn))
        objects, groups = annotated(scene)
        rebuilt = np.full((96, 96, 3), 127, np.uint8)
        covered = np.zeros((96, 96), int)
        for thing in objects:
            mask = np.asarray(object_mask(thing, (96, 96))) > 0
            rebuilt[mask] = thing["rgb"]
            covered += mask
        assert covered.max() <= 1
        assert (rebuilt == np.asarray(scene.picture())).all()
        assert groups[0]["path"] == []
        top = np.asarray(group_mask({"objects": objects}, groups[0], (96, 96))) > 0
        assert (top == (covered > 0)).all()


def test_visible_share_under_another_object():
    renderer = Renderer(replace(CurriculumConfig(), size_noise=0))
    objects, groups = annotated(renderer.scene(("in", ["square_red_large", "square_blue_small"]), fast_rng(1)))
    below, above = objects
    assert above["visible"] == 1
    assert below["visible"] == pytest.approx(1 - 64 / 256)
    assert groups[0]["visible"] == 1
    nested = ("in", [("in", ["square_red_large"]), ("in", ["square_blue_small"])])
    _, groups = annotated(renderer.scene(nested, fast_rng(1)))
    assert [group["visible"] for group in groups] == [1, pytest.approx(0.75), 1]


def test_more_objects_than_a_byte_counts():
    tree = ("grid", [("stack", ["circle_red_small", "square_blue_large"])] * 200)
    objects, groups = annotated(Renderer(CurriculumConfig()).scene(tree, fast_rng(1)))
    assert len(objects) == 400
    assert len(groups) == 201
    assert any(thing["visible"] < 1 for thing in objects)


# PNG --------------------------------------------------------------------------------------------------------------


def test_a_png_holds_the_picture():
    rng = np.random.default_rng(1)
    for width, height in ((1, 1), (3, 5), (224, 224)):
        picture = Image.fromarray(rng.integers(0, 256, (height, width, 3), np.uint8), "RGB")
        read = Image.open(io.BytesIO(encode(picture, [(0, height)])))
        assert read.mode == "RGB"
        assert read.tobytes() == picture.tobytes()


def test_a_png_of_a_scene_holds_its_picture_and_needs_less_than_pillow_to_write():
    renderer = Renderer(CurriculumConfig())
    rng = random.Random(4)
    for turn in range(60):
        scene = renderer.scene(random_tree(rng, turn % 4, 5), fast_rng(turn))
        data = scene.png()
        read = Image.open(io.BytesIO(data))
        read.load()
        assert read.tobytes() == scene.picture().tobytes()
        saved = io.BytesIO()
        scene.picture().save(saved, "PNG")
        assert len(data) < 2 * len(saved.getvalue())
    empty = renderer.scene(("stack", []), fast_rng(1))
    assert Image.open(io.BytesIO(empty.png())).tobytes() == empty.picture().tobytes()


def test_a_png_survives_the_checksums_of_another_reader():
    import struct
    import zlib

    scene = Renderer(CurriculumConfig()).scene(("stack", ["circle_red_small", "square_blue_large"]), fast_rng(1))
    data = scene.png()
    position, packed = 8, b""
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        body = data[position + 4 : position + 8 + length]
        (checksum,) = struct.unpack(">I", data[position + 8 + length : position + 12 + length])
        assert zlib.crc32(body) == checksum
        packed += body[4:] if body[:4] == b"IDAT" else b""
        position += 12 + length
    assert len(zlib.decompress(packed)) == 224 * (224 * 3 + 1)


def object_mask(annotation: dict, size: tuple[int, int]) -> Image.Image:
    """The visible pixels of an object as an image of 0 and 255 of the size of the picture."""
    left, top, width, height = annotation["box"]
    pixels = bytearray()
    for turn, length in enumerate(map(int, annotation["mask"].split())):
        pixels += (b"\xff" if turn % 2 else b"\0") * length
    image = Image.new("L", size)
    if pixels:
        image.paste(Image.frombytes("L", (width, height), bytes(pixels)), (left, top))
    return image


def group_mask(picture: dict, group: dict, size: tuple[int, int]) -> Image.Image:
    """The visible pixels of a composition; `picture` is the `input` of a sample."""
    image = Image.new("L", size)
    start, stop = group["objects"]
    for annotation in picture["objects"][start:stop]:
        mask = object_mask(annotation, size)
        image.paste(255, (0, 0), mask)
    return image
