"""The presets: they are read, linted, drawn; their labels hold, and their schema fits them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from hornbeam import config as configuration
from hornbeam import resources
from hornbeam.kandy.curriculum import NamedRule
from hornbeam.kandy.generate import make_plan
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.read import read_curriculum
from hornbeam.kandy.lint import lint
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.schema import schema
from hornbeam.kandy.search import rehearse
from hornbeam.kandy.tree import leaves

PRESETS = configuration.presets("kandy")


def preset(name: str):
    return read_curriculum(resources.curricula("kandy", f"{name}.yml"))


def test_all_published_variants_are_there():
    assert set(PRESETS) == {"easy", "hard", "hard-large", "hard-sparse", "hard-decay", "tour"}
    shape = {
        name: {(t.samples, t.train_split, t.val_split, t.gamma, t.beta) for t in preset(name).tasks} for name in PRESETS
    }
    assert shape["easy"] == {(100, 0.5, 0.25, 1, 1)}
    assert shape["hard"] == {(100, 0.8, 0.1, 1, 1)}
    assert shape["hard-large"] == {(1000, 0.8, 0.1, 1, 1)}
    assert shape["hard-sparse"] == {(1000, 0.8, 0.1, 0.5, 0.5)}
    assert shape["hard-decay"] == {(1000, 0.8, 0.1, 0.8, 0.2)}
    assert [len(preset(name).tasks) for name in ("easy", "hard", "tour")] == [20, 18, 5]


def test_every_task_has_the_rule_of_its_place_in_the_knowledge_base():
    table = KandyLogic().task_table()
    for name in ("easy", "hard"):
        rules = [task.rule for task in preset(name).tasks]
        assert rules == [NamedRule(info.rule) for info in table if info.curriculum == name]


@pytest.mark.parametrize("name", ["easy", "hard", "tour"])
def test_a_preset_can_be_drawn_from(name):
    rehearse(preset(name), times=30)


@pytest.mark.parametrize("name", ["easy", "hard", "tour"])
def test_the_labels_of_a_preset_hold_in_the_other_encoding_and_no_picture_leaks(name):
    curriculum = preset(name)
    logic = KandyLogic()
    renderer = Renderer(curriculum.config)
    for task in curriculum.tasks:
        plan = make_plan(task, curriculum, 11)
        trees = [row.tree for row in plan.rows]
        assert logic.pointer_labels(task.rule.name, trees) == [int(row.label) for row in plan.rows], task.id
        splits: dict[bytes, set[str]] = {}
        for row in plan.rows:
            splits.setdefault(renderer.look(row.tree), set()).add(row.split)
        assert all(len(found) == 1 for found in splits.values()), task.id
        assert len(plan.rows) == task.samples


def test_easy_tasks_look_as_the_paper_describes_them():
    curriculum = preset("easy")
    lengths = {9: {2}, 10: {3, 4, 5, 6}, 11: {3, 4, 5, 6}, 12: {3, 4, 5, 6}, 14: {3}}
    for index, expected in lengths.items():
        rows = make_plan(curriculum.tasks[index], curriculum, 2).rows
        for label in (True, False):
            assert {len(row.tree[1]) for row in rows if row.label == label} == expected, (index, label)
            assert {row.tree[0] for row in rows} == {"side_by_side"}
    lights = make_plan(curriculum.tasks[19], curriculum, 2)
    assert len(lights.search.of(True)) == 10


def test_hard_groups_differ_in_direction_and_length_for_both_labels():
    curriculum = preset("hard")
    for index in (4, 5, 6, 7, 9, 10, 11):
        rows = make_plan(curriculum.tasks[index], curriculum, 2).rows
        for label in (True, False):
            trees = [row.tree for row in rows if row.label == label]
            mixed = [len({child[0] for child in tree[1]}) > 1 for tree in trees]
            assert sum(mixed) / len(mixed) > 0.4, (index, label)


def test_hard_fifteen_has_both_parities_for_both_labels():
    curriculum = preset("hard")
    rows = make_plan(curriculum.tasks[15], curriculum, 2).rows
    parities = Counter((row.label, len(list(leaves(row.tree))) % 2) for row in rows)
    assert len(parities) == 4


@pytest.mark.parametrize("name", ["tour", "easy"])
def test_lint_finds_no_error_in_a_preset(name):
    findings = lint(resources.curricula("kandy", f"{name}.yml"))
    assert {finding.level for finding in findings} <= {"note"}
    if name == "easy":
        assert any("there are 10 distinct positive symbols in all" in finding.message for finding in findings)


# Lint -------------------------------------------------------------------------------------------------------------

TASK = """
- {name: t, gamma: 1.0, beta: 1.0, samples: 20, train_split: 0.5, val_split: 0.25, noisy_color: true, noisy_size: true,
   RULE positive_set: [POSITIVE], negative_set: [NEGATIVE]}
"""
RED = "{in: [{shape: ~, color: red, size: ~}]}"
BLUE = "{in: [{shape: ~, color: blue, size: ~}]}"
MANY = "{grid: [{repeat_before: {n: 6, list: [{shape: ~, color: blue, size: ~}]}}]}"


def findings_of(tmp_path: Path, positive: str, negative: str, rule: str = "rule: easy_03_red,") -> list[str]:
    file = tmp_path / "t.yml"
    file.write_text(TASK.replace("RULE", rule).replace("POSITIVE", positive).replace("NEGATIVE", negative))
    return [str(finding).removeprefix(f"{file}:") for finding in lint(file, draws=30)]


def test_lint_reports_elements_that_can_never_satisfy_their_rule(tmp_path):
    found = findings_of(tmp_path, f"{RED}, {BLUE}", f"{BLUE}, {RED}, {MANY}")
    assert "positive set can never be used: all 6 symbols violate the rule" in found[0]
    assert any("negative set can never be used: all 6 symbols" in text for text in found)
    found = findings_of(tmp_path, MANY, BLUE)
    assert any("warning" in text and "may never be used" in text for text in found)


def test_lint_reports_overlap_and_missing_rules(tmp_path):
    found = findings_of(tmp_path, RED, "{in: [{shape: ~, color: ~, size: ~}]}")
    assert any("17% of its symbols satisfy the rule" in text for text in found)
    found = findings_of(tmp_path, RED, "{in: [{shape: ~, color: red|blue, size: ~}]}", rule="")
    assert any("the sets overlap: 50% of its symbols are positive ones as well" in text for text in found)
    assert any("it has no rule" in text for text in found)


def test_lint_reports_rules_that_prolog_cannot_use(tmp_path):
    found = findings_of(tmp_path, RED, BLUE, rule="rule: easy_03_rde,")
    assert "unknown rule 'easy_03_rde'; did you mean 'easy_03_red'?" in found[0]
    assert found[0].startswith("3:10: error: task 0 't': ")
    found = findings_of(tmp_path, RED, BLUE, rule='positive_rule: "valid(C) :- contains(C, ",')
    assert ": error: task 0 't':" in found[0]
    found = findings_of(tmp_path, RED, BLUE, rule='positive_rule: "valid(C) :- contians(C, _).",')
    assert "contians" in found[0]
    found = findings_of(tmp_path, RED, BLUE, rule='positive_rule: "valid(C) :- contains(C, X), X > 1.",')
    assert found[0].startswith("3: error: task 0 't': the rule raises an error on ")
    found = findings_of(tmp_path, RED, BLUE, rule='positive_rule: "valid(C) :- valid(C).",')
    assert [text.split("error: ")[1] for text in found] == [
        "task 0 't': the rule does not come to an end on 6 of 6 symbols of this element"
    ] * 2
    # It is not asked about all 30 symbols that are drawn: each takes all of its inferences.
    found = findings_of(tmp_path, MANY, BLUE, rule='positive_rule: "valid(C) :- valid(C).",')
    assert [text.split("error: ")[1] for text in found] == [
        "task 0 't': the rule does not come to an end on 6 of 6 symbols of this element"
    ] * 2
    found = findings_of(tmp_path, RED, BLUE, rule='positive_rule: "valid(C) :- contains(C, _), random(3) > 1.",')
    assert "a rule may only reason" in found[0] and "random/1" in found[0]


# The schema -------------------------------------------------------------------------------------------------------


def fits(value: object, rule: dict, definitions: dict) -> bool:
    """Whether a value fits the part of JSON Schema that our schema uses."""
    import re

    if "$ref" in rule:
        return fits(value, definitions[rule["$ref"].rsplit("/", 1)[1]], definitions)
    if "oneOf" in rule and sum(fits(value, option, definitions) for option in rule["oneOf"]) != 1:
        return False
    if "enum" in rule and value not in rule["enum"]:
        return False
    kinds = {
        "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
        "number": (int, float),
    }  # fmt: skip
    wanted = rule.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    flag = isinstance(value, bool)
    if wanted and not any(isinstance(value, kinds[kind]) and (kind == "boolean") == flag for kind in wanted):
        return False
    if isinstance(value, str) and not re.search(rule.get("pattern", ""), value):
        return False
    if isinstance(value, int | float) and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        return False
    if isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            return False
        return all(fits(item, rule.get("items", {}), definitions) for item in value)
    if isinstance(value, dict):
        if not rule.get("minProperties", 0) <= len(value) <= rule.get("maxProperties", len(value)):
            return False
        if any(key not in value for key in rule.get("required", [])):
            return False
        known = rule.get("properties", {})
        extra = rule.get("additionalProperties", True)
        for key, item in value.items():
            part = known.get(key, extra)
            if part is False or (isinstance(part, dict) and not fits(item, part, definitions)):
                return False
    return True


def test_the_schema_beside_the_presets_is_current():
    path = resources.curricula("kandy", "curriculum.schema.json")
    assert json.loads(path.read_text(encoding="utf-8")) == schema(), "run: hornbeam kandy schema --out " + path.name


@pytest.mark.parametrize("name", PRESETS)
def test_presets_fit_the_schema(name):
    document = yaml.safe_load(resources.curricula("kandy", f"{name}.yml").read_text(encoding="utf-8"))
    rules = schema()
    assert fits(document, rules, rules["$defs"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("quadrant_or_center:", "quadrant_or_centre:"),
        ("color: red", "colour: red"),
        ("min: 2", "mni: 2"),
        ("n: 1", "n: x"),
    ],
)
def test_mistakes_do_not_fit_the_schema(old, new):
    text = resources.curricula("kandy", "tour.yml").read_text(encoding="utf-8")
    rules = schema()
    assert old in text
    assert not fits(yaml.safe_load(text.replace(old, new)), rules, rules["$defs"])
