"""What an audit found, as things to click: each with the samples that it is about, or a filter that shows them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.family import Audit

_MOST = 2_000  # samples that a finding lists
_VALIDITY = {"true": "valid", "false": "not valid"}


def findings(dataset: Dataset, audit: Audit) -> list[dict[str, Any]]:
    """The findings of an audit, the gravest first.

    Args:
        dataset: The dataset.
        audit: What :func:`hornbeam.audit` said of it.

    Returns:
        For each a `title`, a `kind` (bad, warn or good), and `samples` (ids) or `query` (of the dataset's page).
    """
    found = [*_labels(dataset, audit), *_copies(dataset), *_rows(audit), *_shortcuts(audit), *_balance(audit)]
    order = {"bad": 0, "warn": 1, "good": 2, "": 3}
    return sorted(found, key=lambda one: order[one["kind"]])


def _finding(title: str, kind: str, samples: list[str] | None = None, query: str = "") -> dict[str, Any]:
    return {"title": title, "kind": kind, "samples": (samples or [])[:_MOST], "query": query}


def _labels(dataset: Dataset, audit: Audit) -> Iterator[dict[str, Any]]:
    """Labels that do not follow. The audit counts them; the check names them."""
    if audit.derivable is None:
        yield _finding("No label can be derived: the dataset has no rule", "warn")
        return
    if audit.derivable == 1.0 and audit.unique in (1.0, None):
        yield _finding(f"All {audit.samples:,} labels follow from the true theory, and no other label does", "good")
        return
    checked = dataset.family.check(dataset)
    wrong = list(checked.failures)
    if checked.refuted:
        yield _finding(f"{checked.refuted:,} labels are refuted by {checked.reasoner}", "bad", wrong)
    elif wrong:
        yield _finding(f"{len(wrong):,} labels are not confirmed by {checked.reasoner}", "bad", wrong)
    if audit.unique is not None and audit.unique < 1.0:
        yield _finding(f"{1 - audit.unique:.1%} of the labels are not the only answer", "bad", wrong)


def _copies(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Samples of a task whose content is that of another: in their split a duplicate, in two splits a leak."""
    first: dict[bytes, tuple[str, str]] = {}
    kinds: dict[str, list[str]] = defaultdict(list)
    for sample in dataset.samples:
        digest = _digest(sample)
        if digest in first:
            name, split = first[digest]
            kind = "duplicates" if split == sample.split else f"leaks {split}/{sample.split}"
            kinds[kind] += [name, sample.id]
        else:
            first[digest] = (sample.id, sample.split)
    for kind, names in kinds.items():
        count = len(names) // 2
        if kind == "duplicates":
            yield _finding(f"{count:,} samples repeat one of their own split", "warn", list(dict.fromkeys(names)))
        else:
            pair = kind.removeprefix("leaks ")
            yield _finding(f"{count:,} samples are in two splits: {pair}", "bad", list(dict.fromkeys(names)))
    if not kinds:
        yield _finding("No sample repeats another", "good")


def _digest(sample: Sample) -> bytes:
    """What makes two samples the same. Of a picture that is its tree: noise differs from drawing to drawing."""
    given: Any = sample.input
    known: Any = sample.symbolic
    content = known.get("prolog") if "image" in given else given
    text = json.dumps([sample.task, content], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _rows(audit: Audit) -> Iterator[dict[str, Any]]:
    """Samples that a family's own audit names, e.g. stories that are not true of their family."""
    rows = audit.details.get("rows")
    for name, ids in rows.items() if isinstance(rows, Mapping) else ():
        if isinstance(ids, list) and ids:
            names = [str(one) for one in ids]
            yield _finding(f"{len(names):,} samples: {name.replace('_', ' ')}", "bad", names)


def _shortcuts(audit: Audit) -> Iterator[dict[str, Any]]:
    solved = audit.shortcuts.get("solved_by_structure")
    for task in solved if isinstance(solved, list) else ():
        query = urlencode({"task": task})
        yield _finding(f"{task}: operators and numbers alone give the label away", "warn", query=query)
    for name, value in audit.shortcuts.items():
        if isinstance(value, float):
            yield _finding(f"Without any rule, guessing by '{name.replace('_', ' ')}' is right on {value:.0%}", "")


def _balance(audit: Audit) -> Iterator[dict[str, Any]]:
    for split, labels in audit.balance.items():
        counts: Any = labels
        if isinstance(counts, Mapping) and counts:
            label = max(counts, key=counts.__getitem__)
            share = counts[label] / sum(counts.values())
            query = urlencode({"split": split, "label": label})
            words = _VALIDITY.get(label, f"'{label}'")
            yield _finding(f"{split}: the most frequent label is {words}, {share:.0%}", "", query=query)
