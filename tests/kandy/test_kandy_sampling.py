"""Sampling: uniqueness, the rule, patience, splits, quotas, supervision."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import CurriculumConfig, NamedRule, Task
from hornbeam.kandy.generate import SPLITS, make_plan, planned_rows, probability, report, sizes, supervised
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.read import parse_curriculum
from hornbeam.kandy.proving import judge_of
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.search import _Search, find_symbols

HEAD = """
- {{name: t, gamma: 1.0, beta: 1.0, samples: {samples}, train_split: {train}, val_split: {val}, noisy_color: true,
   noisy_size: true, {rule} positive_set: [{positive}], negative_set: [{negative}]}}
"""
RED = "{quadrant_or_center: [{shape: ~, color: red, size: ~}]}"  # 30 symbols
NOT_RED = "{quadrant_or_center: [{shape: ~, color: not_red, size: ~}]}"  # 150 symbols
ANY = "{quadrant_or_center: [{shape: ~, color: ~, size: ~}]}"  # 180 symbols


def curriculum(positive=RED, negative=NOT_RED, *, samples=40, train=0.5, val=0.25, rule="rule: easy_03_red,", **config):
    text = HEAD.format(samples=samples, train=train, val=val, rule=rule, positive=positive, negative=negative)
    return parse_curriculum(text, "t.yml", lambda _: None, {key: str(value) for key, value in config.items()})


def plan(*args, seed=1, **kwargs):
    made = curriculum(*args, **kwargs)
    return make_plan(made.tasks[0], made, seed), made


# Finding symbols --------------------------------------------------------------------------------------------------


def test_symbols_are_unique_and_labels_are_the_rules():
    made, _ = plan(samples=100)
    symbols = made.search.symbols
    assert len({repr(symbol.tree) for symbol in symbols}) == len(symbols) == 100
    truths = KandyLogic().labels("easy_03_red", [symbol.tree for symbol in symbols])
    assert [bool(truth) for truth in truths] == [symbol.label for symbol in symbols]


def test_what_the_rule_does_not_confirm_is_refused_and_counted():
    made, _ = plan(positive=ANY, negative=ANY, samples=60)
    positive, negative = made.search.tallies[True], made.search.tallies[False]
    assert positive.refused > 20
    assert negative.refused > 0
    for tally in (positive, negative):
        assert tally.tried == tally.taken + tally.repeated + tally.twins + tally.refused
    assert positive.taken + negative.taken == 60


def test_a_negative_draw_that_is_positive_does_not_block_the_positive_set():
    made, _ = plan(positive=RED, negative=ANY, samples=180, patience=3000)
    assert len(made.search.of(True)) == 30
    assert len(made.search.of(False)) == 150


def test_patience_ends_the_search_of_an_exhausted_set():
    made, _ = plan(samples=500, patience=200)
    assert len(made.search.symbols) <= 180
    assert made.search.exhausted == {True: True, False: True}
    assert len(made.rows) == 500


def test_the_outcome_does_not_depend_on_the_size_of_batches(monkeypatch):
    made = curriculum(positive=ANY, negative=ANY, samples=70)
    task = made.tasks[0]
    judge = judge_of(task, KandyLogic())
    expected = find_symbols(task, made.config, 5, judge)
    for size in (1, 7, 500):
        monkeypatch.setattr(_Search, "_batch_size", lambda *_, size=size: size)
        found = find_symbols(task, made.config, 5, judge)
        assert found.symbols == expected.symbols
        assert found.tallies == expected.tallies


def test_a_task_without_a_rule_takes_what_its_sets_bring():
    made, _ = plan(positive=ANY, negative=ANY, samples=50, rule="")
    assert len(made.search.symbols) == 50
    assert sum(tally.refused for tally in made.search.tallies.values()) == 0


def test_a_rule_as_text_is_used():
    text = 'positive_rule: "valid(C) :- contains(C, X), extract_color(X, red).",'
    made, _ = plan(positive=ANY, negative=ANY, samples=40, rule=text)
    truths = KandyLogic().labels("easy_03_red", [symbol.tree for symbol in made.search.symbols])
    assert [bool(truth) for truth in truths] == [symbol.label for symbol in made.search.symbols]


def test_a_set_of_which_nothing_can_be_used_is_refused():
    blue = "{in: [{shape: ~, color: blue, size: ~}]}"
    with pytest.raises(UsageError, match=r"t.yml:3:.*none of \d+ samples of the positive set could be used"):
        plan(positive=blue, negative=NOT_RED, samples=40)
    with pytest.raises(UsageError, match="of the negative set could be used"):
        plan(positive=RED, negative=RED, samples=40, balance="exact")


def test_a_rule_that_raises_an_error_is_named_with_its_place():
    text = 'positive_rule: "valid(C) :- contains(C, X), atom_length(X, N), N > foo.",'
    with pytest.raises(UsageError, match=r"t.yml:\d+: task 0 't': the rule raises an error on "):
        plan(positive=ANY, negative=ANY, samples=10, rule=text)


def test_a_rule_that_does_not_end_takes_nothing():
    text = 'positive_rule: "valid(C) :- valid(C).",'
    with pytest.raises(UsageError, match=r"none of \d+ samples"):
        plan(positive=ANY, negative=ANY, samples=10, rule=text, patience=8)


TWINS = "{any_line: [{shape: ~, color: red, size: ~}, {shape: circle, color: red, size: small}]}"


def test_pictures_are_unique_unless_symbols_are_asked_for():
    by_picture, made = plan(positive=TWINS, negative=TWINS, samples=60, rule="", patience=400)
    renderer = Renderer(made.config)
    looks = [renderer.look(symbol.tree) for symbol in by_picture.search.symbols]
    assert len(set(looks)) == len(looks)
    assert by_picture.search.tallies[True].twins > 0
    by_symbol, _ = plan(positive=TWINS, negative=TWINS, samples=60, rule="", patience=400, unique="symbol")
    assert len(by_symbol.search.symbols) > len(by_picture.search.symbols)


@pytest.mark.parametrize("element", [ANY, "{random: [{shape: ~, color: red, size: ~}]}", TWINS])
def test_no_two_splits_share_a_noise_free_picture(element):
    made, file = plan(positive=element, negative=element, samples=60, rule="", patience=100)
    renderer = Renderer(file.config)
    looks: dict[bytes, set[str]] = {}
    for row in made.rows:
        look = renderer.look(row.tree, row.rng(made.task, 1))
        looks.setdefault(look, set()).add(row.split)
    assert all(len(splits) == 1 for splits in looks.values())


# Splits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("balance", ["coin", "stratified", "exact"])
@pytest.mark.parametrize("samples", [40, 41, 400])
def test_splits_have_the_sizes_asked_for_and_share_no_symbol(balance, samples):
    made, _ = plan(samples=samples, balance=balance, patience=300)
    wanted = sizes(made.task, samples)
    assert Counter(row.split for row in made.rows) == Counter(wanted)
    own = {split: {row.symbol for row in made.rows if row.split == split} for split in SPLITS}
    assert not own["train"] & own["valid"]
    assert not own["train"] & own["test"]
    assert not own["valid"] & own["test"]


def test_every_symbol_of_an_exhausted_task_is_used():
    made, _ = plan(samples=400, patience=300)
    assert {row.symbol for row in made.rows} == set(range(len(made.search.symbols)))


def test_stratified_splits_have_their_share_of_both_labels():
    for seed in range(10):
        made, _ = plan(samples=40, train=0.8, val=0.1, seed=seed)
        count = len(made.search.of(True))
        for split in ("valid", "test"):
            positive = sum(row.label for row in made.rows if row.split == split)
            assert abs(positive - count * 4 / 40) < 1


@pytest.mark.parametrize("samples", [40, 43, 100])
def test_exact_quotas_per_label_and_split(samples):
    made, _ = plan(samples=samples, balance="exact", patience=500)
    for split in SPLITS:
        labels = Counter(row.label for row in made.rows if row.split == split)
        assert abs(labels[True] - labels[False]) <= 1
    labels = Counter(row.label for row in made.rows)
    assert (labels[True], labels[False]) == ((samples + 1) // 2, samples // 2)


def test_exact_quotas_with_ten_distinct_positives():
    lights = (
        "{quadrant_or_center: [{stack: [{shape: circle, color: red, size: SIZE}, "
        "{shape: circle, color: yellow, size: SIZE}, {shape: circle, color: green, size: SIZE}]}]}"
    )
    positive = ", ".join(lights.replace("SIZE", size) for size in ("small", "large"))
    negative = "{quadrant_or_center: [{stack: [{repeat_before: {n: 3, list: [{shape: circle, color: ~, size: ~}]}}]}]}"
    made, _ = plan(
        positive=positive, negative=negative, samples=100, rule="rule: easy_19_traffic_light,", balance="exact"
    )
    assert len(made.search.of(True)) == 10
    assert made.search.exhausted == {True: True, False: False}
    assert Counter(row.label for row in made.rows) == {True: 50, False: 50}
    figures = report(made)["tasks"]["t00_t"]
    assert figures["distinct"] == 60
    assert figures["repeats"] == 40
    assert figures["exhausted"] == {"positive": True, "negative": False}


def test_a_label_with_fewer_symbols_than_splits_leaves_a_split_short_and_says_so():
    one = "{in: [{shape: circle, color: red, size: small}]}"
    made, _ = plan(positive=one, negative=NOT_RED, samples=40, balance="exact", patience=200)
    assert {row.split for row in made.rows if row.label} == {"train"}
    assert report(made)["tasks"]["t00_t"]["missing"] == 10


def test_splits_divide_as_the_paper_says():
    task = Task(0, "t", train_split=0.8, val_split=0.1)
    assert sizes(task, 100) == {"train": 80, "valid": 10, "test": 10}
    assert sizes(task, 1000) == {"train": 800, "valid": 100, "test": 100}
    assert sizes(replace(task, train_split=0.5, val_split=0.25), 100) == {"train": 50, "valid": 25, "test": 25}
    assert sizes(task, 1) == {"train": 1, "valid": 0, "test": 0}
    assert sizes(replace(task, train_split=0.55, val_split=0.25), 100) == {"train": 55, "valid": 25, "test": 20}


# Supervision ------------------------------------------------------------------------------------------------------


def test_the_decay_law_and_its_limits():
    assert probability(0.7, 0.3, 0) == pytest.approx(0.7)
    assert probability(0.7, 0.3, 1) == pytest.approx(0.3)
    assert probability(0.7, 0.3, 0.5) == pytest.approx((0.7 * 0.3) ** 0.5)
    assert probability(1, 1, 0.3) == 1
    assert probability(0, 0, 0.5) == 0
    assert probability(0, 1, 0.5) == 0
    assert probability(0.5, 0, 0) == 0.5
    assert probability(0.5, 0, 0.01) == 0


@pytest.mark.parametrize(("gamma", "beta", "expected"), [(1, 1, 1.0), (0, 0, 0.0), (0.5, 0.5, 0.5), (0.8, 0.2, 0.433)])
def test_the_share_of_supervised_samples(gamma, beta, expected):
    flags = supervised(Task(0, "t", gamma, beta), 20_000, closed=True, seed=3, split="train")
    assert sum(flags) / len(flags) == pytest.approx(expected, abs=0.015)


def test_closed_decay_ends_at_beta_and_open_decay_stops_short():
    assert supervised(Task(0, "t", 1, 0), 50, closed=True, seed=1, split="train") == [True] + [False] * 49
    closed = [supervised(Task(0, "t", 1, 0.001), 2, closed=True, seed=seed, split="train")[1] for seed in range(300)]
    opened = [supervised(Task(0, "t", 1, 0.001), 2, closed=False, seed=seed, split="train")[1] for seed in range(300)]
    assert sum(closed) < sum(opened)


def test_rows_are_repeatable_and_differ_between_seeds():
    made = curriculum()
    task = made.tasks[0]
    judge = judge_of(task, KandyLogic())
    first, second = (find_symbols(task, made.config, 9, judge) for _ in range(2))
    assert planned_rows(task, made.config, 9, first) == planned_rows(task, made.config, 9, second)
    assert planned_rows(task, made.config, 9, first) != planned_rows(task, made.config, 10, first)


def test_tasks_of_the_same_rule_and_another_name_draw_other_samples():
    first = Task(0, "one", samples=30, rule=NamedRule("easy_03_red"))
    base = curriculum().tasks[0]
    first = replace(first, positive=base.positive, negative=base.negative)
    second = replace(first, name="two")
    judge = judge_of(first, KandyLogic())
    one, two = (find_symbols(task, CurriculumConfig(), 1, judge) for task in (first, second))
    assert one.symbols != two.symbols
