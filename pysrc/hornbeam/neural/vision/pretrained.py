"""ResNet and ViT: from a configuration, or with pretrained weights that stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from hornbeam.neural.installed import need
from hornbeam.neural.pretrained import frozen, load, transformers
from hornbeam.neural.vision.images import PictureBatch, Scale
from hornbeam.neural.vision.models import Body, Head, Request

IMAGENET = Scale((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
RESNET = "microsoft/resnet-50"
VIT = "google/vit-base-patch16-224"


class Resnet(nn.Module):
    """A residual network trained from scratch, with a head a task in place of its classes."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        library = transformers("resnet50")
        if request.architecture is None:
            config = library.ResNetConfig()  # its defaults are those of ResNet-50
        else:
            config = load(library.ResNetConfig, request.architecture)
        self.network = library.ResNetModel(config)
        self.heads = nn.Linear(config.hidden_sizes[-1], request.heads)

    def forward(self, batch: PictureBatch) -> Tensor:
        heads: Tensor = self.heads(self.network(batch.inputs.contiguous()).pooler_output.flatten(1))
        return heads


def resnet50(request: Request) -> nn.Module:
    """ResNet-50 with new weights."""
    return Resnet(request)


def resnet50_head(request: Request) -> nn.Module:
    """A frozen pretrained ResNet: the head sees its pooled features."""
    library = transformers("resnet50-head")
    name = request.weights or RESNET
    network = frozen(load(library.ResNetModel, name))
    width: int = network.config.hidden_sizes[-1]

    def extract(inputs: Tensor) -> Tensor:
        pooled: Tensor = network(inputs.contiguous()).pooler_output
        return pooled.flatten(1)

    return Head(Body(name, _without_gradient(extract), width, _scale(name)), request.heads)


def vit_head(request: Request) -> nn.Module:
    """A frozen pretrained vision transformer: the head sees the class token of its last layer."""
    library = transformers("vit-head")
    name = request.weights or VIT
    network = frozen(load(library.ViTModel, name, add_pooling_layer=False))
    side: int = network.config.image_size

    def extract(inputs: Tensor) -> Tensor:
        if inputs.shape[-2:] != (side, side):
            inputs = nn.functional.interpolate(inputs, (side, side), mode="bilinear", antialias=True)
        states: Tensor = network(inputs.contiguous()).last_hidden_state
        return states[:, 0]

    return Head(Body(name, _without_gradient(extract), network.config.hidden_size, _scale(name)), request.heads)


def _without_gradient(extract: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def run(inputs: Tensor) -> Tensor:
        with torch.no_grad():
            return extract(inputs)

    return run


def _scale(name: str) -> Scale:
    """The scale that the weights were trained with; ImageNet's where the folder does not say."""
    library = need("transformers", f"'{name}'")
    try:
        processor = library.AutoImageProcessor.from_pretrained(name)
        return Scale(tuple(processor.image_mean), tuple(processor.image_std))
    except (OSError, ValueError, AttributeError, ImportError):
        return IMAGENET
