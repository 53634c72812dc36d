"""Clauses made ready for clingo: one arity a predicate, safe, with bodies that do not multiply without need.

The meaning on Herbrand models is kept throughout: a head variable that the body does not bind ranges over all
constants, and a part of a body that shares only head variables with the rest is projected onto them before it is
joined.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause, Compound, Term, Var, each_once, occurrences, to_text, variables
from hornbeam.theory.theory import Indicator, arguments, atom_of, indicator, is_negative, is_test

DOMAIN = "$domain"
PART = "$part"


class NotDatalog(UsageError):
    """A clause with terms or goals that datalog has not."""


def is_constant(term: Term) -> bool:
    return term == [] or not isinstance(term, Var | Compound | list)


def check_datalog(clauses: Iterable[Clause]) -> None:
    """NotDatalog for the first clause that is none."""
    for clause in clauses:
        reason = _not_datalog(clause)
        if reason:
            raise NotDatalog(f"{reason} in: {to_text(clause)}")


def is_datalog(clauses: Iterable[Clause]) -> bool:
    return all(_not_datalog(clause) is None for clause in clauses)


_CONTROL = frozenset(
    {(";", 2), ("->", 2), ("*->", 2), (":", 2), ("!", 0), ("call", 1), ("=..", 2), ("findall", 3), ("forall", 2)}
)


def _not_datalog(clause: Clause) -> str | None:
    for literal in (clause.head, *clause.body):
        atom = atom_of(literal)
        predicate = indicator(atom)
        if not isinstance(atom, str | Compound) or predicate in _CONTROL or is_negative(atom):
            return f"{to_text(literal)} is not a datalog literal"
        if is_test(predicate) and predicate[0] in {"is", "<", ">", "=<", ">=", "=:=", "=\\="}:
            continue
        for argument in arguments(atom):
            if isinstance(argument, Compound | list) and argument != []:
                return f"the compound term {to_text(argument)}"
    return None


def constants(atoms: Iterable[Term]) -> Iterator[Term]:
    """The constants of atoms or literals."""
    for literal in atoms:
        for argument in arguments(atom_of(literal)):
            if is_constant(argument):
                yield argument


def clause_constants(clauses: Iterable[Clause]) -> list[Term]:
    """The constants of clauses, each once, in order of appearance."""
    return each_once(constants(literal for clause in clauses for literal in (clause.head, *clause.body)))


# One arity a predicate ------------------------------------------------------------------------------------------------


class Arities:
    """Prolog's p/1 and p/2 are two predicates, clingo's are not: the rarer name is told apart."""

    def __init__(self, predicates: Iterable[Indicator]) -> None:
        known: dict[str, set[int]] = defaultdict(set)
        for name, arity in predicates:
            known[name].add(arity)
        self._several = {name for name, arities in known.items() if len(arities) > 1}

    def atom(self, atom: Term) -> Term:
        name, arity = indicator(atom)
        if name not in self._several:
            return atom
        renamed = f"{name}/{arity}"
        return Compound(renamed, arguments(atom)) if arity else renamed

    def name(self, predicate: Indicator) -> str:
        return f"{predicate[0]}/{predicate[1]}" if predicate[0] in self._several else predicate[0]

    def back(self, atom: Term) -> Term:
        """The atom as people know it."""
        name, arity = indicator(atom)
        plain = name.rpartition("/")[0]
        if plain not in self._several:
            return atom
        return Compound(plain, arguments(atom)) if arity else plain

    def clause(self, clause: Clause) -> Clause:
        if not self._several:
            return clause
        return Clause(self.atom(clause.head), tuple(map(self._literal, clause.body)))

    def _literal(self, literal: Term) -> Term:
        if is_negative(literal):
            return Compound("\\+", (self._literal(atom_of(literal)),))
        return literal if is_test(indicator(literal)) else self.atom(literal)


# Preparation ----------------------------------------------------------------------------------------------------------


def prepared(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses without copies and tautologies, made safe, with independent parts projected."""
    ready: list[Clause] = []
    for clause in dict.fromkeys(clauses):
        if clause.head in clause.body:
            continue
        ready.extend(_projected(made_safe(clause), len(ready)))
    return ready


def needs_domain(clauses: Iterable[Clause]) -> bool:
    """Whether some variable ranges over all constants."""
    return any(free_variables(clause) for clause in clauses)


def domain_facts(values: Iterable[Term]) -> list[Term]:
    return [Compound(DOMAIN, (value,)) for value in values]


def made_safe(clause: Clause) -> Clause:
    free = free_variables(clause)
    body = tuple(literal for literal in clause.body if literal != "true")
    return Clause(clause.head, (*body, *(Compound(DOMAIN, (Var(name),)) for name in free)))


def free_variables(clause: Clause) -> list[str]:
    """The variables that no positive literal binds, in order of appearance."""
    bound = _bound(clause.body)
    needed = [*variables(clause.head)]
    occurs = Counter(occurrences(clause))
    for literal in clause.body:
        if is_test(indicator(atom_of(literal))) or is_negative(literal):
            # In a negation a variable of its own means: there is none.
            needed += [name for name in variables(literal) if not is_negative(literal) or occurs[name] > 1]
    return [name for name in dict.fromkeys(needed) if name not in bound]


def _bound(body: Sequence[Term]) -> set[str]:
    bound = {name for literal in body if is_positive(literal) for name in variables(literal)}
    equations = [arguments(literal) for literal in body if indicator(literal) in {("=", 2), ("is", 2)}]
    grown = True
    while grown:
        before = len(bound)
        for left, right in equations:
            if bound.issuperset(variables(right)):
                bound.update(variables(left))
        for left, right in equations:
            if bound.issuperset(variables(left)):
                bound.update(variables(right))
        grown = len(bound) > before
    return bound


def is_positive(literal: Term) -> bool:
    return not is_negative(literal) and not is_test(indicator(literal))


def _projected(clause: Clause, number: int) -> Iterator[Clause]:
    """The clause, with each part that shares only head variables with the rest behind a predicate of its own."""
    head = set(variables(clause.head))
    parts = _parts(clause.body, head)
    if len(parts) < 2:
        yield clause
        return
    body: list[Term] = []
    for index, part in enumerate(parts):
        inner = {name for literal in part for name in variables(literal)} - head
        if len(part) == 1 or not inner or free_variables(Clause(_tuple(part, head), tuple(part))):
            body += part
        else:
            atom = _tuple(part, head, f"{PART}{number}_{index}")
            yield Clause(atom, tuple(part))
            body.append(atom)
    yield Clause(clause.head, tuple(body))


def _tuple(part: Sequence[Term], head: set[str], name: str = PART) -> Term:
    shared = [
        Var(variable)
        for variable in dict.fromkeys(n for literal in part for n in variables(literal))
        if variable in head
    ]
    return Compound(name, tuple(shared)) if shared else name


def _parts(body: Sequence[Term], head: set[str]) -> list[list[Term]]:
    """The literals in groups that share no variable but those of the head."""
    groups: list[tuple[set[str], list[Term]]] = []
    for literal in body:
        names = set(variables(literal)) - head
        touched = [group for group in groups if group[0] & names]
        merged = (
            set(names).union(*(group[0] for group in touched)),
            [*(part for group in touched for part in group[1]), literal],
        )
        groups = [group for group in groups if not group[0] & names] + [merged]
    return [literals for _, literals in groups]


# Estimates ------------------------------------------------------------------------------------------------------------


def instances(clauses: Sequence[Clause], sizes: dict[Indicator, int], universe: int) -> float:
    """At most how many instances of the clauses there are: variables over constants, or facts of relations."""
    total = 0.0
    heads = {indicator(clause.head) for clause in clauses}
    for clause in clauses:
        counts = Counter(occurrences(clause))
        kept = sum(1 for count in counts.values() if count > 1)
        relations = 1.0
        for literal in clause.body:
            if is_positive(literal):
                predicate = indicator(literal)
                full = float(max(universe, 1)) ** predicate[1]
                relations *= (
                    full if predicate in heads or predicate[0] == DOMAIN else min(full, sizes.get(predicate, 0))
                )
        total += min(float(max(universe, 1)) ** kept, relations)
    return total
