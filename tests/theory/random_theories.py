"""Random datalog theories, facts and rules for the property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.theory import Theory

PREDICATES = {"p": 2, "q": 2, "r": 1, "s": 2, "t": 1}
CONSTANTS = ["a", "b", "c", "d"]
_NAMES = ["X", "Y", "Z", "W"]


def atoms(terms: st.SearchStrategy[Term], names: list[str] | None = None) -> st.SearchStrategy[Term]:
    def build(name: str) -> st.SearchStrategy[Term]:
        return st.lists(terms, min_size=PREDICATES[name], max_size=PREDICATES[name]).map(
            lambda args: Compound(name, tuple(args))
        )

    return st.sampled_from(names or list(PREDICATES)).flatmap(build)


variables = st.sampled_from(_NAMES).map(Var)
terms = st.one_of(variables, variables, variables, st.sampled_from(CONSTANTS))
clauses = st.builds(Clause, atoms(terms), st.lists(atoms(terms), min_size=1, max_size=3).map(tuple))
variable_clauses = st.builds(
    Clause, atoms(variables, ["p", "r"]), st.lists(atoms(variables), min_size=0, max_size=3).map(tuple)
)
# The hardest to pair: every literal may go with every other.
one_predicate_clauses = st.builds(
    Clause, atoms(variables, ["p"]), st.lists(atoms(variables, ["q"]), min_size=1, max_size=4).map(tuple)
)
theories = st.lists(clauses, min_size=0, max_size=5).map(Theory.of)
facts = st.lists(atoms(st.sampled_from(CONSTANTS)), min_size=1, max_size=12)


@st.composite
def layered_theories(draw: st.DrawFn) -> Theory:
    """Theories with stratified negation: p from the others, r from q and s."""
    made = []
    for head, below in (("r", ["q", "s", "t"]), ("p", ["q", "r", "s", "t"])):
        for _ in range(draw(st.integers(0, 2))):
            body = draw(st.lists(atoms(variables, below), min_size=1, max_size=2))
            bound = sorted({arg.name for atom in body for arg in atom.args})
            args = [Var(draw(st.sampled_from(bound))) for _ in range(PREDICATES[head])]
            if draw(st.booleans()):
                denied = draw(st.sampled_from([name for name in below if name != "r" or head == "p"]))
                names = [Var(draw(st.sampled_from(bound))) for _ in range(PREDICATES[denied])]
                body.append(Compound("\\+", (Compound(denied, tuple(names)),)))
            made.append(Clause(Compound(head, tuple(args)), tuple(body)))
    return Theory.of(made)


def renamed(clause: Clause, names: dict[str, str]) -> Clause:
    def change(term: Term) -> Term:
        if isinstance(term, Var):
            return Var(names.get(term.name, term.name))
        return Compound(term.functor, tuple(map(change, term.args))) if isinstance(term, Compound) else term

    return Clause(change(clause.head), tuple(map(change, clause.body)))
