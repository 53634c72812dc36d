"""Least Herbrand models of 100,000 facts: clingo beside SWI-Prolog's tabling, in the same run.

Both get the same facts as values, compute the same model and count it; the counts must agree. CPU seconds, best of
three. The rules are three shapes: a chain of joins, alternatives with negation, and the closure of short paths.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hornbeam.logic import Prolog
from hornbeam.logic.asp import Facts, Program
from hornbeam.logic.terms import Clause, Compound, Term, Var, to_text

FACTS = 100_000
ROUNDS = 3
X, Y, Z = Var("X"), Var("Y"), Var("Z")


def _atom(name: str, *args: Term) -> Compound:
    return Compound(name, args)


def _no(atom: Term) -> Compound:
    return Compound("\\+", (atom,))


RULES = {
    "chain": [
        Clause(_atom("p", X, Z), (_atom("e", X, Y), _atom("f", Y, Z))),
        Clause(_atom("q", X), (_atom("p", X, Y), _atom("f", X, Z))),
    ],
    "negation": [
        Clause(_atom("p", X, Y), (_atom("e", X, Y), _no(_atom("f", X, Y)))),
        Clause(_atom("p", X, Y), (_atom("f", X, Y), _no(_atom("e", Y, X)))),
        Clause(_atom("q", X), (_atom("p", X, Y), _no(_atom("p", Y, X)))),
    ],
    "closure": [
        Clause(_atom("p", X, Y), (_atom("e", X, Y),)),
        Clause(_atom("p", X, Z), (_atom("p", X, Y), _atom("e", Y, Z))),
    ],
}
MODULE = "bench_herbrand"


def _rows(shape: str) -> dict[str, list[tuple[Term, ...]]]:
    """Sparse random relations; for the closure, paths of ten edges."""
    draw = random.Random(0)
    if shape == "closure":
        return {"e": [(f"c{n}", f"c{n + 1}") for n in range(FACTS * 11 // 10) if n % 11 != 10], "f": []}
    names: list[Term] = [f"c{n}" for n in range(FACTS // 2)]
    rows = {name: [(draw.choice(names), draw.choice(names)) for _ in range(FACTS // 2)] for name in ("e", "f")}
    return {name: list(dict.fromkeys(drawn)) for name, drawn in rows.items()}


def _clingo(rules: list[Clause], rows: dict[str, list[tuple[Term, ...]]]) -> int:
    facts = Facts.rows("e", rows["e"]) | Facts.rows("f", rows["f"])
    return len(Program(rules).model(facts))


def _clingo_file(rules: list[Clause], file: Path) -> int:
    return len(Program(rules).model(Facts.read(file)))


LOAD = "forall(member([_A,_B], E), assertz(e(_A,_B))), forall(member([_C,_D], F), assertz(f(_C,_D)))"
COUNT = "aggregate_all(count, p(_,_), _P), aggregate_all(count, q(_), _Q), N is _P + _Q"


def _prolog(rules: list[Clause], rows: dict[str, list[tuple[Term, ...]]]) -> int:
    """Subsumptive tables, asked open and leaves first: variant tables open one for each bound call."""
    prolog = Prolog()
    head = [":- use_module(library(aggregate)).", ":- dynamic e/2, f/2, p/2, q/1."]
    head.append(":- table (p/2, q/1) as subsumptive.")
    prolog.load_text("\n".join([*head, *map(to_text, rules)]), MODULE, strict=False)
    given: dict[str, Term] = {"E": [list(row) for row in rows["e"]], "F": [list(row) for row in rows["f"]]}
    answer = prolog.once(f"{LOAD}, {COUNT}", given=given, module=MODULE)
    prolog.unload(MODULE)
    assert answer is not None
    derived = answer["N"]
    assert isinstance(derived, int)
    return derived + len(rows["e"]) + len(rows["f"])


def _best(work: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds of the fastest round, and what it counted."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        count = work()
        times.append(time.process_time() - started)
    return min(times), count


def run() -> None:
    """Print one line for each shape."""
    print(f"{'rules':10}{'model':>9}{'clingo s':>10}{'.lp file s':>12}{'SWI-Prolog s':>14}{'SWI / clingo':>14}")
    for shape, rules in RULES.items():
        rows = _rows(shape)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "facts.lp"
            file.write_text((Facts.rows("e", rows["e"]) | Facts.rows("f", rows["f"])).source)
            ours, size = _best(partial(_clingo, rules, rows))
            from_file, same = _best(partial(_clingo_file, rules, file))
        theirs, count = _best(partial(_prolog, rules, rows))
        if not size == same == count:
            raise AssertionError(f"{shape}: clingo finds {size} facts, SWI-Prolog {count}")
        print(f"{shape:10}{size:9}{ours:10.2f}{from_file:12.2f}{theirs:14.2f}{theirs / ours:14.2f}")


if __name__ == "__main__":
    run()
