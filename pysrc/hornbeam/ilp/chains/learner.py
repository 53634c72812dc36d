"""The learners `neural-lp` and `drum`: chains of relations, chosen by attention.

The attention proposes rules with weights, the facts confirm or refute them, and facts that were set aside decide at
which weight the theory is cut. torch is imported when a learner runs, not before.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from hornbeam.extras import missing
from hornbeam.ilp.amie.rules import MinedRule
from hornbeam.ilp.chains.facts import FactsRun, chain_space
from hornbeam.ilp.chains.networks import NetworksRun
from hornbeam.ilp.chains.operators import Body, Operator, operators_of
from hornbeam.ilp.chains.rules import ReadingSettings, read_bodies, rules_of
from hornbeam.ilp.composition import composition_theory
from hornbeam.ilp.learner import Learner, Space
from hornbeam.ilp.watch import Watch
from hornbeam.seeds import derive
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FACTS, NETWORKS, FactTask, NetworkTask
from hornbeam.theory import Theory

if TYPE_CHECKING:
    from hornbeam.ilp.chains.attention import ChainModel
    from hornbeam.ilp.chains.training import Queries

MOST_BODY = 3
_FIRST_LOOK = 50  # steps before the first theory; then each time twice as many


class ChainSettings(ReadingSettings):
    """How the attention is trained, and how a theory is read off it."""

    steps: int = Field(default=300, ge=1, description="batches that are learned from")
    batch: int = Field(default=64, ge=1, description="facts or networks of a batch")
    lr: float = Field(default=1e-3, gt=0, description="learning rate of Adam")
    width: int = Field(default=128, ge=1, le=1024, description="width of the LSTM and of embeddings")
    clip: float = Field(default=5.0, gt=0, description="bound of each entry of a gradient")
    max_body: int | None = Field(
        default=None, ge=1, le=MOST_BODY, description="body atoms; default: the task's, at most 3, for networks 2"
    )
    tests: bool = Field(default=False, description="also atoms that test one place of the chain: r(X,X), r(X,_), r(X)")


class DrumSettings(ChainSettings):
    """Those of neural-lp, and the number of chains."""

    rank: int = Field(default=3, ge=1, le=16, description="chains of a query, each with its own attention")


class ChainLearner(Learner):
    """What the two have in common."""

    views: ClassVar[tuple[str, ...]] = (FACTS, NETWORKS)

    @abstractmethod
    def model(self, symbols: int, operators: int, steps: int, settings: Any) -> ChainModel:
        """A network for so many symbols and operators."""

    def available(self) -> str | None:
        return missing("torch", self.name)

    def fit(self, task: FactTask | NetworkTask, settings: Any, watch: Watch) -> Theory:
        if isinstance(task, NetworkTask):
            return self._fit_networks(task, settings, watch)
        run = FactsRun.of(task, settings, watch, self.name)
        operators = operators_of(run.world, run.called, tests=settings.tests)
        if not run.heads or not operators:
            watch.finished()
            return Theory(())
        from hornbeam.ilp.chains.training import FactQueries

        queries = FactQueries(run.world, run.heads, operators, run.recursion)
        steps = _max_body(task.bias, settings)

        def theory_of(bodies: Sequence[dict[Body, float]]) -> Theory:
            return run.theory(_rules(run, bodies))

        return self._descend(queries, 2 * len(run.heads), operators, steps, settings, watch, theory_of)

    def _fit_networks(self, task: NetworkTask, settings: Any, watch: Watch) -> Theory:
        from hornbeam.ilp.chains.training import NetworkQueries

        steps = settings.max_body or 2
        run = NetworksRun.of(task, settings, watch, self.name, steps)
        if not run.used:
            watch.finished()
            return composition_theory(run.stories.relations, ())
        queries = NetworkQueries(run.used, run.stories.relations)
        count = len(run.stories.relations)
        operators = tuple(Operator("walk", at) for at in range(count))
        return self._descend(queries, count, operators, steps, settings, watch, run.theory)

    def _descend(
        self,
        queries: Queries,
        symbols: int,
        operators: tuple[Operator, ...],
        steps: int,
        settings: Any,
        watch: Watch,
        theory_of: Callable[[Sequence[dict[Body, float]]], Theory],
    ) -> Theory:
        """Train, and report the theory at times, and at the end."""
        import torch

        from hornbeam.ilp.chains.training import Descent, denormals_flushed, train

        torch.set_num_threads(1)
        torch.manual_seed(derive(settings.seed, self.name) % 2**63)
        with denormals_flushed():
            model = self.model(symbols, len(operators), steps, settings)
            how = Descent(settings.steps, settings.batch, settings.lr, settings.clip, settings.seed)
            best = Theory(())

            def look() -> Theory:
                bodies = read_bodies(model.plans(queries.allowed), operators, settings.min_weight)
                found = theory_of(bodies)
                if str(found) != str(best):
                    watch.best(found, steps=watch.tried)
                return found

            looks = set(_looks(settings.steps))
            for step, loss in enumerate(train(model, queries, how), start=1):
                watch.count()
                if step in looks:
                    watch.note("loss", step=step, loss=round(loss, 4))
                    best = look()
                if watch.time_is_up():
                    return best if step in looks else look()
            watch.finished()
            return best

    def space(self, bias: Bias, settings: ChainSettings) -> Space:
        return chain_space(bias, _max_body(bias, settings), tests=settings.tests)


class NeuralLp(ChainLearner):
    """Neural-LP: an LSTM attends to relations and to the results of earlier steps (Yang, Yang, Cohen, 2017)."""

    name: ClassVar[str] = "neural-lp"
    title: ClassVar[str] = "Neural-LP: chains of relations by attention"
    settings_type = ChainSettings

    def model(self, symbols: int, operators: int, steps: int, settings: ChainSettings) -> ChainModel:
        from hornbeam.ilp.chains.attention import NeuralLpModel

        return NeuralLpModel(symbols, operators, steps, settings.width)


class Drum(ChainLearner):
    """DRUM: several chains, each by a bidirectional LSTM of its own (Sadeghian et al., 2019)."""

    name: ClassVar[str] = "drum"
    title: ClassVar[str] = "DRUM: several chains of relations by attention"
    settings_type = DrumSettings

    def model(self, symbols: int, operators: int, steps: int, settings: DrumSettings) -> ChainModel:
        from hornbeam.ilp.chains.attention import DrumModel

        return DrumModel(symbols, operators, steps, settings.width, settings.rank)


def _rules(run: FactsRun, bodies: Sequence[dict[Body, float]]) -> dict[MinedRule, float]:
    """The rules of all heads, from the bodies of their symbols: first as they are asked, then turned round."""
    weights: dict[MinedRule, float] = {}
    for symbol, head in enumerate(run.heads):
        weights |= rules_of(head, bodies[symbol], bodies[symbol + len(run.heads)])
    return weights


def _looks(steps: int) -> Iterator[int]:
    look = _FIRST_LOOK
    while look < steps:
        yield look
        look *= 2
    yield steps


def _max_body(bias: Bias, settings: ChainSettings) -> int:
    return settings.max_body or min(MOST_BODY, bias.max_body)
