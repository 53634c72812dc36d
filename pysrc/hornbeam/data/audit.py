"""The part of an audit that all families share: leaks, duplicates, balance, and the majority baseline."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.family import Audit, Family
from hornbeam.progress import Progress, no_progress


def general_audit(family: Family, dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """Check every label, and compare the samples' inputs with each other."""
    check = family.check(dataset, progress)
    copies = Copies(dataset.samples)
    return Audit(
        samples=check.samples,
        derivable=check.confirmed / check.samples if check.samples else None,
        unique=check.confirmed / check.samples if check.samples else None,
        duplicates=copies.duplicates,
        leaks=copies.leaks(),
        shortcuts={"majority": majority(dataset)},
        balance=balance(dataset.samples),
    )


class Copies:
    """Samples whose input was seen before: in their own split a duplicate, in two splits a leak."""

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self._splits: dict[str, Digests] = defaultdict(Digests)
        for sample in samples:
            self.add(json.dumps([sample.task, sample.input], sort_keys=True), sample.split)

    def add(self, form: object, split: str) -> None:
        """Count a sample; two with the same form, as `repr` prints it, are copies of each other."""
        self._splits[split].add(form)

    @property
    def duplicates(self) -> int:
        """How many samples have the input of an earlier one of their split."""
        return sum(len(digests) - digests.distinct() for digests in self._splits.values())

    def leaks(self) -> dict[str, Json]:
        """How many samples of the later split have their input in the earlier one."""
        pairs: dict[str, Json] = {}
        for earlier, later in (("train", "test"), ("train", "valid"), ("valid", "test")):
            if earlier in self._splits and later in self._splits:
                shared = int(self._splits[later].among(self._splits[earlier]).sum())
                if shared:
                    pairs[f"{earlier}/{later}"] = shared
        return pairs


class Digests:
    """Forms of samples to compare with each other, in 16 bytes each: a dataset may have more than fit in memory."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, form: object) -> None:
        """Add a form; two are the same if `repr` prints them the same."""
        self._bytes += hashlib.blake2b(repr(form).encode(), digest_size=_DIGEST).digest()

    def __len__(self) -> int:
        return len(self._bytes) // _DIGEST

    def distinct(self) -> int:
        """How many different forms there are."""
        return len(np.unique(self._array()))

    def among(self, others: Digests) -> npt.NDArray[np.bool_]:
        """Whether each form, in the order of adding, is one of the others'."""
        return np.isin(self._array(), others._array())

    def _array(self) -> npt.NDArray[np.bytes_]:
        return np.frombuffer(self._bytes, dtype=f"S{_DIGEST}")


_DIGEST = 16


def label_text(label: Json) -> str:
    """A label as a key of a table."""
    return label if isinstance(label, str) else json.dumps(label, sort_keys=True)


def balance(samples: Iterable[Sample]) -> dict[str, Json]:
    """How many samples each label has in each split."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sample in samples:
        counts[sample.split][label_text(sample.label)] += 1
    return {split: dict(sorted(labels.items())) for split, labels in counts.items()}


def majority(dataset: Dataset, key: Callable[[Sample], Hashable] = lambda sample: sample.task) -> float | None:
    """The accuracy on test of the most frequent training label of each task, or of each value of another key."""
    labels: Mapping[Hashable, Counter[str]] = defaultdict(Counter)
    for sample in dataset.train:
        labels[key(sample)][label_text(sample.label)] += 1
    best = {value: max(sorted(counts), key=counts.__getitem__) for value, counts in labels.items()}
    right = sum(best.get(key(sample)) == label_text(sample.label) for sample in dataset.test)
    return right / len(dataset.test) if len(dataset.test) else None
