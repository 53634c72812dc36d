"""The rules of kb/kandy from Python: labels in bulk, rules from text, explanations, domains."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hornbeam.errors import PrologSyntaxError, UsageError
from hornbeam.kandy.knowledge import KandyLogic, coded
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain, Tree, groups, operators

HOUSE: Tree = ("in", [("stack", ["triangle_red_small", "square_blue_small"])])
CIRCLE: Tree = ("in", ["circle_red_small"])


@pytest.fixture(scope="module")
def logic() -> Iterator[KandyLogic]:
    with KandyLogic() as made:
        yield made


def test_python_and_prolog_have_the_same_domain_and_operators(logic: KandyLogic) -> None:
    default = Domain(*(tuple(names) for names in _kb_domain()))
    assert default == DEFAULT_DOMAIN
    assert set(operators()) == {operator for members in groups().values() for operator in members}


def _kb_domain() -> list[list[str]]:
    from hornbeam import resources
    from hornbeam.logic import Prolog

    with Prolog.contained() as prolog:  # a fresh process: no other test has set another domain there
        prolog.load(resources.kb("kandy", "domain.pl"), "default_domain")
        return [
            [str(answer["X"]) for answer in prolog.all(f"{name}(X)", module="default_domain")]
            for name in ("shape", "color", "size")
        ]


def test_labels_keep_their_order_over_several_batches(logic: KandyLogic) -> None:
    trees = [HOUSE if number % 3 == 0 else CIRCLE for number in range(2500)]
    assert logic.labels("easy_15_house", trees) == [int(number % 3 == 0) for number in range(2500)]
    assert logic.pointer_labels("easy_15_house", trees[:50]) == [int(number % 3 == 0) for number in range(50)]


def test_no_trees_no_labels(logic: KandyLogic) -> None:
    assert logic.labels("easy_15_house", []) == []


def test_code_of_a_tree() -> None:
    assert coded([HOUSE, "circle_red_small"]) == [
        *(1, "in", 2, "stack", "triangle_red_small", "square_blue_small"),
        "circle_red_small",
    ]


def test_the_table_of_tasks_has_a_text_for_each(logic: KandyLogic) -> None:
    table = logic.task_table()
    assert [(info.curriculum, info.index) for info in table] == [
        *(("easy", index) for index in range(20)),
        *(("hard", index) for index in range(18)),
    ]
    assert all(logic.rule_text(info.rule).startswith("valid(") and info.title for info in table)


def test_a_rule_from_text_runs_in_both_encodings(logic: KandyLogic) -> None:
    rule = logic.load_rule("valid(C) :- contains(C, X), 1.5 > 1.0, is_named_object(X, house)")
    assert logic.labels(rule, [HOUSE, CIRCLE]) == logic.pointer_labels(rule, [HOUSE, CIRCLE]) == [1, 0]
    assert "+ is_named_object(" in logic.explain(rule, HOUSE)
    assert logic.load_rule("valid(C) :- contains(C, X), 1.5 > 1.0, is_named_object(X, house)") == rule


def test_a_rule_without_end_is_undecided(logic: KandyLogic) -> None:
    rule = logic.load_rule("valid(C) :- house(C).\nvalid(C) :- contains(C, _), valid(C).")
    assert logic.labels(rule, [HOUSE, "circle_red_small"]) == [-1, 0]
    assert "does not come to an end" in logic.explain(rule, HOUSE)


def test_a_rule_that_raises_names_the_picture(logic: KandyLogic) -> None:
    rule = logic.load_rule("valid(C) :- contains(C, X), atom_length(X, N), N > 3.")
    assert logic.labels(rule, [CIRCLE]) == [1]
    with pytest.raises(UsageError, match=r"the rule raises an error on in\(\[stack\(.*Type error"):
        logic.labels(rule, [CIRCLE, HOUSE])


def test_a_process_that_died_takes_the_rules_again() -> None:
    with KandyLogic() as logic:
        rule = logic.load_rule("valid(C) :- contains(C, circle_red_small).")
        logic.close()
        assert logic.labels(rule, [CIRCLE, HOUSE]) == [1, 0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("valid(C) :- shell(ls).", "a rule may only reason"),
        ("valid(C) :- contains(C, X), call(X).", "a rule may only reason"),
        ("valid(C) :- assertz(seen(C)).", "a rule may only reason"),
        ("valid(C) :- contans(C, _).", "did you mean 'contains/2'"),
        ("vald(_).", "the rule defines no valid/1"),
        (":- halt.\nvalid(_).", "directive"),
        ("valid(_). length(a, b).", "length/2"),
        ("", "the rule defines no valid/1"),
    ],
)
def test_a_bad_rule_is_refused(logic: KandyLogic, text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        logic.load_rule(text)
    assert says in str(caught.value)


def test_a_syntax_error_has_its_line(logic: KandyLogic) -> None:
    with pytest.raises(PrologSyntaxError) as caught:
        logic.load_rule("valid(_).\nvalid(X :- y.")
    assert caught.value.line == 2 and caught.value.column


def test_domains_do_not_mix(logic: KandyLogic) -> None:
    other = Domain(("star fish", "circle"), ("light_blue", "Dark"), ("very_small",))
    tree: Tree = ("in", ["star fish_light_blue_very_small", "circle_Dark_very_small"])
    with KandyLogic(other) as odd:
        rule = odd.load_rule("valid(C) :- contains(C, X), extract_color(X, light_blue), \\+ extract_shape(X, circle).")
        assert odd.labels(rule, [tree]) == odd.pointer_labels(rule, [tree]) == [1]
        assert odd.labels("easy_02_circle", [tree]) == [1]
        assert logic.labels("easy_02_circle", [tree, CIRCLE]) == [0, 1]
        assert odd.labels("easy_02_circle", [tree, CIRCLE]) == [1, 0]


def test_certificates_come_in_bulk(logic: KandyLogic) -> None:
    holds, fails = logic.certificates("easy_02_circle", [CIRCLE, HOUSE])
    assert holds == {
        "holds": True,
        "clause": 1,
        "goals": ["contains(Picture,circle_red_small)", "extract_shape(circle_red_small,circle)"],
    }
    (stop,) = fails["clauses"]
    assert stop["fails"].startswith("extract_shape(stack(")
