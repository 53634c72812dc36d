"""What a model's answers are worth: accuracy by level and group with intervals, time, tokens and money."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.language.endpoint.reply import FAILED, Reply
from hornbeam.language.endpoint.run import Prices
from hornbeam.language.item import Item
from hornbeam.language.judging.ruling import Ruling
from hornbeam.tasks.scoring import wilson


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, the last reply to it, the ruling, and what all replies to it took."""

    item: Item
    reply: Reply
    ruling: Ruling
    rounds: tuple[Reply, ...] = ()

    @property
    def replies(self) -> tuple[Reply, ...]:
        return self.rounds or (self.reply,)

    def cost(self, prices: Prices) -> float | None:
        """What the replies cost together; None if it is unknown of one of them."""
        costs = [prices.cost(reply) for reply in self.replies]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def to_json(self, prices: Prices) -> dict[str, Any]:
        return {
            "uid": self.item.uid,
            "level": self.item.level,
            "task": self.item.meta.get("task"),
            "sample": self.item.meta.get("sample"),
            "target": self.item.target,
            "reply": self.reply.to_json(),
            "rounds": len(self.replies),
            "seconds": sum(reply.seconds for reply in self.replies),
            "cost": self.cost(prices),
            "ruling": self.ruling.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Share:
    """How many questions of some were answered right, with a 95 % confidence interval.

    >>> Share(3, 4).to_json()["accuracy"]
    0.75
    """

    right: int
    count: int

    @property
    def accuracy(self) -> float:
        return self.right / self.count if self.count else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.right, self.count) if self.count else (0.0, 1.0)

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "right": self.right,
            "accuracy": self.accuracy,
            "interval": list(self.interval),
        }

    def cells(self) -> list[str]:
        low, high = self.interval
        return [f"{self.count:,}", f"{self.right:,}", f"{self.accuracy:.4f}", f"{low:.4f} to {high:.4f}"]


def share(judged: Sequence[Judged]) -> Share:
    """Of the questions that were answered and could be judged."""
    counted = [one for one in judged if one.reply.status != FAILED and one.ruling.score is not None]
    return Share(sum(one.ruling.right for one in counted), len(counted))


def by(judged: Sequence[Judged], group: Callable[[Judged], Hashable]) -> dict[str, Share]:
    """The shares of groups, numbers by size before words."""
    groups: dict[Hashable, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[group(one)].append(one)
    ordered = sorted(
        groups, key=lambda value: (not isinstance(value, int), value if isinstance(value, int) else 0, str(value))
    )
    return {str(value): share(groups[value]) for value in ordered}


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run.

    Attributes:
        model: The name of the model.
        dataset: The folder of the dataset.
        family: Its family.
        kind: `answer` or `induce`.
        judged: The questions with replies and rulings.
        prices: What a million tokens cost.
        groups: For each sample its groups, as the family names them.
    """

    model: str
    dataset: str
    family: str
    kind: str
    judged: tuple[Judged, ...]
    prices: Prices
    groups: Mapping[str, Mapping[str, Hashable]]

    @property
    def overall(self) -> Share:
        return share(self.judged)

    @property
    def levels(self) -> dict[str, Share]:
        return by(self.judged, lambda one: one.item.level)

    @property
    def tasks(self) -> dict[str, Share]:
        return by(self.judged, lambda one: str(one.item.meta.get("task") or "all"))

    @property
    def by_group(self) -> dict[str, dict[str, Share]]:
        names = dict.fromkeys(name for values in self.groups.values() for name in values)
        known = [one for one in self.judged if str(one.item.meta.get("sample")) in self.groups]
        return {name: by(known, lambda one, name=name: self._group(one, name)) for name in names}  # type: ignore[misc]

    def _group(self, one: Judged, name: str) -> Hashable:
        return self.groups[str(one.item.meta.get("sample"))].get(name, "")

    @property
    def statuses(self) -> dict[str, int]:
        return dict(Counter(one.reply.status for one in self.judged))

    @property
    def verdicts(self) -> dict[str, int]:
        return dict(Counter(one.ruling.verdict for one in self.judged if one.reply.status != FAILED))

    @property
    def shortcuts(self) -> dict[str, int]:
        return dict(Counter(one.ruling.shortcut for one in self.judged if one.ruling.shortcut).most_common())

    @property
    def seconds(self) -> float:
        """The mean of a question."""
        answered = [one for one in self.judged if one.reply.status != FAILED]
        return sum(reply.seconds for one in answered for reply in one.replies) / max(1, len(answered))

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Of prompts and completions; None if the server did not say."""
        replies = [reply for one in self.judged for reply in one.replies if reply.status != FAILED]
        if any(reply.prompt_tokens is None or reply.completion_tokens is None for reply in replies):
            return None
        return sum(reply.prompt_tokens or 0 for reply in replies), sum(
            reply.completion_tokens or 0 for reply in replies
        )

    @property
    def cost(self) -> float | None:
        """Of all questions; None if unknown."""
        costs = [one.cost(self.prices) for one in self.judged if one.reply.status != FAILED]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def to_json(self) -> dict[str, Any]:
        """One object, as `hornbeam ask --json` prints it."""
        tokens, cost, right = self.tokens, self.cost, self.overall.right
        return {
            "model": self.model,
            "dataset": self.dataset,
            "family": self.family,
            "kind": self.kind,
            "questions": len(self.judged),
            **self.overall.to_json(),
            "levels": {name: one.to_json() for name, one in self.levels.items()},
            "tasks": {name: one.to_json() for name, one in self.tasks.items()},
            "groups": {
                name: {value: one.to_json() for value, one in own.items()} for name, own in self.by_group.items()
            },
            "statuses": self.statuses,
            "verdicts": self.verdicts,
            "shortcuts": self.shortcuts,
            "seconds": self.seconds,
            "tokens": None if tokens is None else {"prompt": tokens[0], "completion": tokens[1]},
            "cost": cost,
            "cost_of_a_right_answer": None if cost is None or not right else cost / right,
        }
