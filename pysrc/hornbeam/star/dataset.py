"""A STaR dataset on disk as networks."""

from __future__ import annotations

from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
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
        edges = [(edge[0], edge[1]) for edge in given["edges"]]
        query = (given["query"][0], given["query"][1])
        return read_network(calculus, edges, given["edge_labels"], query)
    except (KeyError, TypeError, IndexError):
        raise UsageError(f"sample {sample.id}: input needs edges, edge_labels and query") from None
    except HornbeamError as error:
        raise UsageError(f"sample {sample.id}: {error.message}") from None


def answer_of(calculus: Calculus, sample: Sample) -> int:
    """The label as a mask; 0 for inconsistent."""
    return 0 if sample.label == INCONSISTENT else calculus.mask(str(sample.label))
