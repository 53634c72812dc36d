"""Facts of RuDaS: how the making of a training world grows, beside a closure that is computed anew at every step.

Ours keeps the closure up to date fact by fact. The baseline is the same generator over a closure that starts from
nothing after each level of each rule graph, as the original's code does (naive re-closure per step), only with our
indexed joins in place of its scans. Both make the same facts from the same seed, which is checked. CPU seconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import hornbeam
from hornbeam.rudas import ruleset, world
from hornbeam.rudas.closure import Closure, Fact
from hornbeam.rudas.config import RudasConfig, Spec
from hornbeam.rudas.rules import RuleSet
from hornbeam.seeds import fast_rng

COMPARED = (100, 200, 400, 800)
WHOLE = (10_000, 100_000)


class Reclosed(Closure):
    """A closure without memory: each step derives everything again."""

    def add(self, facts: Iterable[Fact], *, limit: int | None = None) -> None:
        before = list(self.facts)
        self.facts.clear()
        self._indexed.clear()
        for index in self.indexes:
            index.clear()
        super().add([*before, *facts], limit=limit)


def _rules(facts: int) -> tuple[Spec, RuleSet]:
    spec = RudasConfig.model_validate({"category": "chain", "depth": 2, "facts": facts, "recursion": "none"}).specs()[0]
    return spec, ruleset.draw(spec, fast_rng(1, "bench", "rules"), facts).rules


def _made(facts: int, closure: type[Closure]) -> tuple[float, set[Fact]]:
    spec, rules = _rules(facts)
    started = time.process_time()
    ours, world.Closure = world.Closure, closure
    try:
        made = world.training_world(
            spec, rules, range(facts), fast_rng(1, "bench", "facts"), facts=facts, node_support=5
        )
    finally:
        world.Closure = ours
    return time.process_time() - started, set(made.closure.facts)


def _whole(facts: int, folder: Path) -> float:
    """A dataset on disk, everything included: rules proven, facts confirmed by clingo, all files written."""
    started = time.process_time()
    hornbeam.generate("rudas", "xl", out=folder / str(facts), seed=1, overrides={"facts": facts})
    return time.process_time() - started


def run() -> None:
    """Print the comparison, then whole datasets."""
    _made(50, Closure)
    print(f"{'facts':>9}{'incremental s':>15}{'re-closure s':>14}{'ratio':>9}")
    for facts in COMPARED:
        ours, found = _made(facts, Closure)
        theirs, same = _made(facts, Reclosed)
        if found != same:
            raise AssertionError(f"{facts}: the closures differ in {len(found ^ same)} facts")
        print(f"{facts:9}{ours:15.3f}{theirs:14.3f}{theirs / ours:9.1f}")
    print(f"\n{'facts':>9}{'whole dataset s':>17}{'facts a second':>16}{'s a fact, to the first':>24}")
    first = None
    with TemporaryDirectory() as folder:
        for facts in WHOLE:
            seconds = _whole(facts, Path(folder))
            first = first or seconds / facts
            print(f"{facts:9}{seconds:17.2f}{facts / seconds:16.0f}{seconds / facts / first:24.2f}")


if __name__ == "__main__":
    run()
