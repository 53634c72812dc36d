"""The learner `r5`: rules of composition by tree search, with a policy that learns and a memory that revises itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from hornbeam.ilp.algebra.paths import gather
from hornbeam.ilp.composition import Composed, Stories, composition_theory, cut_by_networks
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.r5.memory import Pair, RuleMemory
from hornbeam.ilp.r5.search import Path, Policy, TreeSearch, episode
from hornbeam.ilp.watch import Watch
from hornbeam.networks.table import MOST_RELATIONS
from hornbeam.seeds import fast_rng
from hornbeam.tasks.problem import NETWORKS, NetworkTask
from hornbeam.theory import Theory


class R5Settings(Settings):
    """How rules are searched for and remembered."""

    epochs: int = Field(default=5, ge=1, description="times that all examples are seen; at first the shortest lead")
    playouts: int = Field(default=12, ge=0, description="looks ahead of the tree search; 0: the best known pair")
    explore: float = Field(default=0.1, ge=0, le=1, description="share of moves in training that are drawn at random")
    invented: int = Field(default=27, ge=1, le=50, description="relations that may be invented")
    paths: int = Field(default=64, ge=1, le=10_000, description="networks with more paths are not learned from")
    repeat: int = Field(default=5, ge=1, description="how often equal networks are seen in an epoch, at most")
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="least share of right answers among a rule's uses; default: by `valid`"
    )
    valid: float = Field(
        default=0.05, ge=0, lt=0.9, description="share of the networks set aside for the choice of the threshold"
    )


class R5(Learner):
    """Mines compositions by Monte-Carlo tree search; rules and scores live in a memory that revises itself."""

    name: ClassVar[str] = "r5"
    title: ClassVar[str] = "R5: compositions by tree search, with invented relations"
    views: ClassVar[tuple[str, ...]] = (NETWORKS,)
    settings_type: ClassVar[type[Settings]] = R5Settings

    def fit(self, task: NetworkTask, settings: R5Settings, watch: Watch) -> Theory:
        share = settings.valid if settings.threshold is None else 0.0
        stories = Stories.of(task, share, settings.seed, self.name)
        examples = _examples(stories, settings)
        rng = fast_rng(settings.seed, "r5", task.name)
        invented = min(settings.invented, MOST_RELATIONS - len(stories.relations))
        memory = RuleMemory(len(stories.relations), invented)
        search = TreeSearch(memory, Policy(), rng, settings.playouts, settings.explore)
        theory = composition_theory(stories.relations, ())
        for epoch in range(settings.epochs):
            if epoch:
                rng.shuffle(examples)
            right = 0
            for paths, answer in examples:
                watch.count()
                right += episode(search, paths, answer)
                if watch.time_is_up():
                    return self._theory(memory, stories, settings, watch)
            watch.note("epoch", epoch=epoch + 1, right=right, examples=len(examples), rules=len(memory.rules))
            found = self._theory(memory, stories, settings, watch)
            if str(found) != str(theory):
                watch.best(found, epoch=epoch + 1)
            theory = found
        watch.finished()
        return theory

    def _theory(self, memory: RuleMemory, stories: Stories, settings: R5Settings, watch: Watch) -> Theory:
        rules, names = _used_rules(memory, stories.relations)
        theory, threshold = cut_by_networks(composition_theory(names, rules), stories, settings.threshold)
        watch.note("read", rules=len(rules), invented=len(names) - memory.observed, threshold=round(threshold, 4))
        return theory


LEARNER = R5


def _examples(stories: Stories, settings: R5Settings) -> list[tuple[tuple[Path, ...], int]]:
    """Paths and answer of each example, the shortest first; an example that occurs often comes several times."""
    found = []
    for example in gather(stories.relations, stories.train, settings.paths).examples:
        paths = tuple(tuple(mask.bit_length() - 1 for mask in path) for path in example.paths)
        if min(map(len, paths)) > 1:
            found += [(paths, example.answer.bit_length() - 1)] * min(example.weight, settings.repeat)
    return found


def _used_rules(memory: RuleMemory, relations: Sequence[str]) -> tuple[list[Composed], tuple[str, ...]]:
    """The rules as compositions, and the names of all relations; invented ones that lead nowhere are left out."""
    rules = dict(memory.rules)
    while True:
        called = {one for pair in rules for one in pair}
        dead = [pair for pair, head in rules.items() if not memory.is_observed(head) and head not in called]
        if not dead:
            break
        for pair in dead:
            del rules[pair]
    mentioned = {one for pair, head in rules.items() for one in (*pair, head) if not memory.is_observed(one)}
    number = {one: len(relations) + at for at, one in enumerate(sorted(mentioned))}
    place = {**{at: at for at in range(len(relations))}, **number}
    names = (*relations, *(f"invented_{at + 1}" for at in range(len(number))))
    composed = [
        Composed((place[pair[0]], place[pair[1]]), place[head], _weight(memory, pair), _note(memory, pair))
        for pair, head in sorted(rules.items())
    ]
    return composed, names


def _weight(memory: RuleMemory, pair: Pair) -> float:
    """The share of right answers among the uses of a rule, with one of each more: few uses say little."""
    right, wrong = memory.uses[pair]
    return (right + 1) / (right + wrong + 2)


def _note(memory: RuleMemory, pair: Pair) -> str:
    right, wrong = memory.uses[pair]
    return f"right={right} wrong={wrong}"
