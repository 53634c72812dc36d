"""Prolog in two encodings and clingo, from rules written apart, give the same label to any tree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam import resources
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.proving import clingo_labels
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain, Tree

RULES = [info.rule for info in KandyLogic().task_table()]
# Few operators and colours, so that equal and nearly equal parts are frequent.
OPERATORS = ["in", "grid", "stack", "side_by_side", "diag_ul_lr", "stack_reduce_bb"]
COLORS = ["red", "yellow", "green", "blue"]
SIZES = ["small", "small", "large"]

objects = st.builds(
    "{}_{}_{}".format, st.sampled_from(DEFAULT_DOMAIN.shapes), st.sampled_from(COLORS), st.sampled_from(SIZES)
)


def composed(children: st.SearchStrategy[list[Tree]]) -> st.SearchStrategy[Tree]:
    return st.tuples(st.sampled_from(OPERATORS), children)


def mirrored(half: list[Tree], middle: list[Tree]) -> list[Tree]:
    return half + middle + half[::-1]


@st.composite
def named_objects(draw: st.DrawFn) -> Tree:
    """A named object, or nearly one."""
    size = draw(st.sampled_from(["small", "large"]))
    colors = draw(st.lists(st.sampled_from(COLORS), min_size=3, max_size=3))
    kinds: list[Tree] = [
        ("stack", [f"triangle_{colors[0]}_{size}", f"square_{colors[1]}_{size}"]),
        ("side_by_side", [f"circle_{colors[0]}_{size}"] * 2),
        ("stack", [f"square_{color}_{size}" for color in colors[: draw(st.integers(2, 3))]]),
        ("side_by_side", [f"square_{color}_{size}" for color in colors[: draw(st.integers(2, 3))]]),
        ("stack", [f"circle_{color}_{size}" for color in ("red", "yellow", "green")]),
    ]
    operator, children = draw(st.sampled_from(kinds))
    if draw(st.booleans()):
        return operator, children
    place = draw(st.integers(0, len(children) - 1))
    return operator, [*children[:place], draw(objects), *children[place + 1 :]]


def lists(elements: st.SearchStrategy[Tree]) -> st.SearchStrategy[list[Tree]]:
    some = st.lists(elements, max_size=4)
    return some | st.builds(mirrored, st.lists(elements, max_size=2), st.lists(elements, max_size=1))


trees = st.recursive(objects | named_objects(), lambda inner: composed(lists(inner)), max_leaves=16)


@settings(max_examples=60, deadline=None)
@given(st.lists(trees, min_size=1, max_size=8))
def test_three_derivations_agree_on_every_rule(some: list[Tree]) -> None:
    logic = KandyLogic()
    for rule in RULES:
        natural = logic.labels(rule, some)
        assert logic.pointer_labels(rule, some) == natural, rule
        assert clingo_labels(rule, some) == natural, rule


def test_every_rule_is_there_for_clingo() -> None:
    text = "".join(resources.kb("kandy", "asp", name).read_text() for name in ("easy.lp", "hard.lp"))
    assert set(re.findall(r"^valid\((\w+),", text, re.MULTILINE)) == set(RULES)


@pytest.mark.parametrize("rule", ["easy_02_circle", "hard_09_shared_shape"])
def test_clingo_knows_other_domains(rule: str) -> None:
    domain = Domain(("Odd one", "circle"), ("light_blue",), ("s",))
    some: list[Tree] = [
        ("grid", [("in", ["Odd one_light_blue_s"]), ("in", ["circle_light_blue_s"])]),
        ("grid", [("in", ["Odd one_light_blue_s"]), ("in", ["Odd one_light_blue_s"])]),
        ("grid", ["circle_light_blue_s"]),
    ]
    assert clingo_labels(rule, some, domain) == KandyLogic(domain).labels(rule, some)
