"""The KANDY paper's models: a picture in, one logit a task out.

A model is a module whose `forward` takes a `PictureBatch` and gives (batch, heads). ResNet and ViT are those of Hugging
Face transformers. One that is pretrained stays as it is: it is the `body` of a `LinearHead`, apart from its parameters,
and its features are computed once a dataset and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from hornbeam.extras import need
from hornbeam.neural.installed import frozen, load
from hornbeam.neural.vision.data import PictureBatch, Scale
from hornbeam.neural.vision.windows import CELLS, Convolutions

IMAGENET = Scale((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
RESNET = "microsoft/resnet-50"
VIT = "google/vit-base-patch16-224"


@dataclass(frozen=True)
class Request:
    """What a model is asked to be."""

    heads: int
    height: int
    width: int
    weights: str | None = None  # a folder or hub id of pretrained weights
    architecture: str | None = None  # a folder or hub id whose configuration is taken, with new weights


@dataclass(frozen=True)
class FrozenBody:
    """A frozen network: inputs to features, computed once. Not a module, so that no checkpoint holds it."""

    name: str
    compute: Callable[[Tensor], Tensor]
    width: int

    def extract(self, inputs: Tensor) -> Tensor:
        """The features of these inputs, without gradients."""
        with torch.no_grad():
            return self.compute(inputs)

    @cached_property
    def scale(self) -> Scale:
        """The scale that the weights were trained with; ImageNet's where the folder does not say."""
        library = need("transformers", f"'{self.name}'")
        try:
            processor = library.AutoImageProcessor.from_pretrained(self.name)
            return Scale(tuple(processor.image_mean), tuple(processor.image_std))
        except (OSError, ValueError, AttributeError, ImportError):
            return IMAGENET


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
        hidden = torch.relu(self.dense(self.convolutions(batch)))
        hidden = nn.functional.dropout(hidden, 0.5, self.training)
        heads: Tensor = self.heads(hidden)
        return heads


class Resnet(nn.Module):
    """ResNet-50 trained from scratch, with a head a task in place of its classes."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        library = need("transformers", "the model resnet50")
        if request.architecture is None:
            config = library.ResNetConfig()  # its defaults are those of ResNet-50
        else:
            config = load(library.ResNetConfig, request.architecture)
        self.network = library.ResNetModel(config)
        self.heads = nn.Linear(config.hidden_sizes[-1], request.heads)

    def forward(self, batch: PictureBatch) -> Tensor:
        heads: Tensor = self.heads(self.network(batch.inputs.contiguous()).pooler_output.flatten(1))
        return heads


class LinearHead(nn.Module):
    """A linear layer on the features of a frozen network."""

    def __init__(self, body: FrozenBody, heads: int) -> None:
        super().__init__()
        self.heads = nn.Linear(body.width, heads)
        self.body = body

    def forward(self, batch: PictureBatch) -> Tensor:
        features = batch.features if batch.features is not None else self.body.extract(batch.inputs)
        heads: Tensor = self.heads(features)
        return heads


def resnet50_head(request: Request) -> nn.Module:
    """A frozen pretrained ResNet: the head sees its pooled features."""
    name = request.weights or RESNET
    network = frozen(load(need("transformers", "the model resnet50-head").ResNetModel, name))

    def features(inputs: Tensor) -> Tensor:
        pooled: Tensor = network(inputs.contiguous()).pooler_output
        return pooled.flatten(1)

    return LinearHead(FrozenBody(name, features, network.config.hidden_sizes[-1]), request.heads)


def vit_head(request: Request) -> nn.Module:
    """A frozen pretrained vision transformer: the head sees the class token of its last layer."""
    name = request.weights or VIT
    network = frozen(load(need("transformers", "the model vit-head").ViTModel, name, add_pooling_layer=False))
    side: int = network.config.image_size

    def features(inputs: Tensor) -> Tensor:
        if inputs.shape[-2:] != (side, side):
            inputs = nn.functional.interpolate(inputs, (side, side), mode="bilinear", antialias=True)
        states: Tensor = network(inputs.contiguous()).last_hidden_state
        return states[:, 0]

    return LinearHead(FrozenBody(name, features, network.config.hidden_size), request.heads)
