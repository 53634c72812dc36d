"""Other ways to write a theory that mean the same: what a judge must not reject."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hornbeam.logic.terms import Clause, Compound, Term, Var, to_text, variables
from hornbeam.theory import Theory
from hornbeam.theory.theory import indicator

Names = set[str]


def rewritten(theory: Theory, rng: Random) -> str:
    """The theory in other words, as a reply of a model."""
    clauses = [_renamed(clause, rng) for clause in theory.clauses]
    table = all(not clause.body for clause in clauses)
    if table:
        clauses = [*clauses, *rng.sample(clauses, rng.randint(0, 3))]
    else:
        clauses = [_redundant(_reordered(clause, rng), rng) for clause in clauses]
        clauses = [part for number, clause in enumerate(clauses) for part in _folded(clause, number, rng)]
        clauses = [*clauses, *_specialised(clauses, rng)]
        clauses = _helpers_renamed(clauses, {indicator(head) for head in theory.heads[:1]}, rng)
    rng.shuffle(clauses)
    return _as_reply([to_text(clause) for clause in clauses], rng)


def _names(term: Term | Clause) -> Names:
    return set(variables(term))


def _renamed(clause: Clause, rng: Random) -> Clause:
    """Other names of variables."""
    names = sorted(_names(clause))
    pool = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *(f"V{number}" for number in range(20)), "Node1", "_Rest", "Thing"]
    other = dict(zip(names, rng.sample(pool, len(names)), strict=True))
    return Clause(_with(clause.head, other), tuple(_with(part, other) for part in clause.body))


def _with(term: Term, names: dict[str, str]) -> Term:
    if isinstance(term, Var):
        return Var(names.get(term.name, term.name))
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_with(part, names) for part in term.args))
    return [_with(part, names) for part in term] if isinstance(term, list) else term


def _reordered(clause: Clause, rng: Random) -> Clause:
    """Literals in another order in which each still has the variables bound that it had before."""
    bound, needs = _names(clause.head), []
    for literal in clause.body:
        needs.append((_names(literal) & bound, literal))
        bound |= _names(literal)
    have, order = _names(clause.head), []
    while needs:
        ready = [number for number, (inputs, _) in enumerate(needs) if inputs <= have]
        # What a literal leaves free must stay free: one that binds it later would change what it finds.
        _, literal = needs.pop(rng.choice(ready))
        order.append(literal)
        have |= _names(literal)
    return Clause(clause.head, tuple(order))


def _plain(literal: Term) -> bool:
    return isinstance(literal, Compound) and literal.functor not in ("\\+", "forall", ";", "is", "\\==", "\\=", "dif")


def _redundant(clause: Clause, rng: Random) -> Clause:
    """A literal twice, true, or X = X."""
    body = list(clause.body)
    for _ in range(rng.randint(0, 2)):
        kind = rng.randrange(3)
        at = rng.randint(0, len(body))
        if kind == 0 and at and _plain(body[at - 1]):
            body.insert(at, body[at - 1])
        elif kind == 1:
            body.insert(at, "true")
        elif names := sorted(_names(clause.head)):
            body.insert(at, Compound("=", (Var(names[0]), Var(names[0]))))
    return Clause(clause.head, tuple(body))


def _folded(clause: Clause, number: int, rng: Random) -> list[Clause]:
    """Some literals in a row as a predicate of their own."""
    if len(clause.body) < 2 or rng.random() < 0.5:
        return [clause]
    start = rng.randrange(len(clause.body) - 1)
    end = rng.randint(start + 1, len(clause.body))
    inside = clause.body[start:end]
    outside = Compound("o", (clause.head, *clause.body[:start], *clause.body[end:]))
    shared = sorted(_names(Compound("i", inside)) & _names(outside))
    name = rng.choice(["part", "step", "aux", "helper", "holds"]) + f"_{number}"
    call: Term = Compound(name, tuple(map(Var, shared))) if shared else name
    return [Clause(clause.head, (*clause.body[:start], call, *clause.body[end:])), Clause(call, inside)]


def _specialised(clauses: Sequence[Clause], rng: Random) -> list[Clause]:
    """A clause again, with a literal more: it adds nothing."""
    bodies = [clause for clause in clauses if clause.body and all(map(_plain, clause.body))]
    if not bodies or rng.random() < 0.5:
        return []
    clause = rng.choice(bodies)
    return [Clause(clause.head, (*clause.body, rng.choice(clause.body)))]


def _helpers_renamed(clauses: Sequence[Clause], kept: set[tuple[str, int]], rng: Random) -> list[Clause]:
    """Helpers get other names; only those that a rewriting made have names to change."""
    own = {indicator(clause.head)[0] for clause in clauses}
    made = sorted(name for name in own if name.split("_")[0] in ("part", "step", "aux", "helper", "holds"))
    other = {name: f"{rng.choice(['q', 'sub', 'inner', 'my'])}_{number}" for number, name in enumerate(made)}

    def term(one: Term) -> Term:
        if isinstance(one, Compound):
            return Compound(other.get(one.functor, one.functor), tuple(map(term, one.args)))
        return other.get(one, one) if isinstance(one, str) else one

    return [Clause(term(clause.head), tuple(map(term, clause.body))) for clause in clauses]


def _as_reply(texts: Sequence[str], rng: Random) -> str:
    """A bare program, or one in a fence with words around it."""
    lines = [f"{text} % see above" if rng.random() < 0.1 else text for text in texts]
    program = "\n".join(lines)
    kind = rng.randrange(4)
    if kind == 0:
        return program
    if kind == 1:
        return f"<think>\nPerhaps:\n```prolog\nwrong(X).\n```\n</think>\nHere it is.\n```prolog\n{program}\n```\nDone."
    if kind == 2:
        return f"The theory:\n\n```\n% my theory\n{program}\n```"
    return f"<answer>\n{program}\n</answer>"
