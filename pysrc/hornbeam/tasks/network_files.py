"""Prolog files of network datasets for users' theories: the reasoner over tables, and relations as predicates.

A table of compositions is asked by prolog/networks/reasoning.pl. Rules are over predicates that an encoding made: is_R
for each relation that can be an answer, and one for each label of an edge, whose nodes are terms Id-Node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.logic.terms import Clause, Compound, Term, Var, quote, to_text
from hornbeam.networks.table import Table
from hornbeam.theory import Theory
from hornbeam.theory.theory import is_test

TARGET = "is_"
INCONSISTENT = "inconsistent"
INCLUDED = ("network", "mine", "relations")  # by load.pl; network.pl is the family's own

# The body of an edge's definition: sample, source, relations, target.
EdgeGoal = Callable[[Var, Var, Sequence[str], Var], Term]

_HEADER = """\
% The relations of this dataset as predicates, for theories that are rules; see mine.pl.
%
% An edge is a predicate of two nodes, each Id-Node. A rule for is_R/2 concludes the answer R.

:- discontiguous conclusion/1, holds/4, mine_concludes/1.
"""


def edge_name(relations: Sequence[str]) -> str:
    """The label of an edge or of an answer: alternatives are joined by a bar.

    >>> edge_name(("DC", "EC")), edge_name(())
    ('DC|EC', 'inconsistent')
    """
    return "|".join(relations) or INCONSISTENT


def edge_predicate(relations: Sequence[str]) -> str:
    """The predicate of an edge: its label, but for names that Prolog has for comparisons.

    >>> edge_predicate(("DC", "EC")), edge_predicate(("<",))
    ('DC|EC', 'edge_<')
    """
    name = edge_name(relations)
    return f"edge_{name}" if is_test((name, 2)) else name


def edge_definition(relations: Sequence[str], goal: EdgeGoal) -> Clause:
    """What the predicate of an edge means over the facts of a dataset."""
    sample, source, target = Var("Id"), Var("X"), Var("Y")
    nodes = tuple(Compound("-", (sample, node)) for node in (source, target))
    return Clause(Compound(edge_predicate(relations), nodes), (goal(sample, source, relations, target),))


def modules() -> dict[str, str]:
    """networks.pl, the reasoner, and mine.pl, the predicates for your own theories."""
    return {"networks.pl": _text("reasoning.pl"), "mine.pl": _text("mine.pl")}


def relations_file(conclusions: Iterable[str], edges: Iterable[Sequence[str]], goal: EdgeGoal) -> str:
    """relations.pl.

    Args:
        conclusions: The labels that an answer can have.
        edges: The relations of each kind of edge: more than one where a label has alternatives.
        goal: What an edge is over the facts of the dataset.
    """
    lines = [_HEADER]
    lines += [to_text(edge_definition(relations, goal)) for relations in edges]
    for label in conclusions:
        rule, name = quote(TARGET + label), quote(label)
        lines += [
            "",
            f":- dynamic {rule}/2.",
            f"conclusion({name}).",
            f"holds(user, {name}, X, Y) :- {rule}(X, Y).",
            f"mine:(user:holds(mine, {name}, X, Y) :- {rule}(X, Y)).",
            f"mine:(user:mine_concludes({name}) :-",
            f"    predicate_property({rule}(_, _), number_of_clauses(N)), N > 0,",
            f"    \\+ predicate_property({rule}(_, _), imported_from(_))).",
        ]
    return "\n".join([*lines, ""])


def _text(name: str) -> str:
    return resources.prolog("networks", name).read_text(encoding="utf-8")


_X, _Y, _Z = Var("X"), Var("Y"), Var("Z")


def rules_of(table: Table, name: str | None = None) -> Theory:
    """The rules of a function: an edge is what it says, and two relations in a row are what they compose to.

    Edges are read backwards where every relation has one converse, as in networks/reasoning.py.
    """
    return Theory.of(_clauses(table), name)


def _clauses(table: Table) -> Iterator[Clause]:
    names = table.relations
    for relation in names:
        yield Clause(_is(relation, _X, _Y), (Compound(edge_predicate((relation,)), (_X, _Y)),))
    for relation, mask in zip(names, table.converses, strict=True):
        for place in bits(mask) if table.backwards else ():
            yield Clause(_is(names[place], _X, _Y), (Compound(edge_predicate((relation,)), (_Y, _X)),))
    for first, row in zip(names, table.cells, strict=True):
        for second, mask in zip(names, row, strict=True):
            for place in bits(mask):
                # Nobody is related to themselves.
                apart = Compound("\\==", (_X, _Z))
                yield Clause(_is(names[place], _X, _Z), (_is(first, _X, _Y), _is(second, _Y, _Z), apart))


def _is(relation: str, one: Var, other: Var) -> Compound:
    return Compound(TARGET + relation, (one, other))
