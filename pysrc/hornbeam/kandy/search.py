"""Draws the symbols of a task by rejection.

Candidate i of a task comes from a generator of its own, so that the outcome does not depend on how candidates are
batched. They are judged in batches, one call of Prolog each, and then taken or rejected in their order:

- a coin chooses the positive or the negative set, one of its elements is drawn and expanded;
- what was taken before is a repetition, and so is what the same set brought before and the rule refused;
- what looks like a symbol taken before, pixel by pixel, is a twin (unless the configuration allows it);
- what the rule does not confirm is refused.

After `patience` rejections in a row the sets count as exhausted. (The original forbids a symbol to both sets once the
rule has refused it for one of them; here a negative draw that is positive in truth does not block the positive set.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hornbeam.kandy.curriculum import Curriculum, CurriculumConfig, Task
from hornbeam.kandy.geometry import Layout, has_random, layout
from hornbeam.kandy.language.nodes import DrawError, Node, draw
from hornbeam.kandy.language.operators import Below
from hornbeam.kandy.render import Renderer, below_of
from hornbeam.kandy.tree import Tree
from hornbeam.seeds import fast_rng

FAMILY = "kandy"
Judge = Callable[[Sequence[Tree]], Sequence[bool | None]]
"""Tells of each tree whether the task's rule holds; None if the rule does not end."""


@dataclass(frozen=True, slots=True)
class TakenSymbol:
    """A tree that was taken, its layout and the digest of its noise-free picture (None if positions are drawn)."""

    tree: Tree
    label: bool
    laid: Layout | None = None
    look: bytes | None = None


@dataclass
class CandidateTally:
    """What became of the candidates of one label."""

    tried: int = 0
    taken: int = 0
    repeated: int = 0
    twins: int = 0
    refused: int = 0


@dataclass
class SearchResult:
    """The distinct symbols of a task in the order in which they were found."""

    symbols: list[TakenSymbol] = field(default_factory=list)
    tallies: dict[bool, CandidateTally] = field(
        default_factory=lambda: {True: CandidateTally(), False: CandidateTally()}
    )
    exhausted: dict[bool, bool] = field(default_factory=lambda: {True: False, False: False})

    def of(self, label: bool) -> list[int]:
        """The numbers of the symbols of a label."""
        return [number for number, symbol in enumerate(self.symbols) if symbol.label == label]


def draw_element(elements: Sequence[Node], below: Below) -> Tree:
    """One sample of a set: one of its elements, with the same chance each."""
    element = elements[below(len(elements))] if len(elements) > 1 else elements[0]
    try:
        return draw(element, below)
    except DrawError as error:
        raise error.place.error(str(error)) from None


def rehearse(curriculum: Curriculum, times: int = 20) -> None:
    """Draws every element of every set a few times: a rule that cannot be drawn is refused before anything is made."""
    for task in curriculum.tasks:
        for label in (True, False):
            for number, element in enumerate(task.side(label)):
                for turn in range(times):
                    below = below_of(fast_rng(0, FAMILY, "rehearsal", number, turn))
                    try:
                        draw(element, below)
                    except DrawError as error:
                        raise error.place.error(f"{task.title}: {error}") from None


def find_symbols(task: Task, config: CurriculumConfig, seed: int, judge: Judge | None) -> SearchResult:
    """The symbols of a task: as many as it asks for, or as many as there are."""
    search = _Search(task, config, seed, judge)
    if config.balance == "exact":
        search.run((True,), quota(task.samples, True))
        search.run((False,), quota(task.samples, False))
    else:
        search.run((True, False), task.samples)
    return search.result


def quota(samples: int, label: bool) -> int:
    """How many of `samples` have the label when they are balanced: the odd one is positive."""
    return samples // 2 + (samples % 2 if label else 0)


class _Search:
    def __init__(self, task: Task, config: CurriculumConfig, seed: int, judge: Judge | None) -> None:
        self._task = task
        self._seed = seed
        self._judge = judge
        self._config = config
        self._patience = config.patience
        self._renderer = Renderer(config) if config.unique == "picture" else None
        self._taken: set[str] = set()
        self._refused: set[tuple[bool, str]] = set()
        self._looks: set[bytes] = set()
        self._truths: dict[str, bool | None] = {}
        self.result = SearchResult()

    def run(self, labels: tuple[bool, ...], wanted: int) -> None:
        """Takes `wanted` more symbols of these labels, unless patience runs out first."""
        goal = len(self.result.symbols) + wanted
        stream = "coin" if len(labels) > 1 else ("positive" if labels[0] else "negative")
        start = failures = 0
        while len(self.result.symbols) < goal and failures < self._patience:
            size = self._batch_size(goal - len(self.result.symbols), start, failures)
            batch = [self._candidate(stream, labels, index) for index in range(start, start + size)]
            start += size
            self._judge_all(batch)
            for label, tree, key in batch:
                if len(self.result.symbols) == goal or failures >= self._patience:
                    break
                failures = 0 if self._take(label, tree, key) else failures + 1
        for label in labels:
            self.result.exhausted[label] = len(self.result.symbols) < goal

    def _batch_size(self, missing: int, tried: int, failures: int) -> int:
        taken = sum(tally.taken for tally in self.result.tallies.values())
        share = max(0.02, taken / tried) if tried else 1.0
        return min(1000, max(8, failures, int(missing / share * 1.05) + 2))

    def _candidate(self, stream: str, labels: tuple[bool, ...], index: int) -> tuple[bool, Tree, str]:
        below = below_of(fast_rng(self._seed, FAMILY, self._task.id, stream, index))
        label = labels[below(2)] if len(labels) > 1 else labels[0]
        tree = draw_element(self._task.side(label), below)
        return label, tree, repr(tree)

    def _judge_all(self, batch: list[tuple[bool, Tree, str]]) -> None:
        if self._judge is None:
            return
        new = {key: tree for _, tree, key in batch if key not in self._truths}
        self._truths.update(zip(new, self._judge(list(new.values())), strict=True))

    def _take(self, label: bool, tree: Tree, key: str) -> bool:
        tally = self.result.tallies[label]
        tally.tried += 1
        if key in self._taken or (label, key) in self._refused:
            tally.repeated += 1
            return False
        if self._judge is not None and self._truths[key] != label:
            self._refused.add((label, key))
            tally.refused += 1
            return False
        laid = None if has_random(tree) else layout(tree, self._config, _no_draws)
        look = self._renderer.look(tree, laid=laid) if self._renderer and laid else None
        if look is not None and look in self._looks:
            self._refused.add((label, key))
            tally.twins += 1
            return False
        self._taken.add(key)
        if look is not None:
            self._looks.add(look)
        tally.taken += 1
        self.result.symbols.append(TakenSymbol(tree, label, laid, look))
        return True


def _no_draws(n: int) -> int:
    raise AssertionError("only random draws positions")
