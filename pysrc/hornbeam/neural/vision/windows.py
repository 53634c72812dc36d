"""The KANDY cnn's convolutions, computed only where there is something to see, with the same result.

A picture is mostly background. Without padding, a convolution of a constant is a constant, and so is what ReLU and
pooling make of it. So each layer is written as its value on background plus a deviation that is zero away from the
objects: convolution is linear (the background adds a constant), max pooling commutes with adding a constant. Each layer
then needs a window only, which begins as the box around the objects and grows with the kernels. The last pooling takes
the larger of the window's values and the background's wherever a cell sees background. Values and gradients are those
of the plain network, up to rounding.

A window's origin is a multiple of 4, the product of the strides, and its sides are multiples of `SIDE`, so that
pictures of a batch share sizes and run together.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.vision.data import PictureBatch

SIDE = 8
CELLS = 5
_STRIDE = 4

Boxes = npt.NDArray[np.int64]


def _windows_of(boxes: Boxes) -> Boxes:
    """Origin and size of each window: top, left, height, width."""
    origin = boxes[:, :2] // _STRIDE * _STRIDE
    size = -(-(boxes[:, 2:] - origin) // SIDE) * SIDE
    return np.concatenate([origin, size], axis=1)


def map_size(side: int) -> int:
    """The side of the last convolution's output for pictures of this side."""
    after_first = (side - 4 - 3) // 2 + 1
    return (after_first - 4 - 3) // 2 + 1 - 2


def cell_bounds(side: int) -> list[tuple[int, int]]:
    """First and last-but-one position of each cell of the last pooling, as adaptive pooling divides `side`."""
    return [(cell * side // CELLS, -(-(cell + 1) * side // CELLS)) for cell in range(CELLS)]


class Convolutions(nn.Module):
    """The three convolutions with their pooling: pictures in, (batch, 256 * 25) features out."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 64, 5)
        self.second = nn.Conv2d(64, 128, 5)
        self.third = nn.Conv2d(128, 256, 3)
        for layer in (self.first, self.second, self.third):
            layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last)

    def forward(self, batch: PictureBatch) -> Tensor:
        """Computed in windows."""
        height, width = batch.pixels.shape[1:3]
        ground = batch.scale(batch.pixels.new_tensor(batch.background).view(1, 1, 1, 3))
        still = self._still(ground)
        windows = _windows_of(batch.boxes)
        groups: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for place, (_, _, tall, wide) in enumerate(windows.tolist()):
            groups[tall, wide].append(place)
        features, order = [], []
        for (tall, wide), places in sorted(groups.items()):
            origins = windows[places, :2]
            pixels = _cut(batch.pixels, places, origins, tall, wide, batch.background)
            maps = self._maps(batch.scale(pixels) - ground, still)
            features.append(_pooled(maps, origins // _STRIDE - 6, (map_size(height), map_size(width)), still[2]))
            order.extend(places)
        return torch.cat(features)[batch.pixels.new_tensor(order, dtype=torch.long).argsort()].flatten(1)

    def _still(self, ground: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor], Tensor]:
        """For each layer what background gives: before ReLU and after it."""
        colour = ground.flatten()
        sums = [layer.weight.sum(dim=(2, 3)) for layer in (self.first, self.second, self.third)]
        one = torch.addmv(_bias(self.first), sums[0], colour)
        two = torch.addmv(_bias(self.second), sums[1], one.relu())
        three = torch.addmv(_bias(self.third), sums[2], two.relu())
        return (one, one.relu()), (two, two.relu()), three.relu()

    def _maps(self, deviation: Tensor, still: tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor], Tensor]) -> Tensor:
        """The last convolution's output in the window, from the inputs' deviation from background."""
        (one, one_after), (two, two_after), _ = still
        deviation = deviation.contiguous(memory_format=torch.channels_last)
        seen = functional.conv2d(deviation, self.first.weight, one, padding=4).relu() - _wide(one_after)
        seen = functional.max_pool2d(functional.pad(seen, (2, 1, 2, 1)), 3, 2)
        seen = functional.conv2d(seen, self.second.weight, two, padding=4).relu() - _wide(two_after)
        seen = functional.max_pool2d(functional.pad(seen, (1, 1, 1, 1)), 3, 2)
        bias = torch.addmv(_bias(self.third), self.third.weight.sum(dim=(2, 3)), two_after)
        return functional.conv2d(seen, self.third.weight, bias, padding=2).relu()


def _bias(layer: nn.Conv2d) -> Tensor:
    assert layer.bias is not None
    return layer.bias


def _wide(channels: Tensor) -> Tensor:
    return channels.view(1, -1, 1, 1)


def _cut(
    pixels: Tensor, places: list[int], origins: Boxes, tall: int, wide: int, background: tuple[int, int, int]
) -> Tensor:
    """The windows of some pictures; beyond a picture's edge there is background."""
    cut = pixels.new_tensor(background).expand(len(places), tall, wide, 3).contiguous()
    height, width = pixels.shape[1:3]
    for index, (place, (top, left)) in enumerate(zip(places, origins.tolist(), strict=True)):
        rows, columns = min(tall, height - top), min(wide, width - left)
        cut[index, :rows, :columns] = pixels[place, top : top + rows, left : left + columns]
    return cut


def _pooled(maps: Tensor, origins: Boxes, sides: tuple[int, int], still: Tensor) -> Tensor:
    """The largest value of each cell, (windows, channels, 5, 5), of maps that begin at `origins` of the whole map."""
    count, channels, height, width = maps.shape
    cells = [(_inside(top, height, sides[0]), _inside(left, width, sides[1])) for top, left in origins.tolist()]
    where = maps.new_zeros(count, channels, CELLS, CELLS, dtype=torch.long)  # of the largest value of each cell
    touched = maps.new_zeros(count, CELLS, CELLS, dtype=torch.bool)
    covered = maps.new_zeros(count, CELLS, CELLS, dtype=torch.bool)
    for index, (rows, columns) in enumerate(cells):
        for row, column in product(rows, columns):
            part = maps.detach()[index, :, row.first : row.last, column.first : column.last].flatten(1).argmax(1)
            across = column.last - column.first
            place = (row.first + part // across) * width + column.first + part % across
            where[index, :, row.cell, column.cell] = place
            touched[index, row.cell, column.cell] = True
            covered[index, row.cell, column.cell] = row.whole and column.whole
    ground = _wide(still)
    largest = maps.flatten(2).gather(2, where.flatten(2)).view(count, channels, CELLS, CELLS)
    largest = torch.where(covered[:, None], largest, torch.maximum(largest, ground))
    return torch.where(touched[:, None], largest, ground)


class Span(NamedTuple):
    """The positions of a window that lie in a cell, along one side."""

    cell: int
    first: int
    last: int  # the position after the last
    whole: bool  # the cell lies in the window as a whole


def _inside(start: int, length: int, side: int) -> list[Span]:
    """The cells that a window of positions start..start+length touches."""
    spans = []
    for cell, (low, high) in enumerate(cell_bounds(side)):
        first, last = max(low, start), min(high, start + length)
        if first < last:
            spans.append(Span(cell, first - start, last - start, low >= start and high <= start + length))
    return spans
