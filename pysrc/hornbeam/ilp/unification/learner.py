"""The learner `ntp`: rules decoded from vectors that learned to unify softly with predicates.

Constants unify only with themselves: with soft ones the original misses rules of two atoms even in tiny worlds.
"""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from hornbeam.extras import missing
from hornbeam.ilp.amie.rules import MinedRule, canonical
from hornbeam.ilp.chains.facts import FactsRun, chain_space
from hornbeam.ilp.chains.rules import ReadingSettings
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.unification.templates import templates_of
from hornbeam.ilp.watch import Watch
from hornbeam.seeds import derive
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FACTS, FactTask
from hornbeam.theory import Theory

MOST_BODY, USUAL_BODY = 3, 2
_LOOK = 10  # epochs between two looks at the rules


class NtpSettings(ReadingSettings):
    """How soft rules are trained, and how a theory is read off them."""

    epochs: int = Field(default=60, ge=1, description="times that all facts are proved")
    batch: int = Field(default=32, ge=1, description="facts of a batch")
    lr: float = Field(default=0.01, gt=0, description="learning rate of Adam")
    width: int = Field(default=20, ge=1, le=1024, description="width of vectors")
    copies: int = Field(default=10, ge=1, le=100, description="soft rules of each template")
    negatives: int = Field(default=4, ge=1, le=100, description="false goals for each fact")
    l2: float = Field(default=0.001, ge=0, description="price of long vectors")
    max_body: int | None = Field(
        default=None, ge=1, le=MOST_BODY, description="slots of a template; default: the task's body, at most 2"
    )


class Ntp(Learner):
    """Neural theorem prover of depth 1: templates whose slots learn which predicates they stand for."""

    name: ClassVar[str] = "ntp"
    title: ClassVar[str] = "NTP: rule templates by soft unification"
    views: ClassVar[tuple[str, ...]] = (FACTS,)
    settings_type: ClassVar[type[Settings]] = NtpSettings

    def available(self) -> str | None:
        return missing("torch", self.name)

    def fit(self, task: FactTask, settings: NtpSettings, watch: Watch) -> Theory:
        run = FactsRun.of(task, settings, watch, self.name)
        if not run.heads or not run.called:
            watch.finished()
            return Theory(())
        import torch

        from hornbeam.ilp.unification.prover import SoftRules
        from hornbeam.ilp.unification.training import Course, Goals, train

        torch.set_num_threads(1)
        torch.manual_seed(derive(settings.seed, self.name) % 2**63)
        templates = templates_of(_max_body(task.bias, settings))
        rules = SoftRules(len(run.world.predicates), templates, settings.copies, settings.width)
        goals = Goals(run.world, run.heads, templates)
        course = Course(settings.epochs, settings.batch, settings.lr, settings.negatives, settings.l2, settings.seed)
        best = Theory(())

        def look() -> Theory:
            found = run.theory(self._decoded(rules, run))
            if str(found) != str(best):
                watch.best(found)
            return found

        for epoch, loss in train(rules, goals, course):
            watch.count()
            if epoch and (epoch % _LOOK == 0 or epoch == settings.epochs):
                watch.note("loss", epoch=epoch, loss=round(loss, 4))
                best = look()
            if watch.time_is_up():
                return look()
        watch.finished()
        return best

    def _decoded(self, rules: object, run: FactsRun) -> dict[MinedRule, float]:
        """The rules of wanted heads over predicates that may be called; of equal ones the nearest counts."""
        from hornbeam.ilp.unification.prover import SoftRules

        assert isinstance(rules, SoftRules)
        weights: dict[MinedRule, float] = {}
        for template, head, body, near in rules.decoded():
            if head not in run.heads or not set(body) <= set(run.called) or (head in body and not run.recursion):
                continue
            rule = canonical(template.rule(head, body))
            if not rule.trivial:
                weights[rule] = max(near, weights.get(rule, 0.0))
        return weights

    def space(self, bias: Bias, settings: NtpSettings) -> Space:
        return chain_space(bias, _max_body(bias, settings), tests=False)


LEARNER = Ntp


def _max_body(bias: Bias, settings: NtpSettings) -> int:
    return settings.max_body or min(USUAL_BODY, bias.max_body)
