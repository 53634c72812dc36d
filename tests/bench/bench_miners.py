"""Mining against generating and testing: all rules of a space, each counted by a query of its own in Prolog.

`amie` decides about every rule of the space, most of them without a look, as support falls when atoms are added. The
baseline, generate and test, makes every rule of the same space and counts support and predictions in Prolog (findall
over the body, sort, look up each head); it is timed on an even choice of the rules, and its whole time is reckoned from
that. The figures of the mined rules among them are checked. `foil` is timed on the same worlds. CPU seconds.
"""

from __future__ import annotations

import time
from itertools import product

from hornbeam.ilp.amie.rules import Measured, MinedRule, canonical, measure
from hornbeam.ilp.amie.search import Miner, RuleSpace
from hornbeam.ilp.foil.learner import Foil, FoilSettings
from hornbeam.ilp.relations import FactBase, TableAtom, patterns
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Compound, Prolog, to_text
from hornbeam.logic.terms import Term
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FactTask
from hornbeam.theory import Theory, herbrand_model
from tests.ilp.amie.worlds import facts_of

SIZES = (100, 400, 1600)
COUNTED = 1000  # rules that the baseline is timed on
_RULES = "top(X,Y) :- mid(Y,X).\nmid(X,Y) :- low(X,Z), base(Z,Y).\nlow(X,Y) :- leaf(X,Y), mark(Y,_)."


def _facts(count: int) -> list[Term]:
    rng = fast_rng(1, "bench", "miners", count)

    def name() -> str:
        return f"c{rng.randrange(count)}"

    given = [Compound(rng.choice(("leaf", "mark", "base", "other")), (name(), name())) for _ in range(count)]
    return sorted(herbrand_model(Theory.parse(_RULES), dict.fromkeys(given)), key=str)


def _mined(world: FactBase) -> tuple[float, list[Measured]]:
    started = time.process_time()
    miner = Miner(world, RuleSpace(cross_products=False))
    found = [measure(world, rule) for start in miner.heads() for rule, _ in miner.rules(start)]
    return time.process_time() - started, found


def _space(world: FactBase) -> list[MinedRule]:
    """Every rule of the space, whatever its support."""
    found: dict[MinedRule, None] = {}
    space = RuleSpace(cross_products=False)
    front = [
        MinedRule(TableAtom(at, args[1:]), ())
        for at in range(len(world.predicates))
        for args in patterns(3, 0, 0, space.max_vars)
    ]
    for _ in range(space.max_body):
        grown: dict[MinedRule, None] = {}
        for rule in front:
            names = sorted(rule.variables)
            for at, place, variable in product(range(len(world.predicates)), range(2), names):
                for way in patterns(2, len(names), place, space.max_vars):
                    atom = TableAtom(at, tuple(variable if arg == -1 else arg for arg in way))
                    grown[canonical(MinedRule(rule.head, (*rule.body, atom)))] = None
        front = [rule for rule in grown if not rule.trivial]
        found.update(dict.fromkeys(rule for rule in front if space.admits(rule)))
    return list(found)


def _counted(world: FactBase, rules: list[MinedRule], mined: dict[MinedRule, Measured]) -> float:
    """Seconds for the figures of the rules by Prolog, a query for each."""
    prolog = Prolog()
    module = prolog.load_text("".join(facts_of(world)), module="bench_miners")
    started = time.process_time()
    for rule in rules:
        clause = world.clause(rule.head, rule.body)
        head = to_text(clause.head)
        own = [
            f"{to_text(world.term(atom))} \\== {head}" for atom in rule.body if atom.predicate == rule.head.predicate
        ]
        goal = ", ".join([*map(to_text, clause.body), *own])
        counted = prolog.once(
            f"findall({head}, ({goal}), _L), sort(_L, _S), length(_S, Size), "
            "aggregate_all(count, (member(_F, _S), call(_F)), Known)",
            module=module,
        )
        one = mined.get(rule)
        assert counted is not None
        assert one is None or (counted["Size"], counted["Known"]) == (len(one.predicted), one.support), goal
    seconds = time.process_time() - started
    prolog.unload(module)
    return seconds


def run() -> None:
    """Print the table."""
    print(f"{'facts':>6} {'space':>7} {'found':>6} {'amie rules/s':>13} {'gen. and test':>18} {'ratio':>7} {'foil':>8}")
    for size in SIZES:
        facts = _facts(size)
        world = FactBase.of(facts)
        seconds, found = _mined(world)
        rules = _space(world)
        chosen = rules[:: max(1, len(rules) // COUNTED)]
        rate = len(rules) / seconds
        naive = len(chosen) / _counted(world, chosen, {one.rule: one for one in found})
        watch = Watch(20)
        started = time.process_time()
        Foil().fit(FactTask("bench", tuple(facts), Bias((), (), max_body=2)), FoilSettings(), watch)
        tried = watch.tried / (time.process_time() - started)
        print(
            f"{sum(map(len, world.tables)):>6} {len(rules):>7} {len(found):>6} {rate:>13,.0f} {naive:>18,.0f} "
            f"{rate / naive:>7.1f} {tried:>8,.0f}"
        )


if __name__ == "__main__":
    run()
