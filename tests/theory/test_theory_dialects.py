"""Words and logs of learners that are easily read wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbeam.errors import UsageError
from hornbeam.theory import diff, read


def _clauses(text: str, dialect: str = "auto") -> list[str]:
    return list(map(str, read(text, dialect=dialect).clauses))


@pytest.mark.parametrize(
    "word", ["parent", "<parent>", "<http://x.org/kin#parent>", "<http://x.org/kin/parent>", "<urn:kin:parent>"]
)
def test_amie_names_a_relation_as_the_facts_do(word: str) -> None:
    mined = f"?a  {word}  ?c  ?c  {word}  ?b   => ?a  <grandparent>  ?b\t0.5\t0.4\t0.8\n"
    made = diff("grandparent(X,Z) :- parent(X,Y), parent(Y,Z).", read(mined), facts="parent(a,b). parent(b,c).")
    assert str(made).splitlines()[0] == "proven equal (clause by clause)"


def test_two_iris_of_one_local_name_are_an_error(tmp_path: Path) -> None:
    mined = tmp_path / "rules.txt"
    mined.write_text("Rule\n?a  <http://x.org/kin#parent>  ?b  ?a  <http://y.org/parent>  ?b   => ?a  p  ?b\t1\t1\t1\n")
    with pytest.raises(UsageError, match="both the relation 'parent'") as caught:
        read(mined, dialect="amie")
    assert (caught.value.file, caught.value.line) == (str(mined), 2)


def test_a_relation_and_a_constant_may_share_a_name() -> None:
    assert _clauses("?a  <http://x/r#in>  <http://y/in>   => ?a  p  ?a\t1\t1\t1\n") == ["p(A,A) :- in(A,in)."]


def test_amie_in_datalog_notation_and_with_inequality() -> None:
    assert _clauses("<q>(?a, ?c), <q>(?c, ?b) => <p>(?a, ?b)\t0,5\t0,4\t0,75\n") == ["p(A,B) :- q(A,C), q(C,B)."]
    assert _clauses("?a  q  ?b  ?a  differentFrom  ?b   => ?b  p  ?a\t1\t1\t1\n") == ["p(B,A) :- q(A,B), A \\= B."]


def test_a_decimal_comma_is_a_weight() -> None:
    assert read("?a  q  ?b   => ?a  p  ?b\t0,5\t0,4\t0,75\n").statements[0].weight == 0.75


def test_anyburl_things_may_hold_brackets_and_commas() -> None:
    text = (
        "10\t9\t0.9\tborn(X,Paris_(Texas)) <= lives(X,Smith,_John), near(X,Y)\n"
        "10\t9\t0.9\tlikes(X,me_myself_i) <= proud(X,A)\n"
        "10\t9\t0.9\t<http://x.org/p>(X,Y) <= <http://x.org/q>(Y,X)\n"
    )
    assert _clauses(text) == [
        "born(X,'Paris_(Texas)') :- lives(X,'Smith,_John'), near(X,Y).",
        "likes(X,X) :- proud(X,A).",
        "p(X,Y) :- q(Y,X).",
    ]


def test_neural_lp_inverts_the_relation_that_an_iri_names() -> None:
    text = "0.5 (1.0)\tp(C, A) <-- <http://x/q>(C, B), inv_<http://x/r>(B, A)\n"
    assert _clauses(text) == ["p(C,A) :- q(C,B), r(A,B)."]


def test_popper_programs_that_were_only_tried_are_not_learned() -> None:
    text = """\
12:01:07 New best hypothesis:
12:01:07 tp:19 fn:4 tn:5 fp:0 size:3
12:01:07 f(V0):- red(V0).
12:01:07 ********************
12:01:08 Program 2:
12:01:08 f(V0):- blue(V0).
12:01:08 Num. programs: 61
"""
    found = read(text)
    assert found.dialect == "popper" and not found.rejected
    assert list(map(str, found.clauses)) == ["f(V0) :- red(V0)."]


def test_foil_takes_negation_and_comparison_for_what_they_are() -> None:
    text = "FOIL 6.4\ndone.\nClause 0: p(A) :- q(A).\np(A) :- cannot(A), not(q(A)), A<=B.\n*p(a).\n"
    found = read(text)
    assert list(map(str, found.clauses)) == ["p(A) :- cannot(A), \\+ q(A), A =< B.", "p(a)."]
    assert [bad.line for bad in found.rejected] == [3]


def test_aleph_clauses_may_hold_comments() -> None:
    text = "[theory]\n[Rule 1] [Pos cover = 4 Neg cover = 0]\np(A) :-\n  % a comment\n  q(A).\n[time taken] [0.1]\n"
    assert _clauses(text) == ["p(A) :- q(A)."]
