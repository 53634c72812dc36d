"""10,000 small goals: in bulk through our bridge, against one raw query per goal through Janus and pyswip.

SWI-Prolog has one engine a process, so pyswip is measured in a process of its own, in the same run. The best of five
rounds counts for each. Janus' apply_once, which only calls a predicate with one output, is shown beside.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

GOALS = 10_000
ROUNDS = 5
PROGRAM = "above(X) :- X > 5000.\ndouble(X, Y) :- Y is X * 2.\n"


def rate(work: Callable[[], object]) -> float:
    """Goals a CPU second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = max(best, GOALS / (time.process_time() - start))
    return best


def ours_and_janus() -> dict[str, float]:
    from hornbeam.logic import Prolog

    prolog = Prolog("janus")
    prolog.load_text(PROGRAM, "bench")
    import janus_swi as janus

    rows = list(range(GOALS))

    def raw() -> None:
        for row in rows:
            janus.query_once("bench:above(X)", {"X": row})

    def single() -> None:
        for row in rows:
            prolog.ask("above(X)", given={"X": row}, module="bench")

    def raw_apply() -> None:
        for row in rows:
            janus.apply_once("bench", "double", row)

    return {
        "ours, bulk ask": rate(lambda: prolog.ask_many("above(X)", over="X", rows=rows, module="bench")),
        "ours, bulk with a value back": rate(
            lambda: prolog.once_many("double(X, Y)", over="X", get="Y", rows=rows, module="bench")
        ),
        "ours, one call a goal": rate(single),
        "Janus, one raw call a goal": rate(raw),
        "Janus, one apply_once a goal": rate(raw_apply),
    }


def pyswip_alone() -> float:
    from hornbeam.logic import Prolog

    Prolog("pyswip").load_text(PROGRAM, "bench")
    from pyswip.prolog import Prolog as Pyswip

    def raw() -> None:
        for row in range(GOALS):
            list(Pyswip.query(f"bench:above({row})", maxresult=1))

    return rate(raw)


def run() -> None:
    rates = ours_and_janus()
    done = subprocess.run(
        [sys.executable, __file__, "pyswip"],
        env={**os.environ, "HORNBEAM_PROLOG": "pyswip"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    rates["pyswip, one raw call a goal"] = float(done.stdout.split()[-1])
    baseline = max(rates["Janus, one raw call a goal"], rates["pyswip, one raw call a goal"])
    for name, value in rates.items():
        print(f"{name:<30} {value:>12,.0f} goals/s   {value / baseline:6.2f} x the better raw call")


if __name__ == "__main__":
    print(pyswip_alone())
