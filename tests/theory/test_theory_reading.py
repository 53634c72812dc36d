"""Theories from text and from learners' output, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from hornbeam.errors import PrologSyntaxError, UsageError
from hornbeam.logic.terms import Compound, Var
from hornbeam.theory import Theory, as_facts, read
from tests.theory.random_theories import theories

TEXT = """\
% Who is whose grandparent.
:- op(700, xfx, ===>).

grandparent(X, 'Ann B.') :-   % 'Ann B.' is a constant
    parent(X, _), /* any */ \\+ dead(X, _Y, _),
    X \\= "it's".
a ===> [1, 2.5, 0'c | T] :- T = [].
% the end
"""


def test_text_comes_back_byte_for_byte() -> None:
    assert str(Theory.parse(TEXT)) == TEXT


def test_names_quotes_operators_and_lines_are_kept() -> None:
    theory = Theory.parse(TEXT)
    first, second = theory.statements
    assert first.line == 4
    assert first.clause.head == Compound("grandparent", (Var("X"), "Ann B."))
    dead = first.clause.body[1]
    assert isinstance(dead, Compound) and dead.functor == "\\+"
    inner = dead.args[0]
    assert isinstance(inner, Compound)
    names = [arg.name for arg in inner.args if isinstance(arg, Var)]
    assert names[:2] == ["X", "_Y"] and len(set(names)) == 3
    assert second.clause.head.functor == "===>"  # type: ignore[union-attr]
    assert theory.directives == ("op(700,xfx,===>)",)


def test_operators_of_one_text_do_not_reach_another() -> None:
    Theory.parse(":- op(700, xfx, ===>). a ===> b.")
    with pytest.raises(PrologSyntaxError):
        Theory.parse("a ===> b.")


@settings(max_examples=40, deadline=None)
@given(theories)
def test_printed_theories_read_back_the_same(theory: Theory) -> None:
    assert Theory.parse(str(theory)).clauses == theory.clauses


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("p(X) :- q(X), .\n", 1, 15), ("ok.\n\np(X :- q(X).\n", 3, 11), ("ok.\n3.\n", 2, 1), ("p(X) :- 1.\n", 1, 1)],
)
def test_errors_name_line_and_column(text: str, line: int, column: int, tmp_path: Path) -> None:
    file = tmp_path / "bad.pl"
    file.write_text(text)
    with pytest.raises(PrologSyntaxError) as caught:
        read(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)
    assert abs((caught.value.column or 0) - column) <= 1


def test_missing_file() -> None:
    with pytest.raises(UsageError, match="no such file"):
        read(Path("nowhere.pl"))


def test_unknown_dialect_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'amie'"):
        read("p.", dialect="ami")


def test_no_directive_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    Theory.parse(f":- open('{mark}', write, _). p(a).")
    assert not mark.exists()


# Learners ---------------------------------------------------------------------------------------------------------

ALEPH = """\
[settings] [[noise,0]]
eastbound(X) :- [not a clause
[theory]

[Rule 1] [Pos cover = 4 Neg cover = 1]
eastbound(A) :-
   has_car(A,B), short(B),
   closed(B).

[Rule 2] [Pos cover = 1 Neg cover = 0]
eastbound(east5).

[Training set performance]
          Actual
[time taken] [0.006]
"""
POPPER = """\
0.2s New best hypothesis:
0.2s tp:3 fn:2 tn:5 fp:0 size:3
0.2s f(V0):- wrong(V0).
********** SOLUTION **********
Precision:1.00 Recall:1.00 TP:5 FN:0 TN:5 FP:0 Size:5
f(V0):- contains(V0,V1),is_red(V1).
f(V0):- f(V1),succ(V1,V0).
******************************
"""
FOIL = """\
FOIL 6.4   [January 1996]
Relation p0
\tState (2/10, 2.3 bits available)
p0(A,B) :- p1(A,C), p2(C,B), A<>B.
p0(A,B) :- not(p3(A,B)), p1(A,B).
"""
AMIE = (
    "Rule\tHead Coverage\tStd Confidence\tPCA Confidence\n"
    "?a  p10  ?b  ?b  p7  ?a   => ?a  p3  ?b\t0.5\t0.4\t0.8\t12\n"
    "?a  <lives in>  ?b   => ?a  p3  ?b\t0.5\t0.4\t0.9\t12\n"
    "?a  p10  Paris   => ?a  p3  ?b\t0.5\t0.4\t0.2\t12\n"
    "?a  p10  ?b  ?b   => ?a  p3  ?b\t0.5\t0.4\t0.2\t12\n"
)
ANYBURL = (
    "100\t80\t0.8\tlocatedIn(X,Y) <= locatedIn(X,A), partOf(A,Y)\n"
    "10\t9\t0.9\tspeaks(X,English) <= bornIn(X,/m/02jx1)\n"
    "3\t1\t0.3\tnonsense <= \n"
)
NEURAL_LP = (
    "0.063 (0.194)\tp2(B, A) <-- inv_p6(B, A)\n"
    "0.5 (1.0)\tp2(C, A) <-- p6(C, B), inv_p7(B, A)\n"
    "0.2 (0.4)\tinv_p2(B, A) <-- p6(B, A)\n"
    "0.9 (0.9)\tp2(B, A) <-- equal(B, A)\n"
)
NTP = "0.0226\tp0(A,B) :- p1(A,C), p2(C,B).\n0.9\tp0(A,B) :- p1(B,A).\n"


@pytest.mark.parametrize(
    ("text", "dialect", "clauses", "rejected"),
    [
        (ALEPH, "aleph", ["eastbound(A) :- has_car(A,B), short(B), closed(B).", "eastbound(east5)."], 0),
        (POPPER, "popper", ["f(V0) :- contains(V0,V1), is_red(V1).", "f(V0) :- f(V1), succ(V1,V0)."], 0),
        (
            FOIL,
            "foil",
            ["p0(A,B) :- p1(A,C), p2(C,B), A \\= B.", "p0(A,B) :- \\+ p3(A,B), p1(A,B)."],
            0,
        ),
        (
            AMIE,
            "amie",
            ["p3(A,B) :- p10(A,B), p7(B,A).", "p3(A,B) :- 'lives in'(A,B).", "p3(A,B) :- p10(A,'Paris')."],
            1,
        ),
        (
            ANYBURL,
            "anyburl",
            ["locatedIn(X,Y) :- locatedIn(X,A), partOf(A,Y).", "speaks(X,'English') :- bornIn(X,'/m/02jx1')."],
            1,
        ),
        (
            NEURAL_LP,
            "neural-lp",
            ["p2(B,A) :- p6(A,B).", "p2(C,A) :- p6(C,B), p7(A,B).", "p2(A,B) :- p6(B,A)."],
            1,
        ),
        (NTP, "ntp", ["p0(A,B) :- p1(A,C), p2(C,B).", "p0(A,B) :- p1(B,A)."], 0),
    ],
)
def test_output_of_learners(text: str, dialect: str, clauses: list[str], rejected: int) -> None:
    found = read(text)
    assert found.dialect == dialect
    assert list(map(str, found.clauses)) == clauses
    assert len(found.rejected) == rejected
    for bad in found.rejected:
        assert bad.text in text and text.splitlines()[bad.line - 1].rstrip() == bad.text


def test_weights_and_threshold() -> None:
    found = read(NTP, threshold=0.5)
    assert [statement.weight for statement in found.statements] == [0.9]
    assert "below 0.5" in found.rejected[0].reason
    assert [statement.weight for statement in read(ALEPH).statements] == [0.8, 1.0]
    assert [statement.weight for statement in read(AMIE).statements] == [0.8, 0.9, 0.2]


def test_popper_without_a_solution_gives_the_last_hypothesis() -> None:
    found = read(POPPER.split("*****")[0], dialect="popper")
    assert list(map(str, found.clauses)) == ["f(V0) :- wrong(V0)."]


# Facts ------------------------------------------------------------------------------------------------------------


def test_a_comment_ends_at_a_newline_only() -> None:
    assert as_facts("p(a). % no\u2028p(b).\n% nor\x0cp(c).\np(d).\r\n") == as_facts("p(a). p(d).")


def test_plain_and_other_facts_are_read_alike() -> None:
    plain = as_facts("p(a,b).\nq(7).\n")
    other = as_facts("p(a,b). q(7).")
    assert plain == other == [Compound("p", ("a", "b")), Compound("q", (7,))]


@pytest.mark.parametrize("text", ["p(X).", "p(a) :- q(a)."])
def test_rules_are_no_facts(text: str) -> None:
    with pytest.raises(UsageError, match="expected a fact"):
        as_facts(text)


def test_atoms_of_any_alphabet() -> None:
    theory = Theory.parse("ist('中', Größe) :- misst(Größe).\n")
    assert str(theory.clauses[0]) == "ist('中',Größe) :- misst(Größe)."
