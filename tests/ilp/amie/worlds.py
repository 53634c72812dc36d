"""Small worlds with planted rules."""

from __future__ import annotations

from collections.abc import Iterable

from hornbeam.ilp.relations import FactBase
from hornbeam.logic.terms import Compound, Term, to_text
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import FactTask
from hornbeam.theory import Theory, herbrand_model


def task(facts: Iterable[Term], bias: Bias | None = None) -> FactTask:
    return FactTask("test", tuple(facts), bias or Bias((), (), max_body=2))


def planted(
    rules: str, given: dict[str, int], *, constants: int, seed: int, hidden: float = 0.0, noise: float = 0.0
) -> list[Term]:
    """Random facts of binary predicates and what follows from them by the rules: some of that hidden, some false."""
    rng = fast_rng(seed, "planted")

    def atom(name: str) -> Compound:
        return Compound(name, (f"c{rng.randrange(constants)}", f"c{rng.randrange(constants)}"))

    support = {atom(name): None for name, count in given.items() for _ in range(count)}
    model = sorted(herbrand_model(Theory.parse(rules), support), key=str)
    derived = [fact for fact in model if fact not in support]
    kept = [fact for fact in derived if rng.random() >= hidden]
    names = sorted({fact.functor for fact in model if isinstance(fact, Compound)})
    false = [atom(rng.choice(names)) for _ in range(int(noise * len(model)))]
    return list(dict.fromkeys([*support, *kept, *false]))


def facts_of(world: FactBase) -> list[str]:
    """The facts of a world, a line each."""
    return [
        to_text(Compound(name, tuple(world.constants[at] for at in row))) + ".\n"
        for (name, _), table in zip(world.predicates, world.tables, strict=True)
        for row in table.tolist()
    ]
