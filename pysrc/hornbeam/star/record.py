"""The content of a sample: a network, checked when it is read, and converted to Prolog facts and columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated, Any

from msgspec import Meta

from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column
from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SampleCheck
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import Count, Edge, Name, Query, SampleShape, Shape, WrongValue
from hornbeam.errors import UsageError
from hornbeam.logic import quote
from hornbeam.logic.terms import Compound, Var
from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.star.knowledge import Calculus, load_calculus, read_calculus
from hornbeam.tasks.network_files import INCONSISTENT


class NetworkInput(Shape):
    """What a learner sees."""

    edges: Annotated[list[Edge], Meta(min_length=1)]
    query: Query


class NetworkSymbols(Shape):
    """How the network was drawn, and what realises it."""

    calculus: Name
    k: Count | None = None
    b: Count | None = None
    paths: Count | None = None
    needed: Count | None = None
    witness: list[list[int]] | None = None
    nodes: Count | None = None
    treewidth: str | None = None
    file: str | None = None


class NetworkProof(Shape):
    """What each path says by itself, or the edges that contradict each other."""

    paths: list[str] | None = None
    conflict: list[Count] | None = None
    certified: str | None = None


class NetworkShape(SampleShape, kw_only=True):
    """A sample of STaR."""

    label: Name
    input: NetworkInput
    symbolic: NetworkSymbols
    proof: NetworkProof

    def __post_init__(self) -> None:
        edges = len(self.input.edges)
        if self.proof.conflict and max(self.proof.conflict) >= edges:
            raise WrongValue("proof.conflict", f"expected numbers of the {edges} edges, from 0")


SHAPE = NetworkShape


def sample_check(dataset: Dataset) -> SampleCheck:
    """Refuses what is not a network of the dataset's calculus."""
    calculus = calculus_of(dataset)
    parse = cache(partial(parse_answer, calculus))

    def plain(edges: list[Edge], query: Query) -> bool:
        """Whether each pair of nodes has one label and no node is missing, as in most networks; then all is well."""
        try:
            pairs = {(u, v) if u < v else (v, u) for u, label, v in edges if parse(label) and u != v}
        except UsageError:
            return False
        nodes = {node for pair in pairs for node in pair}
        whole = len(pairs) == len(edges) and len(nodes) == max(nodes) + 1
        return whole and query[0] != query[1] and {*query} <= nodes

    def check(shape: NetworkShape, sample: Sample) -> None:
        edges, query = shape.input.edges, shape.input.query
        try:
            if not plain(edges, query):
                read_network(calculus, [(u, v) for u, _, v in edges], [label for _, label, _ in edges], query)
        except UsageError as error:
            raise WrongValue("input", error.message) from None
        try:
            parse(shape.label)
        except UsageError as error:
            raise WrongValue("label", error.message) from None

    return check


COLUMNS = (
    Column("edges", EDGES, "input.edges", "the network; a relation such as DC|EC is one of several"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about"),
    Column("calculus", TEXT, "symbolic.calculus", "rcc8, allen or another calculus"),
    Column("k", INTEGER, "symbolic.k", "the edges of a path from the first node to the second"),
    Column("b", INTEGER, "symbolic.b", "the number of these paths"),
    Column("nodes", INTEGER, "symbolic.nodes", "the number of nodes of a tangle, which has no k and b"),
    Column("paths", [TEXT], "proof.paths", "what each path says by itself"),
    Column("conflict", [INTEGER], "proof.conflict", "the numbers of the edges that contradict each other"),
)


def calculus_of(dataset: Dataset) -> Calculus:
    """The calculus that the dataset carries with it."""
    name: str = dataset.config.calculus
    return read_calculus(dataset.file("background.pl")) if name.endswith(".pl") else load_calculus(name)


def network_of(calculus: Calculus, sample: Sample) -> ConstraintNetwork:
    given: Any = sample.input
    edges, (source, sink) = given["edges"], given["query"]
    return read_network(calculus, [(u, v) for u, _, v in edges], [label for _, label, _ in edges], (source, sink))


def input_of(calculus: Calculus, network: ConstraintNetwork) -> dict[str, Json]:
    """A network as the input of a sample; the inverse of :func:`network_of`."""
    edges = zip(network.edges, network.labels, strict=True)
    return {"edges": [[u, calculus.text(label), v] for (u, v), label in edges], "query": [*network.query]}


def answer_of(calculus: Calculus, sample: Sample) -> int:
    """The label as a mask; 0 for inconsistent."""
    return parse_answer(calculus, str(sample.label))


def parse_answer(calculus: Calculus, label: str) -> int:
    """A label as a mask; 0 for inconsistent."""
    return 0 if label == INCONSISTENT else calculus.parse(label)


def group_of(sample: Sample) -> dict[str, Json]:
    """Its steps k and branches b; tangles have no branches and are placed by their number of nodes."""
    known: Any = sample.symbolic
    return {key: known[key] for key in ("k", "b", "nodes") if key in known}


def facts(sample: Sample) -> str:
    """A sample as it stands in facts.pl."""
    given: Any = sample.input
    source, sink = given["query"]
    name = quote(sample.id)
    task, label = quote(sample.task), quote(str(sample.label))
    lines = [f"sample({name}, {task}, {sample.split}, {label}, query({source}, {sink})).\n"]
    for u, label, v in given["edges"]:
        relations = ", ".join(quote(part) for part in label.split("|"))
        lines.append(f"edge({name}, {u}, {v}, [{relations}]).\n")
    return "".join(lines)


def edge_goal(network: Var, source: Var, relations: Sequence[str], target: Var) -> Compound:
    """What the predicate of an edge means: the network has it."""
    return Compound("edge", (network, source, target, list(relations)))


# Networks -------------------------------------------------------------------------------------------------------------


def read_network(calculus: Calculus, edges: Sequence[Pair], labels: Sequence[str], query: Pair) -> ConstraintNetwork:
    """A checked network; an error names the edge."""
    if len(edges) != len(labels):
        raise UsageError(f"{len(edges)} edges but {len(labels)} labels")
    if not edges:
        raise UsageError("a network needs an edge")
    masks = [check_edge(calculus, edge, label) for edge, label in zip(edges, labels, strict=True)]
    used = {node for edge in edges for node in edge}
    nodes = max(used) + 1
    for node in query:
        if type(node) is not int or node not in used:
            raise UsageError(f"the query {query} asks about node {node}, which no edge has")
    if query[0] == query[1]:
        raise UsageError(f"the query {query} asks about one node, expected two")
    if len(used) < nodes:
        missing = next(node for node in range(nodes) if node not in used)
        raise UsageError(f"node {missing} is missing: nodes must be 0 .. {nodes - 1}")
    _check_pairs(calculus, edges, masks)
    return ConstraintNetwork(nodes, tuple((u, v) for u, v in edges), tuple(masks), (query[0], query[1]))


def check_edge(calculus: Calculus, edge: Pair, label: str) -> int:
    """The mask of an edge's label; an error names the edge."""
    u, v = edge
    if type(u) is not int or type(v) is not int or u < 0 or v < 0:
        raise UsageError(f"edge {edge}: nodes are numbers from 0")
    if u == v:
        raise UsageError(f"edge {edge} goes from a node to itself")
    try:
        return calculus.parse(label)
    except UsageError as error:
        raise UsageError(f"edge {edge}: {error.message}") from None


def _check_pairs(calculus: Calculus, edges: Sequence[Pair], masks: Sequence[int]) -> None:
    """Two edges between the same nodes must agree: a relation one way, its converse the other way."""
    known: dict[Pair, int] = {}
    for (u, v), mask in zip(edges, masks, strict=True):
        before = known.get((u, v), calculus.universal)
        if not before & mask:
            raise UsageError(
                f"edge ({u}, {v}) is {calculus.text(mask)}, but an earlier edge between the two says "
                f"{calculus.text(before)} in this direction"
            )
        known[u, v] = mask & before
        known[v, u] = calculus.converse(mask & before)
