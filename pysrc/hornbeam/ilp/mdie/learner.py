"""`mdie`: mode-directed inverse entailment.

The search is Prolog's (prolog/mdie/): seeds are saturated into bottom clauses whose subsets are searched best first.
Here its events are watched, the clock is kept, and the best theory is chosen from the good clauses of all seeds.
"""

from __future__ import annotations

from typing import ClassVar, Literal, cast

from pydantic import Field

from hornbeam.bitsets import mask_of
from hornbeam.ilp.cover import best_cover
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.mdie import session
from hornbeam.ilp.mdie.selection import Found, Pool, Worth, worth
from hornbeam.ilp.space import Space
from hornbeam.ilp.watch import Watch, WatchOfPart
from hornbeam.logic import Clause, Compound, Prolog, Term
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, indicator

# Settings that the Prolog learner knows by the same name.
_AS_THEY_ARE = (
    *("strategy", "evaluation", "m", "noise", "nodes", "passes", "growth"),
    *("recall", "max_bottom", "inferences"),
)
_FEW = 10  # positives below which a clause may stand for a single one
_CONFLICTS = 50_000  # of one exact choice


class MDIESettings(Settings):
    """Settings of `mdie`. Sizes of clauses and theories, depth and recursion are the bias's."""

    strategy: Literal["few", "max", "cover"] = Field(
        "few",
        description="few: strong clauses first; max: every positive a seed; cover: the best clause of each seed",
    )
    evaluation: Literal["coverage", "compression", "laplace", "m_estimate", "accuracy"] = Field(
        "coverage", description="what makes one clause better than another"
    )
    m: int = Field(2, ge=0, description="weight of the prior in the m-estimate")
    noise: int = Field(0, ge=0, description="negatives that a clause may cover; above 0 size and errors are added up")
    min_acc: float = Field(0.0, ge=0.0, le=1.0, description="part of what a clause covers that must be positive")
    min_pos: int | None = Field(
        None, ge=1, description="positives that a clause must cover; 2 if not given, 1 where positives are few"
    )
    nodes: int = Field(1000, ge=1, description="clauses tried for a seed in the first pass")
    passes: int = Field(5, ge=1, description="passes over the seeds, each with its bottom clauses in another order")
    growth: int = Field(5, ge=1, description="how many times more clauses each pass may try")
    recall: int = Field(50, ge=1, description="answers of a call that are looked at, where its mode says nothing")
    max_bottom: int = Field(1000, ge=1, description="literals of a bottom clause")
    inferences: int = Field(50_000, ge=100, description="limit of the proof of one example, in Prolog inferences")
    shuffle: bool = Field(False, description="take the seeds in an order drawn from `seed`, not in the task's")


class MDIE(Learner):
    """Mode-directed inverse entailment."""

    name: ClassVar[str] = "mdie"
    title: ClassVar[str] = "mode-directed inverse entailment (Prolog)"
    views: ClassVar[tuple[str, ...]] = (EXAMPLES,)
    settings_type: ClassVar[type[Settings]] = MDIESettings

    def fit(self, task: ExampleTask, settings: MDIESettings, watch: Watch) -> Theory:
        pl = Prolog()
        pl.load_text(task.background, session.BACKGROUND, name=f"background of {task.name}", strict=False)
        learned: list[Clause] = []
        complete = True
        for target in task.bias.targets:
            if any(indicator(atom) == target for atom in task.positive):
                heard = watch if len(task.bias.targets) == 1 else WatchOfPart(watch, tuple(learned))
                run = _Run(pl, task, target, settings, heard)
                complete = run.learn() and complete
                learned += run.theory
        if complete:
            watch.finished()
        return Theory.of(learned)

    def space(self, bias: Bias, settings: MDIESettings) -> Space:
        return Space(bias, invention=False)


class _Run:
    """The learning of one predicate."""

    def __init__(self, pl: Prolog, task: ExampleTask, target: Indicator, settings: MDIESettings, watch: Watch) -> None:
        self._pl, self._task, self._target, self._settings, self._watch = pl, task, target, settings, watch
        self._positives = sum(indicator(atom) == target for atom in task.positive)
        self._negatives = sum(indicator(atom) == target for atom in task.negative)
        self._pool = Pool()
        self._pass = 1
        self._key: tuple[int, ...] | None = None
        self._errors = 0
        self.theory: list[Clause] = []

    def learn(self) -> bool:
        """Learn until the end or the time limit; whether the search was exhausted."""
        told = session.declarations(self._task, self._target)
        exhausted = False
        with session.events(self._pl, told, self._options()) as events:
            for event in events:
                exhausted = self._hear(event) or exhausted
                if self._watch.time_is_up():
                    return False
        self._choose()
        # Seeds are a sample: only of a single clause without errors it is known that no other is better.
        return exhausted and len(self.theory) == 1 and self._errors == 0

    def _options(self) -> dict[str, Term]:
        chosen = self._settings
        options: dict[str, Term] = {name: getattr(chosen, name) for name in _AS_THEY_ARE}
        options |= session.limits(self._task.bias)
        options["min_acc"] = float(chosen.min_acc)
        options["min_pos"] = chosen.min_pos or (1 if self._positives < _FEW else 2)
        if chosen.shuffle:
            order = list(range(1, self._positives + 1))
            fast_rng(chosen.seed, "mdie", self._task.name).shuffle(order)
            options["order"] = cast(Term, order)
        return options

    def _hear(self, event: Compound) -> bool:
        """Take in an event; True for the last one where nothing was left untried."""
        match event:
            case Compound("tried", (int(count),)):
                self._watch.count(count)
            case Compound("seed", (seed, int(number), literals)):
                if number > self._pass:
                    self._pass = number
                    self._choose()
                self._watch.note("seed", seed=seed, number=number, literals=literals)  # type: ignore[arg-type]
            case Compound("good", (term, list(positive), list(negative))):
                self._keep(term, cast(list[int], positive), cast(list[int], negative))
            case Compound("searched", (seed, why)):
                self._watch.note("searched", seed=seed, why=why)  # type: ignore[arg-type]
            case Compound("theory", (list(terms), list(positive), list(negative))):
                clauses = [session.clause(term) for term in terms]
                size = sum(1 + len(clause.body) for clause in clauses)
                missed = self._positives - len(positive)
                self._better(clauses, Worth(missed, len(negative), size, len(clauses)))
            case Compound("finished", (why,)):
                return why == "exhausted"
        return False

    def _keep(self, term: Term, positive: list[int], negative: list[int]) -> None:
        found = Found(session.clause(term), mask_of(positive), mask_of(negative))
        if self._pool.add(found):
            self._watch.note("clause", clause=str(found.clause), tp=len(positive), fp=len(negative))

    def _choose(self) -> None:
        """The exact choice from the pool."""
        if self._settings.strategy == "cover" or self._task.bias.recursion or not self._pool.clauses:
            return
        chosen = best_cover(
            self._pool.clauses,
            self._watch,
            noise=self._settings.noise > 0,
            most=self._task.bias.max_clauses,
            conflicts=_CONFLICTS,
        ).pieces
        if chosen:
            theory = sorted(chosen, key=lambda found: -found.positive.bit_count())
            self._better([found.clause for found in theory], worth(theory, self._positives))

    def _better(self, theory: list[Clause], found: Worth) -> None:
        """Tell of a theory, if it is better than the one before."""
        most = self._task.bias.max_clauses
        key = found.key(self._settings.noise > 0)
        if (most is not None and len(theory) > most) or (self._key is not None and key >= self._key):
            return
        self._key, self.theory, self._errors = key, theory, found.missed + found.wrong
        self._watch.best(
            Theory.of(theory),
            tp=self._positives - found.missed,
            fn=found.missed,
            fp=found.wrong,
            tn=self._negatives - found.wrong,
        )


LEARNER = MDIE
