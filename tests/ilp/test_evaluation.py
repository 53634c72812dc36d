"""One evaluation for all: examples, facts and networks, and clauses beside the true ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbeam.errors import PrologSyntaxError
from hornbeam.ilp.evaluation import TheoryEvaluation, evaluate
from hornbeam.networks.network import Edge, Network
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import FactTask, Held, NetworkTask, Problem
from hornbeam.theory import Theory, as_facts
from tests.ilp.problems import cards

RIGHT = "good(X) :- red(X), shape(X, square)."


def judged(theory: str, problem: Problem | None = None) -> TheoryEvaluation:
    return evaluate(problem or cards(), theory)


def test_counts_and_balance() -> None:
    found = judged("good(X) :- red(X).")
    assert found.train is not None and found.test is not None
    assert found.train.details == {"tp": 2, "fp": 1, "fn": 0, "tn": 2, "undecided": 0}
    assert found.train.accuracy == pytest.approx(4 / 5)
    assert found.train.balanced == pytest.approx((1 + 2 / 3) / 2)
    assert (found.test.precision, found.test.recall) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("theory", "exact"),
    [
        (RIGHT, True),
        ("good(A) :- shape(A, square), red(A).", True),
        ("good(A) :- red(A), shape(A, square), red(A).", False),
        ("good(A) :- red(A).", False),
        ("", False),
    ],
)
def test_clauses_beside_the_true_ones(theory: str, exact: bool) -> None:
    found = judged(theory).against
    assert found is not None and found.exact is exact


def test_without_a_truth_there_is_nothing_to_stand_beside() -> None:
    problem = replace(cards(), truth=None)
    right, wrong = (judged(text, problem) for text in (RIGHT, "good(X) :- red(X)."))
    assert right.against is None and wrong.against is None
    assert right.test is not None and wrong.test is not None
    assert (right.test.accuracy, wrong.test.accuracy < 1) == (1.0, True)


def test_sizes_beside_the_truth() -> None:
    found = judged(f"{RIGHT} good(X) :- near(X, Y).").against
    assert found is not None
    assert (found.clause_ratio, found.literal_ratio) == (2.0, 5 / 3)


def test_a_theory_that_loops_is_not_covering() -> None:
    found = judged("good(X) :- again([X]). again(X) :- again([X]).")
    assert found.train is not None
    assert (found.train.details["undecided"], found.train.recall) == (5, 0.0)


def test_calls_that_nobody_defines_fail_and_are_named() -> None:
    found = judged("good(X) :- nice(X). good(X) :- red(X), shape(X, square).")
    assert found.unknown == ("nice/1",)
    assert found.test is not None and found.test.accuracy == 1.0


def test_what_a_theory_would_do_to_the_machine_is_refused() -> None:
    found = judged("good(X) :- shell('touch escaped'), red(X).")
    assert found.test is not None and found.test.recall == 0.0


def test_text_that_is_no_theory() -> None:
    with pytest.raises(PrologSyntaxError):
        judged(")( .")


def test_the_curve_has_the_empty_theory_and_skips_what_cannot_be_read() -> None:
    found = evaluate(cards(), RIGHT, before=["", "good(X) :- red(X).", ")(", RIGHT])
    assert found.curve == (pytest.approx(2 / 3), pytest.approx(2 / 3), None, 1.0)


def test_of_a_long_curve_the_first_and_the_last_are_judged() -> None:
    found = evaluate(cards(), RIGHT, before=["", *["good(X) :- red(X)."] * 200, RIGHT])
    assert found.curve[0] is not None and found.curve[-1] == 1.0
    assert sum(point is not None for point in found.curve) <= 41


# Facts ----------------------------------------------------------------------------------------------------------------


def fact_problem(truth: str | None) -> Problem:
    facts = Theory.parse("q(a,b). q(b,c). q(c,d).").heads
    bias = Bias(head=(Mode.parse("p(?t, ?t)"),), body=(Mode.parse("q(?t, ?t)"),))
    expected = Theory.parse("p(a,c). p(b,d).").heads
    held = {"test": Held(support=facts, expected=expected)}
    return Problem(FactTask("world", facts, bias), held, Theory.parse(truth) if truth else None)


def test_facts_against_the_truth() -> None:
    found = judged("p(X,Z) :- q(X,Y), q(Y,Z).", fact_problem("p(X,Z) :- q(X,Y), q(Y,Z)."))
    assert found.test is not None and found.against is not None
    assert (found.test.details["h_score"], found.against.exact, found.train) == (1.0, True, None)
    wider = judged("p(X,Y) :- q(X,Y). p(X,Z) :- q(X,Y), q(Y,Z).", fact_problem("p(X,Z) :- q(X,Y), q(Y,Z)."))
    assert wider.test is not None and wider.against is not None
    assert wider.test.details["h_score"] == pytest.approx(2 / 5)
    assert wider.test.headline == pytest.approx(2 / 5)
    assert (wider.against.exact, wider.against.clause_ratio) == (False, 2.0)


def test_facts_without_a_truth() -> None:
    found = judged("p(X,Z) :- q(X,Y), q(Y,Z). p(X,X) :- q(X,Y).", fact_problem(None))
    assert found.test is not None and found.against is None
    assert [found.test.details[name] for name in ("tp", "fp", "fn")] == [2, 3, 0]
    assert found.test.details["h_score"] == pytest.approx(2 / 5)


# Networks -------------------------------------------------------------------------------------------------------------


def answers(theory: Theory, networks: list[Network]) -> list[tuple[str, ...]]:
    """A reasoner that answers with the names of the theory's heads."""
    return [tuple(str(clause.head) for clause in theory.clauses) for _ in networks]


def test_networks_by_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hornbeam.networks.reasoning.answers", answers)
    edge = (Edge(0, ("r",), 1),)

    def network(k: int, *answer: str) -> Network:
        return Network(f"n{k}", edge, (0, 1), answer, {"k": k, "noise": "none"})

    task = NetworkTask("net", ("r", "s"), (network(2, "s", "r"),))
    held = {"test": Held(networks=(network(2, "r", "s"), network(3, "r"), network(3, "s", "r"), network(3, "r")))}
    found = judged("r. s.", Problem(task, held, Theory.parse("s. r.")))
    assert found.train is not None and found.test is not None
    assert (found.train.accuracy, found.test.accuracy, found.test.balanced) == (1.0, 0.5, 0.5)
    assert found.test.details["by_group"] == {
        "k=2, noise=none": {"accuracy": 1.0, "count": 1},
        "k=3, noise=none": {"accuracy": pytest.approx(1 / 3), "count": 3},
    }
    assert found.against is not None and found.against.exact is True


def test_a_theory_of_nothing_answers_nothing() -> None:
    """Not even where the right answer is that there is none."""
    networks = (Network("n", (Edge(0, ("r",), 1),), (0, 1), ("r",)), Network("m", (Edge(0, ("r",), 1),), (0, 1), ()))
    truth = Theory.parse("relation(r). answers(one). answers(none). compose(r,r,r).")
    found = judged("", Problem(NetworkTask("net", ("r",), networks), {"test": Held(networks=networks)}, truth))
    assert found.train is not None and found.test is not None
    assert (found.train.accuracy, found.test.accuracy) == (0.0, 0.0)


def test_a_weighted_judge_takes_a_theory_as_it_stands() -> None:
    """The clause of little weight is wrong: it costs the H-score, and the ranking of what follows nothing."""
    support = tuple(as_facts("p(a). p(b). q(c)."))
    truth = Theory.parse("g(X) :- p(X).")
    problem = Problem(FactTask("t", (), Bias((), ())), {"test": Held(support=support)}, truth)
    weighted = evaluate(problem, "% weight 0.9\ng(X) :- p(X).\n% weight 0.1\ng(X) :- q(X).\n").test
    assert weighted is not None
    assert weighted.details["h_score"] == pytest.approx(2 / 3)
    assert weighted.details["average_precision"] == 1.0
    plain = evaluate(problem, "g(X) :- p(X). g(X) :- q(X).").test
    assert plain is not None
    assert "average_precision" not in plain.details
