"""A plain renderer to compare with: bitmaps pasted into bitmaps, as the geometry is described. Slow and short."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.tree import Tree


class Reference:
    """Draws a tree with given sizes and colours of its objects from left to right; `draws` gives random positions."""

    def __init__(self, config: CurriculumConfig, sizes, colors, draws) -> None:
        self.config = config
        self.sizes = iter(sizes)
        self.colors = iter(colors)
        self.draws = draws
        self.largest = max(pixels for _, pixels in config.sizes)
        self.noise = config.size_noise
        self.compat = config.geometry == "compat"

    def picture(self, tree: Tree) -> Image.Image:
        width, height = self.config.canvas_size
        area = self.bitmap(tree, width - self.config.padding, height - self.config.padding)
        image = Image.new("RGB", (width, height), self.config.bg_color)
        corner = self.config.padding // 2
        image.paste(area, (corner, corner), area)
        return image

    def bitmap(self, tree: Tree, width: int, height: int) -> Image.Image:
        if isinstance(tree, str):
            return self.leaf(tree, width, height)
        op, children = tree
        image = Image.new("RGBA", (width, height))
        taken = np.zeros((height, width), bool)
        for index, child in enumerate(children):
            if op == "random":
                bitmap, left, top = self.scattered(child, width, height, taken)
            else:
                across, down = self.canvas(op, len(children), width, height)
                bitmap = self.bitmap(child, across, down)
                left, top = self.corner(op, index, len(children), width, height, across, down)
            image.paste(bitmap, (left, top), bitmap)
        return image

    def leaf(self, name: str, width: int, height: int) -> Image.Image:
        least = math.ceil(self.largest + self.noise)
        if width < least or height < least:
            width = height = least
        image = Image.new("RGBA", (width, height))
        image.paste((*next(self.colors), 255), mask=self.mask(name, width, height, next(self.sizes)))
        return image

    def mask(self, name: str, width: int, height: int, size: float) -> Image.Image:
        """A shape in the middle of a canvas. It is drawn from its own corner, so that it looks the same everywhere:
        Pillow's polygons differ by a pixel here and there with the place where they are drawn."""
        points = dict(self.config.shapes)[self.config.domain.props[name][0]].points or ((-1, -1), (1, 1))
        corners = [(math.floor(width / 2 + x * size / 2), math.floor(height / 2 + y * size / 2)) for x, y in points]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        moved = [(x - left, y - top) for x, y in corners]
        own = Image.new("L", (max(x for x, _ in moved) + 1, max(y for _, y in moved) + 1))
        pen = ImageDraw.Draw(own)
        (pen.polygon if len(points) > 2 else pen.ellipse)(moved, fill=255)
        image = Image.new("L", (width, height))
        image.paste(own, (left, top))
        return image

    def big(self, side: int) -> int:
        return math.ceil(self.noise + max(self.largest, side))

    def canvas(self, op: str, count: int, width: int, height: int) -> tuple[int, int]:
        if op == "in":
            return width, height
        if op.startswith("quadrant"):
            return width // 2, height // 2
        if op == "grid":
            side = math.ceil(math.sqrt(count))
            return self.big(width // side), self.big(height // side)
        across = self.big(width if op == "stack" else width // count)
        down = self.big(height if op == "side_by_side" else height // count)
        if not self.compat and op.startswith("stack") and (across - width) % 2:
            across += 1
        if not self.compat and op.startswith("side") and (down - height) % 2:
            down += 1
        return across, down

    def corner(self, op, index, count, width, height, across, down) -> tuple[int, int]:
        if op == "in":
            return 0, 0
        if op.startswith("quadrant"):
            low_left = (width // 2, 0) if self.compat else (0, height // 2)
            return {
                "quadrant_ul": (0, 0),
                "quadrant_ur": (width // 2, 0),
                "quadrant_ll": low_left,
                "quadrant_lr": (width // 2, height // 2),
            }[op]
        if op == "grid":
            side = math.ceil(math.sqrt(count))
            return int(index % side * width / side), int(index // side * height / side)
        step = (index + 1) / (count + 1)
        x, y = {
            "stack": (0.5, step),
            "stack_reduce_bb": (0.5, step),
            "side_by_side": (step, 0.5),
            "side_by_side_reduce_bb": (step, 0.5),
            "diag_ul_lr": (step, step),
            "diag_ll_ur": (step, 1 - step),
        }[op]
        whole = int if self.compat else lambda value: math.floor(value + 1e-9)
        left, top = whole(x * width - across / 2), whole(y * height - down / 2)
        if self.compat and op == "stack":
            left = 0
        if self.compat and op == "side_by_side":
            top = 0
        return left, top

    def scattered(self, child: Tree, width: int, height: int, taken) -> tuple[Image.Image, int, int]:
        """Moves a child until its pixels at their largest are free; what it covers there is taken."""
        bitmap = self.bitmap(child, width, height)
        alone = self.largest_pixels(child, width, height)
        margin = math.ceil(self.largest + self.noise) // 2 + self.config.padding // 2
        for _ in range(1000):
            dx, dy = (self.draws(side - 2 * margin + 1) + margin - side // 2 for side in (width, height))
            moved = np.zeros_like(taken)
            source = alone[max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)]
            moved[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = source
            if not (moved & taken).any():
                break
        taken |= moved
        return bitmap, dx, dy

    def largest_pixels(self, tree: Tree, width: int, height: int):
        assert isinstance(tree, str), "the reference scatters single objects"
        size = dict(self.config.sizes)[self.config.domain.props[tree][2]] + self.noise
        return np.asarray(self.mask(tree, width, height, size)) > 0
