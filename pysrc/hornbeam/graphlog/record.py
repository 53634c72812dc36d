"""The content of a dataset: rows as samples, facts and columns of exports; and the Prolog files of the dataset.

This is the one place that knows the keys of a sample. rules.pl has the rules of all worlds, and worlds/NAME.pl those of
one world as plain clauses.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from hornbeam import resources
from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column
from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SampleCheck
from hornbeam.data.sample import Sample
from hornbeam.data.shape import Count, Name, Node, Query, SampleShape, Shape, WrongValue
from hornbeam.data.shape import Edge as EdgeShape
from hornbeam.family import PrologSide
from hornbeam.graphlog.knowledge import Certificate, Chain, Edge, GraphWorld, label_order
from hornbeam.logic import quote
from hornbeam.logic.terms import Compound, Var
from hornbeam.tasks import network_files

DERIVABLE = ("unique", "ambiguous", "wrong", "no")


class GraphInput(Shape):
    """What a learner sees."""

    edges: Annotated[list[EdgeShape], Meta(min_length=1)]
    query: Query


class GraphSymbols(Shape):
    """The answer as a fact."""

    prolog: str


class GraphProof(Shape):
    """The path that gives the label, and how the rules fold it."""

    path: Annotated[list[Node], Meta(min_length=2)]
    descriptor: str
    derivable: Literal["unique", "ambiguous", "wrong", "no"]
    derivation: str | None = None
    rules: list[Count] | None = None
    depth: Count | None = None

    def __post_init__(self) -> None:
        if self.descriptor and self.descriptor.count(",") + 2 != len(self.path):
            raise WrongValue(
                "descriptor", f"expected a relation for each of the {len(self.path) - 1} steps of the path"
            )


class GraphShape(SampleShape, kw_only=True):
    """A sample of GraphLog."""

    label: Name
    input: GraphInput
    symbolic: GraphSymbols
    proof: GraphProof


SHAPE = GraphShape


def sample_check(dataset: Dataset) -> SampleCheck:
    """Refuses relations that the world does not have; imported rows may have relations that no rule of theirs names."""
    from hornbeam.graphlog import figures  # which imports this module

    imported = dataset.config.profile == "imported"
    worlds = {name: {*known.world.labels} for name, known in figures.worlds(dataset).items()}

    def check(shape: GraphShape, sample: Sample) -> None:
        labels = worlds[shape.task]
        for number, (_, label, _) in enumerate(shape.input.edges):
            if label not in labels:
                raise WrongValue(f"input.edges[{number}][1]", f'"{label}" is no relation of the world {shape.task}')
        if shape.label not in labels:
            raise WrongValue("label", f'"{shape.label}" is no relation of the world {shape.task}')

    return (lambda shape, sample: None) if imported else check


def derivable(relations: Collection[str], label: str) -> str:
    """Whether a label is among the relations that follow: alone, beside others, not but others do, or none does."""
    if label in relations:
        return "unique" if len(relations) == 1 else "ambiguous"
    return "wrong" if relations else "no"


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A graph, the two nodes that are asked about, their relation, and the path that resolves it."""

    edges: tuple[Edge, ...]
    label: str
    path: tuple[int, ...]
    chain: Chain
    nodes: int
    detour: Chain = ()  # a longer chain between the same ends, where noise supports the path


RowBook = dict[str, list[DrawnRow]]  # rows by split


# Labels are few and rows are many.
_quoted = cache(quote)


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a descriptor gives its class: shared by all rows that have it."""

    derivable: str
    certificate: Certificate | None

    def to_json(self, row: DrawnRow) -> dict[str, Any]:
        proof: dict[str, Any] = {"path": list(row.path), "descriptor": ",".join(row.chain), "derivable": self.derivable}
        if self.certificate is not None:
            known = self.certificate
            proof |= {"derivation": known.text, "rules": list(known.rules), "depth": known.depth}
        return proof


GroundsBook = dict[tuple[str, Chain], Grounds]  # by label and chain


def to_sample(row: DrawnRow, number: int, world: str, split: str, grounds: Grounds) -> Sample:
    """The sample of a row."""
    source, sink = row.path[0], row.path[-1]
    return Sample(
        id=f"{world}-{split}-{number:05d}",
        task=world,
        split=split,
        label=row.label,
        input={"edges": [[u, label, v] for u, v, label in row.edges], "query": [source, sink]},
        symbolic={"prolog": f"{_quoted(row.label)}({source},{sink})"},
        proof=grounds.to_json(row),
    )


@dataclass(frozen=True, slots=True)
class Read:
    """A sample's content, as it is used.

    An imported row may not say how it is resolved: then its chain is empty, and its path has only the two ends.
    """

    edges: Sequence[Edge]
    source: int
    sink: int
    label: str
    path: tuple[int, ...]
    chain: Chain
    proof: dict[str, Any]

    @property
    def nodes(self) -> int:
        return len({node for u, v, _ in self.edges for node in (u, v)} | {self.source, self.sink})


def read(sample: Sample) -> Read:
    """The content of a sample."""
    content: Any = sample.input
    proof: Any = sample.proof
    source, sink = content["query"]
    text = proof["descriptor"]
    return Read(
        edges=[(u, v, label) for u, label, v in content["edges"]],
        source=source,
        sink=sink,
        label=str(sample.label),
        path=tuple(proof["path"]),
        chain=tuple(text.split(",")) if text else (),
        proof=proof,
    )


def fact(sample: Sample) -> str:
    """The sample as one Prolog clause: compact, for a suite has hundreds of thousands."""
    content: Any = sample.input
    proof: Any = sample.proof
    source, sink = content["query"]
    edges = ",".join([f"e({u},{_quoted(label)},{v})" for u, label, v in content["edges"]])
    path = ",".join(map(str, proof["path"]))
    return (
        f"sample('{sample.id}',{_quoted(sample.task)},{sample.split},{_quoted(str(sample.label))},"
        f"graph({source},{sink},[{edges}],[{path}])).\n"
    )


COLUMNS = (
    Column("edges", EDGES, "input.edges", "the graph"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about"),
    Column("path", [INTEGER], "proof.path", "the nodes of the path that the label follows from"),
    Column("descriptor", TEXT, "proof.descriptor", "the relations along this path"),
    Column("derivable", TEXT, "proof.derivable", "unique, ambiguous, wrong or no: what the world's rules derive"),
    Column("derivation", TEXT, "proof.derivation", "how the rules fold the path to the label"),
    Column("rules", [INTEGER], "proof.rules", "the numbers of these rules in the world"),
    Column("depth", INTEGER, "proof.depth", "the depth of the derivation"),
)


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


def rules_file(worlds: Sequence[GraphWorld]) -> str:
    """rules.pl: the rules of all worlds."""
    return _RULES + "".join(map(world_facts, worlds))


def relations_file(worlds: Sequence[GraphWorld]) -> str:
    """relations.pl: the relations of all worlds as predicates."""
    labels = sorted({label for world in worlds for label in world.labels}, key=label_order)
    return network_files.relations_file(labels, [(label,) for label in labels], edge_goal)


def edge_goal(row: Var, source: Var, labels: Sequence[str], target: Var) -> Compound:
    """What the predicate of a label means: the graph of the row has such an edge."""
    return Compound("edge", (row, Var("_"), source, labels[0], target))


def world_facts(world: GraphWorld) -> str:
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


def clause_file(world: GraphWorld) -> str:
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
