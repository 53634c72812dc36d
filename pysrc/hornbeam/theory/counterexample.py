"""Databases that tell two theories apart, evaluated and searched by clingo.

Many small databases are evaluated in one run: each atom carries the number of its world. The body of a rule, frozen, is
such a world: its variables are constants, its atoms are facts. A theory that derives the frozen head from them entails
the rule, whatever the data. The smallest database on which two theories differ is searched over few constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hornbeam.errors import HornbeamError
from hornbeam.logic.asp import Facts, Program, Solver
from hornbeam.logic.asp.clauses import clause_source
from hornbeam.logic.asp.symbols import decode, predicate_source, source
from hornbeam.logic.terms import Clause, Compound, Term, Var, each_once, same, substitute, variables
from hornbeam.theory import datalog
from hornbeam.theory.budget import AMPLE, Budget, within
from hornbeam.theory.theory import Indicator, Theory, arguments, atom_of, indicator, is_negative, is_test

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
    """The clause's body as a database; None if a test of the body fails in it."""
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
    used, fresh, number = set(map(str, taken)), list[Term](), 0
    while len(fresh) < count:
        number += 1
        if f"c{number}" not in used:
            fresh.append(f"c{number}")
    return fresh


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


# The smallest database ------------------------------------------------------------------------------------------------

By = Literal["true", "learned"]
_MOST_CONSTANTS = 4
_MOST_CLAUSES = 400


@dataclass(frozen=True, slots=True)
class Counterexample:
    """From `facts` only one theory derives `fact`. `smallest` where no database of fewer facts exists among those over
    as many constants as were searched."""

    facts: tuple[Term, ...]
    fact: Term
    by: str
    smallest: bool


def search(
    true: Theory,
    learned: Theory,
    hidden: set[Indicator],
    given: set[Indicator],
    *,
    at_most: Counterexample | None,
    budget: Budget,
    inputs_only: bool = False,
) -> Counterexample | None:
    """The database with fewest facts, then fewest constants; None if none was found within the budget.

    With `inputs_only` a database holds no facts of predicates that a rule defines.
    """
    clauses = (*true.clauses, *learned.clauses)
    if len(clauses) > _MOST_CLAUSES:
        return None
    constants = datalog.clause_constants(clauses)
    most = max((len(variables(clause)) for clause in clauses), default=0)
    if at_most is not None:
        most = len(each_once([*constants, *datalog.constants([*at_most.facts, at_most.fact])])) - len(constants)
    fresh = fresh_constants(max(1, min(most, _MOST_CONSTANTS)), constants)
    visible = sorted({*true.predicates, *learned.predicates, *given} - hidden)
    bases = [predicate for predicate in visible if not inputs_only or predicate not in true.defines | learned.defines]
    universe = [*fresh, *constants]
    estimate = 4 * datalog.instances(clauses, {}, len(universe)) + sum(len(universe) ** arity for _, arity in visible)
    estimate += sum(float(len(universe)) ** len(variables(clause)) for clause in clauses)
    try:
        return within(
            budget, estimate, _search, true.clauses, learned.clauses, visible, bases, fresh, constants, budget.seconds
        )
    except HornbeamError:
        return None


def _search(
    true: Sequence[Clause],
    learned: Sequence[Clause],
    visible: Sequence[Indicator],
    bases: Sequence[Indicator],
    fresh: Sequence[Term],
    constants: Sequence[Term],
    seconds: float,
) -> Counterexample | None:
    lines = [*_universe(fresh, constants), *_databases(bases)]
    for by, clauses in (("true", true), ("learned", learned)):
        defined = {indicator(clause.head) for clause in clauses}
        lines += [f"{_atom(by, predicate)} :- {_atom('given', predicate)}." for predicate in bases]
        lines += [clause_source(_renamed(datalog.made_safe(clause), by)) for clause in clauses]
        called = {indicator(atom_of(part)) for clause in clauses for part in clause.body}
        lines += [
            f"#defined {predicate_source(f'{by} {n}/{a}')}/{a}."
            for n, a in sorted(called - defined)
            if not is_test((n, a))
        ]
    for one, other in (("true", "learned"), ("learned", "true")):
        lines += [
            f"{_atom('only ' + one, predicate)} :- {_atom(one, predicate)}, not {_atom(other, predicate)}."
            for predicate in visible
        ]
        lines += [f"differ :- {_atom('only ' + one, predicate)}." for predicate in visible]
        lines += [f"#show {predicate_source(f'only {one} {n}/{a}')}/{a}." for n, a in visible]
    lines += [f"#show {predicate_source(f'given {n}/{a}')}/{a}." for n, a in bases]
    # A relation that is neither given nor derived is empty.
    lines += [
        f"#defined {predicate_source(f'{mark} {n}/{a}')}/{a}." for n, a in visible for mark in ("true", "learned")
    ]
    lines.append(":- not differ.")
    best = Solver("\n".join(lines)).optimum(time_limit=seconds)
    return None if best is None else _decoded(best.model.symbols, best.proven)


def _universe(fresh: Sequence[Term], constants: Sequence[Term]) -> Iterable[str]:
    domain = predicate_source(datalog.DOMAIN)
    for constant in (*fresh, *constants):
        yield f"{domain}({source(constant)})."
    yield f"#defined {domain}/1. #defined used/1."
    for earlier, later in pairwise(fresh):
        yield f":- used({source(later)}), not used({source(earlier)})."
    yield "#minimize { 1@1,X : used(X) }."


def _databases(visible: Sequence[Indicator]) -> Iterable[str]:
    domain = predicate_source(datalog.DOMAIN)
    for number, predicate in enumerate(visible):
        arity = predicate[1]
        ranges = ", ".join(f"{domain}(X{at})" for at in range(arity))
        atom = _atom("given", predicate)
        yield f"{{ {atom} : {ranges} }}." if arity else f"{{ {atom} }}."
        names = "".join(f",X{at}" for at in range(arity))
        yield f"#minimize {{ 1@2,{number}{names} : {atom} }}."
        for at in range(arity):
            yield f"used(X{at}) :- {atom}."


def _atom(mark: str, predicate: Indicator) -> str:
    name = predicate_source(f"{mark} {predicate[0]}/{predicate[1]}")
    return f"{name}({','.join(f'X{at}' for at in range(predicate[1]))})" if predicate[1] else name


def _renamed(clause: Clause, by: str) -> Clause:
    return Clause(_marked(clause.head, by), tuple(_literal(literal, by) for literal in clause.body))


def _literal(literal: Term, by: str) -> Term:
    if is_negative(literal):
        return Compound("\\+", (_literal(atom_of(literal), by),))
    predicate = indicator(literal)
    return literal if is_test(predicate) or predicate[0] == datalog.DOMAIN else _marked(literal, by)


def _marked(atom: Term, by: str) -> Term:
    name, arity = indicator(atom)
    marked = f"{by} {name}/{arity}"
    return Compound(marked, arguments(atom)) if arity else marked


def _decoded(symbols: Iterable[object], proven: bool) -> Counterexample | None:
    facts: list[Term] = []
    only: list[tuple[str, Term]] = []
    for symbol in sorted(symbols):  # type: ignore[type-var]
        mark, _, name = bytes.fromhex(symbol.name[2:]).decode().rpartition(" ")  # type: ignore[attr-defined]
        args = tuple(decode(argument) for argument in symbol.arguments)  # type: ignore[attr-defined]
        plain = name.rpartition("/")[0]
        atom: Term = Compound(plain, args) if args else plain
        if mark == "given":
            facts.append(atom)
        else:
            only.append((mark.removeprefix("only "), atom))
    if not only:
        return None
    return Counterexample(tuple(facts), only[0][1], only[0][0], proven)
