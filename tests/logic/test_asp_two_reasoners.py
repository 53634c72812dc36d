"""Random datalog theories have the same model in clingo and in SWI-Prolog with tabling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import clingo
from hypothesis import event, given, settings
from hypothesis import strategies as st

from hornbeam.logic import Prolog
from hornbeam.logic.asp import Model, Program
from hornbeam.logic.asp.symbols import encode_atom
from hornbeam.logic.terms import Clause, Compound, String, Term, Var, literal, quote, to_text

# Few enough to meet each other in joins; look-alikes that a lossy crossing would merge.
CONSTANTS: list[Term] = [
    "a", "A", "it's", "é x", "[]", "", [], String("a"), 1, 1.0, -1, 2**40, Fraction(1, 3), Compound("f", ("a",)), "1",
]  # fmt: skip
VARIABLES = [Var("X"), Var("Y"), Var("Z")]
MODULE = "two_reasoners"


@dataclass(frozen=True)
class Predicate:
    name: str
    arity: int
    stratum: int


# Rules for a predicate use its own stratum and those below freely, and negate only those below.
PREDICATES = [
    Predicate("e", 2, 0),
    Predicate("Unary Fact", 1, 0),
    Predicate("p", 2, 1),
    Predicate("Q", 1, 1),
    Predicate("flag", 0, 1),
    Predicate("r", 2, 2),
    Predicate("not", 2, 2),
    Predicate("s", 1, 3),
]


@dataclass(frozen=True)
class Theory:
    rules: list[Clause]
    facts: list[Term]

    def prolog(self) -> str:
        heads = ", ".join(f"{quote(p.name)}/{p.arity}" for p in PREDICATES)
        clauses = [*(Clause(fact) for fact in self.facts), *self.rules]
        directives = [f":- {word} {heads}." for word in ("table", "dynamic", "discontiguous")]
        return "\n".join([*directives, *map(to_text, clauses)])


def _atom(predicate: Predicate, argument: Callable[[], Term]) -> Term:
    return literal(predicate.name, *(argument() for _ in range(predicate.arity)))


@st.composite
def theories(draw: st.DrawFn) -> Theory:
    """Few constants in one theory, and variables more often than constants: joins that find something."""
    constants = st.sampled_from(draw(st.lists(st.sampled_from(CONSTANTS), min_size=2, max_size=5, unique_by=repr)))
    given = [_fact(draw, constants) for _ in range(draw(st.integers(4, 16)))]
    return Theory([_rule(draw, constants) for _ in range(draw(st.integers(1, 8)))], given)


def _fact(draw: st.DrawFn, constants: st.SearchStrategy[Term]) -> Term:
    predicate = draw(st.sampled_from([*PREDICATES[:2] * 4, *PREDICATES]))
    return _atom(predicate, lambda: draw(constants))


def _rule(draw: st.DrawFn, constants: st.SearchStrategy[Term]) -> Clause:
    head = draw(st.sampled_from([p for p in PREDICATES if p.stratum > 0]))
    variables = st.sampled_from([*VARIABLES * 2, Var("_")])
    anything = st.one_of(variables, variables, constants)
    usable = st.sampled_from([*PREDICATES[:2], *(p for p in PREDICATES if p.stratum <= head.stratum)])
    positive = [_atom(p, lambda: draw(anything)) for p in draw(st.lists(usable, min_size=1, max_size=3))]
    bound = [v for v in VARIABLES if any(v in getattr(atom, "args", ()) for atom in positive)]
    safe = st.one_of(*[st.sampled_from(bound)] * (2 if bound else 0), constants)
    deniable = st.sampled_from([p for p in PREDICATES if p.stratum < head.stratum])
    denied = [_atom(p, lambda: draw(safe | st.just(Var("_")))) for p in draw(st.lists(deniable, max_size=2))]
    tests = [Compound("\\+", (atom,)) for atom in denied]
    if draw(st.booleans()):
        relation = draw(st.sampled_from(["=", "\\=", "==", "\\==", "@<", "@>="]))
        tests.append(Compound(relation, (draw(safe), draw(safe))))
    return Clause(_atom(head, lambda: draw(safe)), (*positive, *tests))


def prolog_model(theory: Theory) -> set[clingo.Symbol]:
    prolog = Prolog()
    prolog.load_text(theory.prolog(), MODULE, strict=False)
    try:
        answers = []
        for predicate in PREDICATES:
            atom = literal(predicate.name, *(Var(f"A{n}") for n in range(predicate.arity)))
            answers += prolog.all(f"Atom = ({to_text(atom)}), call(Atom)", module=MODULE)
        return {encode_atom(answer["Atom"]) for answer in answers}
    finally:
        prolog.unload(MODULE)


def difference(theory: Theory, model: Model, other: set[clingo.Symbol]) -> str:
    ours = set(model.symbols)
    return f"only clingo: {ours - other}; only Prolog: {other - ours}; theory:\n{theory.prolog()}"


@given(theories())
@settings(max_examples=200, deadline=None)
def test_clingo_and_prolog_find_the_same_model(theory: Theory) -> None:
    model = Program(theory.rules).model(theory.facts)
    event(f"derived facts: {'some' if len(model) > len({encode_atom(f) for f in theory.facts}) else 'none'}")
    other = prolog_model(theory)
    assert set(model.symbols) == other, difference(theory, model, other)


def test_the_property_can_fail() -> None:
    """The comparison sees a single fact that one side lacks, and a string where the other has an atom."""
    x = Var("X")
    theory = Theory([Clause(Compound("Q", (x,)), (Compound("Unary Fact", (x,)),))], [Compound("Unary Fact", ("a",))])
    other = prolog_model(theory)
    assert set(Program(theory.rules).model(theory.facts).symbols) == other
    assert set(Program([]).model(theory.facts).symbols) != other
    assert set(Program(theory.rules).model([Compound("Unary Fact", (String("a"),))]).symbols) != other


def test_recursion_through_odd_constants() -> None:
    x, y, z = VARIABLES
    chain = [Compound("e", (one, two)) for one, two in pairwise(CONSTANTS)]
    theory = Theory(
        [
            Clause(Compound("p", (x, y)), (Compound("e", (x, y)),)),
            Clause(Compound("p", (x, z)), (Compound("p", (x, y)), Compound("p", (y, z)))),
            Clause(Compound("s", (x,)), (Compound("p", (x, y)), Compound("\\+", (Compound("e", (x, "A")),)))),
        ],
        list(chain),
    )
    model = Program(theory.rules).model(theory.facts)
    assert set(model.symbols) == prolog_model(theory)
    assert model.counts()["p"] == len(CONSTANTS) * (len(CONSTANTS) - 1) // 2
