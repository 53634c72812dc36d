"""Answer sets: assumptions, cores, consequences, optimisation, limits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import AspError, TimeLimit
from hornbeam.logic.asp import Facts, Solver
from hornbeam.logic.terms import Compound, Term

COLOURING = "1 { colour(N,C) : palette(C) } 1 :- node(N). :- edge(A,B), colour(A,C), colour(B,C)."
PIGEONS = "1 { at(P,H) : H = 1..n } 1 :- P = 1..n+1. :- at(P,H), at(Q,H), P < Q."


def colour(node: str, value: str) -> Compound:
    return Compound("colour", (node, value))


def no(atom: Term) -> Compound:
    return Compound("\\+", (atom,))


def colouring(colours: str, edges: list[tuple[str, str]]) -> Solver:
    nodes = sorted({node for edge in edges for node in edge})
    facts = Facts.rows("node", [(node,) for node in nodes]) | Facts.rows("edge", edges)
    return Solver(COLOURING, facts=facts | Facts.rows("palette", [(value,) for value in colours]))


TRIANGLE = [("a", "b"), ("b", "c"), ("c", "a")]


def test_all_answers_and_a_limit() -> None:
    solver = colouring("rgb", TRIANGLE)
    assert len(list(solver.answers())) == 6
    assert len(list(solver.answers(limit=4))) == 4
    assert colouring("rg", TRIANGLE).first() is None


def test_constants_of_prolog_pass_through() -> None:
    solver = colouring("RG", [("Node A", "b")])
    answers = {frozenset(answer.rows("colour")) for answer in solver.answers()}
    assert answers == {frozenset({("Node A", "G"), ("b", "R")}), frozenset({("Node A", "R"), ("b", "G")})}


def test_same_calls_same_answers() -> None:
    def run() -> list[list[Term]]:
        return [answer.sorted() for answer in colouring("rgbw", TRIANGLE).answers(limit=10)]

    assert run() == run()


def test_assumptions_hold_for_one_call_only() -> None:
    solver = colouring("rgb", TRIANGLE)
    assert len(list(solver.answers([colour("a", "r"), no(colour("b", "g"))]))) == 1
    assert len(list(solver.answers())) == 6


def test_assumptions_that_grounding_decided() -> None:
    solver = colouring("rgb", TRIANGLE)
    edge = Compound("edge", ("a", "b"))
    assert solver.first([edge, no(colour("a", "pink"))]) is not None
    assert solver.first([no(edge)]) is None
    assert solver.first([colour("a", "pink")]) is None
    assert solver.core([colour("a", "r"), colour("a", "pink")]) == (colour("a", "pink"),)
    assert solver.core([colour("a", "r"), edge, no(edge)]) == (no(edge),)


def test_core() -> None:
    solver = colouring("rgb", TRIANGLE)
    assert solver.core([colour("a", "r"), colour("b", "g")]) is None
    assumed = [colour("c", "b"), colour("a", "r"), Compound("edge", ("a", "b")), colour("b", "r")]
    assert solver.core(assumed, minimal=True) == (colour("a", "r"), colour("b", "r"))
    assert colouring("rg", TRIANGLE).core([colour("a", "r")], minimal=True) == ()


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_minimal_core_is_a_core_and_minimal(clauses: list[list[str]]) -> None:
    """Random constraints over six free atoms, all assumed: every core is checked by brute force."""
    solver = Solver("{ a; b; c; d; e; f }. " + " ".join(f":- {', '.join(clause)}." for clause in clauses))
    core = solver.core(list("abcdef"), minimal=True)
    assert core is not None

    def contradicts(atoms: tuple[Term, ...]) -> bool:
        return any(set(clause) <= set(map(str, atoms)) for clause in clauses)

    assert contradicts(core)
    assert not any(contradicts(part) for part in combinations(core, len(core) - 1))


def test_brave_and_cautious() -> None:
    solver = Solver("1 { a; b } 1. c. d :- a. d :- b. #show a/0. #show b/0. #show d/0.")
    brave, cautious = solver.brave(), solver.cautious()
    assert brave is not None
    assert cautious is not None
    assert set(brave) == {"a", "b", "d"}
    assert set(cautious) == {"d"}
    assert set(solver.cautious(["a"]) or ()) == {"a", "d"}
    assert solver.brave([no("d")]) is None
    assert len(list(solver.answers())) == 2, "the kind of search was not set back"


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=5))
@settings(max_examples=40, deadline=None)
def test_consequences_are_the_union_and_the_intersection(pairs: list[tuple[str, str]]) -> None:
    solver = Solver("1 { a; b; c; d }. " + " ".join(f":- {one}, {other}." for one, other in pairs))
    answers = [frozenset(answer) for answer in solver.answers()]
    brave, cautious = solver.brave(), solver.cautious()
    if not answers:
        assert brave is None
        assert cautious is None
        return
    assert set(brave or ()) == frozenset.union(*answers)
    assert set(cautious or ()) == frozenset.intersection(*answers)


def test_optimum_is_proven() -> None:
    solver = Solver(
        "{ take(X) : item(X,_) }. :- #sum { W,X : take(X), item(X,W) } > 10. #show take/1. "
        "#maximize { W,X : take(X), item(X,W) }.",
        facts=Facts.rows("item", [("A", 6), ("b", 5), ("c", 4), ("d", 3)]),
    )
    best = solver.optimum()
    assert best is not None
    assert best.proven
    assert best.cost == (-10,)
    assert set(best.model.rows("take")) == {("A",), ("c",)}
    under = solver.optimum([Compound("take", ("b",))])
    assert under is not None
    assert under.cost == (-9,)
    assert len(list(solver.answers())) > 1, "minimisation must not restrict a plain search"


def test_time_limit_ends_a_search_and_the_solver_lives_on() -> None:
    solver = Solver(PIGEONS, constants={"n": 13})
    with pytest.raises(TimeLimit, match=r"within 0\.3 s"):
        solver.first(time_limit=0.3)
    assert solver.first([Compound("at", (1, 99))], time_limit=5) is None
    with pytest.raises(TimeLimit):
        solver.cautious(time_limit=0.1)


def test_time_limit_keeps_the_best_so_far() -> None:
    """Knapsack that is too large to prove in the time, but has answers at once."""
    rows = [(n, 1000 + (n * 7919) % 997, 1000 + (n * 104729) % 991) for n in range(120)]
    solver = Solver(
        "{ take(X) : item(X,_,_) }. :- #sum { W,X : take(X), item(X,W,_) } > 60000. "
        "#maximize { V,X : take(X), item(X,_,V) }. #show take/1.",
        facts=Facts.rows("item", rows),
    )
    best = solver.optimum(time_limit=0.5)
    assert best is not None
    assert not best.proven
    assert best.cost[0] < 0


def test_forbid_rules_out_and_add_grows() -> None:
    solver = Solver("{ a; b }.")
    assert len(list(solver.answers())) == 4
    solver.forbid(["a", no("b")])
    assert {frozenset(answer) for answer in solver.answers()} == {frozenset(), frozenset("ab"), frozenset("b")}
    solver.forbid(["a", "unknown"])
    assert len(list(solver.answers())) == 3
    solver.add("c :- a. :- not c.", facts=["Fact"])
    assert [set(answer) for answer in solver.answers()] == [{"a", "b", "c", "Fact"}]
    solver.forbid([])
    assert solver.first() is None


def test_closing_the_iterator_frees_the_solver() -> None:
    solver = Solver("{ a; b; c }.")
    answers = solver.answers()
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert len(list(solver.answers())) == 8


def test_messages_are_errors(tmp_path: Path) -> None:
    with pytest.raises(AspError, match="atom does not occur in any rule head"):
        Solver("a :- typo.")
    with pytest.raises(AspError, match="operation undefined"):
        Solver("p(a+1).")
    with pytest.raises(AspError, match="no integer 3000000000"):
        Solver("p(3000000000).")
    file = tmp_path / "broken.lp"
    file.write_text("a.\nb :- .. c.\n")
    with pytest.raises(AspError, match="syntax error") as caught:
        Solver(files=[file])
    assert (caught.value.file, caught.value.line) == (str(file), 2)
    solver = Solver("{ a }.")
    with pytest.raises(AspError, match="syntax error"):
        solver.add("b :-")


def test_files_and_constants(tmp_path: Path) -> None:
    file = tmp_path / "program.lp"
    file.write_text("#const who = nobody. p(1..n). q(who). ")
    answer = Solver(files=[file], constants={"n": 3, "who": "Ann"}).first()
    assert answer is not None
    assert answer.counts() == {"p": 3, "q": 1}
    assert list(answer.rows("q")) == [("Ann",)]


def test_wrong_time_limit() -> None:
    with pytest.raises(AspError, match="the time limit must be above 0"):
        Solver("a.").first(time_limit=0)
