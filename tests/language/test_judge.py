"""The judge accepts true theories in any words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import hornbeam as hb
from hornbeam.data.dataset import Dataset
from hornbeam.errors import PrologError, UsageError
from hornbeam.language.judging import Judge, Ruling, judge_item
from hornbeam.language.judging.bench import Bench
from hornbeam.language.judging.tables import Tables
from hornbeam.logic import Prolog
from tests.language.attacks import ATTACKS, RIGHT, Attack
from tests.language.conftest import Made
from tests.language.rewriting import rewritten
from tests.language.true_theories import rejected, truths

TASKS = {"kandy": "t00_red", "clutrr": None, "star": None, "rudas": "MIXED", "graphlog": "rule_0"}
SHAPES = ("triangle", "square", "circle")
# These run into a limit, which takes seconds.
_LONG = [attack for attack in ATTACKS if attack.shortcut == "undecided"]
_QUICK = [attack for attack in ATTACKS if attack.shortcut != "undecided"]


@pytest.fixture(scope="module")
def judges(made: Made) -> Iterator[dict[str, Judge]]:
    known = {family: Judge(made(family), prove=False) for family in ("kandy", "clutrr", "star", "rudas")}
    yield known
    for judge in known.values():
        judge.close()


@pytest.fixture(scope="module")
def rulings(judges: dict[str, Judge]) -> dict[str, Ruling]:
    """Of all quick attacks, judged in one batch for each family."""
    known: dict[str, Ruling] = {}
    for family, judge in judges.items():
        own = [attack for attack in _QUICK if attack.family == family]
        judged = judge.theories([attack.text for attack in own], task=TASKS[family])
        known |= {attack.name: ruling for attack, ruling in zip(own, judged, strict=True)}
    return known


@pytest.mark.parametrize("attack", _QUICK, ids=lambda attack: attack.name)
def test_no_attack_is_accepted(attack: Attack, rulings: dict[str, Ruling]) -> None:
    ruling = rulings[attack.name]
    assert ruling.score == 0.0, ruling
    assert ruling.shortcut == attack.shortcut, ruling
    assert ruling.message


@pytest.mark.slow
@pytest.mark.parametrize("attack", _LONG, ids=lambda attack: attack.name)
def test_no_endless_attack_is_accepted(attack: Attack, judges: dict[str, Judge]) -> None:
    ruling = judges[attack.family].theories([attack.text], task=TASKS[attack.family])[0]
    assert (ruling.score, ruling.shortcut) == (0.0, "undecided")


def test_there_are_enough_kinds_of_attack() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 100


def test_a_right_rule_is_right_after_all_attacks(judges: dict[str, Judge], rulings: dict[str, Ruling]) -> None:
    """No attack leaves a trace in the process."""
    assert rulings
    after = judges["kandy"].theories([RIGHT, "valid(_).", RIGHT], task="t00_red")
    assert [ruling.score for ruling in after] == [1.0, 0.0, 1.0]
    assert after[0] == after[2]


def test_a_wrong_rule_has_a_counterexample_that_is_fresh(made: Made, judges: dict[str, Judge]) -> None:
    ruling = judges["kandy"].theories(["valid(X) :- contains(X, Y), extract_color(Y, blue)."], task="t00_red")[0]
    assert (ruling.score, ruling.valid, ruling.verdict) == (0.0, True, "refuted")
    assert ruling.counterexample is not None and {ruling.counterexample.true, ruling.counterexample.learned} == {
        "0",
        "1",
    }
    assert ruling.accuracy is not None and 0 < ruling.accuracy < 1
    assert not any(sample.id in ruling.counterexample.prolog for sample in made("kandy").samples)


@pytest.mark.parametrize("family", ["kandy", "clutrr", "star", "rudas"])
def test_true_theories_in_other_words_are_accepted(family: str, made: Made, judges: dict[str, Judge]) -> None:
    rng = Random(1)
    count = {"kandy": 12, "rudas": 12}.get(family, 1)
    for task, forms in list(truths(made(family)))[-1:] if family != "kandy" else list(truths(made(family)))[:1]:
        texts = [rewritten(forms[0], rng) for _ in range(count)]
        judged = judges[family].theories(texts, task=task if family == "kandy" else TASKS[family])
        assert [ruling.score for ruling in judged] == [1.0] * count, [ruling.message for ruling in judged]


@pytest.mark.slow
@pytest.mark.parametrize("family", ["kandy", "clutrr", "graphlog", "rudas", "star"])
def test_many_true_theories_in_other_words_are_accepted(family: str, made: Made) -> None:
    count = {"kandy": 5500, "rudas": 4000}.get(family, 170)
    judged, bad = rejected(made(family), count, seed=2)
    assert (judged, bad[:3]) == (count, [])


def test_the_court_has_the_last_word(made: Made) -> None:
    """A theory may be right on the few samples that it is asked, and wrong all the same."""
    almost = [f"valid(X) :- contains(X, Y), extract_color(Y, red), \\+ extract_shape(Y, {shape})." for shape in SHAPES]
    with Judge(made("kandy"), fresh=2, prove=False) as judge:
        lucky = [text for text in almost if judge.theories([text], task="t00_red")[0].right]
    with Judge(made("kandy"), fresh=2) as judge:
        refuted, proven = judge.theories([lucky[0], RIGHT], task="t00_red")
    assert (refuted.score, refuted.verdict) == (0.0, "refuted")
    assert refuted.counterexample is not None
    assert (proven.score, proven.verdict) == (1.0, "equal")


def test_a_failure_of_the_judge_is_no_reward_of_zero(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    with Judge(made("star"), prove=False, fresh=8) as judge:
        assert judge.theories(["is_DC(X, Y) :- 'DC'(X, Y)."])[0].score == 0.0
        monkeypatch.setattr(Bench, "_call", _fail)
        ruling = judge.theories(["is_DC(X, Y) :- 'EC'(X, Y)."])[0]
    assert (ruling.score, ruling.verdict) == (None, "cannot judge")
    assert "the process ended" in ruling.message


def _tables(dataset: Dataset) -> list[str]:
    """Two wrong tables, one in another order, and texts that are none."""
    facts = list(dataset.family.court(dataset, None).truth.texts)
    fewer = [fact for number, fact in enumerate(facts) if number % 9 or not fact.startswith("compose")]
    shown = "\n".join(fewer)
    ended = [f"{shown}\n{end}\n{shown}" for end in ("end_of_file.", "'end\\x5f\\of_file'.", ":- halt.")]
    return [shown, "\n".join(reversed(fewer)), *ended, f"/*\n{shown}", f"{shown}\ncompose('DC', 'DC', anna)."]


def test_a_table_is_judged_as_any_other_text(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = _tables(made("star"))
    with Judge(made("star"), prove=False, fresh=20) as judge:
        quick = judge.theories(texts)
    monkeypatch.setattr(Bench, "_tables_among", lambda *_: {})
    with Judge(made("star"), prove=False, fresh=20) as judge:
        assert judge.theories(texts) == quick
    assert [ruling.verdict for ruling in quick] == ["refuted"] * 2 + ["invalid"] * 5


def test_two_reasoners_that_disagree_are_no_reward_of_zero(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tables, "answers", lambda self, tables: [("nonsense",) * len(self._ids)] * len(tables))
    with Judge(made("star"), prove=False, fresh=8) as judge:
        ruling = judge.theories(_tables(made("star"))[:1])[0]
    assert (ruling.score, ruling.verdict) == (None, "cannot judge")
    assert "two reasoners disagree" in ruling.message


def _fail(*_: object) -> list[object]:
    raise PrologError("the process ended unexpectedly")


def test_a_process_that_dies_is_started_again(made: Made) -> None:
    with Judge(made("star"), prove=False, fresh=8) as judge:
        text = "is_DC(X, Y) :- 'DC'(X, Y)."
        before = judge.theories([text])[0]
        bench = judge._court(None).bench
        bench._opened().prolog.close()
        assert judge.theories([text + " % again"])[0].accuracy == before.accuracy


def test_the_order_and_the_company_of_texts_change_nothing(judges: dict[str, Judge]) -> None:
    texts = [RIGHT, "valid(_).", "valid(X) :- \\+ contains(X, X).", "valid(X) :- p(X). p(X) :- contains(X, _)."]
    together = judges["kandy"].theories(texts, task="t00_red")
    alone = [judges["kandy"].theories([text], task="t00_red")[0] for text in reversed(texts)]
    assert together == alone[::-1]


@pytest.mark.parametrize("family", ["kandy", "clutrr", "graphlog", "rudas", "star"])
def test_answers_by_sample(family: str, made: Made) -> None:
    dataset = made(family)
    items = [item for item in hb.prompts(dataset, split="test")[:40] if item.meta["sample"]]
    with Judge(dataset) as judge:
        right = judge.answers([(str(item.meta["sample"]), f"<answer>{item.target}</answer>") for item in items])
        others = [next(option for option in item.options if option != item.target) for item in items]
        pairs = [
            (str(item.meta["sample"]), f"<answer>{other}</answer>") for item, other in zip(items, others, strict=True)
        ]
        wrong = judge.answers(pairs)
    assert [ruling.score for ruling in right] == [1.0] * len(items)
    assert [ruling.score for ruling in wrong] == [0.0] * len(items)
    assert judge_item(items[0], f"<answer>{items[0].target}</answer>").right


def test_an_answer_to_no_sample_is_a_usage_error(made: Made) -> None:
    with pytest.raises(UsageError, match="there is no sample 'nobody'"):
        hb.judge_answer(made("star"), "nobody", "<answer>DC</answer>")


def test_items_that_ask_for_rules_are_judged_by_their_task(made: Made) -> None:
    dataset: Dataset = made("rudas")
    items = list(hb.prompts(dataset, kind="induce"))[:2]
    with Judge(dataset, prove=False) as judge:
        judged = judge.items([(item, f"```prolog\n{item.target}\n```") for item in items])
        crossed = judge.items([(items[0], items[1].target)])
    assert [ruling.score for ruling in judged] == [1.0, 1.0]
    assert crossed[0].score == 0.0
    with pytest.raises(UsageError, match="judge_theory"):
        judge_item(items[0], "p(X).")


def test_no_label_is_in_the_judges_process(made: Made) -> None:
    dataset = made("star")
    with Bench(dataset, None, fresh=8) as bench:
        prolog: Prolog = bench._opened().prolog
        labels = {str(answer["L"]) for answer in prolog.all("sample(_, _, _, L, _)")}
        names = {str(answer["I"]) for answer in prolog.all("sample(I, _, _, _, _)")}
    assert labels == {"hidden"}
    assert not names & {sample.id for sample in dataset.samples}
