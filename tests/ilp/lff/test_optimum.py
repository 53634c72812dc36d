"""The best theory is the one that trying everything gives: no constraint takes away too much."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hornbeam.ilp.lff.language import RuleLanguage
from hornbeam.ilp.lff.vocabulary import symbols
from hornbeam.tasks.bias import Mode
from hornbeam.tasks.problem import ExampleTask
from tests.ilp.lff.tasks import all_rules, head_of, is_finished, learn, task

OBJECTS = "abcd"


def brute_force(
    given: ExampleTask, rows: dict[str, set[tuple[str, ...]]], noise: bool, most: int | None = None
) -> tuple[int, ...]:
    """The measure of the best theory, by joins in Python over every rule and dynamic programming over covers."""
    language = RuleLanguage(head_of(given), symbols(given.bias, {}), given.bias)
    positive, negative = [_values(atom) for atom in given.positive], [_values(atom) for atom in given.negative]
    # By what is covered, and where it is bounded by the number of rules.
    best: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
    cheapest: dict[tuple[int, int], int] = {}
    for body in all_rules(language):
        cover = _cover(language, body, rows, positive), _cover(language, body, rows, negative)
        cheapest[cover] = min(cheapest.get(cover, 99), 1 + len(body))
    for (covered, wrong), size in cheapest.items():
        for (old, old_wrong, count), old_size in list(best.items()):
            if most is None or count < most:
                key = (old | covered, old_wrong | wrong, 0 if most is None else count + 1)
                best[key] = min(best.get(key, 999), old_size + size)
    everything = (1 << len(positive)) - 1
    scores = [
        (wrong.bit_count(), (everything & ~covered).bit_count(), size) for (covered, wrong, _), size in best.items()
    ]
    if noise:
        return (min(sum(score) for score in scores),)
    return min(score for score in scores if score[0] == 0)


def _values(atom: object) -> tuple[str, ...]:
    return atom.args  # type: ignore[attr-defined, no-any-return]


def _cover(language: RuleLanguage, body: frozenset[int], rows: dict[str, set[tuple[str, ...]]], examples: list) -> int:  # type: ignore[type-arg]
    goals = [language.literals[number] for number in sorted(body)]
    goals.sort(key=lambda each: language.symbols[each.symbol].negated)

    def holds(place: int, bound: dict[int, str]) -> bool:
        if place == len(goals):
            return True
        goal = goals[place]
        symbol = language.symbols[goal.symbol]
        places = symbol.places
        found = False
        for row in rows[symbol.name]:
            if any(constant is not None and row[at] != constant for at, constant in enumerate(symbol.constants)):
                continue
            new = dict(bound)
            if all(new.setdefault(v, row[at]) == row[at] for v, at in zip(goal.variables, places, strict=True)):
                if symbol.negated:
                    found = True
                elif holds(place + 1, new):
                    return True
        return symbol.negated and not found and holds(place + 1, bound)

    return sum(1 << number for number, values in enumerate(examples) if holds(0, dict(enumerate(values))))


@lru_cache
def modes(kind: str) -> tuple[Mode, ...]:
    texts = {
        "plain": ("p(?any,?any)", "q(?any)", "r(?any)"),
        "directed": ("p(+any,-any)", "q(+any)", "r(-any)"),
        "typed": ("p(?x,?y)", "q(?y)", "r(?x)"),
        "constants": ("p(?any,#any)", "q(?any)", "p(?any,?any)"),
    }
    if kind == "negated":
        return (Mode.parse("p(?any,?any)", negated=True), Mode.parse("q(?any)", negated=True))
    return tuple(map(Mode.parse, texts[kind]))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[dict[str, set[tuple[str, ...]]], list[str], list[str]]:
    pairs = st.tuples(st.sampled_from(OBJECTS), st.sampled_from(OBJECTS))
    singles = st.tuples(st.sampled_from(OBJECTS))
    rows = {
        "p": set(draw(st.lists(pairs, min_size=1, max_size=7))),
        "q": set(draw(st.lists(singles, min_size=1, max_size=3))),
        "r": set(draw(st.lists(singles, min_size=1, max_size=3))),
    }
    labels = draw(st.lists(st.sampled_from("+-"), min_size=4, max_size=4))
    chosen = {mark: [name for name, label in zip(OBJECTS, labels, strict=True) if label == mark] for mark in "+-"}
    return rows, chosen["+"], chosen["-"]


World = tuple[dict[str, set[tuple[str, ...]]], list[str], list[str]]


@pytest.mark.parametrize("noise", [False, True], ids=["exact", "noise"])
@pytest.mark.parametrize("kind", ["plain", "directed", "typed", "constants", "negated"])
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(world=worlds())
def test_it_is_as_good_as_trying_everything(kind: str, noise: bool, world: World) -> None:
    check(kind, noise, world, None)


@pytest.mark.parametrize("most", [1, 2])
@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(world=worlds(), noise=st.booleans())
def test_no_better_theory_has_so_few_clauses(most: int, noise: bool, world: World) -> None:
    check("plain", noise, world, most)


def check(kind: str, noise: bool, world: World, most: int | None) -> None:
    rows, positive, negative = world
    background = "\n".join(f"{name}({','.join(row)})." for name, found in rows.items() for row in sorted(found))
    made = task(
        " ".join(f"t({name})." for name in positive),
        " ".join(f"t({name})." for name in negative),
        background,
        "t(+x)" if kind == "typed" else "t(+any)",
        modes(kind),
        max_body=3,
        max_vars=3,
        depth=2,
        max_clauses=most,
    )
    if kind == "constants":
        made = task_with_constants(made)
    if not made.positive:
        return
    theory, watch = learn(made, noise=noise)
    assert is_finished(watch)
    figures = [event.figures for event in watch.events if event.kind == "best"]
    last = figures[-1] if figures else {"fp": 0, "fn": len(made.positive), "size": 0}
    wanted = brute_force(made, rows, noise, most)
    assert most is None or len(theory) <= most
    reached = (last["fp"], last["fn"], last["size"])
    assert ((sum(reached),) if noise else reached) == wanted, f"{theory}\n{background}"  # type: ignore[arg-type]


def task_with_constants(made: ExampleTask) -> ExampleTask:
    return replace(made, bias=replace(made.bias, constants={"any": tuple(OBJECTS)}))
