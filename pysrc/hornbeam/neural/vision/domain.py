"""Pictures as a domain of the trainer: its models, settings and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hornbeam.neural.registry import ModelDomain, ModelRecipe, PreparedRun, TrainingJob
from hornbeam.neural.vision.data import Pictures, Scale
from hornbeam.neural.vision.learner import BUFFERS, VisionLearner
from hornbeam.neural.vision.models import Request
from hornbeam.neural.vision.settings import CONTINUAL, SETTINGS, VisionOptions, stream_of

KANDY = Scale((0.497,) * 3, (0.065,) * 3)
"""Mean and deviation of pixels that the paper's program has."""
_MODELS = "hornbeam.neural.vision.models"


class Vision(ModelDomain):
    """Binary tasks on pictures."""

    name = "vision"
    families = ("kandy",)
    default_setting = "joint"
    options_type = VisionOptions
    recipes: ClassVar[Mapping[str, ModelRecipe]] = {
        "mlp": ModelRecipe("one hidden layer of 100 on all pixels", f"{_MODELS}:Mlp"),
        "cnn": ModelRecipe("three convolutions, a dense layer of 4096", f"{_MODELS}:Cnn"),
        "resnet50": ModelRecipe("ResNet-50 from scratch", f"{_MODELS}:Resnet"),
        "resnet50-head": ModelRecipe(
            "pretrained ResNet-50, frozen, with a trained linear head", f"{_MODELS}:resnet50_head"
        ),
        "vit-head": ModelRecipe("pretrained ViT-Base/16, frozen, with a trained linear head", f"{_MODELS}:vit_head"),
    }

    def settings(self) -> Mapping[str, str]:
        return SETTINGS

    def prepare(self, job: TrainingJob) -> PreparedRun:
        options = job.options
        assert isinstance(options, VisionOptions)
        pictures = Pictures(job.dataset)
        shared = job.setting != "independent"
        height, width = pictures.pixels.shape[1:3]
        heads = len(pictures.tasks) if shared else 1
        request = Request(heads, height, width, options.weights, options.architecture)
        replays = options.replay if job.setting in CONTINUAL else 0
        stream = stream_of(job.setting, pictures, options, job.seed)
        learner = VisionLearner(
            pictures,
            lambda: self.build(job.model, request),
            KANDY if options.scale == "kandy" else pictures.measured_scale(),
            shared=shared,
            tune=options.threshold == "valid",
            last=stream[-1].name,
            buffer=BUFFERS[options.replay_kind](replays, job.seed) if replays else None,
            replay_weight=options.replay_weight,
            processes=job.processes,
        )
        return PreparedRun(learner, stream)
