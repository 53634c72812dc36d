r"""Clauses that are the same but for the names of variables and the order of literals: one form for all of them.

>>> from hornbeam.theory import Theory
>>> one, other = Theory.parse("p(X) :- q(X,Y), \\+ r([Y|T], T). p(A) :- not(r([C|B], B)), q(A,C).")
>>> clause_form(one) == clause_form(other)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hornbeam.logic.terms import Clause, Compound, Term, Var, occurrences, to_text, variables
from hornbeam.theory.distance import canonical
from hornbeam.theory.theory import Form, Indicator, Theory, atom_of, indicator, is_negative

# A literal: its text with every variable blanked, and the variables in the order of their places.
_Literal = tuple[str, tuple[str, ...]]
_Colours = Mapping[str, int]
# Where a variable stands: in the head or not, in which literal with which colours, at which place.
_Mark = tuple[bool, str, tuple[int, ...], int]

# A clause with more symmetries keeps the order of its literals: it then only equals clauses that have it, too.
_MOST_LEAVES = 500


def clause_form(clause: Clause) -> Form:
    """The same value for two clauses if and only if a renaming makes them equal up to the order of their literals."""
    head, *body = [_literal(literal) for literal in (clause.head, *clause.body)]
    names = variables(clause)
    leaves: list[Form] = []
    colours = _refined(dict.fromkeys(names, 0), head, body)
    for form in _leaves(colours, head, body):
        leaves.append(form)
        if len(leaves) > _MOST_LEAVES:
            return ("ordered", canonical(clause))
    return min(leaves)


def same_clauses(one: Theory, other: Theory) -> bool:
    """Whether each clause has its like in the other theory, whatever the order.

    Where a predicate's clauses hold a cut, the order of its clauses and of their literals counts.
    """
    if set(one.forms) != set(other.forms):
        return False
    cut = {indicator(clause.head) for clause in (*one.clauses, *other.clauses) if has_cut(clause)}
    return _ordered(one, cut) == _ordered(other, cut)


def _ordered(theory: Theory, predicates: set[Indicator]) -> dict[Indicator, list[str]]:
    texts: dict[Indicator, list[str]] = {}
    for clause in theory.clauses:
        if indicator(clause.head) in predicates:
            texts.setdefault(indicator(clause.head), []).append(canonical(clause))
    return texts


def has_cut(clause: Clause) -> bool:
    """Whether the clause cuts: itself or in a control construct."""
    return any(_cuts(literal) for literal in clause.body)


def _cuts(goal: Term) -> bool:
    if isinstance(goal, Compound) and goal.functor in {",", ";", "->", "*->"}:
        return any(_cuts(part) for part in goal.args)
    return goal == "!"


def _literal(literal: Term) -> _Literal:
    plain = Compound("\\+", (atom_of(literal),)) if is_negative(literal) else literal
    return to_text(_blanked(plain)), tuple(occurrences(plain))


def _blanked(term: Term) -> Term:
    if isinstance(term, Var):
        return Var("_")
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_blanked(part) for part in term.args))
    return [_blanked(part) for part in term] if isinstance(term, list) else term


# Colours: variables that stand at the same places beside the same others cannot be told apart ------------------------


def _leaves(colours: _Colours, head: _Literal, body: Sequence[_Literal]) -> Iterator[Form]:
    """The clause under every order of its variables that their places allow."""
    tied = _tied(colours)
    if not tied:
        yield _coloured(head, colours), *sorted(_coloured(literal, colours) for literal in body)
        return
    for name in tied:
        # Colours are doubled, so that there is room for one below each.
        apart = {other: 2 * colour + (other != name) for other, colour in colours.items()}
        yield from _leaves(_refined(apart, head, body), head, body)


def _tied(colours: _Colours) -> list[str]:
    """The variables of the first colour that several have."""
    groups: dict[int, list[str]] = {}
    for name, colour in colours.items():
        groups.setdefault(colour, []).append(name)
    return next((group for _, group in sorted(groups.items()) if len(group) > 1), [])


def _refined(colours: _Colours, head: _Literal, body: Sequence[_Literal]) -> dict[str, int]:
    """The colours told apart by the places of their variables, until nothing more can be told apart."""
    count = -1
    while True:
        marks: dict[str, list[_Mark]] = {name: [] for name in colours}
        for number, literal in enumerate((head, *body)):
            text, shades = _coloured(literal, colours)
            for place, name in enumerate(literal[1]):
                marks[name].append((number == 0, text, shades, place))
        keys = {name: (colours[name], tuple(sorted(marks[name]))) for name in colours}
        ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
        colours = {name: ranks[key] for name, key in keys.items()}
        if len(ranks) in (count, len(colours)):
            return dict(colours)
        count = len(ranks)


def _coloured(literal: _Literal, colours: _Colours) -> tuple[str, tuple[int, ...]]:
    return literal[0], tuple(colours[name] for name in literal[1])
