"""The learner in Python: known answers, noise, the clock, what it tells, and bad input."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from pydantic import ValidationError

from hornbeam.bitsets import mask_of
from hornbeam.errors import HornbeamError
from hornbeam.ilp import learner as learners
from hornbeam.ilp.cover import add_undominated, score
from hornbeam.ilp.mdie.learner import MDIE, GoodClause, MDIESettings
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Clause, Compound, Prolog, Var
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory
from tests.ilp.mdie.tasks import cells, modes, reachability


def learn(task: ExampleTask, watch: Watch | None = None, **settings: object) -> Theory:
    return MDIE().fit(task, MDIESettings.model_validate(settings), watch or Watch())


def lines(theory: Theory) -> list[str]:
    return sorted(map(str, theory.clauses))


def told(watch: Watch) -> list[str]:
    return [json.dumps({**event.to_json(), "seconds": 0}) for event in watch.events]


# Known answers ----------------------------------------------------------------------------------------------------


def test_it_is_found_by_its_name() -> None:
    assert isinstance(learners.get("mdie"), MDIE)


def test_recursion() -> None:
    assert lines(learn(reachability())) == ["path(A,B) :- edge(A,B).", "path(A,B) :- edge(A,C), path(C,B)."]


def test_negation_and_constants() -> None:
    assert lines(learn(cells())) == ["good(A) :- \\+ divides(5,A), divides(3,A).", "good(A) :- divides(2,A)."]


@pytest.mark.parametrize("strategy", ["few", "max", "cover"])
def test_what_it_claims_is_true(strategy: str) -> None:
    watch = Watch()
    task = cells()
    theory = learn(task, watch, strategy=strategy)
    best = next(event for event in reversed(watch.events) if event.kind == "best")
    assert best.figures["theory"] == str(theory).strip()
    pl = Prolog()
    pl.load_text(task.background + "\n" + str(theory), "judge_mdie")
    right = pl.ask_many("X", over="X", rows=task.positive, module="judge_mdie")
    wrong = pl.ask_many("X", over="X", rows=task.negative, module="judge_mdie")
    pl.unload("judge_mdie")
    counted = {"tp": right.count(True), "fn": right.count(False), "fp": wrong.count(True), "tn": wrong.count(False)}
    assert {name: best.figures[name] for name in counted} == counted


def test_noise_makes_theories_shorter_than_their_errors() -> None:
    task = cells(wrong=[4, 7, 50])
    clean = learn(task, min_pos=1)
    noisy = learn(task, noise=2)
    assert "good(A) :- divides(2,A)." in lines(noisy)
    assert noisy.literals < max(clean.literals, 6)


def test_two_predicates_to_learn() -> None:
    facts = "red(1). red(2). big(2). big(3)."
    one = tuple(Compound("warm", (n,)) for n in (1, 2)) + tuple(Compound("large", (n,)) for n in (2, 3))
    none = (Compound("warm", (3,)), Compound("large", (1,)))
    bias = Bias(modes("warm(+thing)", "large(+thing)"), modes("red(+thing)", "big(+thing)"))
    assert lines(learn(ExampleTask("two", one, none, facts, bias))) == ["large(A) :- big(A).", "warm(A) :- red(A)."]


def test_depth_and_size_are_those_of_the_bias() -> None:
    task = ExampleTask(
        "chain",
        (Compound("p", ("a",)),),
        (Compound("p", ("b",)),),
        "n(a,a1). n(a1,a2). n(b,b1). n(b1,b2). end(a2).",
        Bias(modes("p(+x)"), modes("n(+x,-x)", "end(+x)"), max_body=3, max_vars=3, depth=2),
    )
    assert lines(learn(task)) == ["p(A) :- n(A,B), n(B,C), end(C)."]
    assert not len(learn(replace(task, bias=task.bias.with_limits(depth=1))))
    assert not len(learn(replace(task, bias=task.bias.with_limits(max_body=2))))
    assert not len(learn(replace(task, bias=task.bias.with_limits(max_vars=2))))


def test_an_example_that_is_given_twice_counts_twice() -> None:
    atoms = tuple(Compound("p", (name,)) for name in ("a", "a", "b"))
    bias = Bias(modes("p(+x)"), modes("q(+x)"))
    watch = Watch()
    learn(ExampleTask("twice", atoms, (Compound("p", ("c",)),) * 2, "q(a). q(b).", bias), watch)
    best, last = watch.events[-2], watch.events[-1]
    assert {name: best.figures[name] for name in ("tp", "fn", "fp", "tn")} == {"tp": 3, "fn": 0, "fp": 0, "tn": 2}
    assert last.kind == "finished"


def test_constants_are_those_of_the_bias() -> None:
    background = "q(a,red). q(b,red). q(c,blue). r(a). r(b). r(c)."
    bias = Bias(modes("p(+x)"), modes("q(+x,#colour)", "r(+x)"), {"colour": ("blue", "green")})
    task = ExampleTask("colours", tuple(Compound("p", (n,)) for n in "ab"), (Compound("p", ("c",)),), background, bias)
    assert not len(learn(task))
    assert lines(learn(replace(task, bias=replace(bias, constants={})))) == ["p(A) :- q(A,red)."]
    assert lines(learn(replace(task, bias=replace(bias, constants={"colour": ("red",)})))) == ["p(A) :- q(A,red)."]


def test_without_negatives_the_bare_head_is_enough() -> None:
    assert lines(learn(replace(cells(), negative=()))) == ["good(A)."]


def test_without_recursion_nothing_calls_itself() -> None:
    task = reachability()
    called = (*task.bias.body, *modes("path(+node,-node)"))
    made = learn(replace(task, bias=replace(task.bias, recursion=False, body=called)))
    assert not any("path" in str(literal) for clause in made for literal in clause.body)


# What it tells ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"shuffle": True, "seed": 3}, {"strategy": "max"}])
def test_the_same_task_and_seed_tell_the_same(settings: dict[str, object]) -> None:
    one, other = Watch(), Watch()
    learn(cells(), one, **settings)
    learn(cells(), other, **settings)
    assert told(one) == told(other)
    assert one.tried > 0


def test_the_seed_shuffles_the_seeds() -> None:
    one, other = Watch(), Watch()
    learn(cells(), one, shuffle=True, seed=1, strategy="cover")
    learn(cells(), other, shuffle=True, seed=2, strategy="cover")
    assert told(one) != told(other)


def test_at_the_limit_the_best_so_far_is_returned() -> None:
    class Clock(Watch):
        """Time is up after the first theory."""

        def time_is_up(self) -> bool:
            return any(event.kind == "best" for event in self.events)

    watch = Clock()
    theory = learn(cells(), watch)
    assert len(theory) == 1
    assert str(theory).strip() == watch.events[-1].figures["theory"]
    # Nothing is left running: the next task is not disturbed.
    assert len(learn(cells())) == 2


def test_it_claims_to_be_done_only_for_one_clause_that_was_searched_for_to_the_end() -> None:
    one, full, negated, two = Watch(), Watch(), Watch(), Watch()
    task = cells(9)
    few = replace(task, positive=task.positive[:1], negative=task.negative[:2])
    plain = replace(few, bias=replace(few.bias, body=modes("divides(#divisor,+int)")))
    learn(plain, one)
    learn(plain, full, max_bottom=1)
    learn(few, negated)  # a clause without negation was found, and none with it looked for
    assert len(learn(cells(), two)) == 2
    assert [watch.events[-1].kind == "finished" for watch in (one, full, negated, two)] == [True, False, False, False]


def test_no_theory_has_more_clauses_than_the_bias_allows() -> None:
    watch = Watch()
    task = cells()
    assert len(learn(replace(task, bias=task.bias.with_limits(max_clauses=1)), watch)) == 1
    assert all(len(Theory.parse(str(e.figures["theory"]))) == 1 for e in watch.events if e.kind == "best")


# Bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setting", [{"minpos": 2}, {"noise": -1}, {"strategy": "best"}, {"min_acc": 1.5}, {"nodes": 0}]
)
def test_bad_settings(setting: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        MDIESettings.model_validate(setting)


def test_background_with_an_error_is_named() -> None:
    with pytest.raises(HornbeamError, match=r"background of cells"):
        learn(replace(cells(), background="divides(2, ."))


def test_no_positive_examples_no_theory() -> None:
    watch = Watch()
    assert not len(learn(replace(cells(), positive=()), watch))


# The choice of clauses --------------------------------------------------------------------------------------------


def good(name: str, size: int, positive: Iterable[int], negative: Iterable[int] = ()) -> GoodClause:
    body = tuple(Compound(f"{name}{number}", (Var("A"),)) for number in range(size))
    return GoodClause(Clause(Compound("p", (Var("A"),)), body), mask_of([*positive]), mask_of([*negative]))


def test_what_a_theory_is_worth() -> None:
    theory = [good("a", 1, [1, 2, 5], [7]), good("b", 2, [3, 4, 5], [7, 8])]
    assert score(theory, 6).key(noise=False) == (3, 5)
    assert score(theory, 6).key(noise=True) == (8, 3)
    assert score([], 6).key(noise=False) == (6, 0)
    assert score(theory, 6).claims(6, 4) == {"tp": 5, "fn": 1, "fp": 2, "tn": 2}


def test_what_another_clause_replaces_is_dropped() -> None:
    kept: list[GoodClause] = []
    assert add_undominated(kept, good("a", 3, [1, 2]))
    assert not add_undominated(kept, good("b", 3, [1]))
    assert add_undominated(kept, good("c", 2, [1, 2, 3]))
    assert [one.size for one in kept] == [3]
