"""The learner `algebra`: composition tables from labelled graphs.

It finds out by itself whether two relations derive one (CLUTRR, GraphLog) or leave alternatives (STaR), and which
laws hold. See :mod:`hornbeam.ilp.algebra.functions` and :mod:`hornbeam.ilp.algebra.sets`.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Literal

from pydantic import Field

from hornbeam.ilp.algebra.functions import Function, chains, converse_of, fit_function, identity_of, purity
from hornbeam.ilp.algebra.hints import with_hints
from hornbeam.ilp.algebra.paths import PathEvidence, gather
from hornbeam.ilp.algebra.sets import Fit, fit_sets
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.watch import Watch
from hornbeam.networks.table import Table
from hornbeam.tasks.problem import NETWORKS, NetworkTask
from hornbeam.theory import Theory

# Where paths of two edges disagree in a larger share than noise explains, and this margin, no function is tried.
MARGIN = 1.25
# With so few examples both readings are tried where a function is wrong anywhere.
FEW = 1000


class AlgebraSettings(Settings):
    """How composition is learned."""

    reading: Literal["auto", "function", "sets"] = Field(
        default="auto", description="function: two relations derive one; sets: they leave alternatives"
    )
    noise: float = Field(default=0.2, ge=0, lt=0.5, description="share of the training answers that may be wrong")
    hints: bool = Field(
        default=True, description="where nothing follows, answer by the edges at both ends of the query"
    )
    paths: int = Field(default=64, ge=1, le=10_000, description="networks with more paths are not learned from")


class Algebra(Learner):
    """Learns which relations each pair of relations composes to, with identity and converse."""

    name: ClassVar[str] = "algebra"
    title: ClassVar[str] = "composition tables of relations, by clingo and support counts"
    views: ClassVar[tuple[str, ...]] = (NETWORKS,)
    settings_type: ClassVar[type[Settings]] = AlgebraSettings

    def fit(self, task: NetworkTask, settings: AlgebraSettings, watch: Watch) -> Theory:
        relations, kinds = _relations(task)
        evidence = gather(relations, task.networks, settings.paths)
        outvoted = sum(one.weight for one in evidence.outvoted)
        watch.note(
            "evidence", examples=len(evidence.examples), weight=evidence.weight, outvoted=outvoted,
            pathless=evidence.pathless, tangled=evidence.tangled,
        )  # fmt: skip
        table = _best(evidence, kinds, settings, watch)
        if settings.hints and not watch.time_is_up():
            table = with_hints(table, task.networks)
            watch.note("hints", hints=len(table.hints))
        theory = table.theory(task.name)
        if not watch.time_is_up():
            watch.finished()
        return theory


LEARNER = Algebra


def _relations(task: NetworkTask) -> tuple[tuple[str, ...], frozenset[str]]:
    """The relations, the most frequent answer first, and what kinds of answers there are."""
    seen: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    for network in task.networks:
        seen.update(network.answer)
        sizes[min(len(network.answer), 2)] += 1
    order = sorted(task.relations, key=lambda name: (-seen[name], task.relations.index(name)))
    kinds = {kind for size, kind in enumerate(("none", "one", "several")) if sizes[size]}
    return tuple(order), frozenset(kinds or {"one"})


def _best(evidence: PathEvidence, kinds: frozenset[str], settings: AlgebraSettings, watch: Watch) -> Table:
    """The table of the reading that explains more of the training data."""
    function: Function | None = None
    if settings.reading != "sets" and kinds == {"one"}:
        known = chains(evidence)
        if known is not None and (settings.reading == "function" or purity(known) >= 1 - MARGIN * settings.noise):
            function = fit_function(known, len(evidence.relations), settings.noise, watch)
            watch.best(_function_table(evidence, function, kinds).theory(), right=round(function.right_share, 4))
    if function is not None and (settings.reading == "function" or not _refuted(function, evidence, settings.noise)):
        return _function_table(evidence, function, kinds)
    # Alternatives that keep the laws and are wrong less often than the function: chance does not give those.
    most_wrong = 1 - function.right_share if function else 1.0

    def wrong_share(fit: Fit) -> float:
        return 1 - fit.right / max(evidence.weight, 1)

    def told(fit: Fit) -> None:
        if function is None or wrong_share(fit) < most_wrong:
            right = round(1 - wrong_share(fit), 4)
            watch.best(_sets_table(evidence, fit, kinds).theory(), right=right, noise=fit.noise_weight)

    fit = fit_sets(evidence, settings.noise * evidence.weight, watch, told, needed=function is None)
    if fit is not None and (function is None or wrong_share(fit) < most_wrong):
        return _sets_table(evidence, fit, kinds)
    return _function_table(evidence, function or Function(), kinds)


def _refuted(function: Function, evidence: PathEvidence, noise: float) -> bool:
    """Whether paths derive what is not their answer, noise is not the reason, and there is enough to learn from.

    The same paths with two answers are noise for certain. With few examples it costs little to try alternatives.
    """
    examples = len(evidence.examples)
    if function.wrong == 0 or examples < len(evidence.relations) ** 2:
        return False
    return not evidence.outvoted or examples < FEW or function.uneven(noise)


def _function_table(evidence: PathEvidence, function: Function, kinds: frozenset[str]) -> Table:
    count = len(evidence.relations)
    cells = [[0] * count for _ in range(count)]
    for (first, second), whole in function.cells.items():
        cells[first][second] = 1 << whole
    converse = converse_of(function.cells, count)
    identity = identity_of(function.cells, count)
    return Table(evidence.relations, tuple(map(tuple, cells)), converse, identity, "function", kinds)


def _sets_table(evidence: PathEvidence, fit: Fit, kinds: frozenset[str]) -> Table:
    model = fit.model
    return Table(evidence.relations, model.cells, model.converse, model.identity, "sets", kinds)
