"""`hornbeam check`: every row decided again by clingo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.family import Check
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.progress import Progress, no_progress
from hornbeam.seeds import fast_rng
from hornbeam.star.proving import certify, possible
from hornbeam.star.record import answer_of, calculus_of, network_of

# Up to this many rows are checked without pruning; of a larger dataset as many are drawn for it.
UNPRUNED = 4000
_STEP = 256


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirm each row for which clingo finds exactly its label possible."""
    unpruned, failures = 0, []
    for one in decided(dataset, progress):
        unpruned += one.unpruned
        if one.possible != one.label:
            failures.append(one.sample.id)
    total = len(dataset.samples)
    reasoner = f"clingo, kb/star/network.lp, nothing pruned, on {unpruned} of {total} rows"
    if unpruned < total:
        reasoner += "; on the others with domains pruned by path consistency"
    return Check(total, total - len(failures), len(failures), 0, reasoner, tuple(failures))


@dataclass(frozen=True, slots=True)
class Decided:
    """What clingo finds possible for a sample, beside its label; both are masks."""

    sample: Sample
    network: ConstraintNetwork
    label: int
    possible: int
    unpruned: bool


def decided(dataset: Dataset, progress: Progress = no_progress) -> Iterator[Decided]:
    """Every sample decided by clingo: un-pruned by the reference program, or, beyond the drawn ones, pruned."""
    calculus = calculus_of(dataset)
    samples = dataset.samples
    total = len(samples)
    drawn = set(range(total))
    if total > UNPRUNED:
        drawn = set(fast_rng(0, "star", "check", total).sample(range(total), UNPRUNED))
    for start in range(0, total, _STEP):
        numbers = range(start, min(start + _STEP, total))
        chunk = [(n in drawn, samples[n]) for n in numbers]
        networks = [network_of(calculus, sample) for _, sample in chunk]
        slow = iter(possible(calculus, [net for net, (hard, _) in zip(networks, chunk, strict=True) if hard]))
        fast = iter(certify(calculus, [net for net, (hard, _) in zip(networks, chunk, strict=True) if not hard]))
        for network, (hard, sample) in zip(networks, chunk, strict=True):
            yield Decided(sample, network, answer_of(calculus, sample), next(slow if hard else fast), hard)
        progress(start + len(chunk), total)
