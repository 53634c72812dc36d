"""Both bridges are asked the same thousand random goals and must say the same."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

GOALS = 1000


def random_term(rng: random.Random, depth: int = 3) -> str:
    if depth == 0 or rng.random() < 0.45:
        leaf = ["a", "'B c'", '"text"', "X", "Y", "_", "[]", "'[]'", "{}", "1r3", "é", "'\\n'", "-7", "0.1", "true"]
        return rng.choice([*leaf, str(rng.randrange(10**30)), repr(rng.uniform(-9, 9))])
    parts = [random_term(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
    inside = ", ".join(parts)
    return f"[{inside}]" if rng.random() < 0.4 else f"{rng.choice(['f', 'g', '+', 'an atom'])!r}({inside})"


def random_goal(rng: random.Random) -> str:
    left, right = random_term(rng), random_term(rng)
    return rng.choice(
        [
            f"X = {left}",
            f"{left} = {right}",
            f"member(X, [{left}, {right}, Z])",
            f"X = {left}, copy_term(X, Y)",
            f"msort([{left}, {right}, 3, b], X)",
            f"catch(X is {left}, error(E, _), true)",
            f"term_to_atom({left}, X)",
            f"functor({left}, X, Y)",
            f"length(X, {rng.randrange(4)})",
            f"atom_length({left}, X)",
            f"no_such_thing({left})",
            f"between(1, {rng.randrange(5)}, X)",
            f"{left} ={'' if rng.random() < 0.5 else '='} ((",
            f"throw({left})",
        ]
    )


def answers(seed: int) -> list[str]:
    """What this process' bridge says to each goal."""
    from hornbeam.errors import HornbeamError
    from hornbeam.logic import Prolog

    prolog, rng, said = Prolog(), random.Random(seed), []
    for _ in range(GOALS):
        goal = random_goal(rng)
        try:
            outcome = repr(prolog.all(goal))
        except HornbeamError as error:
            outcome = f"{type(error).__name__} {error}"
        # The numbers of unnamed variables are the engine's own.
        said.append(re.sub(r"(?<![A-Za-z0-9])_[G0-9]+", "_", f"{goal}: {outcome}"))
    return said


def ask_bridge(bridge: str, seed: int) -> list[str]:
    done = subprocess.run(
        [sys.executable, __file__, str(seed)],
        env={**os.environ, "HORNBEAM_PROLOG": bridge, "PYTHONPATH": str(Path(__file__).parents[2] / "pysrc")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said: list[str] = json.loads(done.stdout)
    return said


def test_janus_and_pyswip_say_the_same() -> None:
    seed = 20
    janus, pyswip = ask_bridge("janus", seed), ask_bridge("pyswip", seed)
    assert len(janus) == GOALS
    assert janus == pyswip
    assert sum("Error" in line or "Unknown" in line for line in janus) > 100
    assert sum("Compound" in line for line in janus) > 100


if __name__ == "__main__":
    print(json.dumps(answers(int(sys.argv[1]))))
