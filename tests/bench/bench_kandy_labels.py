"""Labels of KANDY pictures: thousands in one call, against one Prolog call a picture with the picture as text.

The pictures are those of our two curricula, 100 a task. The second baseline also takes the name of an object apart as
text at every look-up, as the original's background knowledge does. Times are milliseconds of CPU a picture.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from hornbeam import config as configuration
from hornbeam.kandy.config import KandyConfig
from hornbeam.kandy.curriculum import NamedRule
from hornbeam.kandy.generate import make_plan
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.proving import clingo_labels
from hornbeam.kandy.tree import Tree, prolog_text
from hornbeam.logic import Prolog, String

Work = list[tuple[str, list[Tree]]]
ROUNDS = 3
SPLIT_NAMES = (
    "retractall(kandy_domain:atom_props(_, _, _, _)), "
    "assertz((kandy_domain:atom_props(O, S, C, Z) :- atom(O), split_string(O, '_', '', [S0, C0, Z0]), "
    "atom_string(S, S0), atom_string(C, C0), atom_string(Z, Z0)))"
)


def pictures(preset: str) -> Work:
    """The trees of each task of a preset, with the name of its rule."""
    curriculum = KandyConfig.read(configuration.find("kandy", preset)).curriculum
    work: Work = []
    for task in curriculum.tasks:
        assert isinstance(task.rule, NamedRule)
        work.append((task.rule.name, [row.tree for row in make_plan(task, curriculum, seed=1).rows]))
    return work


def milliseconds(label: Callable[[str, Sequence[Tree]], object], work: Work) -> float:
    """CPU a picture, the best of some rounds; the first call of each rule, which loads it, does not count."""
    for rule, trees in work:
        label(rule, trees[:1])
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for rule, trees in work:
            label(rule, trees)
        best = min(best, time.process_time() - start)
    return best * 1000 / sum(len(trees) for _, trees in work)


def one_by_one(rule: str, trees: Sequence[Tree]) -> list[bool]:
    """A call a picture, which is parsed from its text."""
    prolog = Prolog()
    goal = f"term_string(_T, _Text), kandy_{rule}:valid(_T)"
    return [prolog.ask(goal, given={"_Text": String(prolog_text(tree))}) for tree in trees]


def run() -> None:
    """Print the table."""
    logic = KandyLogic()
    for preset in ("easy", "hard"):
        work = pictures(preset)
        rows = {
            "ours, in bulk": milliseconds(logic.labels, work),
            "ours, in bulk, pointer encoding": milliseconds(logic.pointer_labels, work),
            "clingo, rules written apart": milliseconds(clingo_labels, work),
            "one call a picture, as text": milliseconds(one_by_one, work),
        }
        Prolog().ask(SPLIT_NAMES)
        rows["the same, names split at each look-up"] = milliseconds(one_by_one, work)
        Prolog().ask("retractall(kandy_domain:shape(_))")  # so that the next question puts the domain back
        baseline = rows["the same, names split at each look-up"]
        print(f"{preset}: {sum(len(trees) for _, trees in work)} pictures, ms of CPU a picture")
        for name, value in rows.items():
            print(f"  {name:40} {value:8.4f}   {baseline / value:6.1f} x")
