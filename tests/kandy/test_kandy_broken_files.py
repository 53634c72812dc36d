"""A wrong file is refused before anything is drawn, with its place and what was expected."""

# ruff: noqa: E501  (one case a line)

from __future__ import annotations

import pytest

from hornbeam.errors import UsageError
from hornbeam.kandy.language.read import examine, parse_curriculum

HEAD = """\
- name: first
  gamma: 1.0
  beta: 1.0
  samples: 10
  train_split: 0.5
  val_split: 0.25
  noisy_color: false
  noisy_size: false
  negative_set: [{shape: ~, color: ~, size: ~}]
  positive_set:
"""
ATOM = "{shape: ~, color: ~, size: ~}"


def refused(text: str, overrides: dict[str, str] | None = None, beside: dict[str, str] | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        parse_curriculum(text, "x.yml", (beside or {}).get, overrides)
    return str(caught.value)


def element(text: str) -> str:
    """The message for an element of the positive set; the element starts at line 11, column 7."""
    return refused(f"{HEAD}    - {text}\n")


ELEMENTS = [
    ("stak: [{shape: ~, color: ~, size: ~}]", "x.yml:11:7: task 0 'first': unknown operator 'stak'; did you mean 'stack'?"),
    ("{shape: circle, color: rde, size: ~}", "x.yml:11:30: task 0 'first': unknown color 'rde'; did you mean 'red'?"),
    ("{shape: not_circel, color: ~, size: ~}", "unknown shape 'circel'; did you mean 'circle'?"),
    ("{shape: circle, color: not_red|blue, size: ~}", "not_ takes one color"),
    ("{shape: circle, color: red|bleu, size: ~}", "unknown color 'bleu'; did you mean 'blue'?"),
    ("{shape: circle, color: red}", "x.yml:11:7: task 0 'first': this object has no size; write 'size: ~' for any"),
    ("{shape: circle, color: red, size: ~, weight: 3}", "x.yml:11:44: task 0 'first': an object has shape, color and size, not 'weight'"),
    ("{shape: circle, color: 7, size: ~}", "expected a color, got the number '7'; put the name in quotes"),
    ("{shape: circle, color: no, size: ~}", "expected a color, got the truth value 'False'"),
    ("stack: {}", "expected a list under stack, got an empty mapping"),
    ("stack: []", "expected at least one element under stack, got an empty list"),
    ("stack:", "expected a list under stack, got nothing"),
    ("stack: [[{shape: ~, color: ~, size: ~}]]", "expected an object or an operator, got a list"),
    ("{stack: [ATOM], grid: [ATOM]}", "expected one operator, or the keys shape, color and size; got stack, grid"),
    ("stack: [{sample: ~, n: 2, list: [ATOM]}]", "n, list must be indented under sample"),
    ("stack: [{sample: [ATOM]}]", "expected n and list under sample, got a list"),
    ("stack: [{sample: {n: 2}}]", "expected 'list' under sample"),
    ("stack: [{sample: {n: two, list: [ATOM]}}]", "n of sample: expected a whole number, got the text 'two'"),
    ("stack: [{sample: {n: true, list: [ATOM]}}]", "expected a whole number, got the truth value 'True'"),
    ("stack: [{sample: {n: -1, list: [ATOM]}}]", "expected a number from 0"),
    ("stack: [{sample: {m: 1, n: 1, list: [ATOM]}}]", "sample has no parameter 'm'"),
    ("stack: [{repeat: {n: 2, fersh: true, list: [ATOM]}}]", "repeat has no parameter 'fersh'; did you mean 'fresh'?"),
    ("stack: [{repeat: {n: 2, fresh: 1, list: [ATOM]}}]", "expected true or false"),
    ("stack: [{random_repeat: {min: 3, max: 2, list: [ATOM]}}]", "expected min <= max, got 3 > 2"),
    ("stack: [{sort: {order: up, keys: [n], list: [ATOM]}}]", "expected asc or desc, got 'up'"),
    ("stack: [{sort: {order: asc, keys: [weight], list: [ATOM]}}]", "expected keys of n, shape, color, size"),
    ("stack: [{argsort: {idx: [0, 5], list: [ATOM, ATOM]}}]", "expected positions from 0 to 1"),
    ("stack: [{argsort: {idx: [1.0, 0.0], list: [ATOM, ATOM]}}]", "expected positions from 0 to 1, got the number '1.0'"),
    ("stack: [{shift: {n: 2000000, list: [ATOM]}}]", "expected a number from -1000000 to 1000000, got 2000000"),
    ("stack: [{argsort: {idx: [0, 1], list: [ATOM]}}]", "argsort lists 2 positions, its list has 1 elements"),
    ("stack: [{pick: {n: 3, list: [ATOM, ATOM]}}]", "cannot pick 3 of a list that has at most 2 elements"),
    ("stack: [{pick_before: {n: 2, list: [{repeat: {n: 9, list: [ATOM]}}]}}]", "cannot pick 2 of a list that has at most 1"),
    ("stack: [{first: {n: 0, list: [ATOM]}}]", "stack has no children: its list is always empty"),
    ("permute: [ATOM, ATOM]", "expected one object or composition at the top of a set, this list yields 2"),
    ("random_repeat: {min: 0, max: 2, list: [ATOM]}", "this list yields between 0 and 2"),
    ("stack: [{recall: {alias: x}}]", "nothing is stored as 'x'"),
    ("stack: [{store: {alias: colour, list: [ATOM]}}, {recall: {alias: color}}]", "did you mean 'colour'?"),
    ("stack: [{recall: {alias: x}}, {store: {alias: x, list: [ATOM]}}]", "nothing is stored as 'x'"),
    ("stack: [{union: [ATOM, {recall: {alias: x}}]}, {store_before: {alias: x, list: [ATOM]}}]", "not yet stored here"),
    ("stack: [{store_before: {alias: x, list: [ATOM, {recall: {alias: x}}]}}]", "the list stored as 'x' recalls itself"),
    ("stack: [{repeat_before: {n: 2, fresh: true, list: [{store_before: {alias: x, list: [ATOM]}}]}}, {recall: {alias: x}}]", "nothing is stored as 'x'"),
    ("union: [{stack: [ATOM]}]", "union takes objects, set operators and recall, nothing else"),
    ("intersection: [{shape: circle, color: ~, size: ~}, {shape: square, color: ~, size: ~}]", "this intersection leaves no shape"),
    ("intersection: [{shape: ~, color: red, size: ~}, {shape: ~, color: blue, size: ~}]", "this intersection leaves no color"),
    ("stack: [{repeat: {n: 1000, list: [{repeat: {n: 1000, list: [ATOM]}}]}}]", "this can grow to 1000000 objects"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ELEMENTS, ids=[str(index) for index in range(len(ELEMENTS))])
def test_a_wrong_element_is_refused(text, expected):
    message = element(text.replace("ATOM", ATOM))
    assert expected in message
    assert message.startswith("x.yml:11:")
    assert "task 0 'first'" in message


TASKS = [
    ("", "x.yml:1:1: expected a list of tasks, got nothing"),
    ("5", "x.yml:1:1: expected a list of tasks"),
    ("[]", "expected a list of tasks, got an empty list"),
    ("- 3", "x.yml:1:3: task 0: expected a mapping"),
    ("a: [1", "x.yml:2:1: not YAML"),
    ("- *nothing", "found undefined alias"),
    ("- &a [*a]", "contains itself"),
    ("tasks: 7", "tasks: expected a text, got the number '7'"),
    ("tasks: other.yml", "there is no file 'other.yml' in the same folder"),
    ("taks: []", "unknown key of a curriculum 'taks'; did you mean 'tasks'?"),
    ("{about: x}", "expected the key 'tasks'"),
    (HEAD.replace("samples: 10", "sampels: 10"), "x.yml:4:3: task 0 'first': unknown key 'sampels'; did you mean 'samples'?"),
    (HEAD.replace("samples: 10", "samples: 0"), "samples: expected a number from 1"),
    (HEAD.replace("samples: 10", "samples: many"), "x.yml:4:12: task 0 'first': samples: expected a whole number"),
    (HEAD.replace("gamma: 1.0", "gamma: 1.5"), "gamma: expected a number from 0 to 1, got 1.5"),
    (HEAD.replace("train_split: 0.5", "train_split: 0.9"), "train_split + val_split <= 1"),
    (HEAD.replace("noisy_size: false", "noisy_size: 0"), "noisy_size: expected true or false"),
    (HEAD, "positive_set: expected a list with at least one element, got nothing"),
    (HEAD.replace("  positive_set:\n", ""), "expected the key 'positive_set'"),
    (HEAD + f"    - {ATOM}\n  rule: a\n  positive_rule: b\n", "either rule (a name) or positive_rule (Prolog text), got both"),
    ("- \t- x", "not YAML"),
    ("- !!python/object:os.system {}", "unknown tag"),
    ("- !!python/name:os.system x", "not YAML"),
    ("- 2001-13-45", "cannot read"),
    ("[" * 130 + "]" * 130, "x.yml:1:121: nested too deeply"),
    ("[" * 200_000 + "]" * 200_000, "nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TASKS, ids=[str(index) for index in range(len(TASKS))])
def test_a_wrong_file_is_refused(text, expected):
    assert expected in refused(text)


CONFIGS = [
    ("{canvas_size: 5}", "canvas_size: expected [width, height]"),
    ("{colour: red}", "unknown setting 'colour'; did you mean 'colors'?"),
    ("{bg_color: red}", 'bg_color: expected a colour such as "#ff0000"'),
    ("{colors: []}", "colors: expected a list"),
    ("{colors: [{red: 5}]}", "colors.red: expected a colour"),
    ('{colors: [{red: "#ff0000"}, {red: "#00ff00"}]}', "color 'red' is defined twice"),
    ('{colors: [{a_b: "#ff0000"}, {a: "#00ff00"}], sizes: [{c: 7}, {b_c: 9}]}', "would both be called"),
    ("{sizes: [{big: 500}]}", "do not fit on the canvas"),
    ("{size_noise: -1}", "size_noise: expected a number from 0"),
    ("{geometry: rihgt}", "unknown geometry 'rihgt'; did you mean 'right'?"),
    ("{shapes: [circel]}", "unknown shapes 'circel'; did you mean 'circle'?"),
    ("{shapes: [{kite: [[0, -1], [1, 0]]}]}", "expected a shape"),
    ("{shapes: [{kite: [[0, -1], [1, 0], [0, 9]]}]}", "from -1 to 1"),
    ("{patience: 0}", "patience: expected a number from 1"),
    ("missing.yml", "there is no file 'missing.yml'"),
]


@pytest.mark.parametrize(("config", "expected"), CONFIGS)
def test_a_wrong_configuration_is_refused(config, expected):
    body = (HEAD + f"    - {ATOM}\n").replace("\n", "\n  ")
    assert expected in refused(f"config: {config}\ntasks:\n  {body}")


def test_a_wrong_override_is_refused():
    text = HEAD + f"    - {ATOM}\n"
    assert "unknown setting 'sampels'; did you mean 'samples'?" in refused(text, {"sampels": "3"})
    assert "--set samples:1:1" in refused(text, {"samples": "lots"})
    assert refused(text, {"seed": "3"}).startswith("--set seed: the seed of a dataset is the one it is generated with")
    assert refused(text, {"background_knowledge": "bg.pl"}).startswith("--set background_knowledge: this file is not")
    assert "bg_color: expected a colour" in refused(text, {"bg_color": "#ff00"})


def test_a_colour_is_set_without_quotes():
    made = parse_curriculum(HEAD + f"    - {ATOM}\n", "x.yml", lambda _: None, {"bg_color": "#0a0b0c"})
    assert made.config.bg_color == (10, 11, 12)


def test_a_file_that_is_included_is_named_with_its_folder():
    with pytest.raises(UsageError) as caught:
        parse_curriculum("tasks: other.yml", "folder/x.yml", {"other.yml": "- 3"}.get)
    assert str(caught.value).startswith("folder/other.yml:1:3: task 0")
    with pytest.raises(UsageError) as caught:
        parse_curriculum(HEAD + f"    - {ATOM}\n", "folder/x.yml", {"config.yml": "{hue: no such}"}.get)
    assert str(caught.value).startswith("folder/config.yml:1:7: unknown hue")


def test_files_that_include_each_other_are_refused():
    assert "include each other without end" in refused("tasks: x.yml", beside={"x.yml": "tasks: x.yml"})


def test_all_problems_are_found_not_only_the_first():
    text = (
        HEAD
        + "    - stak: []\n    - {shape: x, color: y, size: ~}\n"
        + HEAD
        + "    - grid: [{shape: q, color: ~, size: ~}]\n"
    )
    curriculum, reading = examine(text, "x.yml", lambda _: None)
    assert curriculum is None
    assert [problem.line for problem in reading.problems] == [11, 12, 23]
    assert "(and 2 more" in refused(text)


def test_unknown_keys_are_warned_of_and_ignored():
    text = HEAD + f"    - {ATOM}\n  positve_rule: x\n  samples: 12\n"
    curriculum, reading = examine(text, "x.yml", lambda _: None)
    assert curriculum is not None
    assert curriculum.tasks[0].samples == 12
    assert [warning.message for warning in reading.warnings] == [
        "task 0 'first': the key 'positve_rule' has no meaning here; did you mean 'positive_rule'?",
        "task 0 'first': the key 'samples' is written twice; the last one holds",
    ]


def test_aliases_that_would_unfold_without_bound_are_refused_quickly():
    lines = [f"  a0: &a0 {{stack: [{ATOM}]}}"]
    lines += [f"  a{i}: &a{i} {{stack: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 60)]
    body = (HEAD + "    - *a59\n").replace("\n", "\n  ")
    text = "define:\n" + "\n".join(lines) + f"\ntasks:\n  {body}"
    assert "with its aliases written out it has more than" in refused(text)


def test_all_keys_that_are_missing_are_told_at_once_with_what_they_mean():
    said = refused(HEAD.replace("  gamma: 1.0\n  beta: 1.0\n", "").replace("positive_set:", f"positive_set: [{ATOM}]"))
    assert "'gamma' (the chance" in said and "'beta' (the same for the last sample" in said
    assert "'samples'" not in said
