"""What the diff says first, and what it leaves out or refuses: from the command where there is one."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hornbeam.cli import theories
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.logic.terms import Clause, Var, substitute, variables
from hornbeam.report.diff_page import diff_page
from hornbeam.theory import Theory, diff
from hornbeam.theory.forms import clause_form

TRUE = """\
ancestor(X,Y) :- parent(X,Y).
ancestor(X,Z) :- parent(X,Y), ancestor(Y,Z).
tall(X) :- height(X,H), H > 180.
"""
LEARNED = """\
anc(A,C) :- anc(B,C), parent(A,B).
anc(A,B) :- parent(A,B).
size(A) :- height(A,B), B > 170.
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "true.pl").write_text(TRUE)
    (tmp_path / "learned.pl").write_text(LEARNED)
    (tmp_path / "facts.pl").write_text("parent(a,b).\nparent(b,c).\nheight(a,175).\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(theories.app, list(arguments))


def _printed(*arguments: str) -> list[str]:
    done = _run("diff", "true.pl", "learned.pl", *arguments)
    assert done.exit_code == 0, done.exception
    return list(done.stdout.splitlines())


def _refused(*arguments: str) -> HornbeamError:
    done = _run("diff", "true.pl", "learned.pl", *arguments)
    assert isinstance(done.exception, UsageError)
    return done.exception


# Renaming and targets -------------------------------------------------------------------------------------------------


def test_renamed_and_cut_down_the_theory_is_proven_equal(place: Path) -> None:
    lines = _printed("--rename", "anc=ancestor", "--target", "ancestor")
    assert lines[0] == "proven equal (clause by clause)"
    assert "# 2 rules are the same; --all shows them" in lines
    assert "# only ancestor and what it depends on: 1 true and 1 learned clauses are left out" in lines
    assert not any("tall" in line or "size" in line for line in lines)


def test_a_wrong_rule_is_refuted_where_its_name_is_right(place: Path) -> None:
    lines = _printed("--rename", "anc/2=ancestor", "--rename", "size=tall", "--facts", "facts.pl")
    assert lines[0].startswith("refuted: tall(") and "to blame: " in lines[0]
    assert "tall(A) :- height(A,B), B > 170." in lines[0]


def test_other_names_are_hinted_at_and_not_guessed(place: Path) -> None:
    lines = _printed()
    assert any("did you mean --rename anc=ancestor?" in line for line in lines)
    assert "-ancestor(X,Y) :- parent(X,Y)." in lines and "+anc(A,B) :- parent(A,B)." in lines


def test_two_candidates_give_no_hint() -> None:
    made = diff("p(X) :- a(X). q(X) :- b(X).", "r(X) :- a(X).")
    assert not any("--rename" in note for note in made.notes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rename", "an=ancestor"), "unknown predicate of the learned theory 'an'; did you mean 'anc'?"),
        (("--rename", "anc/3=ancestor"), "unknown predicate of the learned theory 'anc/3'; did you mean 'anc/2'?"),
        (("--rename", "anc=ancestr"), "unknown predicate of the true theory 'ancestr'; did you mean 'ancestor'?"),
        (("--rename", "anc"), "expected a renaming old=new"),
        (("--rename", "anc=parent"), "another predicate parent/2"),
        (("--rename", "anc/2=ancestor/3"), "keeps the arity"),
        (("--rename", "anc=ancestor", "--rename", "anc/2=tall"), "renamed twice"),
        (("--target", "ancestr"), "did you mean 'ancestor'?"),
        (("--target", "ancestor/3"), "did you mean 'ancestor/2'?"),
    ],
)
def test_a_wrong_name_is_a_usage_error(place: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in str(_refused(*arguments))


def test_names_can_be_swapped_and_goals_inside_of_goals_are_renamed() -> None:
    learned = "p(X) :- q(X, f(q)), \\+ ( r(X) ; forall(q(X, Y), p(Y)) ), findall(Z, q(X, Z), [q])."
    true = "q(X) :- p(X, f(q)), \\+ ( r(X) ; forall(p(X, Y), q(Y)) ), findall(Z, p(X, Z), [q])."
    assert diff(true, learned, rename={"p/1": "q", "q/2": "p"}).verdict == diff(true, true).verdict


# The first line -------------------------------------------------------------------------------------------------------

PROGRAMS = {
    "lists": "last([X],X). last([_|T],X) :- last(T,X).",
    "negation": "p(X) :- q(X,Y), \\+ r(Y), \\+ s(X,Y). p(X) :- t(X).",
    "arithmetic": "old(X) :- born(X,B), A is 2026-B, A > 60. old(X) :- said_so(X).",
    "control": "p(X) :- q(X), ( r(X) -> s(X) ; t(X) ), findall(Y, u(X,Y), Ys), length(Ys, 2).",
    "recursion": "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).",
    "a table": " ".join(f"compose(r{a},r{b},r{a * b % 7})." for a in range(20) for b in range(20)),
}


def _disturbed(theory: Theory) -> Theory:
    """Its clauses in another order, their literals in another order, their variables by other names."""
    chance = random.Random(5)
    clauses = []
    for clause in theory.clauses:
        names = variables(clause)
        others = [Var(f"N{number}") for number in range(len(names))]
        chance.shuffle(others)
        body = chance.sample(clause.body, len(clause.body))
        new = dict(zip(names, others, strict=True))
        clauses.append(Clause(substitute(clause.head, new), tuple(substitute(literal, new) for literal in body)))
    chance.shuffle(clauses)
    return Theory.of(clauses)


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_program_is_proven_equal_to_itself_whatever_it_is_made_of(case: str) -> None:
    program = Theory.parse(PROGRAMS[case])
    made = diff(program, _disturbed(program))
    assert str(made).splitlines()[0] == "proven equal (clause by clause)"
    assert made.to_json()["verdict"]["kind"] == "equal" and made.rules.r_score == 1


def test_thousands_of_clauses_are_proven_equal() -> None:
    text = " ".join(f"p{n % 7}([X|T],Y) :- q{n}(X,Z), \\+ r{n % 30}(Z,Y), s(T)." for n in range(4000))
    program = Theory.parse(text)
    assert str(diff(program, _disturbed(program)).verdict) == "proven equal (clause by clause)"


def test_with_a_cut_the_order_counts() -> None:
    made = diff("p(X) :- q(X), !. p(X) :- r(X).", "p(X) :- r(X). p(X) :- q(X), !.")
    assert str(made).startswith("not decided: with a cut the order of clauses counts\n")
    assert diff("p(X) :- q(X), !. p(X) :- r(X).", "p(A) :- q(A), !. p(A) :- r(A).").verdict is not None


def test_symmetric_clauses_have_one_form_and_different_ones_two() -> None:
    ring = "p :- e(A,B), e(B,C), e(C,D), e(D,E), e(E,F), e(F,A)."
    turned = "p :- e(Z,A), e(A,X), e(Y,Z), e(W,Y), e(V,W), e(X,V)."
    triangles = "p :- e(A,B), e(B,C), e(C,A), e(D,E), e(E,F), e(F,D)."
    forms = [clause_form(Theory.parse(text).clauses[0]) for text in (ring, turned, triangles)]
    assert forms[0] == forms[1] != forms[2]


def test_containment_is_named_as_such() -> None:
    assert str(diff("p(X) :- q(X).", "p(X) :- q(X). p(X) :- q(X), r(X).").verdict) == "proven equal (by containment)"


def test_a_refutation_shows_the_database_and_the_literal_to_blame() -> None:
    made = diff("p(X) :- q(X).", "p(X) :- q(X), r(X).")
    assert str(made).splitlines()[0] == (
        "refuted: p(c1) from q(c1): the true theory says derived, the learned one not derived; "
        "to blame: r(c1) in p(X) :- q(X), r(X)."
    )
    found = json.loads(json.dumps(made.to_json()))["verdict"]
    assert found["kind"] == "refuted" and found["counterexample"]["prolog"] == "q(c1).\n"


def test_background_knowledge_may_rule_a_database_out() -> None:
    goals = [Theory.parse(f"p({name}).").clauses[0].head for name in "ab"]
    made = diff("p(X) :- q(X).", "p(X) :- r(X).", examples=goals, background="q(a). r(X) :- q(X).")
    assert made.verdict is None
    assert "which the background knowledge may rule out; they agree on 2 examples" in str(made).splitlines()[0]
    wrong = diff("p(X) :- q(X).", "p(X) :- r(X).", examples=goals, background="q(a). r(b).")
    assert str(wrong).startswith("refuted: p(a): the true theory says covered, the learned one not covered")


def test_every_form_begins_with_the_verdict() -> None:
    made = diff("p(X) :- q(X).", "p(X) :- q(X), r(X).")
    screen = io.StringIO()
    Console(file=screen, width=200).print(made)
    assert screen.getvalue().startswith("refuted: p(c1) from q(c1)")
    page = diff_page(made)
    assert page.index("refuted: p(c1)") < page.index("On all databases")


# What is not shown ----------------------------------------------------------------------------------------------------


def _many(count: int) -> str:
    return "\n".join(f"p(X,Y) :- q{n}(X,Z), r(Z,Y)." for n in range(count))


def test_rules_that_are_the_same_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "true.pl").write_text(_many(301))
    (tmp_path / "learned.pl").write_text(_many(300) + "\np(X,Y) :- q300(Z,X), r(Z,Y).\n")
    lines = _printed()
    assert "# 300 rules are the same; --all shows them" in lines and len(lines) < 20
    assert "-    q300(X,Z)" in lines and "+    q300(Z,X)" in lines
    assert len(_printed("--all")) > 300
    done = _run("diff", "true.pl", "learned.pl", "--html", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert done.exit_code == 0 and "<details><summary>300 rules are the same</summary>" in page


# What is refused ------------------------------------------------------------------------------------------------------


def test_an_undefined_predicate_is_an_error_with_its_place(place: Path) -> None:
    (place / "learned.pl").write_text("ancestor(X,Y) :- parent(X,Y).\nancestor(X,Y) :-\n  parnt(X,Z), parent(Z,Y).\n")
    error = _refused("--facts", "facts.pl")
    assert (error.file, error.line) == ("learned.pl", 2)
    assert "calls parnt/2, which is undefined; did you mean parent/2? (--rename parnt=parent)" in str(error)


def test_an_undefined_predicate_is_an_error_on_examples(place: Path) -> None:
    (place / "goals.pl").write_text("tall(a).\n")
    (place / "learned.pl").write_text("tall(X) :- height(X,H), between(170, 190, H), strong(X).\n")
    error = _refused("--examples", "goals.pl", "--background", "facts.pl")
    assert "calls strong/1, which is undefined" in str(error) and error.line == 1


@pytest.mark.parametrize("learned", ["p(X) :- r(X).", "p(X) :- s(X).", "p(X) :- h(X). h(X) :- q(X)."])
def test_known_predicates_may_have_no_fact(learned: str) -> None:
    made = diff("p(X) :- q(X), r(X).", learned, facts=":- dynamic s/1.\nq(a).")
    assert made.comparison is not None and made.comparison.tp == 0


def test_an_empty_true_theory_is_an_error(place: Path) -> None:
    (place / "true.pl").write_text("% nothing here\n")
    assert str(_refused()).startswith("true.pl: the true theory has no clause")
    (place / "learned.pl").write_text("")
    assert _printed()[0] == "proven equal (clause by clause)"
