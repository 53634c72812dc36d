"""What a sample holds: its picture, what the picture shows and where, its symbol, and its columns in exports.

Each object and each composition has its box, and the share of its pixels that is visible. A mask is the text of run
lengths over the box, row by row, uncovered pixels first: ``"2 3 1"`` are two uncovered, three covered and one
uncovered pixel. The mask of a composition is that of its objects together.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta, Raw

from hornbeam.data.columns import FLAG, IMAGE, INTEGER, NUMBER, TEXT, Column, Kind
from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SampleCheck
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import Count, Name, SampleShape, Shape, Share, WrongValue
from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.geometry import Group, Layout
from hornbeam.kandy.render import DrawnObject, Renderer, Scene
from hornbeam.kandy.search import FAMILY
from hornbeam.kandy.shapes import run_lengths
from hornbeam.kandy.tree import ATTRIBUTES, Tree, as_json, from_json, operators, prolog_text
from hornbeam.logic.terms import quote
from hornbeam.seeds import fast_rng

FACT_PREDICATES = ("sample/5",)
ORIGINAL_SPLIT = {"train": "train", "valid": "val", "test": "test"}
"""The names of the splits in the original's folders."""

Box = tuple[int, int, Count, Count]
Channel = Annotated[int, Meta(ge=0, le=255)]


class ObjectShape(Shape):
    """An object of a picture, and where it is."""

    name: Name
    path: list[Count]
    box: Box
    rgb: tuple[Channel, Channel, Channel]
    visible: Share
    mask: str


class GroupShape(Shape):
    """A composition of a picture, and where it is."""

    op: Name
    path: list[Count]
    objects: tuple[Count, Count]
    box: Box
    visible: Share


class PictureInput(Shape):
    """What a learner sees."""

    image: Name | None
    objects: list[ObjectShape]
    groups: list[GroupShape]


class PictureSymbols(Shape):
    """The tree of the picture."""

    prolog: Name
    tree: Raw  # `sample_check` knows the operators and objects
    symbol: Count
    file: str | None = None


class ClauseShape(Shape):
    """How far a clause came."""

    clause: Count
    goals: list[str]
    fails: str


class PictureProof(Shape):
    """Why the rule holds, or where each clause of it fails."""

    rule: str | None = None
    holds: bool | None = None
    clause: Count | None = None
    goals: list[str] | None = None
    clauses: list[ClauseShape] | None = None


class PictureShape(SampleShape, kw_only=True):
    """A sample of KANDY."""

    label: bool | None
    input: PictureInput
    symbolic: PictureSymbols
    proof: PictureProof

    def __post_init__(self) -> None:
        objects = len(self.input.objects)
        for number, group in enumerate(self.input.groups):
            first, last = group.objects
            if not first <= last <= objects:
                raise WrongValue(f"input.groups[{number}].objects", f"expected a range of the {objects} objects")


SHAPE = PictureShape


def sample_check(dataset: Dataset) -> SampleCheck:
    """Refuses a tree with operators or objects that the curriculum does not have, and a picture that it lacks."""
    domain, files = dataset.config.domain, dataset.manifest.files
    objects, inner = {*domain.props.values()}, {*operators()}

    def plain(tree: Any) -> bool:
        """Whether a tree is as most are; asking first makes reading fast."""
        left: list[Any] = [tree]
        try:
            while left:
                node = left.pop()
                if len(node) == 1:
                    ((name, members),) = node.items()
                    if name not in inner or type(members) is not list:
                        return False
                    left += members
                elif (*node,) != ATTRIBUTES or (*node.values(),) not in objects:
                    return False
        except (TypeError, AttributeError):
            return False
        return True

    def check(shape: PictureShape, sample: Sample) -> None:
        try:
            symbolic: Any = sample.symbolic
            if not plain(symbolic["tree"]):
                from_json(symbolic["tree"], domain)
        except (UsageError, RecursionError) as error:
            raise WrongValue("symbolic.tree", str(error)) from None
        if shape.input.image is not None and shape.input.image not in files:
            raise WrongValue("input.image", f"the manifest lists no file {shape.input.image!r}")

    return check


_OBJECT: Kind = {"name": TEXT, "path": [INTEGER], "box": [INTEGER], "rgb": [INTEGER], "visible": NUMBER, "mask": TEXT}
_GROUP: Kind = {"op": TEXT, "path": [INTEGER], "objects": [INTEGER], "box": [INTEGER], "visible": NUMBER}

COLUMNS = (
    Column("label", FLAG, "label", "whether the rule of the task holds"),
    Column("image", IMAGE, "input.image", "the picture"),
    Column("objects", [_OBJECT], "input.objects", "each object with its box: x, y, width, height", ("name", "box")),
    Column("groups", [_GROUP], "input.groups", "each composition with its box", ("op", "box")),
    Column("prolog", TEXT, "symbolic.prolog", "the symbol of the picture, in Prolog"),
    Column("rule", TEXT, "proof.rule", "the true rule of the task, by its name"),
)


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a task's split: one picture to be drawn. `symbol` numbers the distinct trees of the task."""

    split: str
    index: int
    label: bool
    supervised: bool
    tree: Tree
    symbol: int
    laid: Layout | None = None
    attempt: int = 0

    def sample_id(self, task: Task) -> str:
        """The id of this row's sample."""
        return f"{task.id}_{self.split}_{self.index:04d}"

    def rng(self, task: Task, seed: int) -> random.Random:
        """The generator of this row's picture."""
        return fast_rng(seed, FAMILY, task.id, self.split, self.index, self.attempt)


def drawn_sample(renderer: Renderer, task: Task, seed: int, row: PlannedRow, proof: Json) -> tuple[Sample, str, Scene]:
    """A row's sample, the path of its picture, and what the picture shows."""
    scene = renderer.scene(
        row.tree, row.rng(task, seed), noisy_color=task.noisy_color, noisy_size=task.noisy_size, laid=row.laid
    )
    path = image_path(row.split, task.index, row.index)
    objects, groups = annotated(scene)
    sample = Sample(
        id=row.sample_id(task),
        task=task.id,
        split=row.split,
        label=row.label,
        supervised=row.supervised,
        input={"image": path, "objects": objects, "groups": groups},  # type: ignore[dict-item]
        symbolic={
            "prolog": prolog_text(row.tree),
            "tree": as_json(row.tree, renderer.config.domain),
            "symbol": row.symbol,
        },
        proof=proof,
    )
    return sample, path, scene


def image_path(split: str, task: int, index: int) -> str:
    """Where a picture lies in the dataset: the original's layout, below `sets`."""
    return f"sets/{ORIGINAL_SPLIT[split]}/{task}/{index:04d}.png"


def facts(sample: Sample) -> str:
    """The sample as a Prolog fact; the label of one that is published without is `none`."""
    symbolic: Any = sample.symbolic
    label = "none" if sample.label is None else "1" if sample.label else "0"
    return f"sample({quote(sample.id)},{quote(sample.task)},{quote(sample.split)},{label},{symbolic['prolog']}).\n"


def annotated(scene: Scene) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The objects from left to right in the tree, and the compositions from the top."""
    top = _Top(scene.objects)
    objects = [
        {
            "name": spot.name,
            "path": list(path),
            "box": _sized(thing.box),
            "rgb": list(thing.color),
            "visible": round(top.counts[index] / thing.area, 4),
            "mask": top.mask(index),
        }
        for index, (spot, path, thing) in enumerate(
            zip(scene.layout.spots, scene.layout.paths, scene.objects, strict=True)
        )
    ]
    groups = [
        {
            "op": group.op,
            "path": list(group.path),
            "objects": [group.start, group.stop],
            "box": _around(scene.objects[group.start : group.stop]),
            "visible": round(top.share(group), 4),
        }
        for group in scene.layout.groups
    ]
    return objects, groups


class _Top:
    """What of each object is visible under the later ones, as the bits of the rows of its box."""

    def __init__(self, things: Sequence[DrawnObject]) -> None:
        self._things = things
        self._rows = [self._left_over(index) for index in range(len(things))]
        self.counts = [
            thing.mask.area if rows is None and thing.mask else sum(bits.bit_count() for bits in rows or ())
            for thing, rows in zip(things, self._rows, strict=True)
        ]

    def _left_over(self, index: int) -> list[int] | None:
        """The rows of an object that something lies on; None for one that shows whole, or not at all."""
        thing = self._things[index]
        if thing.mask is None:
            return None
        rows: list[int] | None = None
        left, top, right, bottom = thing.box
        for other in self._things[index + 1 :]:
            x, y = other.left, other.top
            if x >= right or y >= bottom or other.mask is None:
                continue
            if x + other.mask.width <= left or y + other.mask.height <= top:
                continue
            rows = _under(list(thing.mask.rows) if rows is None else rows, other.mask.rows, x - left, y - top)
        return rows

    def mask(self, index: int) -> str:
        mask = self._things[index].mask
        if mask is None or not self.counts[index]:
            return ""
        rows = self._rows[index]
        return mask.runs if rows is None else run_lengths(rows, mask.width)

    def share(self, group: Group) -> float:
        """The visible part of what the composition would show alone."""
        things = self._things[group.start : group.stop]
        visible = sum(self.counts[group.start : group.stop])
        if visible == sum(thing.area for thing in things):
            return 1.0
        cut_off = sum(thing.area - (thing.mask.area if thing.mask else 0) for thing in things)
        return visible / (sum(_Top(things).counts) + cut_off)


def _under(rows: list[int], cover: Sequence[int], dx: int, dy: int) -> list[int]:
    for row in range(max(0, dy), min(len(rows), dy + len(cover))):
        bits = cover[row - dy]
        rows[row] &= ~(bits << dx if dx >= 0 else bits >> -dx)
    return rows


def _sized(box: tuple[int, int, int, int]) -> list[int]:
    left, top, right, bottom = box
    return [left, top, right - left, bottom - top]


def _around(things: list[DrawnObject]) -> list[int]:
    boxes = [thing.box for thing in things if thing.mask is not None]
    if not boxes:
        return [0, 0, 0, 0]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return _sized((left, top, max(box[2] for box in boxes), max(box[3] for box in boxes)))
