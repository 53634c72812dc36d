r"""A table of compositions as rules over edges: what the view of examples can say of a function.

>>> print(rules_of(Table(("p", "g"), ((2, 0), (0, 0)))), end="")
is_p(X,Y) :- p(X,Y).
is_g(X,Y) :- g(X,Y).
is_g(X,Z) :- is_p(X,Y), is_p(Y,Z), X \== Z.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbeam.bitsets import bits
from hornbeam.logic.terms import Clause, Compound, Var
from hornbeam.networks.table import Table
from hornbeam.tasks.network_files import TARGET, edge_predicate
from hornbeam.theory import Theory

_X, _Y, _Z = Var("X"), Var("Y"), Var("Z")


def rules_of(table: Table, name: str | None = None) -> Theory:
    """The rules of a function: an edge is what it says, and two relations in a row are what they compose to.

    Edges are read backwards where every relation has one converse, as in networks/reasoning.py.
    """
    return Theory.of(_clauses(table), name)


def _clauses(table: Table) -> Iterator[Clause]:
    names = table.relations
    backwards = all(converse.bit_count() == 1 for converse in table.converse)
    for relation in names:
        yield Clause(_is(relation, _X, _Y), (Compound(edge_predicate((relation,)), (_X, _Y)),))
    for relation, mask in zip(names, table.converse, strict=True):
        for place in bits(mask) if backwards else ():
            yield Clause(_is(names[place], _X, _Y), (Compound(edge_predicate((relation,)), (_Y, _X)),))
    for first, row in zip(names, table.cells, strict=True):
        for second, mask in zip(names, row, strict=True):
            for place in bits(mask):
                # Nobody is related to themselves.
                apart = Compound("\\==", (_X, _Z))
                yield Clause(_is(names[place], _X, _Z), (_is(first, _X, _Y), _is(second, _Y, _Z), apart))


def _is(relation: str, one: Var, other: Var) -> Compound:
    return Compound(TARGET + relation, (one, other))
