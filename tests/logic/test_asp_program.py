"""Least Herbrand models by clingo: what they hold, what is refused and how it is said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hornbeam.errors import AspError, NotStratified, UnsafeRule, UsageError
from hornbeam.logic import Prolog
from hornbeam.logic.asp import Facts, Model, Program, ProgramError
from hornbeam.logic.asp import program as program_module
from hornbeam.logic.asp.arithmetic import evaluate, standard_order
from hornbeam.logic.terms import Clause, Compound, String, Term, Var

X, Y, Z = Var("X"), Var("Y"), Var("Z")
Maker = Callable[..., Compound]


def make(name: str) -> Maker:
    return lambda *args: Compound(name, args)


p, q, r, edge, path = map(make, ["p", "q", "r", "edge", "path"])


def no(atom: Term) -> Compound:
    return Compound("\\+", (atom,))


PATHS = [Clause(path(X, Y), (edge(X, Y),)), Clause(path(X, Z), (path(X, Y), edge(Y, Z)))]


# Models -----------------------------------------------------------------------------------------------------------


def test_transitive_closure_with_stratified_negation() -> None:
    rules = [*PATHS, Clause(q(X), (edge(X, Y), no(path(X, "c"))))]
    model = Program(rules).model([edge("a", "b"), edge("b", "c"), edge("c", "d")])
    assert model.counts() == {"edge": 3, "path": 6, "q": 1}
    assert list(model.of("q")) == [q("c")]
    assert path("a", "d") in model
    assert path("d", "a") not in model
    assert set(model.rows("path")) == {("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")}


def test_one_program_many_fact_sets_without_parsing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(PATHS)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the rules were parsed again")

    monkeypatch.setattr(program_module, "parse_string", refuse)
    sizes = [len(program.model([edge(n, n + 1) for n in range(count)])) for count in (0, 1, 5)]
    assert sizes == [0, 2, 20]
    assert len(program.model()) == 0, "facts of an earlier model are still there"


def test_a_program_asked_for_one_value_gives_the_same_answers_from_fewer_rules() -> None:
    rules = Program.parse(
        "says(a,X) :- told(X). says(b,X) :- p(X), not hidden(X). says(K,X) :- any(K), p(X). told(X) :- says(c,X). "
        "says(c,2) :- p(2). hidden(1). idle(X) :- p(X)."
    )
    facts = Facts.rows("p", [(1,), (2,)]) | Facts.rows("any", [("d",)])
    whole = rules.model(facts)
    for value in ("a", "b", "d"):
        part = rules.asking("says", value).model(facts)
        asked = {row for row in part.rows("says") if row[0] == value}
        assert asked == {row for row in whole.rows("says") if row[0] == value} != set()
        assert "idle" not in part.counts()


def test_difference_and_other_set_algebra() -> None:
    facts = Facts.rows("edge", [("a", "b"), ("b", "a")])
    model = Program(PATHS).model(facts)
    derived = model - facts.model()
    assert derived.counts() == {"path": 4}
    assert derived | facts.model() == model
    assert model & facts.model() == facts.model()
    assert facts.model() <= model
    assert not model <= facts.model()
    assert model.only(["edge"]) == facts.model()
    assert hash(derived | facts.model()) == hash(model)


def test_models_of_different_programs_compare() -> None:
    facts = Facts.rows("edge", [("A", "b"), ("b", String("A"))])
    right = [PATHS[0], Clause(path(X, Z), (edge(X, Y), path(Y, Z)))]
    assert Program(PATHS).model(facts) == Program(right).model(facts)
    assert Program(PATHS).model(facts) != Program(PATHS[:1]).model(facts)


def test_sorted_does_not_depend_on_the_order_of_facts() -> None:
    facts: list[Term] = [edge("b", "A"), edge(2, 1), edge("a", "b")]
    assert Program(PATHS).model(facts).sorted() == Program(PATHS).model(facts[::-1]).sorted()


def test_order_is_the_same_in_every_process() -> None:
    script = (
        "from hornbeam.logic.asp import Facts, Program\n"
        "m = Program.parse('p(X,Z) :- e(X,Y), e(Y,Z), not e(X,Z).').model(\n"
        "    Facts.rows('e', [(f'c{n % 17}', f'C{n * 7 % 13}') for n in range(50)]\n"
        "                    + [(f'C{n % 13}', f'c{n * 5 % 17}') for n in range(50)]))\n"
        "print(list(m))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert "p" in runs.pop()


def test_inputs_are_what_facts_must_bring() -> None:
    program = Program([*PATHS, Clause(q(X), (Compound("Old Node", (X,)), no(path(X, X))))])
    assert program.inputs == (("Old Node", 1), ("edge", 2))
    assert program.defines == (("path", 2), ("q", 1))


def test_facts_among_the_clauses() -> None:
    program = Program([*PATHS, Clause(edge("a", "b")), Clause(Compound("Zoo", ("x",)))])
    assert (program.inputs, program.defines) == ((), (("Zoo", 1), ("edge", 2), ("path", 2)))
    assert program.model([edge("b", "c")]).counts() == {"Zoo": 1, "edge": 2, "path": 3}
    with pytest.raises(ProgramError, match="edge/2 is used with 1 arguments, too"):
        Program([*PATHS, Clause(edge("a"))])


def test_propositions_and_true_and_false() -> None:
    rules = [Clause("wet", ("rain", "true")), Clause("dry", (no("rain"),)), Clause("never", ("rain", "fail"))]
    assert list(Program(rules).model(["rain"])) == ["rain", "wet"]
    assert list(Program(rules).model()) == ["dry"]


def test_single_variables_are_projected_away() -> None:
    """A cross product of 20,000 x 20,000 pairs that would not end if it were joined."""
    rows = [(n, n) for n in range(20_000)]
    rule = Clause(p("yes"), (q(X, Y), r(Z, Var("_"))))
    model = Program([rule]).model(Facts.rows("q", rows) | Facts.rows("r", rows))
    assert model.counts()["p"] == 1


def test_negation_of_an_existential() -> None:
    rule = Clause(p(X), (q(X), no(edge(X, Y))))
    assert list(Program([rule]).model([q("a"), q("b"), edge("a", "z")]).of("p")) == [p("b")]


# Arithmetic and order are Prolog's --------------------------------------------------------------------------------


def test_comparison_beyond_32_bits_and_between_kinds() -> None:
    rule = Clause(p(X, Y), (q(X), q(Y), Compound("<", (X, Y))))
    numbers: list[Term] = [2**40, -(2**40), 1.5, 1, 3]
    model = Program([rule]).model([q(number) for number in numbers])
    assert set(model.rows("p")) == {(a, b) for a in numbers for b in numbers if a < b}  # type: ignore[operator]


def test_is_computes_exactly() -> None:
    rule = Clause(p(X, Y), (q(X), Compound("is", (Y, Compound("+", (Compound("*", (X, X)), 1))))))
    assert set(Program([rule]).model([q(2**31), q(-3)]).rows("p")) == {(2**31, 2**62 + 1), (-3, 10)}


def test_comparison_of_an_atom_is_an_error() -> None:
    rule = Clause(p(X), (q(X), Compound("<", (X, 3))))
    with pytest.raises(AspError, match="arithmetic: expected a number or an expression, found bob"):
        Program([rule]).model([q("bob")])


NUMBERS = st.one_of(st.integers(-9, 9), st.integers(), st.floats(-100, 100), st.just(2**40))
OPERATORS = st.sampled_from(["+", "-", "*", "/", "//", "mod", "rem", "min", "max"])


@given(st.lists(st.tuples(OPERATORS, NUMBERS, NUMBERS), min_size=20, max_size=20))
@example([("/", 1, 2.2250738585e-313)])
@settings(max_examples=40, deadline=None)
def test_arithmetic_agrees_with_prolog(cases: list[tuple[str, Term, Term]]) -> None:
    rows: list[Term] = [Compound(name, (left, right)) for name, left, right in cases]
    theirs = Prolog().once_many("catch(X is E, _, X = error)", over="E", get="X", rows=rows)
    assert [repr(_value(row)) for row in rows] == [repr(value) for value in theirs]


def _value(expression: Term) -> Term:
    try:
        return evaluate(expression)
    except AspError:
        return "error"


def test_standard_order_agrees_with_prolog() -> None:
    terms: list[Term] = ["a", "A", "é", "", "[]", [], String("a"), String(""), 1, 1.0, 2, -0.0, 0.0, 2**70, 10**400]
    terms += [p("a"), p("b"), q("a"), p("a", "b"), [1, 2], [1], ["a"], Compound("[|]", (1, "x")), p(p("a"))]
    pairs = [(one, other) for one in terms for other in terms]
    theirs = Prolog().once_many("compare(O, A, B)", over=("A", "B"), get="O", rows=pairs)
    ours = [standard_order(*pair) for pair in pairs]
    assert ["<" if sign < 0 else ">" if sign > 0 else "=" for sign in ours] == theirs


# Terms that rules build ---------------------------------------------------------------------------------------------


def test_terms_may_be_taken_apart_in_recursion() -> None:
    rule = Clause(p(X), (p(Compound("[|]", (Var("_"), X))),))
    model = Program([rule]).model([p([1, 2, 3])])
    assert [row[0] for row in model.rows("p")] == [[1, 2, 3], [2, 3], [3], []]


def test_terms_may_be_built_outside_recursion() -> None:
    model = Program([Clause(p(Compound("pair", (X, Y))), (q(X), q(Y)))]).model([q("a"), q("B")])
    assert model.counts()["p"] == 4


@pytest.mark.parametrize(
    "rule",
    [
        Clause(p(Compound("s", (X,))), (p(X),)),
        Clause(p(Y), (p(X), Compound("=", (Y, Compound("s", (X,)))))),
        Clause(p([X]), (p(X),)),
    ],
)
def test_terms_built_in_recursion_need_a_bound(rule: Clause) -> None:
    with pytest.raises(ProgramError, match=r"recursive rule for p/1 builds terms without end; give max_depth"):
        Program([rule])
    model = Program([rule], max_depth=3).model([p("z")])
    assert len(model) == 4


def test_recursion_that_counts_is_refused_even_with_a_bound() -> None:
    rule = Clause(p(Y), (p(X), Compound("is", (Y, Compound("+", (X, 1))))))
    with pytest.raises(ProgramError, match="recursive rule for p/1 computes numbers"):
        Program([rule], max_depth=5)
    with pytest.raises(ProgramError, match="computes numbers"):
        Program.parse("p(0). p(X+1) :- p(X).")


# Refused, with a reason -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (Clause(p(X, Y), (q(X),)), "Y"),
        (Clause(p(X)), "X"),
        (Clause(p("a"), (no(q(X, X)),)), "X"),
        (Clause(p("a"), (q("b"), Compound("<", (X, 3)))), "X"),
        (Clause(p(X), (Compound("=", (X, Y)),)), "X, Y"),
        (Clause(p(X), (q(Y), Compound("==", (X, Y)))), "X"),
        (Clause(p(Y), (q(X), Compound("is", (X, Y)))), "Y"),
        (Clause(p(Var("_")), (q(X),)), "_"),
    ],
)
def test_unsafe_rules_name_their_variables(rule: Clause, names: str) -> None:
    with pytest.raises(UnsafeRule) as caught:
        Program([rule])
    assert str(caught.value) == f"no positive body literal binds {names} in: {rule}"


def test_negation_through_a_cycle_names_it() -> None:
    rules = [Clause(p(X), (q(X), no(r(X)))), Clause(r(X), (p(X),))]
    with pytest.raises(NotStratified) as caught:
        Program(rules)
    assert "the negation of r/1 in a rule for p/1 runs through a cycle" in str(caught.value)
    assert str(caught.value).endswith("in: p(X) :- q(X), \\+ r(X).")


def test_two_arities_of_one_predicate() -> None:
    with pytest.raises(ProgramError, match="p/1 is used with 2 arguments, too"):
        Program([Clause(p(X), (q(X),)), Clause(q(X), (p(X, X),))])
    with pytest.raises(ProgramError, match="edge/2 is used with 3 arguments, too"):
        Program(PATHS).model([edge("a", "b", "c")])
    with pytest.raises(ProgramError, match="Zoo/1 is used with 2 arguments, too"):
        Program(PATHS).model([Compound("Zoo", ("a",)), Compound("Zoo", ("a", "b"))])


@pytest.mark.parametrize(
    "goal",
    ["!", Compound(";", ("a", "b")), Compound("findall", (X, p(X), Y)), Compound("->", ("a", "b")), no(no("a"))],
)
def test_goals_that_are_no_datalog(goal: Term) -> None:
    with pytest.raises(ProgramError, match="not datalog"):
        Program([Clause("h", (goal,))])


@pytest.mark.parametrize("head", [Compound("=", ("a", "b")), no("a"), Compound(":-", ("a", "b"))])
def test_heads_that_are_no_datalog(head: Term) -> None:
    with pytest.raises(ProgramError, match="cannot be the head"):
        Program([Clause(head)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p(a", "syntax error"),
        ("{ p(a) }.", "the head of a datalog rule is one atom"),
        ("p(a) ; q(a).", "the head of a datalog rule is one atom"),
        (":- p(a).", "the head of a datalog rule is one atom"),
        ("-p(a).", "classical negation"),
        ("#minimize { 1 : p }.", "expected a rule or a fact"),
        ("#script (python) import os #end.", "#script is not allowed"),
        ("#program step(t).", "expected one program without parts"),
        ("p(a-b).", "operation undefined"),
        ("p(4294967297).", "clingo has no integer 4294967297"),
        ("p(0xFFFFFFFF).", "clingo has no integer 0xFFFFFFFF"),
        ("p('Ann').", "clingo has no quoted atoms"),
        ("p(X) :- q(Y).", "unsafe"),
    ],
)
def test_what_clingo_would_swallow_or_refuse(text: str, message: str) -> None:
    with pytest.raises(AspError, match=message) as caught:
        Program.parse(text).model()
    assert isinstance(caught.value, UsageError)


def test_large_integers_and_quotes_in_strings_and_comments_are_fine() -> None:
    model = Program.parse("p(\"4294967297 it's\"). % 4294967297 '\n q(x4294967297). %* 4294967297 *%").model()
    assert len(model) == 2


def test_clingo_syntax_with_aggregates_and_intervals() -> None:
    model = Program.parse("n(1..4). big(X) :- n(X), X > 2. many(C) :- C = #count { X : big(X) }. #show big/1.").model()
    assert model.counts() == {"big": 2, "many": 1, "n": 4}
    assert list(model.rows("many")) == [(2,)]
    with pytest.raises(NotStratified):
        Program.parse("p(1). p(C) :- C = #count { X : p(X) }.")


# Files ------------------------------------------------------------------------------------------------------------


def test_program_and_facts_from_files(tmp_path: Path) -> None:
    rules, facts = tmp_path / "rules.lp", tmp_path / "facts.lp"
    rules.write_text("path(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), edge(Y,Z).\n")
    facts.write_text('edge(a, "B: - not {x}"). % :- a comment\nedge("B: - not {x}", 3).\n')
    model = Program.read(rules).model(Facts.read(facts) | Facts([edge(3, "C")]))
    assert path("a", "C") in model
    assert path("a", String("B: - not {x}")) in model
    assert model == Program(PATHS).model([*Facts.read(facts).model(), edge(3, "C")])


@pytest.mark.parametrize(
    ("text", "line", "message", "kind"),
    [
        ("p(a).\nq(X :- p(X).\n", 2, "syntax error", ProgramError),
        ("p(a).\n\nq(Y) :- p(X).\n", 3, "unsafe", UnsafeRule),
        ("p(a).\nq :- not r.\nr :- q.\n", 2, "cycle", NotStratified),
        ("p(a).\nq(X) :- p(X,X).\n", 2, "used with 2 arguments", ProgramError),
        ("p(a).\np(99999999999).\n", 2, "no integer", ProgramError),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int, message: str, kind: type[AspError]) -> None:
    file = tmp_path / "broken.lp"
    file.write_text(text)
    with pytest.raises(kind, match=message) as caught:
        Program.read(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)
    assert str(caught.value).startswith(f"{file}:{line}:")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("p(a).\nq(X) :- p(X).", 2, "expected only facts, found :-"),
        ("p(a).\np(b;c).", 2, "expected only facts, found ;"),
        ("p(a).\np(B).", 2, "unsafe"),
        ("p(a).\np('b').", 2, "no quoted atoms"),
        ("p(a).\np(b-c).", 2, "operation undefined"),
    ],
)
def test_fact_files_with_something_else(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "facts.lp"
    file.write_text(text)
    with pytest.raises(AspError, match=message) as caught:
        Program().model(Facts.read(file))
    assert (caught.value.file, caught.value.line) == (str(file), line)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.lp: cannot read it"):
        Program.read(tmp_path / "none.lp")
    (tmp_path / "binary.lp").write_bytes(b"p(\xff).")
    with pytest.raises(UsageError, match="cannot read it as UTF-8"):
        Facts.read(tmp_path / "binary.lp")


def test_model_shows_its_size() -> None:
    assert repr(Model([])) == "<Model of 0 facts>"
