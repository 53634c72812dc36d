"""What every operator of the curriculum language means."""

# ruff: noqa: E501  (one case a line)

from __future__ import annotations

import random
from ast import literal_eval
from collections import Counter

import pytest

from hornbeam.errors import UsageError
from hornbeam.kandy.language.nodes import draw, every_way, outcomes, stages
from hornbeam.kandy.language.operators import LIST_OPERATORS, SET_OPERATORS
from hornbeam.kandy.language.read import parse_curriculum
from hornbeam.kandy.render import below_of
from hornbeam.kandy.tree import DEFAULT_DOMAIN, groups, operators

TASK = """
- name: t
  gamma: 1.0
  beta: 1.0
  samples: 10
  train_split: 0.5
  val_split: 0.25
  noisy_color: false
  noisy_size: false
  positive_set:
    - {element}
  negative_set:
    - {{shape: ~, color: ~, size: ~}}
"""
A = "{shape: circle, color: red, size: small}"
B = "{shape: square, color: blue, size: large}"
C = "{shape: triangle, color: green, size: small}"
ANY = "{shape: ~, color: ~, size: ~}"
NAMES = {"A": "circle_red_small", "B": "square_blue_large", "C": "triangle_green_small"}


def element(text: str):
    curriculum = parse_curriculum(TASK.format(element=text), "t.yml", lambda _: None)
    return curriculum.tasks[0].positive[0]


def results(text: str) -> set[str]:
    """All samples of an element, as text in which the objects A, B and C are letters."""
    found = outcomes([element(text)])
    assert found.complete
    return {short(key) for key in found.trees}


def short(text: str) -> str:
    for letter, name in NAMES.items():
        text = text.replace(f"'{name}'", letter)
    return text


def listed(text: str) -> set[str]:
    """The lists that a list operator makes, as the children of a stack."""
    made = results(f"stack: [{text}]")
    return {key.removeprefix("('stack', [").removesuffix("])").replace(", ", "") for key in made}


def draws(text: str, count: int = 200):
    node = element(text)
    return [draw(node, below_of(random.Random(seed))) for seed in range(count)]


# Objects ----------------------------------------------------------------------------------------------------------


def test_attributes_any_not_and_either():
    assert len(outcomes([element(ANY)]).trees) == 3 * 6 * 2
    assert {name.split("_")[1] for name in draws("{shape: circle, color: not_red, size: small}")} == {
        "yellow",
        "green",
        "cyan",
        "blue",
        "magenta",
    }
    assert set(draws("{shape: circle|square, color: red, size: small}")) == {"circle_red_small", "square_red_small"}


def test_every_value_is_drawn_with_the_same_chance():
    counts = Counter(draws("{shape: circle, color: red|green, size: ~}", 4000))
    assert len(counts) == 4
    assert min(counts.values()) > 850


# Compositions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", operators())
def test_a_composition_keeps_its_children_in_order(name):
    assert results(f"{name}: [{A}, {B}]") == {f"('{name}', [A, B])"}


@pytest.mark.parametrize("name", groups())
def test_a_random_group_draws_from_all_its_members(name):
    assert results(f"{name}: [{A}]") == {f"('{op}', [A])" for op in groups()[name]}


def test_the_random_groups_are_those_of_the_knowledge_base():
    assert {name: len(members) for name, members in groups().items()} == {
        "any_composition": 13,
        "any_displacement": 7,
        "any_line": 6,
        "any_diag": 2,
        "any_non_diag": 2,
        "any_quadrant": 4,
        "quadrant_or_center": 5,
    }


# List operators ---------------------------------------------------------------------------------------------------

LISTS = [
    ("sample", f"{{n: 2, list: [{A}, {B}]}}", {"AA", "AB", "BA", "BB"}),
    ("pick", f"{{n: 2, list: [{A}, {B}, {C}]}}", {"AB", "AC", "BA", "BC", "CA", "CB"}),
    ("permute", f"[{A}, {B}, {C}]", {"ABC", "ACB", "BAC", "BCA", "CAB", "CBA"}),
    ("random_shift", f"[{A}, {B}, {C}]", {"ABC", "BCA", "CAB"}),
    ("random_repeat", f"{{min: 1, max: 3, list: [{A}, {B}]}}", {"AB", "ABAB", "ABABAB"}),
    ("random_repeat", f"{{min: 2, max: 2, list: [{A}]}}", {"AA"}),
    ("first", f"{{n: 2, list: [{A}, {B}, {C}]}}", {"AB"}),
    ("first", f"{{n: 9, list: [{A}, {B}]}}", {"AB"}),
    ("last", f"{{n: 2, list: [{A}, {B}, {C}]}}", {"BC"}),
    ("last", f"{{n: 0, list: [{A}, {B}, {C}]}}", {"ABC"}),
    ("shift", f"{{n: 1, list: [{A}, {B}, {C}]}}", {"BCA"}),
    ("shift", f"{{n: -1, list: [{A}, {B}, {C}]}}", {"CAB"}),
    ("shift", f"{{n: 4, list: [{A}, {B}, {C}]}}", {"BCA"}),
    ("repeat", f"{{n: 2, list: [{A}, {B}]}}", {"ABAB"}),
    ("mirror", f"[{A}, {B}, {C}]", {"ABCCBA"}),
    ("palindrome", f"[{A}, {B}, {C}]", {"ABCBA"}),
    ("palindrome", f"[{A}]", {"A"}),
    ("store", f"{{alias: x, list: [{A}, {B}]}}", {"AB"}),
]


@pytest.mark.parametrize(("name", "body", "expected"), LISTS)
def test_a_list_operator_means_the_same_before_and_after_grounding(name, body, expected):
    assert listed(f"{{{name}: {body}}}") == expected
    assert listed(f"{{{name}_before: {body}}}") == expected


def test_argsort_and_sort_only_run_after_grounding():
    assert listed(f"{{argsort: {{idx: [2, 0, 1], list: [{A}, {B}, {C}]}}}}") == {"CAB"}
    assert "sort_before" not in LIST_OPERATORS
    assert "argsort_before" not in LIST_OPERATORS


@pytest.mark.parametrize(
    ("order", "keys", "expected"),
    [
        ("asc", "shape", "ACB"),  # circle < triangle < square
        ("desc", "shape", "BCA"),
        ("asc", "color", "ACB"),  # the order of the configuration: red, green, blue
        ("asc", "size, color", "ACB"),
        ("asc", "n", "BCA"),  # all are 1: the order stays
        ("desc", "n", "BCA"),
        ("DESC", "shape", "ACB"),  # only the lower-case word sorts downwards, as in the original
    ],
)
def test_sort(order, keys, expected):
    assert listed(f"{{sort: {{order: {order}, keys: [{keys}], list: [{B}, {C}, {A}]}}}}") == {expected}


def test_sort_by_size_goes_by_pixels():
    config = "config: {sizes: [{large: 15}, {small: 7}]}\nset: {}\ntasks:"
    body = TASK.format(element=f"stack: [{{sort: {{order: asc, keys: [size], list: [{B}, {A}]}}}}]").replace(
        "\n", "\n  "
    )
    curriculum = parse_curriculum(config + body, "t.yml", lambda _: None)
    assert short(repr(draw(curriculum.tasks[0].positive[0], lambda n: 0))) == "('stack', [A, B])"


def test_sort_by_n_counts_the_children_of_compositions():
    text = (
        f"grid: [{{sort: {{order: desc, keys: [n], list: [{A}, {{stack: [{A}, {B}, {C}]}}, {{stack: [{A}, {B}]}}]}}}}]"
    )
    assert results(text) == {"('grid', [('stack', [A, B, C]), ('stack', [A, B]), A])"}


def test_sort_of_compositions_by_shape_is_an_error_at_its_place():
    node = element(f"grid: [{{sort: {{order: asc, keys: [shape], list: [{{stack: [{A}]}}, {A}]}}}}]")
    from hornbeam.kandy.language.nodes import DrawError

    with pytest.raises(DrawError, match="only be sorted by n"):
        draw(node, lambda n: 0)


# The three stages -------------------------------------------------------------------------------------------------


def test_repeat_copies_what_is_grounded_and_repeat_before_what_is_not():
    after = draws(f"stack: [{{repeat: {{n: 3, list: [{ANY}]}}}}]")
    before = draws(f"stack: [{{repeat_before: {{n: 3, list: [{ANY}]}}}}]")
    assert all(len(set(tree[1])) == 1 for tree in after)
    assert any(len(set(tree[1])) == 3 for tree in before)


def test_copies_share_what_was_chosen_before_them():
    same_direction = draws(f"grid: [{{repeat_before: {{n: 3, list: [{{any_non_diag: [{ANY}]}}]}}}}]")
    assert all(len({child[0] for child in tree[1]}) == 1 for tree in same_direction)
    same_length = draws(
        f"grid: [{{repeat_before: {{n: 3, list: [{{stack: [{{random_repeat_before: {{min: 1, max: 3, list: [{ANY}]}}}}]}}]}}}}]"
    )
    assert all(len({len(child[1]) for child in tree[1]}) == 1 for tree in same_length)
    colours = ", ".join(f"{{shape: ~, color: {color}, size: ~}}" for color in DEFAULT_DOMAIN.colors)
    same_colour = draws(f"stack: [{{repeat_before: {{n: 3, list: [{{pick_before: {{n: 1, list: [{colours}]}}}}]}}}}]")
    assert all(len({name.split("_")[1] for name in tree[1]}) == 1 for tree in same_colour)
    assert any(len(set(tree[1])) == 3 for tree in same_colour)


@pytest.mark.parametrize("repeat", ["repeat_before: {n: 3,", "random_repeat_before: {min: 3, max: 3,"])
def test_fresh_copies_may_differ(repeat):
    trees = draws(f"grid: [{{{repeat} fresh: true, list: [{{any_non_diag: [{ANY}]}}]}}}}]")
    assert {tuple(child[0] for child in tree[1]) for tree in trees} == {
        (a, b, c) for a in groups()["any_non_diag"] for b in groups()["any_non_diag"] for c in groups()["any_non_diag"]
    }


def test_fresh_after_grounding_expands_each_copy_anew():
    text = f"grid: [{{repeat: {{n: 2, FRESH list: [{{stack: [{{permute: [{A}, {B}]}}]}}]}}}}]"
    stack = {"AB": "('stack', [A, B])", "BA": "('stack', [B, A])"}
    shared = results(text.replace("FRESH", ""))
    fresh = results(text.replace("FRESH", "fresh: true,"))
    assert shared == {f"('grid', [{stack['AB']}, {stack['AB']}])", f"('grid', [{stack['BA']}, {stack['BA']}])"}
    assert fresh == {f"('grid', [{one}, {two}])" for one in stack.values() for two in stack.values()}


def test_fresh_after_grounding_grounds_each_copy_anew():
    text = f"grid: [{{random_repeat: {{min: 3, max: 3, FRESH list: [{ANY}]}}}}]"
    assert all(len(set(tree[1])) == 1 for tree in draws(text.replace("FRESH", "")))
    fresh = draws(text.replace("FRESH", "fresh: true,"))
    assert all(len(tree[1]) == 3 for tree in fresh) and any(len(set(tree[1])) == 3 for tree in fresh)


def test_a_list_is_spliced_into_its_parent():
    assert listed(f"{{first: {{n: 1, list: [{A}]}}}}, {{repeat: {{n: 2, list: [{B}, {C}]}}}}") == {"ABCBC"}
    assert listed(f"{{permute: [{{repeat: {{n: 2, list: [{A}]}}}}, {B}]}}") == {"AAB", "ABA", "BAA"}


def test_after_operators_count_as_one_element_before_grounding():
    text = f"{{pick_before: {{n: 1, list: [{{repeat: {{n: 2, list: [{A}]}}}}, {B}]}}}}"
    assert listed(text) == {"AA", "B"}


def test_the_stages_of_a_sample():
    node = element(f"stack: [{{repeat_before: {{n: 2, list: [{{permute: [{A}, {ANY}]}}]}}}}]")
    expanded, grounded, tree = stages(node, lambda n: 0)
    assert [type(piece).__name__ for piece in expanded] == ["Compose"]
    assert [type(piece).__name__ for piece in grounded] == ["Pending"]
    assert tree[0] == "stack"
    assert len(tree[1]) == 4


# Memory -----------------------------------------------------------------------------------------------------------


def test_recall_of_store_is_the_same_and_of_store_before_is_grounded_anew():
    same = draws(f"stack: [{{store: {{alias: x, list: [{ANY}]}}}}, {{recall: {{alias: x}}}}]")
    assert all(tree[1][0] == tree[1][1] for tree in same)
    other = draws(f"stack: [{{store_before: {{alias: x, list: [{ANY}]}}}}, {{recall: {{alias: x}}}}]")
    assert any(tree[1][0] != tree[1][1] for tree in other)
    red = draws(
        "stack: [{store_before: {alias: x, list: [{pick_before: {n: 1, list: ["
        "{shape: ~, color: red, size: ~}, {shape: ~, color: blue, size: ~}]}}]}}, {recall: {alias: x}}]"
    )
    assert all(len({name.split("_")[1] for name in tree[1]}) == 1 for tree in red)


def test_store_keeps_the_list_before_its_own_operators_ran():
    text = f"{{store: {{alias: x, list: [{{permute: [{A}, {B}]}}]}}}}, {{recall: {{alias: x}}}}"
    assert listed(text) == {"ABAB", "ABBA", "BAAB", "BABA"}


def test_store_before_runs_even_where_its_list_is_dropped():
    assert listed(
        f"{{first_before: {{n: 0, list: [{{store_before: {{alias: x, list: [{A}]}}}}]}}}}, {{recall: {{alias: x}}}}"
    ) == {"A"}


def test_a_store_before_further_right_is_there_when_the_recall_is_grounded():
    assert listed(f"{{recall: {{alias: x}}}}, {{store_before: {{alias: x, list: [{B}]}}}}") == {"BB"}


def test_the_last_store_holds():
    two = f"{{store: {{alias: x, list: [{A}]}}}}, {{store: {{alias: x, list: [{B}]}}}}"
    assert listed(f"{two}, {{recall: {{alias: x}}}}") == {"ABB"}
    assert listed(
        f"{{store: {{alias: x, list: [{A}]}}}}, {{recall: {{alias: x}}}}, {{store: {{alias: x, list: [{B}]}}}}"
    ) == {"AAB"}


def test_a_fresh_copy_remembers_for_itself_and_sees_what_is_outside():
    pick = (
        f"{{store_before: {{alias: x, list: [{{pick_before: {{n: 1, list: [{A}, {B}]}}}}]}}}}, {{recall: {{alias: x}}}}"
    )
    text = f"grid: [{{repeat_before: {{n: 2, fresh: true, list: [{{stack: [{pick}]}}]}}}}]"
    assert results(text) == {
        f"('grid', [('stack', [{one}, {one}]), ('stack', [{two}, {two}])])" for one in "AB" for two in "AB"
    }
    outside = f"{{store_before: {{alias: x, list: [{C}]}}}}, {{repeat_before: {{n: 2, fresh: true, list: [{{recall: {{alias: x}}}}]}}}}"
    assert listed(outside) == {"CCC"}


# Sets -------------------------------------------------------------------------------------------------------------

RED_TRIANGLE = "{shape: triangle, color: red, size: ~}"


def attributes(text: str) -> tuple[set[str], set[str], set[str]]:
    names = outcomes([element(text)]).trees
    parts = [DEFAULT_DOMAIN.props[literal_eval(name)] for name in names]
    assert len(parts) == len({p[0] for p in parts}) * len({p[1] for p in parts}) * len({p[2] for p in parts})
    return tuple({part[i] for part in parts} for i in range(3))  # type: ignore[return-value]


def test_sets_work_attribute_by_attribute():
    shapes, colors, sizes = (set(values) for values in DEFAULT_DOMAIN.values)
    assert attributes(f"difference: [{ANY}, {RED_TRIANGLE}]") == (shapes - {"triangle"}, colors - {"red"}, sizes)
    assert attributes(f"union: [{RED_TRIANGLE}, {ANY}]") == ({"triangle"}, {"red"}, sizes)
    assert attributes(f"intersection: [{RED_TRIANGLE}, {ANY}]") == ({"triangle"}, {"red"}, sizes)
    either = f"symmetric_difference: [{RED_TRIANGLE}, {{shape: triangle|square, color: blue, size: ~}}]"
    assert attributes(either) == ({"square"}, {"red", "blue"}, sizes)
    paper = (
        "intersection: [{shape: triangle, color: ~, size: ~}, {shape: ~, color: not_red, size: ~}, "
        "{shape: ~, color: ~, size: large}]"
    )
    assert attributes(paper) == ({"triangle"}, colors - {"red"}, {"large"})


def test_a_nested_set_that_is_everything_is_not_the_same_as_any():
    everything = f"{{union: [{ANY}, {RED_TRIANGLE}]}}"
    with pytest.raises(UsageError, match="leaves no shape"):
        element(f"difference: [{ANY}, {everything}]")


def test_the_idiom_that_copies_a_colour():
    text = (
        "stack: [{store_before: {alias: t, list: [{pick_before: {n: 1, list: ["
        "{shape: triangle, color: red, size: ~}, {shape: triangle, color: blue, size: ~}]}}]}}, "
        "{union: ["
        "{difference: [ANY, {symmetric_difference: [{symmetric_difference: [{symmetric_difference: ["
        "{shape: ~, color: ~, size: small}, {recall: {alias: t}}]}, {shape: triangle, color: ~, size: ~}]}, "
        "{shape: square, color: ~, size: ~}]}]}, "
        "{difference: [ANY, {symmetric_difference: [{symmetric_difference: [{symmetric_difference: ["
        "{shape: ~, color: ~, size: large}, {recall: {alias: t}}]}, {shape: triangle, color: ~, size: ~}]}, "
        "{shape: square, color: ~, size: ~}]}]}]}]"
    ).replace("ANY", ANY)
    trees = draws(text)
    triangles = [DEFAULT_DOMAIN.props[tree[1][0]] for tree in trees]
    squares = [DEFAULT_DOMAIN.props[tree[1][1]] for tree in trees]
    assert {shape for shape, _, _ in squares} == {"square"}
    assert all(one[1] == two[1] for one, two in zip(triangles, squares, strict=True))
    assert {size for _, _, size in squares} == {"small", "large"}


@pytest.mark.parametrize("name", SET_OPERATORS)
def test_a_set_makes_one_object(name):
    tree = draws(
        f"stack: [{{{name}: [{{shape: circle|square, color: ~, size: ~}}, {{shape: circle, color: ~, size: ~}}]}}]", 5
    )
    assert all(len(found[1]) == 1 for found in tree)


# Files ------------------------------------------------------------------------------------------------------------


def test_anchors_merges_and_overrides():
    text = TASK.format(element=f"&row\n      side_by_side: [{A}, {B}]") + (
        "- name: second\n  <<: &base {gamma: 0.5, beta: 0.25, samples: 7, train_split: 0.5, val_split: 0.25}\n"
        "  noisy_color: false\n  noisy_size: true\n  beta: 0.125\n  positive_set: [*row]\n  negative_set: [*row]\n"
    )
    curriculum = parse_curriculum(text, "t.yml", lambda _: None)
    second = curriculum.tasks[1]
    assert (second.gamma, second.beta, second.samples) == (0.5, 0.125, 7)
    assert second.positive[0] is curriculum.tasks[0].positive[0]


def test_lists_and_parameters_can_be_anchored_too():
    text = TASK.format(element=f"grid: [{{repeat_before: {{n: 2, list: &group [{{stack: [{A}, {B}]}}]}}}}]") + (
        TASK.format(element="grid: [{repeat: {n: 3, list: *group}}, {pick: &one {n: 1, list: [ANY]}}]")
        + TASK.format(element="grid: [{pick: *one}]")
    ).replace("ANY", ANY)
    first, second, third = parse_curriculum(text, "t.yml", lambda _: None).tasks
    assert len(draw(first.positive[0], lambda n: 0)[1]) == 2
    assert len(draw(second.positive[0], lambda n: 0)[1]) == 4
    assert len(draw(third.positive[0], lambda n: 0)[1]) == 1


ORIGINAL_CONFIG = """
seed: 12345
canvas_size: [224, 224]
padding: 3
bg_color: "#7f7f7f"
colors: [{red: "#ff0000"}, {blue: "#0000ff"}]
sizes: [{small: 7}, {large: 15}]
size_noise: 2
h_sigma: 0.01
s_sigma: 0.2
v_sigma: 0.2
background_knowledge: bg.pl
"""


def test_a_config_file_of_the_original_is_read_and_what_is_not_used_is_said():
    text = TASK.format(element=A)
    curriculum = parse_curriculum(text, "t.yml", {"config.yml": ORIGINAL_CONFIG}.get)
    assert curriculum.config.domain.colors == ("red", "blue")
    said = [str(warning) for warning in curriculum.warnings]
    assert said[0].startswith("config.yml:2:1: the seed of a dataset is the one it is generated with")
    assert said[1].startswith("config.yml:12:1: this file is not loaded")


@pytest.mark.parametrize("profile", ["sound", "compat"])
def test_a_profile_sets_what_the_file_does_not_say(profile):
    curriculum = parse_curriculum(TASK.format(element=A), "t.yml", lambda _: None, {"profile": profile, "hue": "wrap"})
    assert curriculum.config.geometry == {"sound": "right", "compat": "compat"}[profile]
    assert curriculum.config.unique == {"sound": "picture", "compat": "symbol"}[profile]
    assert curriculum.config.hue == "wrap"


def test_set_and_overrides_hold_for_all_tasks():
    text = "set: {samples: 33}\ntasks:" + TASK.format(element=A).replace("\n", "\n  ")
    assert parse_curriculum(text, "t.yml", lambda _: None).tasks[0].samples == 33
    changed = parse_curriculum(text, "t.yml", lambda _: None, {"samples": "5", "canvas_size": "[64, 48]"})
    assert changed.tasks[0].samples == 5
    assert changed.config.canvas_size == (64, 48)


def test_a_set_of_elements_may_hold_for_all_tasks():
    task = TASK.format(element=A)
    kept = "\n".join(line for line in task.splitlines() if "negative_set" not in line).replace("\n", "\n  ")
    made = parse_curriculum(
        "set: {negative_set: [{shape: square, color: ~, size: ~}]}\ntasks:" + kept, "t.yml", lambda _: None
    )
    (element,) = made.tasks[0].negative
    assert str(element.place) == "t.yml:1:22"


def test_a_list_of_tasks_takes_the_config_beside_it():
    files = {"config.yml": "{seed: 1, sizes: [{tiny: 3}, {huge: 20}], background_knowledge: bg.pl}"}
    text = TASK.format(element="{shape: circle, color: red, size: tiny}").replace("size: ~", "size: huge")
    curriculum = parse_curriculum(text, "t.yml", files.get)
    assert curriculum.config.domain.sizes == ("tiny", "huge")


def test_names_may_hold_underscores_and_spaces():
    config = 'config: {colors: [{light_blue: "#88aaff"}, {"dark red": "#880000"}]}\ntasks:'
    body = TASK.format(element="stack: [{shape: circle, color: light_blue|dark red, size: ~}]").replace("\n", "\n  ")
    curriculum = parse_curriculum(config + body, "t.yml", lambda _: None)
    names = {draw(curriculum.tasks[0].positive[0], below_of(random.Random(i)))[1][0] for i in range(50)}
    assert {curriculum.config.domain.props[name][1] for name in names} == {"light_blue", "dark red"}


def test_every_way_takes_each_way_once():
    ways = [(below(2), below(3)) for below in every_way(100)]
    assert sorted(ways) == [(a, b) for a in range(2) for b in range(3)]
