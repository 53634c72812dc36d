"""Why this label: the rule of the task, and its proof or the literal at which it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbeam.data.sample import Sample
from hornbeam.kandy.check import tree_of
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.proving import rule_key

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


def explain(dataset: Dataset, sample: Sample) -> str:
    """The rule of a sample's task, and its proof or the first literal that fails."""
    config: KandyConfig = dataset.config
    task = next(task for task in config.tasks if task.id == sample.task)
    verdict = "has no label" if sample.label is None else "is valid" if sample.label else "is not valid"
    head = f"{sample.id} {verdict} in task {task.index}, {task.name}."
    if task.rule is None:
        return f"{head}\nThe task has no rule that a label could follow from.\n"
    with KandyLogic(config.domain) as logic:
        rule = rule_key(task.rule, logic)
        tree = tree_of(sample, logic.domain)
        return f"{head}\n\n{logic.rule_text(rule)}\n{logic.explain(rule, tree)}"
