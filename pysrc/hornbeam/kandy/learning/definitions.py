r"""What the predicates that an encoding makes mean, in Prolog over the background knowledge.

A meaning is a body over the variable X, and Y for a relation. A learned theory carries the clauses of those that it
calls, so that it runs wherever the dataset does.

>>> last = relation(Mode.parse("last(+list, -node)"))
>>> red = calling(Mode.parse("extract_color(+node, #color)"), {1: "red"})
>>> print(define("last_color_red", 1, [through(last, red)])[0])
last_color_red(X) :- items(X,A), last(A,B), extract_color(B,red).
>>> print(define("every_last_color_red", 1, [every(last, red)])[0])
every_last_color_red(X) :- items(X,A), last(A,_B), forall((items(X,C),last(C,D)),extract_color(D,red)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from string import ascii_uppercase

from hornbeam.logic.terms import Clause, Compound, Term, Var, conjunction, occurrences, substitute
from hornbeam.tasks.bias import Mode, Place
from hornbeam.theory.theory import Indicator

Body = tuple[Term, ...]
Definitions = Mapping[Indicator, tuple[Clause, ...]]

X, Y = Var("X"), Var("Y")
ITEMS = ("items", 2)  # the helper that all definitions share
_numbers = count()


def shared() -> Definitions:
    """The helpers: items(X, List) holds of a composition and the list of its children, and of a list and itself."""
    items = Var("Items")
    return {
        ITEMS: (
            Clause(Compound("items", (items, items)), (Compound("is_list", (items,)),)),
            Clause(Compound("items", (X, items)), (Compound("extract_children", (X, items)),)),
        )
    }


def pointers() -> Definitions:
    """The facts of the pointer encoding for pictures that are terms: a node is its own pointer."""
    picture, node, operator, children = Var("Picture"), Var("Node"), Var("Operator"), Var("Children")
    composition = (node, operator, children)
    return {
        ("sample_is", 2): (Clause(Compound("sample_is", (picture, picture))),),
        ("defined_as", 3): (
            Clause(Compound("defined_as", composition), (Compound("extract_op_and_chld", composition),)),
        ),
    }


def renamed(mode: Mode, name: str) -> Clause:
    """A predicate of the knowledge under another name."""
    variables = tuple(Var(letter) for letter in ascii_uppercase[: len(mode.places)])
    return Clause(Compound(name, variables), (Compound(mode.name, variables),))


def define(name: str, arity: int, bodies: Iterable[Body]) -> tuple[Clause, ...]:
    """The clauses of a predicate that holds where one of the bodies does."""
    head = Compound(name, (X, Y)[:arity])
    return tuple(dict.fromkeys(with_short_names(Clause(head, body), (X, Y)) for body in bodies))


# Meanings -----------------------------------------------------------------------------------------------------------


def calling(mode: Mode, constants: Mapping[int, Term]) -> Body:
    """A call with constants in some places; the others, but for what it is about, hold anything."""
    places: list[Term] = []
    before: list[Term] = []
    for at, place in enumerate(mode.places):
        if place.fill == "+":
            given, about = _given(place, X)
            before += given
            places.append(about)
        else:
            places.append(constants[at] if at in constants else _new())
    return (*before, Compound(mode.name, tuple(places)))


def relation(mode: Mode) -> Body:
    """A call that takes one thing and finds another."""
    before, about = _given(next(place for place in mode.places if place.fill == "+"), X)
    return (*before, Compound(mode.name, tuple(about if place.fill == "+" else Y for place in mode.places)))


def call(name: str) -> Body:
    """A relation by its own name."""
    return (Compound(name, (X, Y)),)


def pair(mode: Mode) -> Body:
    """A test of a list, for the list of two nodes."""
    places = tuple[Term, ...]([X, Y] if place.fill == "+" else _new() for place in mode.places)
    return (Compound(mode.name, places),)


def both_nodes(mode: Mode) -> Body:
    """A test of two nodes, which does not hold of lists."""
    return (*no_list(X), *no_list(Y), Compound(mode.name, (X, Y)))


def no_list(variable: Var) -> Body:
    return (Compound("\\+", (Compound("is_list", (variable,)),)),)


def itself(mode: Mode) -> Body:
    """A call that gives back what it took."""
    before, about = _given(next(place for place in mode.places if place.fill == "+"), X)
    return (*before, Compound(mode.name, (about,) * len(mode.places)))


def members(mode: Mode, values: Sequence[Term]) -> Body:
    """What the items are, one after the other."""
    nodes = [_new() for _ in values]
    items: Term = list(nodes)
    return (
        Compound("items", (X, items)),
        *(Compound(mode.name, (node, value)) for node, value in zip(nodes, values, strict=True)),
    )


def through(function: Body, passes: Body) -> Body:
    """What the function finds passes a test."""
    value = _new()
    return (*_fresh(function, {"X": X, "Y": value}), *_fresh(passes, {"X": value}))


def between(left: Body, right: Body, holds: Body) -> Body:
    """What two functions find is in a relation."""
    one, other = _new(), _new()
    return (
        *_fresh(left, {"X": X, "Y": one}),
        *_fresh(right, {"X": X, "Y": other}),
        *_fresh(holds, {"X": one, "Y": other}),
    )


def some(relates: Body) -> Body:
    """The relation leads somewhere."""
    return _fresh(relates, {"X": X, "Y": _new()})


def every(relates: Body, passes: Body) -> Body:
    """The relation leads somewhere, and all that it leads to passes a test."""
    one = _new()
    condition = conjunction(_fresh(relates, {"X": X, "Y": one}))
    return (*some(relates), Compound("forall", (condition, conjunction(_fresh(passes, {"X": one})))))


# Variables ------------------------------------------------------------------------------------------------------------


def _new() -> Var:
    return Var(f"V{next(_numbers)}")


def _given(place: Place, variable: Var) -> tuple[Body, Term]:
    if place.type != "list":
        return (), variable
    items = _new()
    return (Compound("items", (variable, items)),), items


def _fresh(body: Body, given: Mapping[str, Term]) -> Body:
    """The body with terms in place of variables, and new ones in place of the rest."""
    known = dict(given)
    for name in (name for literal in body for name in occurrences(literal)):
        if name not in known:
            known[name] = _new()
    return tuple(substitute(literal, known) for literal in body)


def with_short_names(clause: Clause, kept: Sequence[Var] = ()) -> Clause:
    """The clause with short names, those of variables that occur once after an underscore; some keep theirs."""
    uses = Counter(occurrences(clause))
    alphabet = ascii_uppercase[:23] if kept else ascii_uppercase
    letters = (letter + suffix for suffix in ("", *map(str, range(1, 100))) for letter in alphabet)
    known: dict[str, Term] = {variable.name: variable for variable in kept}
    for name in uses:
        if name not in known:
            known[name] = Var(next(letters) if uses[name] > 1 else f"_{next(letters)}")
    return Clause(substitute(clause.head, known), tuple(substitute(literal, known) for literal in clause.body))
