"""Which renamings of concepts keep all training labels: the reasoning shortcuts of tasks.

Someone who knows the rules but not what the names mean can only find the meaning through the labels. A renaming
permutes the shapes, the colors and the sizes. If it keeps the label of every training picture of a task, the task
cannot tell it from the right meaning: it is a shortcut. The identity always keeps all labels, so a task with n such
renamings has n - 1 shortcuts. The rules are the dataset's own, asked in Prolog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.proving import judge_of, reasoner
from hornbeam.kandy.search import Judge
from hornbeam.kandy.tree import Domain, Tree, from_json

Renaming = tuple[tuple[str, ...], ...]
"""For each attribute the new names, in the order of the domain."""
_FIRST = 3
"""Pictures of the first round; each further round takes twice as many."""


@dataclass(frozen=True)
class ShortcutCount:
    """The renamings that keep all labels, by task and for all tasks together, out of how many."""

    renamings: int
    by_task: Mapping[str, int]
    joint: tuple[Renaming, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "renamings": self.renamings,
            "by_task": dict(self.by_task),
            "joint": len(self.joint),
            "joint_renamings": [[list(names) for names in one] for one in self.joint[:24]],
        }


def renamings(domain: Domain) -> Iterator[Renaming]:
    """All permutations of shapes, colors and sizes; the identity is the first."""
    return product(*(permutations(values) for values in domain.values))


def count_shortcuts(dataset: Dataset, tasks: Sequence[str] = ()) -> ShortcutCount:
    """Counts the renamings that keep the training labels of each task (all tasks by default), and of all together."""
    domain: Domain = dataset.config.domain
    every = list(renamings(domain))
    kept: dict[str, set[Renaming]] = {}
    for task in dataset.config.tasks:
        if task.rule is None or (tasks and task.id not in tasks):
            continue
        kept[task.id] = set(_of_task(dataset, task, domain, every))
    joint = set(every).intersection(*kept.values()) if kept else set()
    return ShortcutCount(
        len(every),
        {name: len(survivors) for name, survivors in kept.items()},
        tuple(one for one in every if one in joint),
    )


def _of_task(dataset: Dataset, task: Task, domain: Domain, every: Sequence[Renaming]) -> list[Renaming]:
    samples = [one for one in dataset.samples.task(task.id).split("train") if one.supervised]
    symbols: list[Any] = [one.symbolic for one in samples]
    trees = [from_json(symbol["tree"], domain) for symbol in symbols]
    labels = [bool(one.label) for one in samples]
    with reasoner(task, domain) as logic:
        judge = judge_of(task, logic)
        assert judge is not None
        return keeping(every, trees, labels, judge, domain)


def keeping(
    candidates: Sequence[Renaming], trees: Sequence[Tree], labels: Sequence[bool], judge: Judge, domain: Domain
) -> list[Renaming]:
    """The renamings under which the judge gives every tree its label. Most fail on the first few trees."""
    survivors = list(candidates)
    start, count = 0, _FIRST
    while start < len(trees) and survivors:
        part = range(start, min(len(trees), start + count))
        names = {one: _dictionary(domain, one) for one in survivors}
        renamed = [[_renamed(trees[number], names[one]) for number in part] for one in survivors]
        different = {repr(tree): tree for row in renamed for tree in row}
        answers = dict(zip(different, judge(list(different.values())), strict=True))
        right = [labels[number] for number in part]
        survivors = [
            one
            for one, row in zip(survivors, renamed, strict=True)
            if all(answers[repr(tree)] == label for tree, label in zip(row, right, strict=True))
        ]
        start, count = start + count, 2 * count
    return survivors


def _dictionary(domain: Domain, renaming: Renaming) -> dict[str, str]:
    """The new name of each object."""
    new = [dict(zip(values, names, strict=True)) for values, names in zip(domain.values, renaming, strict=True)]
    return {
        name: domain.name(*(table[value] for table, value in zip(new, triple, strict=True)))
        for name, triple in domain.props.items()
    }


def _renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    return names[tree] if isinstance(tree, str) else (tree[0], [_renamed(child, names) for child in tree[1]])
