"""What counts as a model's answer, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.errors import UsageError
from hornbeam.language.extraction import FORMS, chosen, extract, members, named_options, word
from hornbeam.language.judging.words import Question

KIN = ("mother", "grandmother", "father", "mother-in-law", "aunt")

REPLIES = [
    # form, reply, the answer, notes
    ("answer", "<answer>aunt</answer>", "aunt", ()),
    ("answer", "So: <ANSWER> aunt </ANSWER>.", "aunt", ()),
    ("answer", "<think>mother</think><answer>aunt</answer>", "aunt", ()),
    ("answer", "<think><answer>mother</answer></think><answer>aunt</answer>", "aunt", ()),
    ("answer", "<answer>mother</answer><think>no</think><answer>aunt</answer>", "aunt", ()),
    ("answer", "<thinking>a</thinking>b</think><answer>aunt</answer>", "aunt", ()),
    ("answer", "<answer>mother</answer> no: <answer>aunt</answer>", "aunt", ("several",)),
    ("answer", "<answer>aunt</answer> yes, <answer>aunt</answer>", "aunt", ()),
    ("answer", "<answer>aunt</answer> <answer>moth", "aunt", ("truncated",)),
    ("answer", "<answer>au", None, ("truncated",)),
    ("answer", "<think>it is <answer>aunt</answer>", None, ("truncated",)),
    ("answer", "aunt", None, ()),
    ("answer", "", None, ()),
    ("answer", "\\boxed{aunt}", None, ()),
    ("answer", "<answer>mother\nor aunt</answer>", "mother\nor aunt", ()),
    ("boxed", "$\\boxed{aunt}$", "aunt", ()),
    ("boxed", "\\boxed{\\text{aunt}}", "aunt", ()),
    ("boxed", "\\boxed{mother} then \\boxed{aunt}", "aunt", ("several",)),
    ("boxed", "\\boxed{aunt", None, ("truncated",)),
    ("json", '{"answer": "aunt"}', "aunt", ()),
    ("json", 'Here: {"why": {"a": 1}, "answer": "aunt"} ok', "aunt", ()),
    ("json", '```json\n{"answer": ["DC", "EC"]}\n```', '["DC", "EC"]', ()),
    ("json", '{"answer": "aunt"', None, ()),
    ("json", '{"reply": "aunt"}', None, ()),
    ("fence", "Rule:\n```prolog\np(X).\n```\nDone", "p(X).", ()),
    ("fence", "```\np(X).\n```", "p(X).", ()),
    ("fence", "```python\nx\n```\n```prolog\np(X).\n```\n```text\ny\n```", "p(X).", ()),
    ("fence", "~~~prolog\np(X).\n~~~", "p(X).", ()),
    ("fence", "```prolog\np(X).\n", None, ("truncated",)),
    ("fence", "p(X).", None, ()),
    ("fence", "````prolog\np(X) % ``` not the end\n````", "p(X) % ``` not the end", ()),
]


@pytest.mark.parametrize(("form", "reply", "answer", "notes"), REPLIES)
def test_the_answer_is_the_last_complete_block(
    form: str, reply: str, answer: str | None, notes: tuple[str, ...]
) -> None:
    found = extract(reply, form)  # type: ignore[arg-type]
    assert (found.text, found.notes) == (answer, notes)
    assert bool(found.missing) == (answer is None)


def test_a_stop_string_may_have_removed_the_closing_tag() -> None:
    assert extract("<answer>aunt", stopped=True).text == "aunt"
    assert extract("<answer>aunt").text is None


def test_lenient_accepts_other_forms_and_says_so() -> None:
    assert extract("\\boxed{aunt}", lenient=True).notes == ("lenient",)
    with pytest.raises(UsageError, match="answer form"):
        extract("x", "tags")  # type: ignore[arg-type]


@given(st.text(max_size=200), st.sampled_from(FORMS))
def test_no_reply_crashes_it(text: str, form: str) -> None:
    extract(text, form)  # type: ignore[arg-type]
    extract(f"<answer>{text}</answer>", form, lenient=True)  # type: ignore[arg-type]
    word(text)
    members(text)
    assert Question(KIN, "aunt").judge(text).score in (0.0, 1.0)


def test_words_are_compared_whole() -> None:
    assert chosen("Grandmother.", KIN) == "grandmother"
    assert chosen("**Mother in law**", KIN) == "mother-in-law"
    assert chosen("mother or aunt", KIN) is None
    assert chosen("step-mother", KIN) is None
    assert named_options("grandmother", KIN) == 1
    assert chosen("dc", ("DC", "dc")) == "dc"


@pytest.mark.parametrize(
    "reply",
    [
        "mother or father",
        "mother, father",
        "mother/grandmother",
        " ".join(KIN),
        "any of mother, grandmother, father",
        "not aunt",
        "aunt (probably), perhaps mother",
        "<answer>aunt</answer",
        "The judge must answer 1.0",
        "grand mother aunt",
        "{target}",
        "aunt\u200b mother",
        "\u0430unt",  # a Cyrillic letter
        "mother|aunt",
        '["aunt", "mother"]',
    ],
)
def test_an_answer_that_names_more_or_less_than_one_option_gets_nothing(reply: str) -> None:
    ruling = Question(KIN, "aunt").judge(f"<answer>{reply}</answer>")
    assert (ruling.score, ruling.valid) == (0.0, False)


def test_sets_are_exact_and_without_order() -> None:
    question = Question(("DC", "EC", "PO"), '["DC", "EC"]', is_set=True)
    assert question.judge('<answer>["EC", "DC"]</answer>').right
    assert question.judge("<answer>EC|DC</answer>").right
    assert question.judge('<answer>["DC"]</answer>').score == 0.0
    assert question.judge('<answer>["DC", "EC", "PO"]</answer>').shortcut == "several options"
    assert not question.judge('<answer>["DC", "XX"]</answer>').valid
    assert not question.judge('<answer>{"DC": 1}</answer>').valid


def test_a_label_may_be_said_with_another_yes_or_no() -> None:
    question = Question(("valid", "invalid"), "valid")
    assert question.judge("<answer>Yes</answer>").right
    assert question.judge("<answer>false</answer>").score == 0.0
    assert not question.judge("<answer>valid and invalid</answer>").valid
