"""The Prolog of a dataset: rules.pl with every world's rules, a clause file for each world, and how both are asked."""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam import resources
from hornbeam.family import PrologSide
from hornbeam.graphlog.vocabulary import label_order
from hornbeam.graphlog.world import World
from hornbeam.logic import quote
from hornbeam.logic.terms import Compound, Var
from hornbeam.tasks import network_files

_RULES = """\
:- module(graphlog_rules,
          [ world/1,                % ?World
            rule/5,                 % ?World, ?Number, ?A, ?B, ?H
            inverse/3,              % ?World, ?Label, ?Inverse
            reads_backwards/1       % ?World
          ]).

/** <module> The rules of the worlds

rule(World, Number, A, B, H) says: in World, H(X,Z) if A(X,Y) and B(Y,Z).
inverse(World, L, M) says: in World, L(X,Y) if and only if M(Y,X); a world uses it to derive if it reads backwards.
*/

:- discontiguous world/1, rule/5, inverse/3, reads_backwards/1.
:- dynamic world/1, rule/5, inverse/3, reads_backwards/1.
"""

_THEORY = """\
% The theory: each world's rules stand in rules.pl, what follows from them is said here. The rules of a single world as
% plain clauses are in worlds/.

:- use_module(rules).

{reasoning}"""

QUERIES = (
    ("sample(Id, _, test, _, _), true_answer(Id, R)", "the relations that follow in the test rows"),
    ("resolve(Id, Relation, How)", "the relation asked for, with path and rules used"),
    ("rule(World, Number, A, B, H)", "rules: H(X,Z) if A(X,Y) and B(Y,Z)"),
    ("sample(Id, World, test, Label, _)", "the test rows and their labels"),
    ("sample(Id, _, _, _, _), edge(Id, W, X, L, Y)", "the edges of a graph"),
    ("similarity(World, Other, Share)", "the share of a world's rules that another has"),
)


def rules_file(worlds: Sequence[World]) -> str:
    """rules.pl: the rules of all worlds."""
    return _RULES + "".join(map(world_facts, worlds))


def relations_file(worlds: Sequence[World]) -> str:
    """relations.pl: the relations of all worlds as predicates."""
    labels = sorted({label for world in worlds for label in world.labels}, key=label_order)
    return network_files.relations_file(labels, [(label,) for label in labels], edge_goal)


def edge_goal(row: Var, source: Var, labels: Sequence[str], target: Var) -> Compound:
    """What the predicate of a label means: the graph of the row has such an edge."""
    return Compound("edge", (row, Var("_"), source, labels[0], target))


def world_facts(world: World) -> str:
    """A world's part of rules.pl."""
    name = quote(world.name)
    lines = [f"\nworld({name})."]
    lines += [
        f"rule({name}, {number}, {quote(rule.first)}, {quote(rule.second)}, {quote(rule.head)})."
        for number, rule in enumerate(world.rules)
    ]
    lines += [f"inverse({name}, {quote(label)}, {quote(other)})." for label, other in world.inverses]
    lines += [f"reads_backwards({name})."] if world.backwards else []
    return "\n".join(lines) + "\n"


def clause_file(world: World) -> str:
    """A world's rules as plain clauses over its relations."""
    lines = [f"% The rules of the world {world.name}."]
    lines += [
        f"{quote(rule.head)}(X, Z) :- {quote(rule.first)}(X, Y), {quote(rule.second)}(Y, Z)." for rule in world.rules
    ]
    if world.backwards:
        lines += ["", "% Each relation, read backwards."]
        lines += [f"{quote(label)}(X, Y) :- {quote(other)}(Y, X)." for label, other in world.inverses]
    return "\n".join(lines) + "\n"


def side() -> PrologSide:
    """The files that are the same for every suite."""
    return PrologSide(
        theory=_THEORY.format(reasoning=resources.prolog("graphlog", "reasoning.pl").read_text(encoding="utf-8")),
        background=resources.prolog("graphlog", "rows.pl").read_text(encoding="utf-8"),
        queries=QUERIES,
        modules={"network.pl": resources.prolog("graphlog", "network.pl").read_text(encoding="utf-8")}
        | network_files.modules(),
        included=network_files.INCLUDED,
    )
