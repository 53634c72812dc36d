"""reasoning-gym: our families there, and what is wrong with its own."""

from __future__ import annotations

import itertools
import json

import pytest

from hornbeam.cli import run
from hornbeam.language.audits import audit_gym
from hornbeam.language.audits.kinship import judge as judge_kinship
from hornbeam.language.audits.report import ARGUABLE, RIGHT, UNPARSED, WRONG
from hornbeam.language.audits.syllogism import Form, countermodel

reasoning_gym = pytest.importorskip("reasoning_gym", reason="needs reasoning-gym: install hornbeam[reasoning-gym]")


@pytest.mark.parametrize("family", ["clutrr", "star", "rudas"])
def test_a_procedural_dataset(family: str) -> None:
    import hornbeam.language.adapters.reasoning_gym  # noqa: F401

    data = reasoning_gym.create_dataset(f"hornbeam_{family}", seed=7, size=50, level=3)
    again = reasoning_gym.create_dataset(f"hornbeam_{family}", seed=7, size=50, level=3)
    rows = list(data)
    assert rows[17] == again[17] and len({row["question"] for row in rows}) == 50
    assert all(data.score_answer(row["answer"], row) == 1.0 for row in rows)
    assert all(data.score_answer(f"<answer>{row['answer'].upper()}</answer>", row) == 1.0 for row in rows)
    for reply in (None, "", "I think " + rows[0]["answer"], " ".join(rows[0]["metadata"]["item"]["options"])):
        assert data.score_answer(reply, rows[0]) == 0.0


def test_the_default_reward_s_mistake_is_not_ours() -> None:
    """The package's own reward pays for any text that holds the answer: "grandmother" for "mother"."""
    from reasoning_gym.factory import get_score_answer_fn

    import hornbeam.language.adapters.reasoning_gym  # noqa: F401

    data = reasoning_gym.create_dataset("hornbeam_clutrr", seed=1, size=100, level=2)
    row = next(row for row in data if row["answer"] == "mother")
    assert get_score_answer_fn("hornbeam_clutrr")("grandmother", row) == 0.0


def test_a_curriculum_of_twenty_levels() -> None:
    from reasoning_gym.factory import create_curriculum

    import hornbeam.language.adapters.reasoning_gym  # noqa: F401

    curriculum = create_curriculum("hornbeam_star")
    levels = []
    for step in (0, 5, 19, 50):
        curriculum.set_global_level(step)
        levels.append(curriculum.generate_configuration({"seed": 1, "size": 10}).level)
    assert levels == [1, 6, 20, 20]


# The audit ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("task", "low", "high"), [("family_relationships", 0.10, 0.18), ("syllogism", 0.09, 0.16)])
def test_from_the_command_to_the_wrong_rows(
    task: str, low: float, high: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", f"gym:{task}", "--rows", "600", "--seed", "21", "--json"]) == 0
    audited = json.loads(capsys.readouterr().out)
    assert audited["rows"] == 600 and audited["unparsed"] == 0
    assert low < audited["wrong_share"] < high
    wrong = [row for row in audited["failures"] if row["verdict"] == "wrong"]
    assert len(wrong) == audited["wrong"] and all(row["countermodel"] and row["cause"] for row in wrong)


def test_the_verdict_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "gym:syllogism", "--rows", "40"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert (
        first.endswith("at 95 %).") and "% of the answers are wrong" in first and any("--full" in line for line in rest)
    )
    assert run(["audit", "gym:sudoku"]) == 2
    assert "family_relationships" in capsys.readouterr().err


STORY = (
    "James is married to Mary. They have children called Robert and Linda. Robert is married to Susan. "
    "They have a child called Kai."
)
ASK = "How is {} related to {}? Provide the relationship in one word."


@pytest.mark.parametrize(
    ("asked", "answer", "verdict"),
    [
        (("Susan", "Mary"), "mother-in-law", WRONG),
        (("Susan", "Mary"), "daughter-in-law", RIGHT),
        (("Mary", "Susan"), "mother-in-law", RIGHT),
        (("Linda", "Robert"), "sister", RIGHT),
        (("Linda", "Robert"), "brother", WRONG),
        (("Kai", "Robert"), "son", ARGUABLE),
        (("Linda", "Kai"), "aunt", RIGHT),
    ],
)
def test_kinship_by_hand(asked: tuple[str, str], answer: str, verdict: str) -> None:
    (row,) = judge_kinship([(0, f"{STORY}\n\n{ASK.format(*asked)}", answer)])
    assert row.verdict == verdict, row


def test_a_text_of_another_grammar_is_not_judged() -> None:
    (row,) = judge_kinship([(0, f"Once upon a time. {STORY}\n\n{ASK.format('Mary', 'Susan')}", "aunt")])
    assert row.verdict == UNPARSED


FORMS = ("all", "no", "some", "some_not")


def _holds(form: tuple[str, int, int], regions: int) -> bool:
    """Whether a statement holds where just these of the eight regions of three terms are inhabited."""
    kind, subject, predicate = form
    inside = [region for region in range(8) if regions >> region & 1 and region >> subject & 1]
    both = [region for region in inside if region >> predicate & 1]
    return {"all": inside == both, "no": not both, "some": bool(both), "some_not": len(inside) > len(both)}[kind]


def _follows(form: Form, existing: bool) -> bool:
    *premises, conclusion = form
    for regions in range(1, 256):
        if existing and not all(any(regions >> r & 1 and r >> term & 1 for r in range(8)) for term in range(3)):
            continue
        if all(_holds(one, regions) for one in premises) and not _holds(conclusion, regions):
            return False
    return True


@pytest.mark.parametrize("existing", [True, False])
def test_three_elements_decide_as_all_regions_do(existing: bool) -> None:
    pairs = ((0, 1), (1, 0)), ((1, 2), (2, 1)), ((0, 2), (2, 0))
    forms = list(itertools.product(*(tuple((kind, *pair) for kind in FORMS for pair in two) for two in pairs)))
    for form in forms[:: 7 if existing else 13]:
        assert (countermodel(form, existing) is None) == _follows(form, existing), form


def test_a_countermodel_is_one() -> None:
    audited = audit_gym("syllogism", rows=60, seed=2)
    for row in audited.of(WRONG):
        terms = {line.partition(":")[0]: set(line.partition(": ")[2].split(", ")) for line in row.countermodel}
        lines = row.text.splitlines()
        said = [lines[1][3:], lines[2][3:], lines[5].rstrip("?")]
        assert [_true(one, terms) for one in said] == [True, True, False]


def _true(text: str, terms: dict[str, set[str]]) -> bool:
    quantifier, subject, *_, predicate = text.split()
    one, other = terms[subject], terms[predicate]
    negative = " not " in text
    return {"All": one <= other, "No": not one & other, "Some": bool(one - other if negative else one & other)}[
        quantifier
    ]
