"""A dataset as it was perceived: the symbols of its samples are those that were read, and nothing else is left of them.

The true symbols, the objects with their boxes and the proofs of the samples do not get here, so a learner that is given
this dataset cannot see them. Labels are those of the dataset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.index import IndexWriter
from hornbeam.data.sample import Json, Sample

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hornbeam.perception.perceiver import Alternative

Unread = Mapping[tuple[str, str], tuple[int, int]]


class SeenDataset(Dataset):
    """A dataset whose samples have the symbols that were read. Samples that could not be read are left out.

    Args:
        dataset: The dataset that was perceived.
        samples: Its samples.
        chosen: How each sample is read, by id; None for those that are unread.

    Attributes:
        unread: By task and split: how many positives and how many negatives could not be read.
    """

    def __init__(self, dataset: Dataset, samples: Sequence[Sample], chosen: Mapping[str, Alternative | None]) -> None:
        self.path, self.manifest = dataset.path, dataset.manifest
        counts: Counter[tuple[str, str, bool]] = Counter()
        writer = IndexWriter(_numbered(dataset.tasks), _numbered(dataset.splits))
        lines = []
        self._seen: list[Sample] = []
        for sample in samples:
            alternative = chosen[sample.id]
            if alternative is None:
                counts[sample.task, sample.split, bool(sample.label)] += sample.supervised
                continue
            self._seen.append(perceived(sample, alternative.symbolic))
            line = self._seen[-1].line().encode()
            writer.add(line, sample.task, sample.split)
            lines.append(line)
        # These two stand for the files that a dataset on disk reads its samples from.
        self._lines = b"".join(lines)
        self._index = writer.array()
        self.unread: Unread = {
            (task, split): (counts[task, split, True], counts[task, split, False]) for task, split, _ in counts
        }

    def at(self, rows: npt.NDArray[np.int64]) -> Iterator[Sample]:
        """The samples by their numbers. They are less than the shape of a sample on disk asks for."""
        return (self._seen[row] for row in rows.tolist())


def perceived(sample: Sample, symbolic: Mapping[str, Json]) -> Sample:
    """The sample with symbols that were read; of its input only what was seen is left."""
    content: Any = sample.input
    if "story" not in content:
        return replace(sample, input={"image": content.get("image")}, symbolic=dict(symbolic), proof={})
    seen = {name: content[name] for name in ("story", "question", "names", "query")}
    # The length of the story and its noise stay: results are grouped by them, and no learner sees a group.
    known: Any = sample.symbolic
    groups = {name: known[name] for name in ("k", "noise")}
    return replace(sample, input={**seen, "edges": symbolic["edges"]}, symbolic=groups, proof={})


def _numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
