"""`mdie`: mode-directed inverse entailment.

The search is Prolog's (prolog/mdie/): seeds are saturated into bottom clauses whose subsets are searched best first.
Here its events are watched, the clock is kept, and the best theory is chosen from the good clauses of all seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

from pydantic import Field

from hornbeam.bitsets import mask_of
from hornbeam.ilp.cover import Score, add_undominated, best_cover, score
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.naming import named
from hornbeam.ilp.watch import Watch, WatchOfPart
from hornbeam.logic import Clause, Compound, Prolog, Term, Var
from hornbeam.logic.terms import conjuncts, literal
from hornbeam.resources import prolog
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, indicator

# Settings that the Prolog learner knows by the same name.
_AS_THEY_ARE = (
    *("strategy", "evaluation", "m", "noise", "nodes", "passes", "growth"),
    *("recall", "max_bottom", "inferences"),
)
_BACKGROUND = "mdie_background"  # the Prolog module of the background knowledge
_FEW = 10  # positives below which a clause may stand for a single one
_CONFLICTS = 50_000  # of one exact choice


class MDIESettings(Settings):
    """Settings of `mdie`. Sizes of clauses and theories, depth and recursion are the bias's."""

    strategy: Literal["few", "max", "cover"] = Field(
        "few", description="few: strong clauses first; max: every positive a seed; cover: the best clause of each seed"
    )
    evaluation: Literal["coverage", "compression", "laplace", "m_estimate", "accuracy"] = Field(
        "coverage", description="what makes one clause better than another"
    )
    m: int = Field(2, ge=0, description="weight of the prior in the m-estimate")
    noise: int = Field(0, ge=0, description="negatives that a clause may cover; above 0 size and errors are added up")
    min_acc: float = Field(0.0, ge=0.0, le=1.0, description="part of what a clause covers that must be positive")
    min_pos: int | None = Field(
        None, ge=1, description="positives that a clause must cover; default: 2, or 1 if there are few positives"
    )
    nodes: int = Field(1000, ge=1, description="clauses tried for a seed in the first pass")
    passes: int = Field(5, ge=1, description="passes over the seeds, each with its bottom clauses in another order")
    growth: int = Field(5, ge=1, description="how many times more clauses each pass may try")
    recall: int = Field(50, ge=1, description="answers of a call that are used, if its mode has no recall")
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
        pl.load_text(task.background, _BACKGROUND, name=f"background of {task.name}", strict=False)
        learned: list[Clause] = []
        complete = True
        for target in task.bias.targets:
            if any(indicator(atom) == target for atom in task.positive):
                heard = watch if len(task.bias.targets) == 1 else WatchOfPart(watch, tuple(learned))
                search = _PredicateSearch(pl, task, target, settings, heard)
                complete = search.learn() and complete
                learned += search.theory
        if complete:
            watch.finished()
        return Theory.of(learned)

    def tolerance(self, wrong: int) -> dict[str, Any]:
        return {"noise": wrong} if wrong else {}

    def space(self, bias: Bias, settings: MDIESettings) -> Space:
        return Space(bias, invention=False)


@dataclass(frozen=True, slots=True)
class GoodClause:
    """A clause worth keeping, and the examples that it covers, as bit sets of their numbers."""

    clause: Clause
    positive: int
    negative: int

    @property
    def size(self) -> int:
        return 1 + len(self.clause.body)


class _PredicateSearch:
    """The learning of one predicate."""

    def __init__(self, pl: Prolog, task: ExampleTask, target: Indicator, settings: MDIESettings, watch: Watch) -> None:
        self._pl, self._task, self._target, self._settings, self._watch = pl, task, target, settings, watch
        self._positives = sum(indicator(atom) == target for atom in task.positive)
        self._negatives = sum(indicator(atom) == target for atom in task.negative)
        self._good: list[GoodClause] = []  # of all seeds, none of which another replaces
        self._pass = 1
        self._key: tuple[int, ...] | None = None
        self._errors = 0
        self.theory: list[Clause] = []

    def learn(self) -> bool:
        """Learn until the end or the time limit; whether the search was exhausted."""
        exhausted = False
        with _events(self._pl, _declarations(self._task, self._target), self._options()) as events:
            for event in events:
                exhausted = self._hear(event) or exhausted
                if self._watch.time_is_up():
                    return False
        self._choose()
        # Seeds are a sample: only of a single clause without errors it is known that no other is better.
        return exhausted and len(self.theory) == 1 and self._errors == 0

    def _options(self) -> list[Term]:
        chosen, bias = self._settings, self._task.bias
        options: dict[str, Term] = {name: getattr(chosen, name) for name in _AS_THEY_ARE}
        options |= {"max_body": bias.max_body, "max_vars": bias.max_vars, "depth": bias.depth}
        options["min_acc"] = float(chosen.min_acc)
        options["min_pos"] = chosen.min_pos or (1 if self._positives < _FEW else 2)
        if chosen.shuffle:
            order = list(range(1, self._positives + 1))
            fast_rng(chosen.seed, "mdie", self._task.name).shuffle(order)
            options["order"] = cast(Term, order)
        return [Compound(name, (value,)) for name, value in options.items()]

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
                clauses = [_clause(term) for term in terms]
                size = sum(1 + len(clause.body) for clause in clauses)
                self._better(clauses, Score(size, self._positives - len(positive), len(negative)))
            case Compound("finished", (why,)):
                return why == "exhausted"
        return False

    def _keep(self, term: Term, positive: list[int], negative: list[int]) -> None:
        good = GoodClause(_clause(term), mask_of(positive), mask_of(negative))
        if add_undominated(self._good, good):
            self._watch.note("clause", clause=str(good.clause), tp=len(positive), fp=len(negative))

    def _choose(self) -> None:
        """The exact choice from the good clauses."""
        bias, noise = self._task.bias, self._settings.noise > 0
        if self._settings.strategy == "cover" or bias.recursion or not self._good:
            return
        cover = best_cover(self._good, self._watch, noise=noise, most=bias.max_clauses, conflicts=_CONFLICTS)
        if cover.pieces:
            theory = sorted(cover.pieces, key=lambda good: -good.positive.bit_count())
            self._better([good.clause for good in theory], score(theory, self._positives))

    def _better(self, theory: list[Clause], reached: Score) -> None:
        """Tell of a theory, if it is better than the one before."""
        most = self._task.bias.max_clauses
        key = (*reached.key(self._settings.noise > 0), len(theory))
        if (most is not None and len(theory) > most) or (self._key is not None and key >= self._key):
            return
        self._key, self.theory, self._errors = key, theory, reached.errors
        self._watch.best(Theory.of(theory), **reached.claims(self._positives, self._negatives))


# The Prolog learner as a stream of events; see prolog/mdie/cover.pl for what they are -------------------------------


def _declarations(task: ExampleTask, target: Indicator) -> list[Term]:
    """The task for one predicate to learn, as prolog/mdie/task.pl reads it."""
    bias = task.bias
    told: list[Term] = [Compound("background", (_BACKGROUND,))]
    told += [Compound("head", (_template(mode),)) for mode in bias.head if mode.indicator == target]
    told += [_body(mode) for mode in bias.body if bias.recursion or mode.indicator != target]
    if bias.recursion and not any(mode.indicator == target for mode in bias.body):
        told += [Compound("body", (_template(mode),)) for mode in bias.head if mode.indicator == target]
    told += [Compound("constants", (type_, list(values))) for type_, values in sorted(bias.constants.items())]
    told += [Compound("positive", (atom,)) for atom in task.positive if indicator(atom) == target]
    told += [Compound("negative", (atom,)) for atom in task.negative if indicator(atom) == target]
    return told


def _template(mode: Mode) -> Term:
    return literal(mode.name, *(Compound(place.fill, (place.type,)) for place in mode.places))


def _body(mode: Mode) -> Term:
    options: list[Term] = [] if mode.recall is None else [Compound("recall", (mode.recall,))]
    options += [Compound("negated", ("true",))] if mode.negated else []
    return Compound("body", (_template(mode), options))


@contextmanager
def _events(pl: Prolog, task: list[Term], options: list[Term]) -> Iterator[Iterator[Compound]]:
    """Start learning; the events come as they are asked for, and none is worked for after the end of the block."""
    pl.load(prolog("mdie", "session.pl"))
    given: dict[str, Term] = {"Task": task, "Options": options}
    opened = pl.once("open_session(Task, Options, Session)", given=given, module="mdie_session")
    assert opened is not None
    session = opened["Session"]
    try:
        yield _stream(pl, session)
    finally:
        pl.ask("close_session(Session)", given={"Session": session}, module="mdie_session")


def _stream(pl: Prolog, session: Term) -> Iterator[Compound]:
    while True:
        answer = pl.once("session_events(Session, 1, Events)", given={"Session": session}, module="mdie_session")
        told = cast(list[Compound], answer["Events"]) if answer else []
        if not told:
            return
        yield from told


def _clause(term: Term) -> Clause:
    """A clause of an event, with variables named A, B, ... in their order."""
    if isinstance(term, Compound) and term.functor == ":-":
        head, body = term.args
        return named(Clause(_with_variables(head), tuple(map(_with_variables, conjuncts(body)))))
    return named(Clause(_with_variables(term)))


def _with_variables(term: Term) -> Term:
    """A term in which '$VAR'(N) are variables."""
    if isinstance(term, list):
        return [_with_variables(part) for part in term]
    if not isinstance(term, Compound):
        return term
    if term.functor == "$VAR":
        return Var(f"V{term.args[0]}")
    return Compound(term.functor, tuple(map(_with_variables, term.args)))


LEARNER = MDIE
