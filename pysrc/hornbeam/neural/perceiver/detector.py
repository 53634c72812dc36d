"""Objects of a picture by a small convolutional network: a map of centres, and at each centre its kinds and its box.

The map has a cell for every two pixels. A cell says how likely it is that an object's centre lies in it, which shape,
color and size the object has, where in the cell the centre is, and how wide and high the box is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.perceiver.annotated import Indices, Pixels, Values

STRIDE = 2
_COARSE = 4
_BOX_SCALE = 16.0
"""Pixels that make one unit of width and height."""
LEAST = 0.05
"""Centres below this probability are never considered."""
_FAINT = 0.02
_LIKELY = 0.5
_UNLIKE = 0.01
"""The share of the annotated pictures whose certainty is exceptionally low."""
_MARGIN = 0.87
"""Pictures that the network was not trained on are a little less certain."""
_NEAR = 4.0
"""A centre that is found this near to an annotated one, in pixels, is an object."""


@dataclass(frozen=True, eq=False)
class Detection:
    """What was found in a picture: for each object how probable it is, its box, and the probabilities of its kinds."""

    scores: Values
    boxes: Values
    kinds: tuple[Values, ...]

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def centers(self) -> Values:
        """The middle (x, y) of each box."""
        middles: Values = self.boxes[:, :2] + self.boxes[:, 2:] / np.float32(2)
        return middles

    @property
    def certainty(self) -> float:
        """The probability of the least certain name; 1 if there is no object."""
        best = [float(kind.max(1).min()) for kind in self.kinds if len(kind)]
        return min(best, default=1.0)

    def choose(self, rows: Indices) -> Detection:
        """Some of the objects."""
        return Detection(self.scores[rows], self.boxes[rows], tuple(kind[rows] for kind in self.kinds))


class Detector(nn.Module):
    """The network. `sizes` are the numbers of shapes, colors and sizes."""

    def __init__(self, sizes: Sequence[int], channels: tuple[int, int, int] = (24, 32, 48)) -> None:
        super().__init__()
        self.sizes = tuple(sizes)
        first, second, third = channels
        outputs = 1 + 2 + 2 + sum(self.sizes)
        self.body = nn.Sequential(
            *_block(3, first, 5, stride=2),
            *_block(first, second, 3, stride=2),
            *_block(second, third, 3),
            *_block(third, third, 3, dilation=2),
            *_block(third, third, 3),
        )
        self.head = nn.Conv2d(third, outputs * (_COARSE // STRIDE) ** 2, 1)
        assert self.head.bias is not None
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[: (_COARSE // STRIDE) ** 2] = -4.0  # centres are rare
        # The loss of centres gives scores that rank objects but are no probabilities: `calibrate` makes them so.
        self.calibration: Tensor
        self.register_buffer("calibration", torch.tensor([1.0, 0.0]))
        # Names of objects are less certain than this only in pictures that are unlike the annotated ones.
        self.least_certainty: Tensor
        self.register_buffer("least_certainty", torch.tensor(0.0))

    def forward(self, inputs: Tensor) -> Tensor:
        """Inputs (batch, 3, height, width) as maps (batch, 5 + kinds, height / 2, width / 2)."""
        maps: Tensor = functional.pixel_shuffle(self.head(self.body(inputs)), _COARSE // STRIDE)
        return maps

    def kinds(self, cells: Tensor) -> list[Tensor]:
        """The logits of shape, color and size of some cells (cells, 5 + kinds)."""
        return list(torch.split(cells[:, 5:], list(self.sizes), dim=1))


def _block(before: int, after: int, kernel: int, *, stride: int = 1, dilation: int = 1) -> tuple[nn.Module, ...]:
    padding = dilation * (kernel // 2)
    convolution = nn.Conv2d(before, after, kernel, stride, padding, dilation, bias=False)
    return convolution, nn.BatchNorm2d(after), nn.ReLU()


def scaled(pixels: Tensor) -> Tensor:
    """Pixels (batch, height, width, 3) as the network's inputs; sides grow to a multiple of four by their last row."""
    inputs = (pixels.to(torch.float32) / 127.5 - 1).movedim(-1, 1)
    right, low = (-inputs.shape[-1]) % _COARSE, (-inputs.shape[-2]) % _COARSE
    return functional.pad(inputs, (0, right, 0, low), mode="replicate") if right or low else inputs


# Learning -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class DetectorBatch:
    """Pictures of one size and the objects in them; `where` numbers each object's picture."""

    pixels: Pixels
    where: Indices
    boxes: Values
    kinds: Indices


def detector_loss(network: Detector, batch: DetectorBatch) -> Tensor:
    """Penalty-reduced focal loss of the centres, cross entropy of the kinds, smooth L1 of offset and box."""
    maps = network(scaled(torch.from_numpy(batch.pixels)))
    centers = torch.from_numpy(batch.boxes[:, :2] + batch.boxes[:, 2:] / 2) / STRIDE
    where = torch.from_numpy(batch.where)
    height, width = maps.shape[-2:]
    column = centers[:, 0].floor().long().clamp(0, width - 1)
    row = centers[:, 1].floor().long().clamp(0, height - 1)
    loss = _center_loss(maps[:, 0], where, row, column, len(centers))
    if not len(centers):
        return loss
    cells = maps[where, :, row, column]
    offsets = centers - torch.stack([column, row], 1)
    extents = torch.from_numpy(batch.boxes[:, 2:]) / _BOX_SCALE
    loss = loss + functional.smooth_l1_loss(cells[:, 1:3].sigmoid(), offsets, beta=0.1)
    loss = loss + functional.smooth_l1_loss(cells[:, 3:5], extents, beta=0.1)
    kinds = torch.from_numpy(batch.kinds)
    for number, logits in enumerate(network.kinds(cells)):
        loss = loss + functional.cross_entropy(logits, kinds[:, number])
    return loss


def _center_loss(logits: Tensor, where: Tensor, row: Tensor, column: Tensor, count: int) -> Tensor:
    near = torch.zeros_like(logits)
    centre = torch.zeros_like(logits, dtype=torch.bool)
    height, width = logits.shape[-2:]
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            weight = 0.6 ** (down * down + across * across)
            y, x = (row + down).clamp(0, height - 1), (column + across).clamp(0, width - 1)
            near.index_put_((where, y, x), torch.maximum(near[where, y, x], torch.full_like(near[where, y, x], weight)))
    centre[where, row, column] = True
    positive = functional.logsigmoid(logits) * (1 - logits.sigmoid()) ** 2
    negative = functional.logsigmoid(-logits) * logits.sigmoid() ** 2 * (1 - near) ** 4
    return -torch.where(centre, positive, negative).sum() / max(1, count)


# Finding --------------------------------------------------------------------------------------------------------------


def detect(network: Detector, pictures: Pixels, least: float = LEAST) -> list[Detection]:
    """The objects of pictures (batch, height, width, 3): local maxima of the map of centres, the most likely first."""
    network.eval()
    with torch.inference_mode():
        maps = network(scaled(torch.from_numpy(np.array(pictures))))
        heat = (maps[:, 0] * network.calibration[0] + network.calibration[1]).sigmoid()
        peak = (functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0] == heat) & (heat >= least)
        return [_detection(network, maps[number], heat[number], peak[number]) for number in range(len(maps))]


def _detection(network: Detector, maps: Tensor, heat: Tensor, peak: Tensor) -> Detection:
    row, column = torch.nonzero(peak, as_tuple=True)
    order = torch.argsort(heat[row, column], descending=True, stable=True)
    row, column = row[order], column[order]
    cells = maps[:, row, column].T
    center = (torch.stack([column, row], 1) + cells[:, 1:3].sigmoid()) * STRIDE
    extent = (cells[:, 3:5] * _BOX_SCALE).clamp(min=1.0)
    boxes = torch.cat([center - extent / 2, extent], 1)
    kinds = tuple(logits.softmax(1).numpy() for logits in network.kinds(cells))
    return Detection(heat[row, column].numpy(), boxes.numpy(), kinds)


def calibrate(network: Detector, pictures: Sequence[Pixels], boxes: Sequence[Values]) -> None:
    """Fits the line through the logits so that scores are the shares of found centres that are objects (Platt).

    Then the least certainty is set: nearly all of these pictures are read with more.
    """
    network.calibration.copy_(torch.tensor([1.0, 0.0]))
    logits, real, certain = [], [], []
    for picture, known in zip(pictures, boxes, strict=True):
        seen = detect(network, picture[None], _FAINT)[0]
        middles = known[:, :2] + known[:, 2:] / 2
        apart = np.abs(seen.centers[:, None] - middles[None]).max(-1)
        certain.append(seen.choose(np.flatnonzero(seen.scores >= _LIKELY)).certainty)
        real.append((apart < _NEAR).any(1) if len(known) else np.zeros(len(seen), bool))
        logits.append(np.log(seen.scores / (1 - seen.scores).clip(1e-6)))
    slope, shift = _platt(np.concatenate(logits).astype(np.float64), np.concatenate(real))
    network.calibration.copy_(torch.tensor([slope, shift]))
    network.least_certainty.fill_(_MARGIN * float(np.quantile(certain, _UNLIKE)))


def _platt(logits: npt.NDArray[np.float64], real: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift by Newton's method; the targets stay off 0 and 1 by what the counts allow."""
    many, few = int(real.sum()), int((~real).sum())
    if not many or not few:
        return 1.0, 0.0
    target = np.where(real, (many + 1) / (many + 2), 1 / (few + 2))
    points = np.stack([logits, np.ones_like(logits)], 1)
    line = np.array([1.0, 0.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-points @ line))
        gradient = points.T @ (chance - target) + 1e-3 * (line - [1.0, 0.0])
        curvature = (points * (chance * (1 - chance))[:, None]).T @ points + 1e-3 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        line = line - step.clip(-2, 2)
        if np.abs(step).max() < 1e-6:
            break
    return max(0.1, float(line[0])), float(line[1])
