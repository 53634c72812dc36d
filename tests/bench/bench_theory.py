"""Evaluation of learned theories: a hundred rules on a hundred facts, R-scores, coverage, differences.

The baselines go the ways of the original evaluator, written down plainly: naive evaluation tries all facts for each
body atom, and the rule distance tries all renamings. CPU seconds; naive evaluation gets a time limit, and then the
ratio is a lower bound.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from itertools import permutations
from typing import Any

from hornbeam.logic.terms import Clause, Compound, Term, Var, variables
from hornbeam.theory import Theory, compare, diff, herbrand_model, rule_distance
from hornbeam.theory.distance import assign

LIMIT = 20.0


def run() -> None:
    """Print a table."""
    print(f"{'task':<58}{'ours':>12}{'baseline':>14}{'ratio':>10}  baseline")
    for row in (_evaluation(), _big_model(), _distance(4), _distance(1), _difference()):
        task, ours, other, what = row
        shown = f"{abs(other) * 1000:.2f} ms" if other else ""
        more = ">" if other < 0 else ""
        ratio = f"{more}{abs(other) / ours:.1f}x" if other else ""
        print(f"{task:<58}{ours * 1000:>9.2f} ms{more + shown:>14}{ratio:>10}  {what}")


Row = tuple[str, float, float, str]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = _cpu()
    result = work()
    return _cpu() - start, result


def _cpu() -> float:
    """CPU seconds of this process and of the limited processes that it started."""
    used = os.times()
    return time.process_time() + used.children_user + used.children_system


# 102 rules on 100 facts --------------------------------------------------------------------------------------------


def _rules(draw: random.Random, count: int) -> list[Clause]:
    """Rules such as a miner prints: two or three atoms over ten binary predicates, recursion included."""
    found = []
    for _ in range(count):
        names = [Var(name) for name in "XYZW"]
        body = tuple(
            Compound(f"p{draw.randrange(10)}", (draw.choice(names), draw.choice(names)))
            for _ in range(draw.choice((2, 3)))
        )
        bound = [Var(name) for name in variables(Clause("p", body))]
        found.append(Clause(Compound(f"p{draw.randrange(10)}", (draw.choice(bound), draw.choice(bound))), body))
    return found


def _facts(draw: random.Random, count: int) -> list[Term]:
    names = [f"c{n}" for n in range(60)]
    return [Compound(f"p{draw.randrange(10)}", (draw.choice(names), draw.choice(names))) for _ in range(count)]


def _evaluation() -> Row:
    draw = random.Random(1)
    true, learned, facts = Theory.of(_rules(draw, 5)), Theory.of(_rules(draw, 102)), _facts(draw, 102)
    ours, found = _timed(lambda: compare(true, learned, facts, effects=False))
    model = herbrand_model(learned, facts)
    naive, size = _timed(lambda: _naive(learned.clauses, facts))
    if size is not None:
        assert size == len(model)
    name = f"evaluate 102 rules on 102 facts ({found.tp + found.fp} derived)"
    return name, ours, naive if size is not None else -naive, "naive evaluation, one pass over facts an atom"


def _naive(clauses: tuple[Clause, ...], facts: list[Term]) -> int | None:
    """All instances of each body by trying all facts, until nothing new comes; None when the time is up."""
    end = time.process_time() + LIMIT
    model: dict[Term, None] = dict.fromkeys(facts)
    while True:
        grown: dict[Term, None] = {}
        for clause in clauses:
            answers: list[dict[str, Term]] = [{}]
            for atom in clause.body:
                joined: list[dict[str, Term]] = []
                for old in answers:
                    if time.process_time() > end:
                        return None
                    joined += [new for fact in model if (new := _match(atom, fact, old)) is not None]
                answers = joined
            for answer in answers:
                assert isinstance(clause.head, Compound)
                head = Compound(
                    clause.head.functor, tuple(answer[a.name] for a in clause.head.args if isinstance(a, Var))
                )
                if head not in model:
                    grown[head] = None
        if not grown:
            return len(model)
        model.update(grown)


def _match(atom: Term, fact: Term, bindings: dict[str, Term]) -> dict[str, Term] | None:
    assert isinstance(atom, Compound) and isinstance(fact, Compound)
    if atom.functor != fact.functor:
        return None
    found = dict(bindings)
    for variable, value in zip(atom.args, fact.args, strict=True):
        assert isinstance(variable, Var)
        if found.setdefault(variable.name, value) != value:
            return None
    return found


def _big_model() -> Row:
    draw = random.Random(2)
    names = [f"c{n}" for n in range(10_000)]
    facts: list[Term] = [Compound(f"e{n % 3}", (draw.choice(names), draw.choice(names))) for n in range(100_000)]
    true = Theory.parse("p(X,Z) :- e0(X,Y), e1(Y,Z). q(X) :- p(X,Y), e2(Y,_). p(X,Y) :- e2(Y,X).")
    learned = Theory.parse("p(X,Z) :- e0(X,Y), e1(Y,Z). q(X) :- p(X,_).")
    ours, found = _timed(lambda: compare(true, learned, facts, effects=False))
    decoded, _ = _timed(lambda: [set(herbrand_model(theory, facts)) for theory in (true, learned)])
    return (
        f"compare two models over 100,000 facts ({found.tp} agree)",
        ours,
        decoded,
        "both models decoded to Python terms",
    )


# R-score -----------------------------------------------------------------------------------------------------------


def _distance(predicates: int) -> Row:
    draw = random.Random(3)
    pairs = []
    for _ in range(20):
        clauses = []
        for _ in range(2):
            names = [Var(f"V{n}") for n in range(8)]
            body = [Compound(f"b{n % predicates}", (draw.choice(names), draw.choice(names))) for n in range(7)]
            clauses.append(Clause(Compound("p", (names[0], names[1])), tuple(body)))
        pairs.append((clauses[0], clauses[1]))
    ours, _ = _timed(lambda: [rule_distance(one, other) for one, other in pairs])
    brute, least = _timed(lambda: _brute_force(*pairs[0]))
    assert abs(least - float(rule_distance(*pairs[0]))) < 1e-9
    name = f"R-score of 7 atoms, 8 variables, {predicates} predicate{'s' * (predicates > 1)} (mean of 20)"
    return name, ours / len(pairs), brute, "all renamings, best pairing for each"


def _brute_force(one: Clause, other: Clause) -> float:
    """Each injective renaming with its cheapest pairing."""
    mine, theirs = variables(one), variables(other)
    if len(mine) > len(theirs):
        return _brute_force(other, one)
    best = float("inf")
    for chosen in permutations(theirs, len(mine)):
        names = dict(zip(mine, chosen, strict=True))
        costs = [[_atom_distance(a, b, names) for b in other.body] for a in one.body]
        pairing = sum(row[at] for row, at in zip(costs, assign(costs), strict=True))
        best = min(best, _atom_distance(one.head, other.head, names) + pairing)
    return best / (len(one.body) + 1)


def _atom_distance(one: Term, other: Term, names: dict[str, str]) -> float:
    assert isinstance(one, Compound) and isinstance(other, Compound)
    if one.functor != other.functor:
        return 1.0
    pairs = zip(one.args, other.args, strict=True)
    wrong = sum(not (isinstance(a, Var) and isinstance(b, Var) and names[a.name] == b.name) for a, b in pairs)
    return wrong / (2 * len(one.args))


# The whole difference ----------------------------------------------------------------------------------------------


def _difference() -> Row:
    draw = random.Random(4)
    true, learned, facts = Theory.of(_rules(draw, 8)), Theory.of(_rules(draw, 12)), _facts(draw, 200)
    ours, _ = _timed(lambda: diff(true, learned, facts=facts))
    return "diff of 8 and 12 rules on 200 facts, with proofs", ours, 0.0, "(no baseline: nobody else makes one)"


if __name__ == "__main__":
    run()
