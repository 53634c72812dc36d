"""The part of an audit that all families share: leaks, duplicates, balance, and the majority baseline."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping

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
        self.duplicates = 0
        self._splits: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for sample in samples:
            self.add(_digest(sample), sample.split)

    def add(self, form: Hashable, split: str) -> None:
        """Count a sample; two with the same form are copies of each other."""
        seen = self._splits[form]
        self.duplicates += seen[split] > 0
        seen[split] += 1

    def leaks(self) -> dict[str, Json]:
        """How many samples of the later split have their input in the earlier one."""
        pairs: Counter[str] = Counter()
        for seen in self._splits.values():
            for earlier, later in (("train", "valid"), ("train", "test"), ("valid", "test")):
                if earlier in seen and later in seen:
                    pairs[f"{earlier}/{later}"] += seen[later]
        return dict(sorted(pairs.items()))


def _digest(sample: Sample) -> bytes:
    text = json.dumps([sample.task, sample.input], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


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
    right = [best.get(key(sample)) == label_text(sample.label) for sample in dataset.test]
    return sum(right) / len(right) if right else None
