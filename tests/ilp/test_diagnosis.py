"""What was missing in the bias, what was nearly it, and what no rule can tell apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbeam.errors import UsageError
from hornbeam.ilp import learner as learners
from hornbeam.ilp.diagnosis import audit_bias, audit_space, why
from hornbeam.ilp.diagnosis.pairs import AlikePair, errors_at_least, inseparable
from hornbeam.ilp.learner import Space
from hornbeam.logic.terms import Compound, to_text
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask, NetworkTask, Problem
from hornbeam.theory import Theory
from tests.ilp.problems import cards


def bias(*body: str, head: str = "p(+t)", **limits: object) -> Bias:
    return Bias(head=(Mode.parse(head),), body=tuple(map(Mode.parse, body)), **limits)  # type: ignore[arg-type]


def kinds(truth: str, space: Bias | Space) -> list[str]:
    return [finding.kind for finding in audit_bias(Theory.parse(truth), space).findings]


# The bias auditor -----------------------------------------------------------------------------------------------------


def test_a_truth_inside() -> None:
    space = bias("q(+t, -u)", "r(+u, #c)", constants={"c": ("red", 3)})
    found = audit_bias(Theory.parse("p(X) :- q(X, Y), r(Y, red). p(X) :- r(Y, 3), q(X, Y)."), space)
    assert found.inside
    assert (found.needs.max_body, found.needs.max_vars, found.needs.depth, found.needs.clauses) == (2, 2, 1, 2)


@pytest.mark.parametrize(
    ("truth", "space", "expected"),
    [
        ("s(X) :- q(X).", bias("q(+t)"), ["head"]),
        ("p(X) :- q(X), r(X).", bias("q(+t)"), ["declaration"]),
        ("p(X) :- q(X, red).", bias("q(+t, -c)"), ["constant"]),
        ("p(X) :- q(X, [Y]).", bias("q(+t, -c)"), ["term"]),
        ("p(X) :- q(X, blue).", bias("q(+t, #c)", constants={"c": ("red",)}), ["constant"]),
        ("p(X) :- q(X, Y), r(Y).", bias("q(+t, #c)", "r(+c)", constants={"c": ("red",)}), ["mode", "unbound"]),
        ("p(X) :- q(X, Y), r(Y).", bias("q(+t, -c)", "r(+d)"), ["type"]),
        ("p(X) :- q(Y, X).", bias("q(+t, -t)"), ["unbound"]),
        ("p(X) :- q(X), r(X), s(X).", bias("q(+t)", "r(+t)", "s(+t)", max_body=2), ["size"]),
        ("p(X) :- q(X, Y), q(Y, Z).", bias("q(+t, -t)", max_vars=2), ["variables"]),
        ("p(X) :- q(X, Y), q(Y, Z).", bias("q(+t, -t)", depth=1), ["depth"]),
        ("p(X) :- q(X, Y), p(Y).", bias("q(+t, -t)"), ["recursion"]),
        ("p(X) :- q(X), \\+ r(X).", bias("q(+t)", "r(+t)"), ["negation"]),
        ("p(X) :- q(X). p(X) :- r(X).", bias("q(+t)", "r(+t)", max_clauses=1), ["clauses"]),
        ("p(X) :- h(X). h(X) :- q(X).", bias("q(+t)"), ["invention"]),
        ("p(X) :- h(X, Y), r(Y). h(X, Y) :- q(X, Y).", bias("q(+t, -u)", "r(+u)", invention=True), []),
        ("p(X) :- h(X). h(X) :- unknown(X).", bias("h(+t)"), []),
        ("p(X) :- s(X, Y), r(Y).", bias("r(+u)"), ["declaration"]),
    ],
)
def test_what_is_missing(truth: str, space: Bias, expected: list[str]) -> None:
    assert kinds(truth, space) == expected


def test_a_literal_may_be_called_later_than_it_is_written() -> None:
    assert kinds("p(X) :- r(Y), q(X, Y).", bias("q(+t, -u)", "r(+u)")) == []


def test_of_several_modes_the_one_that_leads_on_is_taken() -> None:
    """The first mode of q makes Y a u, and then nothing can be done with it."""
    assert kinds("p(X) :- q(X, Y), r(Y).", bias("q(+t, -u)", "q(+t, -v)", "r(+v)")) == []


def test_depth_is_the_shortest_way() -> None:
    space = bias("far(+t, -t)", "near(+t, -t)", "all(+t, +t, +t)", depth=2)
    found = audit_bias(Theory.parse("p(X) :- far(Y, Z), far(X, Y), near(X, Z), all(X, Y, Z)."), space)
    assert (found.inside, found.needs.depth) == (True, 1)


def test_recursion_and_negation_where_they_are_allowed() -> None:
    space = replace(bias("q(+t, -t)", recursion=True), body=(Mode.parse("q(+t, -t)", negated=True),))
    assert kinds("p(X) :- q(X, Y), p(Y), \\+ q(Y, X).", space) == []
    assert kinds("p(X) :- q(X, Y), \\+ q(Y, Z).", space) == ["unbound"]


@pytest.mark.parametrize(
    ("truth", "restriction", "kind"),
    [
        ("p(X) :- c(X, red).", {"constants": False}, "constant"),
        ("p(X) :- \\+ q(X).", {"negation": False}, "negation"),
        ("p(X) :- d(X, Y), p(Y).", {"recursion": False}, "recursion"),
        ("p(X) :- d(X, X).", {"repeated_variables": False}, "repeated"),
        ("p(X) :- n(Y).", {"unused_head_variables": False}, "unused"),
        ("p(X) :- q(X), n(Y).", {"unconnected": False}, "unconnected"),
    ],
)
def test_a_learner_s_own_restrictions(truth: str, restriction: dict[str, bool], kind: str) -> None:
    modes = bias("c(+t, #c)", "d(+t, -t)", "n(-t)", recursion=True)
    space = replace(modes, body=(*modes.body, Mode.parse("q(+t)", negated=True)))
    assert kinds(truth, Space(space)) == []
    assert kinds(truth, Space(space, **restriction)) == [kind]


def test_each_learner_is_asked_for_its_space() -> None:
    problem = cards()
    assert audit_space(problem).inside
    found = audit_space(problem, learners.get("one-literal"))
    assert (found.learner, [finding.kind for finding in found.findings]) == ("one-literal", ["size"])
    assert found.to_json()["missing"][0]["text"] == "2 body literals, and 1 is allowed"


def test_what_has_no_bias_or_no_truth() -> None:
    with pytest.raises(UsageError, match="no bias to audit"):
        audit_space(Problem(NetworkTask("n", (), ()), {}, Theory(())))
    with pytest.raises(UsageError, match="cannot be said"):
        audit_space(replace(cards(), truth=None))


# Why no rule? ---------------------------------------------------------------------------------------------------------


def test_what_is_wrong_and_what_is_one_literal_away() -> None:
    found = why(cards(), Theory.parse("good(X) :- red(X)."))
    assert (found.uncovered, found.covered) == ((), ("good(c3)",))
    best = found.near[0]
    assert (to_text(best.clause), best.errors) == ("good(X) :- red(X), shape(X,square).", 0)
    assert best.change == "with shape(X,square)"
    assert "clause 1 with shape(X,square)" in str(found)


def test_a_literal_too_many() -> None:
    theory = Theory.parse("good(X) :- red(X), shape(X, square), near(X, Y).")
    found = why(cards(), theory)
    assert found.uncovered == ("good(c2)",)
    assert (found.near[0].change, found.near[0].errors) == ("without near(X,Y)", 0)


def test_what_is_right_has_no_near_miss() -> None:
    found = why(cards(), Theory.parse("good(X) :- red(X), shape(X, square)."))
    assert (found.uncovered, found.covered, found.near) == ((), (), ())


def test_a_near_miss_beyond_the_bias_says_so() -> None:
    problem = cards()
    assert isinstance(problem.task, ExampleTask)
    narrow = replace(problem.task, bias=problem.task.bias.with_limits(max_body=1))
    found = why(narrow, Theory.parse("good(X) :- red(X)."))
    assert (found.near[0].errors, found.near[0].outside) == (0, "max_body 1")


def test_clauses_of_a_theory_are_counted_together() -> None:
    theory = Theory.parse("good(X) :- near(X, Y), shape(X, square). good(X) :- shape(X, square).")
    found = why(cards(), theory)
    assert found.covered == ("good(c4)",)
    assert (found.near[0].number, found.near[0].errors) == (1, 0)


def test_a_pair_that_no_rule_tells_apart() -> None:
    """c2 and c6 are both red squares, and near nothing."""
    found = why(cards(negative=("c6", "c3")), Theory(()))
    assert found.inseparable is not None
    assert [(to_text(pair.positive), to_text(pair.negative)) for pair in found.inseparable.pairs] == [
        ("good(c2)", "good(c6)")
    ]
    assert found.errors_at_least == 1
    assert "wrong on at least 1" in str(found)


def test_a_rule_for_more_cannot_leave_out_one_that_has_all_of_it() -> None:
    """Whatever holds of c2 holds of c1, which is near something, too; not the other way round."""
    assert inseparable_names(("c2",), ("c1",)) == [("c2", "c1")]
    assert inseparable_names(("c1",), ("c2",)) == []


def test_with_negation_only_the_same_is_inseparable() -> None:
    assert inseparable_names(("c2",), ("c1",), negated=True) == []
    assert inseparable_names(("c2",), ("c6",), negated=True) == [("c2", "c6")]


def inseparable_names(positive: tuple[str, ...], negative: tuple[str, ...], negated: bool = False) -> list[object]:
    task = cards(positive, negative).task
    assert isinstance(task, ExampleTask)
    body = tuple(replace(mode, negated=negated) for mode in task.bias.body)
    found = inseparable(replace(task, bias=replace(task.bias, body=body)))
    assert found.undecided == 0
    return [(pair.positive.args[0], pair.negative.args[0]) for pair in found.pairs]  # type: ignore[union-attr]


@pytest.mark.parametrize(("depth", "expected"), [(1, 1), (2, 1), (3, 0)])
def test_depth_decides_what_can_be_told_apart(depth: int, expected: int) -> None:
    """Two chains that differ in the third step only; deep enough, a rule tells them apart."""
    background = "next(a, a1). next(a1, a2). next(b, b1). next(b1, b2). next(a2, a3)."
    task = ExampleTask("chain", (at("a"),), (at("b"),), background, bias("next(+t, -t)", depth=depth))
    assert len(inseparable(task).pairs) == expected


def test_what_is_as_far_as_allowed_may_still_be_tested() -> None:
    """p(X) :- next(X, Y), end(Y) has no variable farther than one call, and tells a from b."""
    background = "next(a, a1). next(b, b1). end(a1). same(a1, a). same(b1, b)."
    task = ExampleTask("ends", (at("a"),), (at("b"),), background, bias("next(+t, -t)", "end(+t)", depth=1))
    assert inseparable(task).pairs == ()
    # So may what is found twice be compared; a call that would find something new may not be made.
    back = replace(task, bias=bias("next(+t, -t)", "same(+t, -t)", depth=1), background=f"{background} same(a1, a2).")
    assert len(inseparable(back).pairs) == 1


def test_structures_are_compared_and_not_only_counted() -> None:
    """A triangle and a path with as many edges: each edge of the path has its like, the whole triangle has not."""
    background = "edge(a,b). edge(b,c). edge(c,a). edge(x,y). edge(y,z). edge(z,w). edge(w,w1)."
    space = bias("edge(+t, -t)", depth=3)
    triangle, path = at("a"), at("x")
    assert len(inseparable(ExampleTask("t", (path,), (triangle,), background, space)).pairs) == 1
    assert inseparable(ExampleTask("t", (triangle,), (path,), background, space)).pairs == ()


def at(name: str) -> Compound:
    return Compound("p", (name,))


def test_a_loop_in_the_background_is_not_waited_for() -> None:
    background = "next(X, Y) :- next(X, Y). same(_)."
    task = ExampleTask("loop", (at("a"),), (at("b"),), background, bias("next(+t, -t)", "same(+t)"))
    found = inseparable(task)
    assert (found.pairs, found.undecided) == ((), 1)


def test_the_least_number_of_errors() -> None:
    """One negative that stands against three positives is one error; another pair is one more."""
    names = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]
    pairs = [AlikePair(positive, negative) for positive, negative in names]
    assert errors_at_least(pairs) == 2
    assert errors_at_least([AlikePair("a", "x"), AlikePair("a", "y"), AlikePair("b", "x")]) == 2


def test_held_out_errors_are_named_with_the_literal_or_the_rule_to_blame() -> None:
    problem = cards()
    theory = Theory.parse("good(X) :- red(X), shape(X, circle). good(X) :- colour(X, blue).")
    found = why(problem, theory)
    assert [str(error) for error in found.held] == [
        "good(c6): clause 1 comes nearest and fails at shape(X,circle)",
        "good(c3): covered by clause 1",
        "good(c4): covered by clause 2",
    ]
    assert "Wrong in test: 3 of 3" in str(found)
    assert found.to_json()["held_out"]["test"]["errors"][0] == {
        "split": "test", "example": "good(c6)", "expected": True, "answer": False, "target": "good/1",
        "clause": 1, "literal": "shape(X,circle)", "cell": None,
        "blame": "clause 1 comes nearest and fails at shape(X,circle)", "derivation": [],
    }  # fmt: skip
    assert [str(error) for error in why(problem, Theory(())).held] == ["good(c6): no clause has such a head"]
