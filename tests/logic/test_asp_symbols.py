"""Terms cross between Python, clingo and SWI-Prolog without loss."""

from __future__ import annotations

import math
from fractions import Fraction

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import AspError
from hornbeam.logic import Prolog
from hornbeam.logic.asp import Facts, Program
from hornbeam.logic.asp.symbols import decode, decode_atom, encode, encode_atom, source
from hornbeam.logic.terms import Clause, Compound, String, Term, Var

# Spelt out, for random text seldom hits them: quotes, operators, capitals, reserved words, look-alikes of one another.
ODD: list[Term] = [
    "a", "Ann", "_x", "x y", "it's", 'say "hi"', "back\\slash", "new\nline", "\t\r", "", "[]", "not", "éa", "日本",
    "😀", "#inf", "%", "_a", "_nil", "+", "a'", "\\u0041",
    [], ["a", [1, "B"]], String(""), String("a"), String("A b"), String("\\n"), String('"'), String("日本"),
    0, 1, -3, 2**31 - 1, 2**31, -(2**31), 2**64, -(10**30), 1.0, 1.5, -0.0, 0.0, 1e300, 5e-324, Fraction(1, 3),
    Compound("f", ("a", String("a"))), Compound("-", (1,)), Compound("+", ("X", 2**40)), Compound("Big F", ([],)),
    Compound("[|]", ("a", "b")), Compound("f", ()),
]  # fmt: skip

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_scalars = st.one_of(
    _text,
    _text.map(String),
    st.integers(),
    st.floats(allow_nan=False),
    st.fractions().filter(lambda value: value.denominator > 1),
)


def _nested(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    args = st.lists(inner, max_size=3)
    return args | st.builds(lambda name, parts: Compound(name, tuple(parts)), _text, args)


odd_terms: st.SearchStrategy[Term] = st.sampled_from(ODD)
terms: st.SearchStrategy[Term] = odd_terms | st.recursive(_scalars, _nested, max_leaves=6)


@given(terms)
@settings(max_examples=300, deadline=None)
def test_every_term_comes_back_as_it_was(term: Term) -> None:
    # repr, because 1 == 1.0 and 0.0 == -0.0 in Python and not in Prolog.
    assert repr(decode(encode(term))) == repr(term)


@given(terms, terms)
@settings(max_examples=200, deadline=None)
def test_different_terms_are_different_symbols(one: Term, other: Term) -> None:
    assert (encode(one) == encode(other)) == (repr(one) == repr(other))


@pytest.mark.parametrize("one", ODD, ids=repr)
def test_odd_terms_pass_through_rules_and_prolog(one: Term) -> None:
    x = Var("X")
    model = Program([Clause(Compound("q", (x,)), (Compound("p", (x,)),))]).model([Compound("p", (one,))])
    (row,) = model.rows("q")
    answer = Prolog().once("X = V, (V == W -> Same = yes ; Same = no)", given={"V": row[0], "W": one})
    assert answer is not None
    assert answer["Same"] == "yes"
    assert repr(decode(encode(answer["X"]))) == repr(one)


def test_all_odd_terms_stay_apart_in_one_model() -> None:
    model = Facts.rows("p", [(term,) for term in ODD]).model()
    assert len(model) == len(ODD)
    assert sorted(repr(row[0]) for row in model.rows("p")) == sorted(map(repr, ODD))


@pytest.mark.parametrize("name", ["p", "Likes", "not", "has part", "é", "_p70", "-", "", "p'"])
def test_predicate_names_come_back(name: str) -> None:
    for fact in (name, Compound(name, ("a",))):
        assert decode_atom(encode_atom(fact)) == fact
        assert fact in Facts([fact]).model()


def test_nul_and_lone_surrogates() -> None:
    for term in ("\0", "a\0b", "\ud800", String("\0"), String("\\u0000"), "\\u0000"):
        assert decode(encode(term)) == term


def test_not_a_number_and_infinities() -> None:
    assert decode(encode(math.inf)) == math.inf
    assert decode(encode(-math.inf)) == -math.inf
    value = decode(encode(math.nan))
    assert isinstance(value, float)
    assert math.isnan(value)


def test_plain_constants_are_what_a_file_says() -> None:
    assert decode(clingo.parse_term('f(ann, 3, "text", (a, b))')) == Compound(
        "f", ("ann", 3, String("text"), Compound("", ("a", "b")))
    )
    assert source("ann") == "ann"
    assert source(String("text")) == '"text"'


def test_partial_list_keeps_its_tail() -> None:
    term = Compound("[|]", ("a", Compound("[|]", ("b", "rest"))))
    assert decode(encode(term)) == term


def test_long_list() -> None:
    # As deep as clingo's own parser goes without trouble.
    numbers: list[Term] = list(range(2000))
    assert decode(encode(numbers)) == numbers


@pytest.mark.parametrize("value", [True, None, object(), ("a",)])
def test_what_is_no_term_is_refused(value: object) -> None:
    with pytest.raises(AspError, match="is not a Prolog term"):
        encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("fact", [3, String("s"), [1], Var("X"), Compound("p", ())])
def test_what_is_no_fact_is_refused(fact: Term) -> None:
    with pytest.raises(AspError, match="expected a fact"):
        Facts([fact])


def test_fact_with_a_variable_is_refused() -> None:
    with pytest.raises(AspError, match="expected a ground term, found the variable X"):
        Facts([Compound("p", (Var("X"),))])
