"""What all adapters serve: items of a level, or of a dataset, and the score of a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import hornbeam
from hornbeam.errors import UsageError
from hornbeam.language.fresh import FreshItems
from hornbeam.language.item import RULE, SET, Item
from hornbeam.language.judging import Judge
from hornbeam.language.judging.judge import question_of

FAMILIES = ("clutrr", "graphlog", "kandy", "rudas", "star")
_OPEN_TAG = "<answer>"


def items(
    family: str,
    *,
    rows: int = 100,
    level: int = 1,
    seed: int = 0,
    dataset: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[Item]:
    """New items of a level, or the first items of a dataset.

    Args:
        family: The family; a dataset must be of it.
        rows: How many items, at most.
        level: The level of new items.
        seed: The seed of the items, or of the order in a dataset.
        dataset: The folder of a dataset; by default items are generated.
        settings: Settings of prompts, e.g. ``{"shots": 3}``.

    Returns:
        The items.

    Raises:
        UsageError: if a setting is wrong, or the dataset is of another family.

    >>> [item.level for item in items("star", rows=2, level=3)]
    [3, 3]
    """
    if dataset is None:
        return list(FreshItems(family, level=level, seed=seed, shard=max(50, rows), **(settings or {})).take(rows))
    opened = hornbeam.load(dataset)
    if opened.manifest.family != family:
        raise UsageError(f"expected a dataset of {family}, found one of {opened.manifest.family}", file=str(dataset))
    return list(hornbeam.prompts(opened, seed=seed, **(settings or {}))[:rows])


def score(item: Item, reply: str, dataset: str | Path | None = None) -> float | None:
    """The score of a reply: 1.0 if it is right, 0.0 if not, None if it cannot be judged.

    Args:
        item: The item.
        reply: All that the model wrote.
        dataset: The folder of the item's dataset; needed for rules.

    Raises:
        UsageError: if the item asks for rules and no dataset is given.

    >>> from hornbeam.language.item import Part
    >>> item = Item("1", "clutrr", "answer", 1, (Part("Who?"),), options=("mother", "grandmother"), target="mother")
    >>> score(item, "<answer>Mother.</answer>"), score(item, "<answer>grandmother</answer>")
    (1.0, 0.0)
    """
    if item.form != RULE:
        return question_of(item).judge(reply).score
    if dataset is None:
        raise UsageError("rules are judged on samples of a dataset: name its folder")
    return _judge(str(dataset)).items([(item, reply)])[0].score


def score_extracted(item: Item, answer: str | None) -> float:
    """The score of an answer that another package has already cut out of the reply.

    >>> from hornbeam.language.item import Part
    >>> item = Item("1", "clutrr", "answer", 1, (Part("Who?"),), options=("mother", "grandmother"), target="mother")
    >>> score_extracted(item, "mother"), score_extracted(item, "I say mother"), score_extracted(item, None)
    (1.0, 0.0, 0.0)
    """
    if not answer:
        return 0.0
    plain = Item(item.uid, item.family, item.form, item.level, item.prompt, "", item.options, item.target)
    marked = answer if _OPEN_TAG in answer else f"{_OPEN_TAG}{answer}</answer>"
    return question_of(plain).judge(marked).score or 0.0


def marked(item: Item) -> str:
    """The right reply to an item, marked as its prompt asks for it.

    >>> from hornbeam.language.item import Part
    >>> marked(Item("1", "star", "answer", 1, (Part("?"),), target="DC", meta={"answer_format": "boxed"}))
    '\\\\boxed{DC}'
    """
    if item.form == RULE:
        return f"```prolog\n{item.target}\n```"
    form = item.meta.get("answer_format", "tags")
    if form == "boxed":
        return f"\\boxed{{{item.target}}}"
    if form == "json":
        return json.dumps({"answer": json.loads(item.target) if item.form == SET else item.target}, ensure_ascii=False)
    return f"{_OPEN_TAG}{item.target}</answer>"


@lru_cache(maxsize=4)
def _judge(folder: str) -> Judge:
    return Judge(hornbeam.load(folder))
