"""The learner `ctp`: compositions of relations by learned reformulators of goals.

It learns from the paths of networks. Nodes unify only with themselves, so paths say all that a proof can use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hornbeam.extras import missing
from hornbeam.ilp.chains.networks import NetworksRun
from hornbeam.ilp.chains.operators import Body, Operator
from hornbeam.ilp.composition import Known, composition_theory
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.relations import Table
from hornbeam.ilp.unification.settings import CtpSettings
from hornbeam.ilp.watch import Watch
from hornbeam.seeds import derive, rng
from hornbeam.tasks.problem import NETWORKS, NetworkTask
from hornbeam.theory import Theory

if TYPE_CHECKING:
    from hornbeam.ilp.unification.reformulators import Reformulators

_LOOK = 200  # steps between two looks at the rules


class Ctp(Learner):
    """Conditional theorem prover: modules that turn the relation to prove into two relations to prove."""

    name: ClassVar[str] = "ctp"
    title: ClassVar[str] = "CTP: compositions by learned reformulators"
    views: ClassVar[tuple[str, ...]] = (NETWORKS,)
    settings_type: ClassVar[type[Settings]] = CtpSettings

    def available(self) -> str | None:
        return missing("torch", self.name)

    def fit(self, task: NetworkTask, settings: CtpSettings, watch: Watch) -> Theory:
        run = NetworksRun.of(task, settings, watch, self.name, 2**settings.depth)
        examples = _examples(run.known, 2**settings.depth)
        if not examples:
            watch.finished()
            return composition_theory(run.stories.relations, ())
        import torch

        from hornbeam.ilp.unification.reformulators import Reformulators

        torch.set_num_threads(1)
        torch.manual_seed(derive(settings.seed, self.name) % 2**63)
        count = len(run.stories.relations)
        model = Reformulators(count, settings.modules, settings.kind, settings.width)
        best = Theory(())

        def look() -> Theory:
            found = run.theory(_bodies(model, count))
            if str(found) != str(best):
                watch.best(found, steps=watch.tried)
            return found

        for step, loss in enumerate(_train(model, examples, settings), start=1):
            watch.count()
            if step % _LOOK == 0 or step == settings.steps:
                watch.note("loss", step=step, loss=round(loss, 4))
                best = look()
            if watch.time_is_up():
                return look()
        watch.finished()
        return best


def _examples(known: Known, longest: int) -> dict[int, tuple[Table, Table]]:
    """By length, paths of relations and their most frequent answers, each path once."""
    found: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    for chain, votes in sorted(known.items()):
        if 2 <= len(chain) <= longest:
            answer = min(votes, key=lambda one: (-votes[one], one))
            found.setdefault(len(chain), []).append((chain, answer))
    return {
        length: (np.array([chain for chain, _ in rows]), np.array([answer for _, answer in rows]))
        for length, rows in found.items()
    }


def _train(model: Reformulators, examples: dict[int, tuple[Table, Table]], settings: CtpSettings) -> Iterator[float]:
    """Train; the loss of each step. Batches have paths of one length, all lengths in turn, the shortest first."""
    import torch

    optimiser = torch.optim.Adam(model.parameters(), settings.lr)
    draw = rng(settings.seed, "ctp", "paths")
    lengths = sorted(examples)
    for step in range(settings.steps):
        # Compositions of two come first: longer paths build on them.
        usable = lengths[:1] if step < settings.steps // 2 else lengths
        paths, answers = examples[usable[step % len(usable)]]
        chosen = np.sort(draw.permutation(len(paths))[: settings.batch])
        labels = torch.nn.functional.one_hot(torch.from_numpy(answers[chosen]), len(model.relations)).t().float()
        scores = model.scores(model.relations, torch.from_numpy(paths[chosen]), settings.depth).clamp(1e-6, 1 - 1e-6)
        loss = torch.nn.functional.binary_cross_entropy(scores, labels, reduction="sum") / len(chosen)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        yield float(loss.detach())


def _bodies(model: Reformulators, count: int) -> list[dict[Body, float]]:
    """For each relation the pairs that its modules stand for; of equal ones the nearest counts."""
    bodies: list[dict[Body, float]] = [{} for _ in range(count)]
    for head, first, second, near in model.decoded():
        body = (Operator("walk", second), Operator("walk", first))
        bodies[head][body] = max(near, bodies[head].get(body, 0.0))
    return bodies
