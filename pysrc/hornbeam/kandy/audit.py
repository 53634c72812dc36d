"""How good a dataset is: labels, leaks by symbol and by picture, balance, and tasks that need no rule.

Whether a task can be solved without its rule is asked of a stump and a small decision tree over cheap features, fitted
on train and scored on what is held out. `structure` looks at operators and numbers alone and is blind to shapes,
colours and sizes; `bag` counts the objects of each shape, colour and size and is blind to where they are.

>>> structure(("grid", [("stack", ["circle_red_small"]), "circle_red_small"]))["leaves"]
2
>>> table = FeatureTable(("a", "b"), np.array([[0, 1], [1, 1], [2, 0], [3, 0]]), np.array([False, False, True, True]))
>>> stump = fit(table, depth=1)
>>> stump.text(table.names), balanced_accuracy(stump.predict(table.values), table.labels)
('a > 1.5', 1.0)
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbeam.data.audit import balance
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Audit
from hornbeam.kandy.check import check, tree_of
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.geometry import has_random
from hornbeam.kandy.pictures import picture_of
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.tree import (
    ATTRIBUTES,
    DEFAULT_DOMAIN,
    Domain,
    Tree,
    children,
    depth,
    leaves,
    nodes,
    operator,
    operators,
)
from hornbeam.progress import Progress, no_progress

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_Features = dict[str, int]
Values = npt.NDArray[np.int64]
Labels = npt.NDArray[np.bool_]
# A split that leaves fewer rows than this on one side says nothing.
_FEWEST = 2
# A task counts as solvable without its rule from this balanced accuracy on held-out samples, where that is no luck with
# a few of them: a coin would get there once in a hundred times.
_SOLVED = 0.75
_UNLIKELY = 2.33
_DEPTHS = {"stump": 1, "tree": 3}
_PAIRS = (("train", "valid"), ("train", "test"), ("valid", "test"))


@dataclass(frozen=True, slots=True)
class _TreedSample:
    """A sample and its tree."""

    sample: Sample
    tree: Tree


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """Check every label, then look at each task by itself."""
    config: KandyConfig = dataset.config
    checked = check(dataset, progress)
    shortcuts: dict[str, Json] = {}
    leaks: Counter[str] = Counter()
    positives: dict[str, Json] = {}
    duplicates = 0
    for task in dataset.tasks:
        items = [_TreedSample(sample, tree_of(sample, config.domain)) for sample in dataset.task(task)]
        shortcuts[task] = _task_shortcuts(items, config.domain)
        symbols = [repr(item.tree) for item in items]
        duplicates += len(symbols) - len(set(symbols))
        leaks += _leaks("symbol", items, symbols)
        leaks += _leaks("picture", items, [_digest(dataset, item.sample) for item in items])
        if config.domain == config.curriculum.config.domain:  # the look of other names is unknown
            leaks += _leaks("noise-free picture", items, _looks(items, config.curriculum.config))
        positives[task] = _positives(items)
    # Without a rule nothing can be derived, and nothing is wrong.
    ruled = any(task.rule is not None for task in config.tasks)
    share = checked.confirmed / checked.samples if checked.samples and ruled else None
    return Audit(
        samples=checked.samples,
        derivable=share,
        unique=share,
        duplicates=duplicates,
        leaks=dict(sorted(leaks.items())),
        shortcuts={**_summary(shortcuts), "tasks": shortcuts},
        balance=balance(dataset.samples),
        details={"positives": positives, "reasoner": checked.reasoner, "refuted": checked.refuted},
    )


def structure(tree: Tree) -> _Features:
    """Features of the operators and numbers of children; none of what the objects are."""
    direct = children(tree)
    inner = [node for node in nodes(tree) if not isinstance(node, str)]
    groups = [child for child in direct if not isinstance(child, str)]
    arities = [len(children(group)) for group in groups]
    features: _Features = {
        "leaves": sum(1 for _ in leaves(tree)),
        "depth": depth(tree),
        "compositions": len(inner),
        "children": len(direct),
        "children is odd": len(direct) % 2,
        "groups": len(groups),
        "objects among the children": len(direct) - len(groups),
        "groups differ in operator": int(len({operator(group) for group in groups}) > 1),
        "groups differ in size": int(len(set(arities)) > 1),
        "groups differ in operator or size": int(len({(operator(g), len(children(g))) for g in groups}) > 1),
        "largest group": max(arities, default=0),
        "smallest group": min(arities, default=0),
        "distinct operators": len({operator(node) for node in inner}),
    }
    used = Counter(operator(node) for node in inner)
    for name in operators():
        features[f"is {name}"] = int(operator(tree) == name)
        features[f"first child is {name}"] = int(bool(direct) and operator(direct[0]) == name)
        features[f"last child is {name}"] = int(bool(direct) and operator(direct[-1]) == name)
        features[f"number of {name}"] = used[name]
    return features


def bag(tree: Tree, domain: Domain = DEFAULT_DOMAIN) -> _Features:
    """How many objects there are of each shape, colour and size, and how many different ones."""
    objects = list(leaves(tree))
    features: _Features = {"leaves": len(objects), "distinct objects": len(set(objects))}
    for place, (attribute, names) in enumerate(zip(ATTRIBUTES, domain.values, strict=True)):
        count = Counter(domain.props[name][place] for name in objects)
        features[f"distinct {attribute}s"] = len(count)
        features[f"most of one {attribute}"] = max(count.values(), default=0)
        features |= {f"number of {name} {attribute}": count[name] for name in names}
    return features


@dataclass(frozen=True)
class FeatureTable:
    """A row of features for each sample, and its label."""

    names: tuple[str, ...]
    values: Values
    labels: Labels


@dataclass(frozen=True)
class DecisionTree:
    """A decision tree: a leaf with its answer, or a question `feature > threshold`."""

    answer: bool
    feature: int = -1
    threshold: float = 0.0
    low: DecisionTree | None = None
    high: DecisionTree | None = None

    def predict(self, values: Values) -> Labels:
        if self.low is None or self.high is None:
            return np.full(len(values), self.answer)
        above = values[:, self.feature] > self.threshold
        return np.where(above, self.high.predict(values), self.low.predict(values))

    def text(self, names: tuple[str, ...]) -> str | None:
        """The first question; None if there is none."""
        return f"{names[self.feature]} > {self.threshold:g}" if self.low is not None else None


def fit(table: FeatureTable, depth: int) -> DecisionTree:
    """The tree of at most this depth that greedy splits by weighted impurity give; classes count the same."""
    positive, negative = max(1, int(table.labels.sum())), max(1, int((~table.labels).sum()))
    return _grow(table.values, table.labels, np.where(table.labels, 0.5 / positive, 0.5 / negative), depth)


def balanced_accuracy(predicted: Labels, labels: Labels) -> float | None:
    """The mean share of right answers over the classes that occur; None without rows."""
    shares = [float(np.mean(predicted[labels == value] == value)) for value in (False, True) if np.any(labels == value)]
    return sum(shares) / len(shares) if shares else None


def _grow(values: Values, labels: Labels, weights: npt.NDArray[np.float64], depth: int) -> DecisionTree:
    answer = bool(weights[labels].sum() > weights[~labels].sum())
    best = _best_split(values, labels, weights) if depth and labels.any() and not labels.all() else None
    if best is None:
        return DecisionTree(answer)
    feature, threshold = best
    above = values[:, feature] > threshold
    low = _grow(values[~above], labels[~above], weights[~above], depth - 1)
    high = _grow(values[above], labels[above], weights[above], depth - 1)
    return DecisionTree(answer, feature, threshold, low, high)


def _best_split(values: Values, labels: Labels, weights: npt.NDArray[np.float64]) -> tuple[int, float] | None:
    """The question that leaves the least impurity; the first of several, so that the outcome never varies."""
    best: tuple[float, int, float] | None = None
    least = _impurity(weights[labels].sum(), weights[~labels].sum()) - 1e-12
    for feature in range(values.shape[1]):
        column = values[:, feature]
        steps = np.unique(column)
        for low, high in pairwise(steps):
            threshold = (low + high) / 2
            above = column > threshold
            if not _FEWEST <= above.sum() <= len(column) - _FEWEST:
                continue
            left = _impurity(weights[above & labels].sum(), weights[above & ~labels].sum())
            left += _impurity(weights[~above & labels].sum(), weights[~above & ~labels].sum())
            if left < (best[0] - 1e-12 if best else least):
                best = (left, feature, float(threshold))
    return best[1:] if best else None


def _impurity(positive: float, negative: float) -> float:
    """Gini impurity times the weight of the node."""
    total = positive + negative
    return float(2 * positive * negative / total) if total else 0.0


# Shortcuts --------------------------------------------------------------------------------------------------------


def _task_shortcuts(items: Sequence[_TreedSample], domain: Domain) -> dict[str, Json]:
    """For each kind of features: the stump's question, and what stump and tree score on test and on valid and test."""
    by_kind: dict[str, Json] = {}
    trees = [item.tree for item in items]
    features = {"structure": [*map(structure, trees)], "bag": [bag(tree, domain) for tree in trees]}
    for kind, rows in features.items():
        train = _table(items, rows, ("train",))
        if len(train.labels) == 0:
            continue
        stump = fit(train, _DEPTHS["stump"])
        held_out = _table(items, rows, ("valid", "test"))
        scores: dict[str, Json] = {"question": stump.text(train.names), "held_out_samples": len(held_out.labels)}
        for model, levels in _DEPTHS.items():
            tree = fit(train, levels)
            for name, splits in (("test", ("test",)), ("held_out", ("valid", "test"))):
                table = _table(items, rows, splits)
                score = balanced_accuracy(tree.predict(table.values), table.labels)
                scores[f"{model}_{name}"] = None if score is None else round(score, 4)
        by_kind[kind] = scores
    return by_kind


def _table(items: Sequence[_TreedSample], rows: Sequence[_Features], splits: tuple[str, ...]) -> FeatureTable:
    names = tuple(rows[0]) if rows else ()
    labelled = ((item, row) for item, row in zip(items, rows, strict=True) if item.sample.label is not None)
    kept = [(item, row) for item, row in labelled if item.sample.split in splits]
    values = np.array([list(row.values()) for _, row in kept], dtype=np.int64).reshape(len(kept), len(names))
    return FeatureTable(names, values, np.array([bool(item.sample.label) for item, _ in kept], dtype=np.bool_))


def _summary(shortcuts: dict[str, Any]) -> dict[str, Json]:
    """Mean scores over the tasks, and the tasks that structure alone gives away."""
    summary: dict[str, Json] = {}
    for kind in ("structure", "bag"):
        for model in _DEPTHS:
            key = f"{model}_held_out"
            scores = [by[kind][key] for by in shortcuts.values() if by.get(kind, {}).get(key) is not None]
            summary[f"{kind}_{model}"] = round(sum(scores) / len(scores), 4) if scores else None
    summary["solved_by_structure"] = [task for task, by in shortcuts.items() if _solved(by.get("structure", {}))]
    return summary


def _solved(scores: dict[str, Any]) -> bool:
    best = max((scores.get(f"{model}_held_out") or 0.0) for model in _DEPTHS)
    number = scores.get("held_out_samples") or 0
    return number > 0 and best >= max(_SOLVED, 0.5 + _UNLIKELY * 0.5 / math.sqrt(number))


# Leaks and balance ------------------------------------------------------------------------------------------------


def _leaks(kind: str, items: Sequence[_TreedSample], keys: Iterable[Hashable | None]) -> Counter[str]:
    """How many samples of the later split of a pair have their key in the earlier one."""
    by_split: dict[str, list[Hashable]] = defaultdict(list)
    for item, key in zip(items, keys, strict=True):
        if key is not None:
            by_split[item.sample.split].append(key)
    pairs = [(f"{kind} {one}/{other}", set(by_split[one]), by_split[other]) for one, other in _PAIRS]
    return +Counter({name: sum(key in seen for key in keys) for name, seen, keys in pairs})


def _digest(dataset: Dataset, sample: Sample) -> bytes | None:
    """The digest of the picture file; None for a sample without a picture."""
    path = picture_of(dataset, sample)
    return None if path is None else hashlib.sha256(path.read_bytes()).digest()


def _looks(items: Sequence[_TreedSample], config: CurriculumConfig) -> list[bytes | None]:
    """Digests of the pictures without noise; None if a picture's positions are drawn again for each sample."""
    renderer = Renderer(config)
    known: dict[str, bytes] = {}
    looks: list[bytes | None] = []
    for item in items:
        key = repr(item.tree)
        if not has_random(item.tree) and key not in known:
            known[key] = renderer.look(item.tree)
        looks.append(known.get(key))
    return looks


def _positives(items: Sequence[_TreedSample]) -> dict[str, Json]:
    """Positives and all, by split."""
    samples = Counter(item.sample.split for item in items)
    positive = Counter(item.sample.split for item in items if item.sample.label)
    return {split: {"positive": positive[split], "samples": number} for split, number in samples.items()}
