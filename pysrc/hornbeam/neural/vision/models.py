"""The KANDY paper's models: a picture in, one logit a task out.

A model is a module whose `forward` takes a `PictureBatch` and gives (batch, heads). One whose body is frozen has
`extract`, the body, apart from its parameters: its features are computed once a dataset and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from hornbeam.neural.vision.images import PictureBatch, Scale
from hornbeam.neural.vision.windows import CELLS, Convolutions


@dataclass(frozen=True)
class Request:
    """What a model is asked to be."""

    heads: int
    height: int
    width: int
    weights: str | None = None  # a folder or hub id of pretrained weights
    architecture: str | None = None  # a folder or hub id whose configuration is taken, with new weights


@dataclass(frozen=True)
class Body:
    """A frozen network: inputs to features, computed once. Not a module, so that no checkpoint holds it."""

    name: str
    extract: Callable[[Tensor], Tensor]
    width: int
    scale: Scale


class Mlp(nn.Module):
    """One hidden layer of 100 hyperbolic tangents on all pixels."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.hidden = nn.Linear(3 * request.height * request.width, 100)
        self.heads = nn.Linear(100, request.heads)

    def forward(self, batch: PictureBatch) -> Tensor:
        # The memory is (height, width, channel); which pixel has which number is all the same to this network.
        flat = batch.inputs.movedim(1, 3).flatten(1)
        heads: Tensor = self.heads(torch.tanh(self.hidden(flat)))
        return heads


class Cnn(nn.Module):
    """Three convolutions with max pooling, a dense layer of 4096 with dropout.

    The paper's text gives the second kernel as 3x3, its program has 5x5, which is taken here. The program pads with
    zeros, so that maps keep their size; here nothing is padded, for `windows` needs background to stay background. As
    background is 0.02 after scaling, a border of zeros would be hardly more than a border of background.
    """

    dense_width = 4096

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.convolutions = Convolutions()
        self.dense = nn.Linear(256 * CELLS * CELLS, self.dense_width)
        self.heads = nn.Linear(self.dense_width, request.heads)

    def forward(self, batch: PictureBatch) -> Tensor:
        return self.classify(self.convolutions(batch))

    def plain(self, batch: PictureBatch) -> Tensor:
        """The same through every position of the pictures: the yardstick of tests and benchmarks."""
        return self.classify(self.convolutions.plain(batch.inputs))

    def classify(self, features: Tensor) -> Tensor:
        hidden = nn.functional.dropout(torch.relu(self.dense(features)), 0.5, self.training)
        heads: Tensor = self.heads(hidden)
        return heads


class Head(nn.Module):
    """A linear layer on the features of a frozen network."""

    def __init__(self, body: Body, heads: int) -> None:
        super().__init__()
        self.heads = nn.Linear(body.width, heads)
        self.body = body

    def forward(self, batch: PictureBatch) -> Tensor:
        features = batch.features if batch.features is not None else self.body.extract(batch.inputs)
        heads: Tensor = self.heads(features)
        return heads


def build(name: str, request: Request) -> nn.Module:
    """A built-in model with new weights from torch's random generator."""
    from hornbeam.neural.vision import pretrained

    makers: dict[str, Callable[[Request], nn.Module]] = {
        "mlp": Mlp,
        "cnn": Cnn,
        "resnet50": pretrained.resnet50,
        "resnet50-head": pretrained.resnet50_head,
        "vit-head": pretrained.vit_head,
    }
    return makers[name](request)


ABOUT = {
    "mlp": "one hidden layer of 100 on all pixels",
    "cnn": "three convolutions, a dense layer of 4096",
    "resnet50": "ResNet-50 from scratch",
    "resnet50-head": "pretrained ResNet-50, frozen; a linear head is trained",
    "vit-head": "pretrained ViT-Base/16, frozen; a linear head is trained",
}
