"""Many small databases evaluated in one run of clingo: each atom carries the number of its world.

The body of a rule, frozen, is such a world: its variables are constants, its atoms are facts. A theory that derives
the frozen head from them entails the rule, whatever the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hornbeam.logic.asp import Facts, Program
from hornbeam.logic.terms import Clause, Compound, Term, Var, each_once, same, variables
from hornbeam.theory import datalog
from hornbeam.theory.budget import AMPLE, Budget, within
from hornbeam.theory.theory import arguments, atom_of, indicator, is_negative, is_test

_WORLD = "$world"
_INDEX = Var("$world")
INEQUALITIES = frozenset({"\\=", "\\==", "dif"})


@dataclass(frozen=True, slots=True)
class World:
    """A database and a fact that should follow from it."""

    facts: tuple[Term, ...]
    goal: Term


def entailed(clauses: Sequence[Clause], worlds: Sequence[World], *, budget: Budget = AMPLE) -> list[bool]:
    """Whether the clauses derive each world's goal from its facts."""
    known = datalog.clause_constants(clauses)
    universe = max((len(_constants(world, known)) for world in worlds), default=0)
    sizes = {indicator(fact): len(world.facts) for world in worlds for fact in world.facts}
    estimate = datalog.instances(datalog.prepared(clauses), sizes, universe) * len(worlds)
    return within(budget, estimate, _entailed, tuple(clauses), tuple(worlds))


def _entailed(clauses: Sequence[Clause], worlds: Sequence[World]) -> list[bool]:
    predicates = {indicator(atom) for world in worlds for atom in (*world.facts, world.goal)}
    for clause in clauses:
        predicates |= {indicator(atom_of(literal)) for literal in (clause.head, *clause.body)}
    arities = datalog.Arities(predicates)
    ready = [_indexed(arities.clause(clause)) for clause in datalog.prepared(clauses)]
    domain = datalog.needs_domain(clauses)
    known = datalog.clause_constants(clauses)
    facts: list[Term] = []
    for number, world in enumerate(worlds):
        facts.append(Compound(_WORLD, (number,)))
        facts += [_in_world(arities.atom(fact), number) for fact in world.facts]
        if domain:
            facts += [Compound(datalog.DOMAIN, (number, value)) for value in _constants(world, known)]
    model = Program(ready).model(Facts(facts))
    return [_in_world(arities.atom(world.goal), number) in model for number, world in enumerate(worlds)]


def _constants(world: World, known: Iterable[Term]) -> list[Term]:
    return each_once([*datalog.constants([*world.facts, world.goal]), *known])


def _in_world(atom: Term, index: Term) -> Term:
    return Compound(indicator(atom)[0], (index, *arguments(atom)))


def _indexed(clause: Clause) -> Clause:
    """The clause with the world as first argument of each atom."""
    body = [_indexed_literal(literal) for literal in clause.body]
    if not any(datalog.is_positive(literal) for literal in clause.body):
        body.insert(0, Compound(_WORLD, (_INDEX,)))
    return Clause(_in_world(clause.head, _INDEX), tuple(body))


def _indexed_literal(literal: Term) -> Term:
    if is_negative(literal):
        return Compound("\\+", (_indexed_literal(atom_of(literal)),))
    return literal if is_test(indicator(literal)) else _in_world(literal, _INDEX)


# Freezing -------------------------------------------------------------------------------------------------------------


def freeze(clause: Clause, substitution: Mapping[str, Term]) -> World | None:
    """The clause's body as a database; None where a test of the body fails in it."""
    bound = _substituted(clause, substitution)
    for literal in bound.body:
        if is_test(indicator(literal)):
            left, right = arguments(literal)
            if same(left, right) == (indicator(literal)[0] in INEQUALITIES):
                return None
    facts = tuple(dict.fromkeys(literal for literal in bound.body if datalog.is_positive(literal)))
    return World(facts, bound.head)


def fresh_constants(count: int, taken: Iterable[Term]) -> list[Term]:
    """Names c1, c2, ... that no theory uses."""
    used, found, number = set(map(str, taken)), list[Term](), 0
    while len(found) < count:
        number += 1
        if f"c{number}" not in used:
            found.append(f"c{number}")
    return found


def distinct(clause: Clause, taken: Iterable[Term]) -> dict[str, Term]:
    """Each variable a constant of its own."""
    names = variables(clause)
    return dict(zip(names, fresh_constants(len(names), taken), strict=True))


def identifications(clause: Clause, constants: Sequence[Term]) -> Iterator[dict[str, Term]]:
    """All ways to make variables equal to each other and to constants, up to the names of the fresh ones."""
    names = variables(clause)
    fresh = fresh_constants(len(names), constants)

    def extend(at: int, chosen: tuple[Term, ...], used: int) -> Iterator[tuple[Term, ...]]:
        if at == len(names):
            yield chosen
            return
        for value in (*constants, *fresh[: used + 1]):
            yield from extend(at + 1, (*chosen, value), used + (used < len(fresh) and value == fresh[used]))

    for values in extend(0, (), 0):
        yield dict(zip(names, values, strict=True))


def _substituted(clause: Clause, substitution: Mapping[str, Term]) -> Clause:
    return Clause(substitute(clause.head, substitution), tuple(substitute(part, substitution) for part in clause.body))


def substitute(term: Term, substitution: Mapping[str, Term]) -> Term:
    """The term with variables replaced."""
    if isinstance(term, Var):
        return substitution.get(term.name, term)
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(substitute(arg, substitution) for arg in term.args))
    return term
