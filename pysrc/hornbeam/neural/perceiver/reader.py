"""Trains the two networks on annotated pictures, and reads trees with them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.data.files import sha256
from hornbeam.data.sample import Json
from hornbeam.kandy.tree import Domain, Tree, as_json, prolog_text
from hornbeam.neural.perceiver.annotated import annotated_pictures
from hornbeam.neural.perceiver.decoding import Decoder, TreeReading
from hornbeam.neural.perceiver.detector import Detection, Detector, detect
from hornbeam.neural.perceiver.grouping import Grouper, Vocabulary
from hornbeam.neural.perceiver.settings import NeuralSettings
from hornbeam.neural.perceiver.training import (
    GroupLearner,
    ObjectLearner,
    TrainingPlan,
    examples_of,
    seeded,
    train_network,
)
from hornbeam.perception.perceiver import Alternative, Part, Picture, Preparation, Reader, Reading
from hornbeam.progress import Progress

_VERSION = 2  # of the networks: weights of another version are not used
_MOST_OBJECTS = 100
_TOGETHER = 16
"""Pictures of one forward pass."""


def trained_reader(preparation: Preparation, settings: NeuralSettings) -> NetworkReader:
    """Train both networks, or load them if they are in the preparation's folder."""
    dataset = preparation.dataset
    domain: Domain = dataset.config.domain
    annotated = annotated_pictures(dataset, settings.annotated, settings.seed)
    counts = [len(values) for values in domain.values]
    identity = {"dataset": sha256(dataset.path / "manifest.json"), "annotated": len(annotated), "version": _VERSION}
    trained_by = settings.model_dump(include={"seed", "object_steps", "group_steps"})
    folder = preparation.folder / f"neural-{digest({**identity, **trained_by})}"
    total = settings.object_steps + settings.group_steps

    seeded(settings.seed, "objects")
    detector = Detector(counts)
    plan = TrainingPlan(
        folder / "objects",
        {**identity, "network": "objects"},
        settings.seed,
        settings.object_steps,
        progress=_part(preparation.progress, 0, total),
    )
    train_network(ObjectLearner(detector, annotated, settings.seed), plan)

    examples = examples_of(annotated, counts)
    seeded(settings.seed, "groups")
    grouper = Grouper(Vocabulary.of([one.root for one in examples]), examples[0].features.shape[1])
    plan = TrainingPlan(
        folder / "groups",
        {**identity, "network": "groups"},
        settings.seed,
        settings.group_steps,
        lr=2e-3,
        weight_decay=1e-2,
        progress=_part(preparation.progress, settings.object_steps, total),
    )
    train_network(GroupLearner(grouper, examples, settings.seed), plan)
    return NetworkReader(detector, grouper, domain, settings)


def digest(values: Mapping[str, Any]) -> str:
    """A short name of what decides the weights."""
    return hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()[:12]


def _part(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)


class NetworkReader(Reader):
    """Reads with trained networks."""

    def __init__(self, detector: Detector, grouper: Grouper, domain: Domain, settings: NeuralSettings) -> None:
        self.detector = detector
        self._grouper = grouper
        self._domain = domain
        self._settings = settings

    @property
    def _least_certainty(self) -> float:
        chosen = self._settings.certain
        return float(self.detector.least_certainty) if chosen is None else chosen

    def decoder(self, extent: tuple[int, int]) -> Decoder:
        """Reads trees from the objects of pictures of one size (width, height)."""
        return Decoder(self._grouper, self._domain, extent, self._settings.sure)

    def perceive(self, inputs: Sequence[Picture]) -> list[Reading]:
        readings: list[Reading] = []
        for start in range(0, len(inputs), _TOGETHER):
            readings.extend(self._batch(inputs[start : start + _TOGETHER]))
        return readings

    def _batch(self, inputs: Sequence[Picture]) -> list[Reading]:
        if len({one.pixels.shape for one in inputs}) > 1:
            return [reading for one in inputs for reading in self._batch([one])]
        detections = detect(self.detector, np.stack([one.pixels for one in inputs]))
        height, width = inputs[0].pixels.shape[:2]
        decoder = self.decoder((width, height))
        return [self._reading(one.id, detection, decoder) for one, detection in zip(inputs, detections, strict=True)]

    def _reading(self, name: str, detection: Detection, decoder: Decoder) -> Reading:
        found = detection.choose(np.flatnonzero(detection.scores >= self._settings.sure))
        if len(found) > _MOST_OBJECTS:
            return Reading(name, unread=f"{len(found)} objects were found: not a drawing of a few objects")
        if found.certainty < self._least_certainty:
            unlike = f"the name of an object has a probability of only {found.certainty:.2f}"
            return Reading(name, unread=f"{unlike}, in annotated pictures at least {self._least_certainty:.2f}")
        trees = decoder.readings(detection, self._settings.alternatives)
        if not trees:
            return Reading(name, unread="no object was found")
        best = math.exp(trees[0].log_probability)
        if best < self._settings.least:
            return Reading(name, unread=f"the most probable tree has a probability of only {best:.4f}")
        return Reading(name, tuple(self._alternative(one) for one in trees))

    def _alternative(self, one: TreeReading) -> Alternative:
        symbolic: dict[str, Json] = {"tree": as_json(one.tree, self._domain), "prolog": prolog_text(one.tree)}
        paths = leaf_paths(one.tree)
        parts = tuple(
            Part(name, path, _corners(one.detection.boxes[thing]))
            for (name, path), thing in zip(paths, one.things, strict=True)
        )
        return Alternative(symbolic, min(0.0, one.log_probability), parts)


def leaf_paths(tree: Tree, path: tuple[int, ...] = ()) -> list[tuple[str, tuple[int, ...]]]:
    """The objects of a tree from left to right, each with its path."""
    if isinstance(tree, str):
        return [(tree, path)]
    return [leaf for index, child in enumerate(tree[1]) for leaf in leaf_paths(child, (*path, index))]


def _corners(box: Any) -> tuple[int, int, int, int]:
    left, top, width, height = (float(value) for value in box)
    return round(left), round(top), round(left + width), round(top + height)
