"""`hornbeam check`: every row decided again by clingo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.family import Check
from hornbeam.progress import Progress, no_progress
from hornbeam.seeds import fast_rng
from hornbeam.star.knowledge import Calculus
from hornbeam.star.proving import certify, possible
from hornbeam.star.record import answer_of, calculus_of, network_of

# Up to this many rows are checked without pruning; of a larger dataset as many are drawn for it.
UNPRUNED = 4000
_STEP = 256


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirm each row for which clingo finds exactly its label possible."""
    confirmed, unpruned, failures = 0, 0, []
    for verdict in verdicts(dataset, progress):
        unpruned += verdict.unpruned
        if verdict.found == verdict.label:
            confirmed += 1
        else:
            failures.append(verdict.sample.id)
    total = confirmed + len(failures)
    reasoner = f"clingo, kb/star/network.lp, nothing pruned, on {unpruned} of {total} rows"
    if unpruned < total:
        reasoner += "; on the others with domains pruned by path consistency"
    return Check(total, confirmed, len(failures), 0, reasoner, tuple(failures))


@dataclass(frozen=True, slots=True)
class Decided:
    """What clingo finds possible for a sample, beside its label; both are masks."""

    sample: Sample
    label: int
    found: int
    unpruned: bool


def verdicts(dataset: Dataset, progress: Progress = no_progress) -> Iterator[Decided]:
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


def _decided(calculus: Calculus, samples: Sequence[Sample], unpruned: Sequence[bool]) -> Iterator[Decided]:
    networks = [network_of(calculus, sample) for sample in samples]
    slow = iter(possible(calculus, [net for net, hard in zip(networks, unpruned, strict=True) if hard]))
    fast = iter(certify(calculus, [net for net, hard in zip(networks, unpruned, strict=True) if not hard]))
    for sample, hard in zip(samples, unpruned, strict=True):
        yield Decided(sample, answer_of(calculus, sample), next(slow) if hard else next(fast), hard)
