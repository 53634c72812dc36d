"""Rules mined and measured a second: `amie`, beside a naive count that asks Prolog about one rule after the other.

Both give support and number of predictions of the same rules of the same world, which is checked. The baseline is even
spared the search: it is told the rules, and only counts them (findall over the body, sort, look up each head). `foil`
is timed on the same worlds: clauses tried a second. CPU seconds.
"""

from __future__ import annotations

import time

from hornbeam.ilp.amie.counting import Measured, measure
from hornbeam.ilp.amie.mining import Miner, Space
from hornbeam.ilp.bias import Bias
from hornbeam.ilp.foil.learner import Foil, FoilSettings
from hornbeam.ilp.relations import World
from hornbeam.ilp.task import FactTask
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Compound, Prolog, to_text
from hornbeam.logic.terms import Term
from hornbeam.seeds import fast_rng
from hornbeam.theory import Theory, herbrand_model

SIZES = (100, 400, 1600)
COUNTED = 400  # rules that the baseline counts; its rate does not need more
_RULES = "top(X,Y) :- mid(Y,X).\nmid(X,Y) :- low(X,Z), base(Z,Y).\nlow(X,Y) :- leaf(X,Y), mark(Y,_)."


def _facts(count: int) -> list[Term]:
    rng = fast_rng(1, "bench", "miners", count)

    def name() -> str:
        return f"c{rng.randrange(count)}"

    given = [Compound(rng.choice(("leaf", "mark", "base", "other")), (name(), name())) for _ in range(count)]
    return sorted(herbrand_model(Theory.parse(_RULES), dict.fromkeys(given)), key=str)


def _mined(world: World) -> tuple[float, list[Measured]]:
    started = time.process_time()
    miner = Miner(world, Space(cross_products=False))
    found = [measure(world, rule) for start in miner.heads() for rule, _ in miner.rules(start)]
    return time.process_time() - started, found


def _counted(world: World, found: list[Measured]) -> float:
    """The same figures by Prolog, a query for each rule."""
    prolog = Prolog()
    text = "".join(
        f"{to_text(world.fact(at, row))}.\n" for at, table in enumerate(world.tables) for row in table.tolist()
    )
    module = prolog.load_text(text, module="bench_miners")
    started = time.process_time()
    for one in found:
        clause = world.clause(one.rule.head, one.rule.body)
        head = to_text(clause.head)
        own = [f"{to_text(atom)} \\== {head}" for atom in clause.body if atom.functor == clause.head.functor]  # type: ignore[union-attr]
        goal = ", ".join([*map(to_text, clause.body), *own])
        counted = prolog.once(
            f"findall({head}, ({goal}), _L), sort(_L, _S), length(_S, Size), "
            "aggregate_all(count, (member(_F, _S), call(_F)), Known)",
            module=module,
        )
        assert counted is not None and (counted["Size"], counted["Known"]) == (len(one.predicted), one.support), goal
    seconds = time.process_time() - started
    prolog.unload(module)
    return seconds


def run() -> None:
    """Print the table."""
    print(f"{'facts':>6} {'rules':>7} {'amie rules/s':>13} {'Prolog rules/s':>15} {'ratio':>7} {'foil tried/s':>13}")
    for size in SIZES:
        facts = _facts(size)
        world = World.of(facts)
        seconds, found = _mined(world)
        sample = found[:: max(1, len(found) // COUNTED)]
        rate, naive = len(found) / seconds, len(sample) / _counted(world, sample)
        watch = Watch(20)
        started = time.process_time()
        Foil().fit(FactTask("bench", tuple(facts), Bias((), (), max_body=2)), FoilSettings(), watch)
        tried = watch.tried / (time.process_time() - started)
        print(f"{world.size:>6} {len(found):>7} {rate:>13,.0f} {naive:>15,.0f} {rate / naive:>7.1f} {tried:>13,.0f}")


if __name__ == "__main__":
    run()
