"""A STaR dataset on disk as networks."""

from __future__ import annotations

from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.star.calculus import Calculus, load_calculus, read_calculus
from hornbeam.star.cells import INCONSISTENT
from hornbeam.star.network import Network, read_network


def calculus_of(dataset: Dataset) -> Calculus:
    """The calculus that the dataset carries with it."""
    name: str = dataset.config.calculus
    return read_calculus(dataset.file("background.pl")) if name.endswith(".pl") else load_calculus(name)


def network_of(calculus: Calculus, sample: Sample) -> Network:
    given: Any = sample.input
    try:
        edges = [(u, v) for u, _, v in given["edges"]]
        labels = [label for _, label, _ in given["edges"]]
        source, sink = given["query"]
    except (KeyError, TypeError, ValueError):
        message = "input needs edges [[source, relation, target], ...] and query [source, target]"
        raise UsageError(f"sample {sample.id}: {message}") from None
    try:
        return read_network(calculus, edges, labels, (source, sink))
    except HornbeamError as error:
        raise UsageError(f"sample {sample.id}: {error.message}") from None


def input_of(calculus: Calculus, network: Network) -> dict[str, Json]:
    """A network as the input of a sample; the inverse of :func:`network_of`."""
    edges = zip(network.edges, network.labels, strict=True)
    return {"edges": [[u, calculus.text(label), v] for (u, v), label in edges], "query": [*network.query]}


def answer_of(calculus: Calculus, sample: Sample) -> int:
    """The label as a mask; 0 for inconsistent."""
    return 0 if sample.label == INCONSISTENT else calculus.mask(str(sample.label))
