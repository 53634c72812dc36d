"""How objects form compositions, by a small transformer over the objects of a picture.

For every two objects the network says where their paths in the tree part: how deep the composition lies that holds both
in different children, which operator it has, and which of the two comes first. These answers determine the tree, except
for compositions of one child (`quadrant_ul([x])`), which a second head predicts for each group: its wrapper.

The vocabulary (operators, wrappers, depth) is that of the annotated pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.perceiver.annotated import Annotation, Indices, Node, Values, members

Wrapper = tuple[str, ...]
_WAVES = 5
_PAD = -100
"""What cross entropy ignores."""


@dataclass(frozen=True)
class Vocabulary:
    """What the network can say."""

    ops: tuple[str, ...]
    wrappers: tuple[Wrapper, ...]
    depth: int

    @classmethod
    def of(cls, roots: Sequence[Node | int]) -> Vocabulary:
        """What the trees of annotated pictures use."""
        ops: set[str] = set()
        wrappers: set[Wrapper] = {()}
        depth = 1
        for root in roots:
            for group in groups(root):
                wrappers.add(group.wrapper)
                depth = max(depth, group.depth + 1)
                ops.update([group.node.op] if isinstance(group.node, Node) else [])
        return cls(tuple(sorted(ops)) or ("in",), tuple(sorted(wrappers)), depth)


@dataclass(frozen=True)
class Group:
    """A composition of several children, or an object, below the compositions of one child that wrap it."""

    node: Node | int
    wrapper: Wrapper
    depth: int  # the number of compositions of several children above


def groups(root: Node | int, depth: int = 0) -> Iterator[Group]:
    """The groups of a tree from the top."""
    wrapper: list[str] = []
    while isinstance(root, Node) and len(root.children) == 1:
        wrapper.append(root.op)
        root = root.children[0]
    yield Group(root, tuple(wrapper), depth)
    if isinstance(root, Node):
        for child in root.children:
            yield from groups(child, depth + 1)


# The network ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Scenes:
    """Objects of several pictures, padded: features (pictures, objects, features), places in units of the picture."""

    features: Tensor
    places: Tensor
    present: Tensor


@dataclass(frozen=True, eq=False)
class GroupTargets:
    """What is right: for pairs depth, operator and order; for groups their picture, members and wrapper."""

    depth: Tensor
    op: Tensor
    before: Tensor
    picture: Tensor
    member: Tensor
    wrapper: Tensor


class Grouper(nn.Module):
    """The transformer. `kinds` is the number of features of an object that describe its shape and size."""

    def __init__(self, vocabulary: Vocabulary, kinds: int, width: int = 48, layers: int = 3, heads: int = 4) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.heads = heads
        # Pairs are judged by where the two lie relative to each other, wrappers also by where the group lies.
        self.enter = nn.Linear(kinds, width)
        self.relate = nn.Sequential(nn.Linear(4 + 4 * _WAVES, width), nn.ReLU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(_Layer(width, heads) for _ in range(layers))
        self.pair = nn.Sequential(nn.Linear(3 * width, 2 * width), nn.ReLU())
        self.depth = nn.Linear(2 * width, vocabulary.depth)
        self.op = nn.Linear(2 * width, len(vocabulary.ops))
        self.before = nn.Linear(2 * width, 1)
        self.wrapper = nn.Sequential(
            nn.Linear(width + 5 + 4 * _WAVES, width), nn.ReLU(), nn.Linear(width, len(vocabulary.wrappers))
        )

    def forward(self, scenes: Scenes) -> tuple[Tensor, Tensor]:
        """States of objects (pictures, objects, width) and of pairs (pictures, objects, objects, 2 width)."""
        states = self.enter(scenes.features)
        shift = scenes.places[:, None] - scenes.places[:, :, None]
        relations = self.relate(torch.cat([shift, shift.abs(), _waves(shift)], -1))
        absent = ~scenes.present[:, None, :]
        for layer in self.layers:
            states = layer(states, relations, absent)
        count = states.shape[1]
        first = states[:, :, None].expand(-1, -1, count, -1)
        pairs: Tensor = self.pair(torch.cat([first, first.transpose(1, 2), relations], -1))
        return states, pairs

    def wrap(self, states: Tensor, places: Tensor, picture: Tensor, member: Tensor) -> Tensor:
        """Logits of the wrappers of groups: `member` (groups, objects) says which objects each has."""
        weights = member.to(states.dtype)
        sizes = weights.sum(1, keepdim=True)
        shares = (weights / sizes.clamp(min=1))[:, :, None]
        pooled = (shares * states[picture]).sum(1)
        middle = (shares * places[picture]).sum(1)
        total = torch.zeros(len(states), 1).scatter_reduce(0, picture[:, None], sizes, "amax")[picture]
        about = torch.cat([sizes.log(), (sizes == 1).float(), (sizes == total).float()], 1)
        logits: Tensor = self.wrapper(torch.cat([pooled, middle, _waves(middle), about], 1))
        return logits


class _Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, 3 * width)
        self.bias = nn.Linear(width, heads)
        self.message = nn.Linear(width, width)
        self.leave = nn.Linear(width, width)
        self.think = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)
        )

    def forward(self, states: Tensor, relations: Tensor, absent: Tensor) -> Tensor:
        batch, count, width = states.shape
        query, key, value = self.query(self.norm(states)).view(batch, count, 3, self.heads, -1).unbind(2)
        scores = torch.einsum("bihc,bjhc->bijh", query, key) / (width // self.heads) ** 0.5 + self.bias(relations)
        weights = scores.masked_fill(absent[..., None], -torch.inf).softmax(2)
        messages = value[:, None] + self.message(relations).view(batch, count, count, self.heads, -1)
        states = states + self.leave(torch.einsum("bijh,bijhc->bihc", weights, messages).reshape(batch, count, width))
        thought: Tensor = states + self.think(states)
        return thought


def _waves(places: Tensor) -> Tensor:
    """Sines and cosines of places (..., 2) at several wave lengths, so that small distances count as well."""
    angles = (places[..., None] * 2.0 ** torch.arange(_WAVES) * torch.pi).flatten(-2)
    return torch.cat([angles.sin(), angles.cos()], -1)


# Examples -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SceneExample:
    """The objects of a picture: kinds' features, centres in units of the picture, and the tree over them."""

    features: Values
    places: Values
    root: Node | int


def scene(boxes: Values, shapes: Values, sizes: Values, extent: tuple[int, int]) -> tuple[Values, Values]:
    """Features and places of objects, from the probabilities of their shapes and sizes; `extent` is the picture's."""
    side = np.array(extent, np.float32)
    places = (boxes[:, :2] + boxes[:, 2:] / 2) / side * 2 - 1
    features = np.concatenate([shapes, sizes, boxes[:, 2:] / side * 10 - 0.5], 1)
    return features.astype(np.float32), places.astype(np.float32)


def example(one: Annotation, counts: Sequence[int]) -> SceneExample:
    """An annotated picture as an example; `counts` are the numbers of shapes, colors and sizes."""
    height, width = one.pixels.shape[:2]
    shapes, _, sizes = (np.eye(count, dtype=np.float32)[one.kinds[:, kind]] for kind, count in enumerate(counts))
    return SceneExample(*scene(one.boxes, shapes, sizes, (width, height)), one.root)


def stacked(features: Sequence[Values], places: Sequence[Values]) -> Scenes:
    """Pictures as one padded batch."""
    most = max(map(len, features))
    present = np.zeros((len(features), most), bool)
    kinds = np.zeros((len(features), most, features[0].shape[1]), np.float32)
    spots = np.zeros((len(features), most, 2), np.float32)
    for number, (kind, spot) in enumerate(zip(features, places, strict=True)):
        present[number, : len(kind)] = True
        kinds[number, : len(kind)], spots[number, : len(kind)] = kind, spot
    return Scenes(torch.from_numpy(kinds), torch.from_numpy(spots), torch.from_numpy(present))


def targets(roots: Sequence[Node | int], most: int, vocabulary: Vocabulary) -> GroupTargets:
    """What the network should say about these trees."""
    depth = np.full((len(roots), most, most), _PAD)
    op, before = depth.copy(), np.zeros((len(roots), most, most), np.float32)
    picture, wrapper, member = [], [], []
    for number, root in enumerate(roots):
        for group in groups(root):
            row = np.zeros(most, bool)
            row[list(members(group.node))] = True
            picture.append(number)
            wrapper.append(vocabulary.wrappers.index(group.wrapper))
            member.append(row)
            if isinstance(group.node, Node):
                code = vocabulary.ops.index(group.node.op)
                for left, right in _split_pairs(group.node):
                    depth[number][np.ix_(left, right)] = depth[number][np.ix_(right, left)] = group.depth
                    op[number][np.ix_(left, right)] = op[number][np.ix_(right, left)] = code
                    before[number][np.ix_(left, right)] = 1.0
    tensors = (depth, op, before, np.array(picture), np.stack(member), np.array(wrapper))
    return GroupTargets(*map(torch.from_numpy, tensors))


def _split_pairs(node: Node) -> Iterator[tuple[list[int], list[int]]]:
    parts = [list(members(child)) for child in node.children]
    for index, left in enumerate(parts):
        for right in parts[index + 1 :]:
            yield left, right


def grouping_loss(network: Grouper, scenes: Scenes, right: GroupTargets) -> Tensor:
    """Cross entropy of depth, operator, order and wrappers."""
    states, pairs = network(scenes)
    known = right.depth != _PAD
    wrappers = network.wrap(states, scenes.places, right.picture, right.member)
    loss = functional.cross_entropy(wrappers, right.wrapper)
    if known.any():
        chosen = pairs[known]
        # A large picture has many pairs and is one tree all the same.
        weights = (1 / known.sum((1, 2)).clamp(min=1).sqrt())[:, None, None].expand_as(known)[known]
        weights = weights / weights.sum()
        loss = (
            loss
            + (weights * functional.cross_entropy(network.depth(chosen), right.depth[known], reduction="none")).sum()
        )
        loss = loss + (weights * functional.cross_entropy(network.op(chosen), right.op[known], reduction="none")).sum()
        order = functional.binary_cross_entropy_with_logits(
            network.before(chosen)[:, 0], right.before[known], reduction="none"
        )
        loss = loss + (weights * order).sum()
    return loss


@dataclass(frozen=True, eq=False)
class PairAnswers:
    """What the network says about one picture: probabilities for pairs, and states to ask for wrappers."""

    depth: npt.NDArray[np.float64]  # (objects, objects, depths)
    op: npt.NDArray[np.float64]  # (objects, objects, operators)
    before: npt.NDArray[np.float64]  # (objects, objects)
    states: Tensor
    places: Tensor


def answers(network: Grouper, features: Values, places: Values) -> PairAnswers:
    """Ask the network about one picture. Answers for (i, j) and (j, i) are averaged."""
    network.eval()
    with torch.inference_mode():
        scenes = stacked([features], [places])
        states, pairs = network(scenes)
        depth = network.depth(pairs)[0].double().log_softmax(-1)
        op = network.op(pairs)[0].double().log_softmax(-1)
        before = network.before(pairs)[0, :, :, 0].double()
    depth = (depth + depth.transpose(0, 1)) / 2
    op = (op + op.transpose(0, 1)) / 2
    order = torch.sigmoid((before - before.T) / 2)
    return PairAnswers(depth.softmax(-1).numpy(), op.softmax(-1).numpy(), order.numpy(), states, scenes.places)


def wrapper_probabilities(network: Grouper, answer: PairAnswers, group: Sequence[int]) -> npt.NDArray[np.float64]:
    """The probability of each wrapper of a group of objects."""
    member = torch.zeros(1, answer.states.shape[1], dtype=torch.bool)
    member[0, list(group)] = True
    every = torch.ones_like(member)
    with torch.inference_mode():
        logits = network.wrap(
            answer.states, answer.places, torch.zeros(2, dtype=torch.long), torch.cat([member, every])
        )
    chances: npt.NDArray[np.float64] = logits[0].double().softmax(-1).numpy()
    return chances


def kept_indices(chosen: npt.NDArray[np.bool_]) -> Indices:
    """The numbers of the rows that are chosen."""
    return np.flatnonzero(chosen).astype(np.int64)
