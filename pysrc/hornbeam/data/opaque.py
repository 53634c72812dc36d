"""Names of samples that say nothing: ids of a dataset often tell the task, the length or even the label.

An opaque id is a hash of the sample's id and of samples.jsonl. Who has the dataset can find the sample of an opaque id;
who has only an export or a prompt cannot.

>>> len(opaque("a", "b")), opaque("a", "b") == opaque("a", "b"), opaque("ab", "") == opaque("a", "b")
(20, True, False)
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbeam.data.reading import SAMPLES
from hornbeam.data.sample import Sample

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


def opaque(*parts: str) -> str:
    """A name that depends on all parts, and from which none of them can be read."""
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=10).hexdigest()


def fingerprint(dataset: Dataset) -> str:
    """What tells the samples of a dataset from those of another: the digest of its samples."""
    return dataset.manifest.files[SAMPLES].sha256


def real_ids(dataset: Dataset) -> dict[str, str]:
    """The ids of a dataset by their opaque ids.

    >>> real_ids(ds)[opaque_id(ds, "s000000")]
    's000000'
    """
    return {opaque_id(dataset, sample.id): sample.id for sample in dataset.samples}


def hidden(dataset: Dataset, sample: Sample) -> Sample:
    """A sample whose id and task tell nothing: what exports write.

    Samples that its proof names have their opaque ids, too.

    >>> hidden(ds, ds.train[0]).label == ds.train[0].label
    True
    """
    proof: Any = sample.proof
    if isinstance(proof, dict) and "premises" in proof:
        proof = {**proof, "premises": [opaque_id(dataset, name) for name in proof["premises"]]}
    task = dataset.family.shown_task(dataset, sample.task)
    return replace(sample, id=opaque_id(dataset, sample.id), task=task, proof=proof)


def opaque_id(dataset: Dataset, sample: str) -> str:
    """The id of a sample in exports.

    >>> opaque_id(ds, "s000000") == opaque_id(ds, "s000000"), "s000000" in opaque_id(ds, "s000000")
    (True, False)
    """
    return opaque(fingerprint(dataset), "sample", sample)
