"""Verdicts on theories of RuDaS tasks: clause by clause, by containment, by small databases, on fresh worlds.

A theory of the view `facts` is compared with all rules of a task, on databases over all predicates. A theory of the
view `examples` has rules for one predicate. The others are what they are in a world, support and what follows by the
true rules: its definitions say so (`p1(A,B) :- true_fact(p1,A,B).`), and the rules of that predicate are compared.

>>> court(ds, "RDG-XS-3-0").verdict(theory)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from hornbeam.errors import HornbeamError, UsageError, nearest, unknown_name
from hornbeam.logic.terms import Clause, Compound, Term, Var, to_text
from hornbeam.rudas.fresh_worlds import Database, fresh_worlds
from hornbeam.rudas.record import fact_row, fact_text, theories
from hornbeam.seeds import fast_rng
from hornbeam.tasks.court import Court, Difference, NotComparable, Trial
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.tasks.vocabulary import LEAST_CLAUSES, RULES, Vocabulary
from hornbeam.theory import Theory, decide
from hornbeam.theory.blame import explain
from hornbeam.theory.distance import canonical
from hornbeam.theory.subsumption import subsumed
from hornbeam.theory.theory import Indicator, atom_of, indicator, is_test
from hornbeam.theory.verdict import Verdict, Witness

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample
    from hornbeam.theory.counterexample import Counterexample

# What a learned file defines the predicates of the dataset by; see prolog/rudas/mine.pl.
SUPPORT, TRUE = "fact", "true_fact"
_VARIABLES = "ABCDEF"
# The world of a sample, in prolog/rudas/dataset.pl.
_WORLD = "sample(Id, Task, Split, _, Atom), split_world(Split, World)"
_FEW = 6  # constants of a world whose facts can all be asked


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> RudasCourt:
    """The court for theories of a task.

    Args:
        dataset: A RuDaS dataset.
        task: The task, also as TASK:TARGET, which is what the view `examples` calls it.
        options: `target` where one predicate was learned; the other options of that view change nothing here.
    """
    name, colon, target = (task or "").rpartition(":")
    if colon and task not in dataset.tasks and name in dataset.tasks:
        return RudasCourt(dataset, name, target)
    return RudasCourt(dataset, dataset.one_task(task), (options or {}).get("target"))


def definitions(predicates: Iterable[Indicator], source: str) -> dict[Indicator, tuple[Clause, ...]]:
    """What the predicates are over the facts of a dataset.

    >>> str(definitions([("p1", 2)], SUPPORT)["p1", 2][0])
    'p1(A,B) :- fact(p1,A,B).'
    """
    known: dict[Indicator, tuple[Clause, ...]] = {}
    for name, arity in sorted(predicates):
        if arity <= len(_VARIABLES):
            args = tuple(map(Var, _VARIABLES[:arity]))
            known[name, arity] = (Clause(Compound(name, args), (Compound(source, (name, *args)),)),)
    return known


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What is compared with what: whole programs, of which `own` clauses of the learned one were learned."""

    true: Theory
    learned: Theory
    own: int
    target: Indicator | None
    decidable: bool  # whether the programs say all that Prolog answers

    def shows(self, fact: Term) -> bool:
        """Whether the theories can be told apart by this fact."""
        return self.target is None or indicator(fact) == self.target


class RudasCourt(Court):
    """Judges theories of one task; `target` is the predicate that was learned, None for all."""

    kind: ClassVar[str] = "facts"
    form: ClassVar[str] = "Rules over the predicates of the dataset, as datalog: the heads are what is to be derived."
    silent: ClassVar[str] = "underived"

    def __init__(self, dataset: Dataset, task: str, target: str | None) -> None:
        super().__init__(dataset, task)
        self._name = task
        self._target = None if target is None else self._predicate(target)

    @cached_property
    def _rules(self) -> list[Clause]:
        return theories(self.dataset)[self._name].clauses

    @cached_property
    def _known(self) -> set[Indicator]:
        """The predicates of the dataset: of all tasks, as theory_predicates/1 has it in Prolog."""
        rows = {(row[0], len(row) - 1) for row in map(fact_row, self.dataset.samples)}
        rules = [clause for task in theories(self.dataset).values() for clause in task.clauses]
        return rows | set(Theory.of(rules).predicates)

    def _predicate(self, name: str) -> Indicator:
        known = {one: (one, arity) for one, arity in self._known}
        if name not in known:
            raise unknown_name("target", name, sorted(known))
        return known[name]

    @property
    def truth(self) -> Theory:
        if not self._rules:
            raise NotComparable("the task has no true rules")
        return Theory.of(self._rules if self._target is None else self._needed({self._target}))

    def defined(self, theory: Theory) -> Theory:
        target = self._target_of(theory)
        self._check_calls(theory)
        known = definitions(self._known - ({target} if target else set()), SUPPORT if target is None else TRUE)
        carried = {indicator(statement.clause.head) for statement in theory.definitions}
        used = sorted(theory.predicates - theory.defines - carried)
        added = [clause for predicate in used if predicate in known for clause in known[predicate]]
        return theory.with_definitions([*(one.clause for one in theory.definitions), *added]) if added else theory

    def _check_calls(self, theory: Theory) -> None:
        """UsageError for a predicate that neither the theory nor the dataset has."""
        program = theory.program
        for statement in theory.statements:
            for literal in statement.clause.body:
                called = indicator(atom_of(literal))
                if not is_test(called) and called not in program.defines and called not in self._known:
                    name = f"{called[0]}/{called[1]}"
                    hint = nearest(name, [f"{one}/{arity}" for one, arity in sorted(self._known)])
                    raise UsageError(
                        f"the theory calls {name}, which neither it nor the dataset defines"
                        f"{f'; did you mean {hint}?' if hint else ''}",
                        file=theory.name,
                        line=statement.line,
                    )

    def aligned(self, theory: Theory) -> tuple[Theory, Theory]:
        target = self._target_of(theory)
        if target is None:
            return self.truth, theory
        return Theory.of([rule for rule in self._rules if indicator(rule.head) == target]), theory

    # The two programs -------------------------------------------------------------------------------------------------

    def _target_of(self, theory: Theory) -> Indicator | None:
        """The one predicate that a theory is about; if it is not named, the definitions tell."""
        if self._target is not None:
            return self._target
        bodies = [indicator(part)[0] for statement in theory.definitions for part in statement.clause.body]
        heads = [head for head in map(indicator, theory.heads) if head in self._known]
        return heads[0] if TRUE in bodies and heads else None

    def _needed(self, predicates: set[Indicator]) -> list[Clause]:
        """The true rules for these predicates and for all that their rules call, in their order."""
        reached = set(predicates)
        while True:
            rules = [rule for rule in self._rules if indicator(rule.head) in reached]
            called = set(Theory.of(rules).predicates)
            if called <= reached:
                return rules
            reached |= called

    def _comparison(self, theory: Theory) -> _Comparison:
        target = self._target_of(theory)
        if target is None:
            return _Comparison(self.truth, theory, len(theory), None, True)
        whole = self._needed({target, *theory.predicates})
        below = [rule for rule in whole if indicator(rule.head) != target]
        # Where a predicate of the background rests on the target, its true facts and the learned rules are apart.
        apart = not any(indicator(atom_of(part)) == target for rule in below for part in rule.body)
        return _Comparison(Theory.of(whole), Theory.of([*theory.clauses, *below]), len(theory), target, apart)

    # The procedure ----------------------------------------------------------------------------------------------------

    def prove(self, theory: Theory) -> str | None:
        pair = self._comparison(theory)
        true, learned = pair.true.clauses, pair.learned.clauses
        same = pair.decidable and all(subsumed(true, learned)) and all(subsumed(learned, true))
        return "clause by clause" if same else None

    def _verdict(self, theory: Theory, fresh: int, seed: int) -> Verdict:
        pair = self._comparison(theory)
        method = self.prove(theory) if len(theory) else None
        if method is not None:
            return Verdict.equal(method)
        if pair.decidable:
            given = self._known if pair.target is None else set(pair.true.predicates)
            decided = decide(pair.true, pair.learned, given=given)
            if decided.verdict:
                return Verdict.equal("by containment")
            if decided.counterexample is not None:
                refuted = self._by_database(theory, pair, decided.counterexample)
                if refuted is not None:
                    return refuted
        return self._by_worlds(theory, pair, fresh, seed)

    def _by_database(self, theory: Theory, pair: _Comparison, example: Counterexample) -> Verdict | None:
        """Refuted, if SWI-Prolog confirms that the database tells the theories apart."""
        database = Database(self._name, example.facts, {example.fact: example.by == "true"})
        differences = self._told_apart(theory, database) if pair.shows(example.fact) else []
        if not differences:
            return None
        return self._refuted_on(theory, pair, database, differences[0], 1, "a small database")

    def _by_worlds(self, theory: Theory, pair: _Comparison, fresh: int, seed: int) -> Verdict:
        asked = 0
        for world in fresh_worlds(self.dataset, self._name, seed):
            database = world.asking(pair.true, pair.learned, pair.shows, fresh - asked)
            if not database.asked:
                continue
            asked += len(database.asked)
            differences = self._told_apart(theory, database)
            if differences:
                share = f"{len(differences):,} of {len(database.asked):,} facts of a fresh world"
                return self._refuted_on(theory, pair, database, differences[0], asked, share)
            if asked >= fresh:
                break
        return Verdict.agrees(asked)

    def _told_apart(self, theory: Theory, database: Database) -> list[Difference]:
        samples = database.samples()
        return self.differences_among(theory, samples[len(database.facts) :], samples)

    # Many theories ----------------------------------------------------------------------------------------------------

    def vocabulary(self) -> Vocabulary:
        """Rules for the target, or for any predicate of the task where none is named."""
        own = self._own_predicates
        heads = own if self._target is None else [self._target]
        most = max(LEAST_CLAUSES, 2 * len(self._rules))
        return Vocabulary(dict.fromkeys(heads, RULES), frozenset(own) - set(heads), clauses=most)

    @cached_property
    def _own_predicates(self) -> list[Indicator]:
        rows = {(row[0], len(row) - 1) for row in map(fact_row, self.dataset.samples.task(self._name))}
        return sorted(rows | set(Theory.of(self._rules).predicates))

    def trial(self, count: int, seed: int) -> Trial:
        """Two small worlds of few constants, with new names, each asked about as many facts that follow as do not."""
        pair = self._comparison(self.truth)
        rng = fast_rng(seed, "rudas", self._name, "trial")
        given: list[Sample] = []
        drawn: list[Sample] = []
        worlds = (world for world in fresh_worlds(self.dataset, self._name, seed) if len(world.constants) <= _FEW)
        for split, world in zip(("train", "test"), worlds, strict=False):
            told = world.renamed(rng)
            told_facts, asked = told.all_asked(pair.true, self._asked_predicates, count // 2)
            names = [f"s{number}" for number in rng.sample(range(10**6, 10**7), len(told_facts) + len(asked))]
            samples = [replace(one, split=split, id=names.pop()) for one in told_facts]
            given += samples
            drawn += [replace(one, split=split, id=names.pop()) for one in asked]
        return Trial(drawn, given=given)

    @property
    def _asked_predicates(self) -> list[Indicator]:
        return self._own_predicates if self._target is None else [self._target]

    # What is shown ----------------------------------------------------------------------------------------------------

    def _refuted_on(
        self, theory: Theory, pair: _Comparison, database: Database, difference: Difference, asked: int, method: str
    ) -> Verdict:
        fact = next(one for one in database.asked if to_text(one) == fact_text(difference.sample))
        database = database.about(fact, pair.true, pair.learned)
        prolog = "".join(self.dataset.family.facts(sample) for sample in database.samples())
        given = ", ".join(map(to_text, database.facts)) or "no facts"
        text = f"{to_text(fact)} from {given}"
        witness = Witness(self.kind, text, difference.true, difference.learned, prolog)
        blame = self._blamed(theory, pair, database.facts, fact, difference)
        return Verdict.refuted(witness, method=method, fresh=asked, blame=blame)

    def starter(self) -> str:
        """A rule that takes a predicate of the dataset for another of the same arity."""
        known = sorted(self._known)
        pairs = ((one, other) for one in known for other in known if one != other and one[1] == other[1])
        (head, arity), (body, _) = next(pairs, (known[0], known[0]))
        args = tuple(map(Var, _VARIABLES[:arity]))
        return f"{to_text(Clause(Compound(head, args), (Compound(body, args),)))}\n"

    def sample_predicates(self) -> Sequence[Indicator]:
        return sorted(self._known)

    def blame_in(self, room: Courtroom, theory: Theory, difference: Difference) -> str | None:
        """The rule that derives a fact wrongly, or the literal at which the nearest rule fails."""
        room.hear(theory)
        if difference.learned == "derived":
            proved: Any = room.once(f"{_WORLD}, proof_of(mine, Task, World, Atom, Proof)", Id=difference.sample.id)
            proof = proved and proved["Proof"]
            return _own_text(theory, proof.args[1]) if proof and proof.functor == "because" else None
        goal = f"{_WORLD}, nearest_rule(mine, Task, World, Atom, Rule, Failing)"
        found: Any = room.once(goal, Id=difference.sample.id)
        if found is None:
            name, *arguments = fact_row(difference.sample)
            return f"no rule concludes {name}/{len(arguments)}"
        return f"{to_text(found['Failing'])} fails in {_own_text(theory, found['Rule'])}"

    def _blamed(
        self, theory: Theory, pair: _Comparison, facts: Sequence[Term], fact: Term, difference: Difference
    ) -> str | None:
        missing, extra = ([fact], []) if difference.true == "derived" else ([], [fact])
        try:
            lost, wrong = explain(pair.true.clauses, pair.learned.clauses, facts, missing=missing, extra=extra)
        except HornbeamError:
            return None
        if wrong and wrong[0].clause is not None and wrong[0].clause < pair.own:
            return f"{theory.texts[wrong[0].clause]}"
        if lost and lost[0].clause is not None:
            return f"nothing does the work of {pair.true.texts[lost[0].clause]}"
        return None


def _own_text(theory: Theory, rule: Compound) -> str:
    """The rule of a theory that Prolog has as rule(Head, Literals), as it was written."""
    head, body = rule.args
    clause = Clause(head, tuple(body if isinstance(body, list) else ()))
    texts = (
        text for one, text in zip(theory.clauses, theory.texts, strict=True) if canonical(one) == canonical(clause)
    )
    return next(texts, to_text(clause))
