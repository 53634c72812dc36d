"""Rules in their plainest form: what a theory says of pictures once its helpers and definitions are written out.

Two rules that mean the same often differ in what they call: ``exists_color_red(X)`` and ``contains(X,Y),
extract_color(Y,red)`` have one normal form. Nothing is lost: each step replaces a call by the one body that defines it,
and a step that is not certain is not taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from hornbeam.kandy.learning.definitions import ITEMS, shared, with_short_names
from hornbeam.logic.terms import Clause, Compound, Term, Var, conjunction, same, substitute, to_text, variables
from hornbeam.tasks.bias import Mode
from hornbeam.theory import Theory
from hornbeam.theory.subsumption import relations
from hornbeam.theory.theory import Indicator, arguments, indicator

_TARGET = ("valid", 1)
_MOST_CLAUSES = 200
_NESTING = frozenset({("\\+", 1), ("not", 1), ("forall", 2), ("once", 1), ("ignore", 1), (";", 2), ("->", 2), (",", 2)})
_OPAQUE = frozenset({"!", "fail", "false"})
# Built-ins, and the places that determine the others: two calls that share these share all.
_FUNCTIONS: Mapping[Indicator, tuple[int, ...]] = {
    ("arg", 3): (0, 1),
    ("functor", 3): (0,),
    ("length", 2): (0,),
    ("last", 2): (0,),
}


class NoNormalForm(Exception):
    """A theory with recursion, cuts or calls whose order matters."""


def same_clauses(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Whether each clause has a variant among those of the other: order and names of variables apart."""
    if not one or not other:
        return not one and not other
    pairs = [(left, right) for left in one for right in other if indicator(left.head) == indicator(right.head)]
    variants = [pair for pair, relation in zip(pairs, relations(pairs), strict=True) if relation == "variant"]
    lefts = {id(left) for left, _ in variants}
    rights = {id(right) for _, right in variants}
    return all(id(left) in lefts for left in one) and all(id(right) in rights for right in other)


def same_text(one: Theory, other: Theory) -> bool:
    """Whether two theories are the same, names of variables apart, in the same order: true of any Prolog."""
    return [*map(_shape, one.program.clauses)] == [*map(_shape, other.program.clauses)]


@dataclass
class Normaliser:
    """Writes theories out over the background knowledge. One that has seen two theories knows their helpers apart.

    Args:
        knowledge: The clauses of the background knowledge.
        modes: The types of its predicates.
        readable: Whether people read the rules: variables then have short names, also within goals.
    """

    knowledge: Sequence[Clause]
    modes: Sequence[Mode]
    readable: bool = False
    _helpers: list[tuple[int, list[Clause]]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        by_predicate: defaultdict[Indicator, list[Clause]] = defaultdict(list)
        for clause in self.knowledge:
            by_predicate[indicator(clause.head)].append(clause)
        self._single = {
            predicate: clauses[0]
            for predicate, clauses in by_predicate.items()
            if len(clauses) == 1 and _plain_head(clauses[0]) and not _reaches(predicate, predicate, by_predicate)
        }
        self._types = {mode.indicator: [place.type for place in mode.places] for mode in self.modes}

    def normal(self, theory: Theory) -> list[Clause]:
        """The clauses of valid/1, written out.

        Raises:
            NoNormalForm: if there is none.
        """
        program: defaultdict[Indicator, list[Clause]] = defaultdict(list)
        for clause in theory.program.clauses:
            program[indicator(clause.head)].append(clause)
        if tuple(program.get(ITEMS, ())) == shared()[ITEMS]:
            del program[ITEMS]  # types tell what it means in each place
        if any(_reaches(one, one, program) for one in program):
            raise NoNormalForm("the theory is recursive")
        return self._predicate(_TARGET, program)

    def _predicate(self, predicate: Indicator, program: Mapping[Indicator, list[Clause]]) -> list[Clause]:
        rules = (one for clause in program.get(predicate, ()) for one in self._written_out(clause, program))
        return [clause for one in rules if (clause := self._finished(one, program)) is not None]

    # Calls of the theory's own predicates ---------------------------------------------------------------------------

    def _written_out(self, clause: Clause, program: Mapping[Indicator, list[Clause]]) -> list[Clause]:
        done: list[Clause] = []
        todo = [clause]
        while todo:
            one = todo.pop(0)
            if len(todo) + len(done) > _MOST_CLAUSES:
                raise NoNormalForm("the theory has too many cases")
            at = next((at for at, literal in enumerate(one.body) if indicator(literal) in program), None)
            if at is None:
                done.append(one)
            else:
                todo[:0] = self._resolved(one, at, program[indicator(one.body[at])])
        return done

    def _resolved(self, clause: Clause, at: int, rules: Sequence[Clause]) -> list[Clause]:
        resolvents: list[Clause] = []
        for rule in rules:
            fresh = self._renamed(rule)
            bindings = unify(fresh.head, clause.body[at], {})
            if bindings is not None:
                body = (*clause.body[:at], *fresh.body, *clause.body[at + 1 :])
                resolvents.append(resolved_clause(Clause(clause.head, body), bindings))
        return resolvents

    def _renamed(self, clause: Clause) -> Clause:
        number = next(self._numbers)
        new: dict[str, Term] = {name: Var(f"{name}~{number}") for name in variables(clause)}
        return resolved_clause(clause, new)

    # Calls of the knowledge, and goals within goals -----------------------------------------------------------------

    def _finished(self, clause: Clause, program: Mapping[Indicator, list[Clause]]) -> Clause | None:
        """The clause with the knowledge's one-clause predicates written out, and goals within goals put in order."""
        clause = self._without_items(_without_equations(clause))
        if clause.body == ("fail",):
            return None
        _refuse_order(clause)
        body = tuple(part for literal in clause.body for part in self._literal(literal, program))
        flat = _functional(Clause(clause.head, body))
        if flat is None:
            return None
        once = Clause(flat.head, tuple(dict.fromkeys(flat.body)))
        return with_short_names(once) if self.readable else _with_local_names(once)

    def _literal(self, literal: Term, program: Mapping[Indicator, list[Clause]]) -> list[Term]:
        predicate = indicator(literal)
        if predicate == (",", 2):
            return [part for side in arguments(literal) for part in self._literal(side, program)]
        if predicate in _NESTING:
            inner = [conjunction(sorted(self._literal(one, program), key=_shape)) for one in arguments(literal)]
            return [Compound(predicate[0], tuple(inner))]
        if predicate in program:
            return self._inner_call(literal, program)
        if predicate not in self._single or not isinstance(literal, Compound):
            return [literal]
        return self._body(self._single[predicate], literal, program)

    def _body(self, rule: Clause, call: Term, program: Mapping[Indicator, list[Clause]]) -> list[Term]:
        """The body of the one rule with a plain head that a call calls."""
        fresh = self._renamed(rule)
        bindings = unify(fresh.head, call, {})
        assert bindings is not None  # a head of different variables takes any call
        return [part for one in fresh.body for part in self._literal(resolved(one, bindings), program)]

    def _inner_call(self, literal: Term, program: Mapping[Indicator, list[Clause]]) -> list[Term]:
        """A call of an own predicate within a negation: its body where there is one, else a name for what it means."""
        rules = program[indicator(literal)]
        if len(rules) == 1 and _plain_head(rules[0]):
            return self._body(rules[0], literal, program)
        clauses = self._predicate(indicator(literal), program)
        return [Compound(self._helper(indicator(literal)[1], clauses), arguments(literal))]

    def _helper(self, arity: int, clauses: list[Clause]) -> str:
        """The name of a helper; helpers with the same clauses have the same name."""
        unnamed = [Clause(Compound("$helper", arguments(clause.head)), clause.body) for clause in clauses]
        for number, (known_arity, known) in enumerate(self._helpers):
            if known_arity == arity and same_clauses(known, unnamed):
                return f"$helper_{number}"
        self._helpers.append((arity, unnamed))
        return f"$helper_{len(self._helpers) - 1}"

    # Nodes and lists --------------------------------------------------------------------------------------------------

    def _without_items(self, clause: Clause) -> Clause:
        """items/2 of a node is the list of its children, and of a list itself."""
        types = self._variable_types(clause)
        body = tuple(_children_for_items(literal, types) for literal in clause.body)
        return _without_equations(Clause(clause.head, body))

    def _variable_types(self, clause: Clause) -> dict[str, set[str]]:
        types: defaultdict[str, set[str]] = defaultdict(set, {name: {"node"} for name in variables(clause.head)})
        for literal in clause.body:
            for atom in atoms(literal):
                kinds = self._types.get(indicator(atom), ())
                for argument, kind in zip(arguments(atom), kinds, strict=False):
                    if isinstance(argument, Var):
                        types[argument.name].add(kind)
        return types


def resolved(term: Term, bindings: Mapping[str, Term]) -> Term:
    """A term with its variables followed to their ends."""
    if isinstance(term, Var):
        return resolved(bindings[term.name], bindings) if term.name in bindings else term
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(resolved(part, bindings) for part in term.args))
    if isinstance(term, list):
        return [resolved(part, bindings) for part in term]
    return term


def resolved_clause(clause: Clause, bindings: Mapping[str, Term]) -> Clause:
    """A clause with the variables of its head and its body followed to their ends."""
    return Clause(resolved(clause.head, bindings), tuple(resolved(literal, bindings) for literal in clause.body))


def unify(one: Term, other: Term, bindings: Mapping[str, Term]) -> dict[str, Term] | None:
    """Bindings that make two terms equal, on top of those given; None if there are none.

    >>> unify(Compound("p", ([Var("A"), "b"],)), Compound("p", (Var("L"),)), {})
    {'L': [Var(name='A'), 'b']}
    """
    left, right = resolved(one, bindings), resolved(other, bindings)
    if same(left, right):
        return dict(bindings)
    if isinstance(left, Var) or isinstance(right, Var):
        variable, value = (left, right) if isinstance(left, Var) else (right, left)
        assert isinstance(variable, Var)
        return None if variable.name in variables(value) else {**bindings, variable.name: value}
    parts = _parts(left, right)
    if parts is None:
        return None
    known = dict(bindings)
    for part, its in parts:
        solved = unify(part, its, known)
        if solved is None:
            return None
        known = solved
    return known


def _parts(left: Term, right: Term) -> Iterable[tuple[Term, Term]] | None:
    if isinstance(left, list) and isinstance(right, list):
        return list(zip(left, right, strict=True)) if len(left) == len(right) else None
    if isinstance(right, list):
        left, right = right, left
    if isinstance(left, list) and isinstance(right, Compound) and right.functor == "[|]" and left:
        return [(left[0], right.args[0]), (left[1:], right.args[1])]
    if isinstance(left, Compound) and isinstance(right, Compound) and indicator(left) == indicator(right):
        return list(zip(left.args, right.args, strict=True))
    return None


# Conditions -----------------------------------------------------------------------------------------------------------


def _refuse_order(clause: Clause) -> None:
    """Refuses cuts, and negations that are reached before their variables are bound: there the order has a meaning."""
    bound = set(variables(clause.head))
    outside = Counter(name for part in (clause.head, *clause.body) for name in variables(part))
    for literal in clause.body:
        if literal in _OPAQUE or (not isinstance(literal, str | Compound)):
            raise NoNormalForm("the theory has a cut or calls a variable")
        names = set(variables(literal))
        if indicator(literal) in _NESTING:
            if any(outside[name] > 1 and name not in bound for name in names):
                raise NoNormalForm("a negation is reached before its variables are bound")
            if any(atom in _OPAQUE for atom in atoms(literal)):
                raise NoNormalForm("the theory has a cut")
        else:
            bound |= names


def _plain_head(clause: Clause) -> bool:
    places = arguments(clause.head)
    return all(isinstance(place, Var) for place in places) and len(set(map(str, places))) == len(places)


def _reaches(start: Indicator, goal: Indicator, program: Mapping[Indicator, list[Clause]]) -> bool:
    seen: set[Indicator] = set()
    todo = [start]
    while todo:
        for clause in program.get(todo.pop(), ()):
            for literal in clause.body:
                for atom in atoms(literal):
                    called = indicator(atom)
                    if called == goal:
                        return True
                    if called in program and called not in seen:
                        seen.add(called)
                        todo.append(called)
    return False


# Terms ----------------------------------------------------------------------------------------------------------------


def atoms(literal: Term) -> Iterator[Term]:
    """The atoms of a literal, also those within goals."""
    if indicator(literal) in _NESTING:
        for part in arguments(literal):
            yield from atoms(part)
    else:
        yield literal


def _children_for_items(literal: Term, types: Mapping[str, set[str]]) -> Term:
    if not isinstance(literal, Compound):
        return literal
    if indicator(literal) in _NESTING:
        return Compound(literal.functor, tuple(_children_for_items(part, types) for part in literal.args))
    if indicator(literal) == ITEMS and isinstance(literal.args[0], Var):
        kinds = types.get(literal.args[0].name, set())
        if "list" in kinds and "node" not in kinds:
            return Compound("=", literal.args)
        if kinds == {"node"}:
            return Compound("extract_children", literal.args)
    return literal


def _without_equations(clause: Clause) -> Clause:
    bindings: dict[str, Term] = {}
    rest: list[Term] = []
    for literal in clause.body:
        if indicator(literal) == ("=", 2):
            left, right = arguments(literal)
            solved = unify(left, right, bindings)
            if solved is None:
                return Clause(clause.head, ("fail",))
            bindings = solved
        elif literal != "true":
            rest.append(literal)
    return resolved_clause(Clause(clause.head, tuple(rest)), bindings)


def _functional(clause: Clause) -> Clause | None:
    """The clause with one call in place of two that share all but the value that these determine."""
    while True:
        first: dict[tuple[object, ...], Term] = {}
        for literal in clause.body:
            given = _FUNCTIONS.get(indicator(literal))
            if given is None:
                continue
            places = arguments(literal)
            key = (indicator(literal), *(to_text(places[at]) for at in given))
            known = first.setdefault(key, literal)
            if known != literal:
                bindings = unify(known, literal, {})
                if bindings is None:
                    return None
                bound = resolved_clause(clause, bindings)
                clause = Clause(bound.head, tuple(dict.fromkeys(bound.body)))
                break
        else:
            return clause


def _with_local_names(clause: Clause) -> Clause:
    """The clause with constants for variables that occur within one goal only: they stand for all values there."""
    uses = Counter(name for part in (clause.head, *clause.body) for name in set(variables(part)))
    body: list[Term] = []
    for literal in clause.body:
        if indicator(literal) in _NESTING:
            own = [name for name in variables(literal) if uses[name] == 1]
            names: dict[str, Term] = {name: Compound("$local", (number,)) for number, name in enumerate(own)}
            literal = resolved(literal, names)
        body.append(literal)
    return Clause(clause.head, tuple(body))


def _shape(part: Clause | Term) -> str:
    """A clause or a goal as text, whatever its variables are called: also where they are called V0, V1 already."""
    names: dict[str, Term] = {name: Var(f"V{number}") for number, name in enumerate(variables(part))}
    parts = (part.head, *part.body) if isinstance(part, Clause) else (part,)
    return "\0".join(to_text(substitute(one, names)) for one in parts)
