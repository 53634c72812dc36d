"""Pictures as a domain of the trainer: its models, settings and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from torch import nn

from hornbeam.neural.registry import Domain, Job, Work
from hornbeam.neural.vision import models, settings
from hornbeam.neural.vision.images import Pictures, Scale
from hornbeam.neural.vision.learner import VisionLearner
from hornbeam.neural.vision.models import Request
from hornbeam.neural.vision.options import VisionOptions
from hornbeam.neural.vision.replay import KINDS

KANDY = Scale((0.497,) * 3, (0.065,) * 3)
"""Mean and deviation of pixels that the paper's program has."""


class Vision(Domain):
    """Binary tasks on pictures."""

    name: ClassVar[str] = "vision"
    families: ClassVar[tuple[str, ...]] = ("kandy",)
    default_setting: ClassVar[str] = "joint"

    @property
    def options_type(self) -> type[VisionOptions]:
        return VisionOptions

    def built_in_models(self) -> Mapping[str, str]:
        return models.ABOUT

    def settings(self) -> Mapping[str, str]:
        return settings.ABOUT

    def prepare(self, job: Job) -> Work:
        options = job.options
        assert isinstance(options, VisionOptions)
        pictures = Pictures(job.dataset)
        shared = job.setting != "independent"
        height, width = pictures.pixels.shape[1:3]
        heads = len(pictures.tasks) if shared else 1
        request = Request(heads, height, width, options.weights, options.architecture)
        replays = options.replay if job.setting in settings.CONTINUAL else 0
        stream = settings.stream_of(job.setting, pictures, options, job.seed)
        learner = VisionLearner(
            pictures,
            lambda: self._model(job.model, request),
            KANDY if options.scale == "kandy" else pictures.measured_scale(),
            shared=shared,
            tune=options.threshold == "valid",
            last=stream[-1].name,
            buffer=KINDS[options.replay_kind](replays, job.seed) if replays else None,
            replay_weight=options.replay_weight,
            world=job.world,
        )
        return Work(learner, stream)

    def _model(self, name: str, request: Request) -> nn.Module:
        if name in self.plugins.names():
            made: nn.Module = self.plugins.get(name)(request)
            return made
        return models.build(name, request)
