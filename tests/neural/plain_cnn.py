"""The KANDY cnn as it is usually computed, over every position of every picture: what the windows are compared with."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from hornbeam.neural.vision.data import PictureBatch
from hornbeam.neural.vision.models import Cnn
from hornbeam.neural.vision.windows import CELLS, Convolutions


def plain_convolutions(layers: Convolutions, inputs: Tensor) -> Tensor:
    maps = functional.max_pool2d(functional.relu(layers.first(inputs)), 3, 2)
    maps = functional.max_pool2d(functional.relu(layers.second(maps)), 3, 2)
    return functional.adaptive_max_pool2d(functional.relu(layers.third(maps)), CELLS).flatten(1)


def plain_cnn(model: Cnn, batch: PictureBatch) -> Tensor:
    hidden = functional.relu(model.dense(plain_convolutions(model.convolutions, batch.inputs)))
    heads: Tensor = model.heads(functional.dropout(hidden, 0.5, model.training))
    return heads
