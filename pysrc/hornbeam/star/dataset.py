"""A STaR dataset on disk as networks, and what clingo says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.family import Progress, no_progress
from hornbeam.seeds import fast_rng
from hornbeam.star.calculus import Calculus, load_calculus, read_calculus
from hornbeam.star.cells import INCONSISTENT
from hornbeam.star.certify import certify
from hornbeam.star.network import Network, read_network
from hornbeam.star.reference import possible

# Up to this many rows are checked without pruning; of a larger dataset as many are drawn for it.
UNPRUNED = 4000
_STEP = 256


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What clingo finds possible for a sample, beside its label; both are masks."""

    sample: Sample
    label: int
    found: int
    unpruned: bool


def verdicts(dataset: Dataset, progress: Progress = no_progress) -> Iterator[Verdict]:
    """Every sample decided by clingo: un-pruned by the reference program, or, beyond the drawn ones, pruned."""
    calculus = calculus_of(dataset)
    total = len(dataset.samples)
    drawn = set(range(total))
    if total > UNPRUNED:
        drawn = set(fast_rng(0, "star", "check", total).sample(range(total), UNPRUNED))
    for start in range(0, total, _STEP):
        chunk = [dataset.samples[i] for i in range(start, min(start + _STEP, total))]
        yield from _decided(calculus, chunk, [start + i in drawn for i in range(len(chunk))])
        progress(start + len(chunk), total)


def _decided(calculus: Calculus, samples: Sequence[Sample], unpruned: Sequence[bool]) -> Iterator[Verdict]:
    networks = [network_of(calculus, sample) for sample in samples]
    slow = iter(possible(calculus, [net for net, hard in zip(networks, unpruned, strict=True) if hard]))
    fast = iter(certify(calculus, [net for net, hard in zip(networks, unpruned, strict=True) if not hard]))
    for sample, hard in zip(samples, unpruned, strict=True):
        yield Verdict(sample, answer_of(calculus, sample), next(slow) if hard else next(fast), hard)
