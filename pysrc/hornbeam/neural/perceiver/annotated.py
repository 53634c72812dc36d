"""The annotated pictures that a perceiver is trained on: their pixels, the boxes and names of objects, the groups.

A group is a composition: its operator, and which of its children holds which objects. Nothing else of a sample is used:
no masks, no noise-free colours, no geometry of operators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.kandy.tree import Domain
from hornbeam.seeds import fast_rng

Pixels = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Node:
    """A composition over objects: an operator and children, each a node or the number of an object."""

    op: str
    children: tuple[Node | int, ...]


@dataclass(frozen=True, eq=False)
class Annotation:
    """A picture with its annotation. Boxes are left, top, width, height; kinds are shape, color, size by number."""

    name: str
    pixels: Pixels
    boxes: Values
    kinds: Indices
    root: Node | int

    @property
    def centers(self) -> Values:
        """The middle (x, y) of each box."""
        middles: Values = self.boxes[:, :2] + self.boxes[:, 2:] / np.float32(2)
        return middles


def members(node: Node | int) -> Iterator[int]:
    """The objects below a node, from left to right."""
    if isinstance(node, int):
        yield node
    else:
        for child in node.children:
            yield from members(child)


def annotated_pictures(dataset: Dataset, count: int, seed: int) -> list[Annotation]:
    """`count` training pictures with their annotation, drawn evenly over the tasks; all if there are fewer."""
    by_task: dict[str, list[Sample]] = {}
    for sample in dataset.samples.split("train"):
        by_task.setdefault(sample.task, []).append(sample)
    for task, samples in by_task.items():
        fast_rng(seed, "annotated", task).shuffle(samples)
    turns = range(max(map(len, by_task.values()), default=0))
    order = [samples[turn] for turn in turns for samples in by_task.values() if turn < len(samples)]
    return [annotation(dataset, sample) for sample in order[:count]]


def annotation(dataset: Dataset, sample: Sample) -> Annotation:
    """The annotation of one sample, and its picture."""
    content: Any = sample.input
    objects = content.get("objects") if isinstance(content, dict) else None
    if not objects or "groups" not in content:
        raise UsageError(
            f"the sample {sample.id} has no boxes; annotated pictures are those of generated datasets (or annotated=0)",
            file=str(dataset.path),
        )
    with Image.open(dataset.file(content["image"])) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    boxes = np.array([thing["box"] for thing in objects], np.float32)
    kinds = kinds_of([thing["name"] for thing in objects], dataset.config.domain)
    ops = {tuple(group["path"]): group["op"] for group in content["groups"]}
    leaves = {tuple(thing["path"]): number for number, thing in enumerate(objects)}
    return Annotation(sample.id, pixels, boxes, kinds, _node((), ops, leaves))


def kinds_of(names: Sequence[str], domain: Domain) -> Indices:
    """Names of objects as numbers: (objects, 3) of shape, color and size."""
    triples = [domain.props[name] for name in names]
    numbers = [[values.index(value) for values, value in zip(domain.values, triple, strict=True)] for triple in triples]
    return np.array(numbers, np.int64).reshape(len(names), len(domain.values))


def _node(path: tuple[int, ...], ops: dict[tuple[int, ...], str], leaves: dict[tuple[int, ...], int]) -> Node | int:
    if path in leaves:
        return leaves[path]
    children: list[Node | int] = []
    while (*path, len(children)) in leaves or (*path, len(children)) in ops:
        children.append(_node((*path, len(children)), ops, leaves))
    return Node(ops[path], tuple(children))
