"""ResNet and ViT through Hugging Face transformers: from a configuration, or with pretrained weights.

`weights` and `architecture` name a folder on this machine, or a model of the hub, which is fetched once and kept by
transformers in its own cache. Without a network a model that is not there yet is an error that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from hornbeam.errors import EngineUnavailable
from hornbeam.neural.installed import need
from hornbeam.neural.vision.images import PictureBatch, Scale
from hornbeam.neural.vision.models import Body, Head, Request

IMAGENET = Scale((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
RESNET = "microsoft/resnet-50"
VIT = "google/vit-base-patch16-224"


class Resnet(nn.Module):
    """A residual network trained from scratch, with a head a task in place of its classes."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        library = _transformers("resnet50")
        if request.architecture is None:
            config = library.ResNetConfig()  # its defaults are those of ResNet-50
        else:
            config = _loaded(library.ResNetConfig, request.architecture)
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
    library = _transformers("resnet50-head")
    name = request.weights or RESNET
    network = _frozen(_loaded(library.ResNetModel, name))
    width: int = network.config.hidden_sizes[-1]

    def extract(inputs: Tensor) -> Tensor:
        pooled: Tensor = network(inputs.contiguous()).pooler_output
        return pooled.flatten(1)

    return Head(Body(name, _without_gradient(extract), width, _scale(name)), request.heads)


def vit_head(request: Request) -> nn.Module:
    """A frozen pretrained vision transformer: the head sees the class token of its last layer."""
    library = _transformers("vit-head")
    name = request.weights or VIT
    network = _frozen(_loaded(library.ViTModel, name, add_pooling_layer=False))
    side: int = network.config.image_size

    def extract(inputs: Tensor) -> Tensor:
        if inputs.shape[-2:] != (side, side):
            inputs = nn.functional.interpolate(inputs, (side, side), mode="bilinear", antialias=True)
        states: Tensor = network(inputs.contiguous()).last_hidden_state
        return states[:, 0]

    return Head(Body(name, _without_gradient(extract), network.config.hidden_size, _scale(name)), request.heads)


def _transformers(model: str) -> Any:
    return need("transformers", f"the model {model}")


def _frozen(network: Any) -> Any:
    network.eval()
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    return network


def _without_gradient(extract: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def run(inputs: Tensor) -> Tensor:
        with torch.no_grad():
            return extract(inputs)

    return run


def _loaded(kind: Any, name: str, **more: Any) -> Any:
    """A configuration or network from a folder or the hub."""
    logging = need("transformers.utils.logging", f"'{name}'")
    shown = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        return kind.from_pretrained(name, **more)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        if Path(name).exists():
            raise EngineUnavailable(f"cannot be loaded: {reason}", file=name) from None
        raise EngineUnavailable(
            f"the weights '{name}' are not on this machine and could not be fetched ({reason}). Where there is a "
            f"network run `hf download {name} --local-dir FOLDER`, bring the folder here, and give --set weights=FOLDER"
        ) from None
    finally:
        logging.set_verbosity(shown)


def _scale(name: str) -> Scale:
    """The scale that the weights were trained with; ImageNet's where the folder does not say."""
    library = need("transformers", f"'{name}'")
    try:
        processor = library.AutoImageProcessor.from_pretrained(name)
        return Scale(tuple(processor.image_mean), tuple(processor.image_std))
    except (OSError, ValueError, AttributeError, ImportError):
        return IMAGENET
