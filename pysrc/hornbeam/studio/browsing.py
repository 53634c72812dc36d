"""Which samples of a dataset a visitor sees: filters, search, near misses, a page at a time.

Tasks and splits come from the index of the dataset. Labels and groups need one pass over the samples, which is made
once, when they are first asked for. Nothing here holds samples in memory.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from hornbeam.data.audit import label_text
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.data.view import SampleView
from hornbeam.studio.near import near_misses

Rows = npt.NDArray[np.int64]
_GROUP = "g."  # before the names of groups in a query
_KEPT = 16  # selections that are remembered
_MOST_VALUES = 60  # of a group that can be chosen


@dataclass(frozen=True, slots=True)
class Filter:
    """What is wanted; "" or nothing for all.

    Attributes:
        task, split, label: The names.
        groups: A value for each group, as text.
        text: What the line of a sample must contain, in any case.
        near: Only samples that differ in one thing from one with another label.
        finding: A finding of an audit, as JOB.NUMBER.
    """

    task: str = ""
    split: str = ""
    label: str = ""
    groups: tuple[tuple[str, str], ...] = ()
    text: str = ""
    near: bool = False
    finding: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Filter:
        """What a query string says."""
        groups = sorted((key[len(_GROUP) :], value) for key, value in query.items() if key.startswith(_GROUP) and value)
        names = {name: query.get(name, "") for name in ("task", "split", "label", "finding")}
        return cls(**names, groups=tuple(groups), text=query.get("q", "").strip(), near=bool(query.get("near")))

    def query(self, **more: object) -> str:
        """The query string of this filter."""
        parts = {name: getattr(self, name) for name in ("task", "split", "label", "finding")}
        parts |= {"q": self.text, "near": "1" if self.near else ""}
        parts |= {f"{_GROUP}{name}": value for name, value in self.groups}
        return urlencode({name: value for name, value in {**parts, **more}.items() if value not in ("", None)})

    def with_(self, **changes: Any) -> Filter:
        return replace(self, **changes)

    @property
    def needs_facets(self) -> bool:
        return bool(self.label or self.groups)


@dataclass(slots=True)
class Column:
    """A property of all samples: its values, and the number of each sample's value."""

    codes: npt.NDArray[np.int32]
    values: dict[str, int] = field(default_factory=dict)

    def put(self, row: int, value: str) -> None:
        self.codes[row] = self.values.setdefault(value, len(self.values))

    def counts(self) -> list[tuple[str, int]]:
        """Each value, and how many samples have it."""
        numbers = np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))
        pairs = [(value, int(numbers[code])) for value, code in self.values.items()]
        return sorted(pairs, key=lambda pair: _natural(pair[0]))

    def rows(self, value: str) -> npt.NDArray[np.bool_]:
        """Whether each sample has this value."""
        having: npt.NDArray[np.bool_] = self.codes == self.values.get(value, -2)
        return having


def _texts(value: Any) -> Iterator[str]:
    """All texts and numbers of a JSON value, without its keys."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif value is not None:
        yield str(value)


def _natural(text: str) -> tuple[int, float, str]:
    """Numbers by size, before words."""
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)


@dataclass(frozen=True, slots=True)
class Facets:
    """The labels of all samples, and their groups by name."""

    labels: Column
    groups: Mapping[str, Column]

    @property
    def choices(self) -> list[tuple[str, list[tuple[str, int]]]]:
        """The groups that a visitor can choose from: of several values, but not of very many."""
        return [(name, one.counts()) for name, one in self.groups.items() if 1 < len(one.values) <= _MOST_VALUES]


class Browser:
    """The samples of one dataset, to be looked through.

    >>> browser = Browser(ds)
    >>> train = browser.rows(Filter(split="train", label="true"))
    >>> {(sample.split, sample.label) for sample in browser.page(train, 0, 8)}
    {('train', True)}
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._lock = threading.Lock()
        self._kept: OrderedDict[Filter, Rows] = OrderedDict()
        self._near_misses: dict[str, Mapping[int, tuple[int, ...]]] = {}

    # What can be chosen -----------------------------------------------------------------------------------------------

    @property
    def known(self) -> bool:
        """Whether labels and groups have been looked up."""
        return "facets" in self.__dict__

    @cached_property
    def facets(self) -> Facets:
        """Labels and groups of all samples: one pass over the dataset."""
        count = len(self.dataset.samples)
        labels = Column(np.full(count, -1, np.int32))
        groups: dict[str, Column] = {}
        for row, sample in enumerate(self.dataset.samples):
            labels.put(row, label_text(sample.label))
            for name, value in self.dataset.family.groups(sample).items():
                if name not in groups:
                    groups[name] = Column(np.full(count, -1, np.int32))
                groups[name].put(row, label_text(value))
        return Facets(labels, groups)

    def near_of(self, sample: Sample) -> tuple[int, ...]:
        """The near misses of a sample, by the numbers of their lines; the first time, its task is looked through."""
        with self._lock:
            return self._near(sample.task).get(self.number(sample.id), ())

    def _near(self, task: str) -> Mapping[int, tuple[int, ...]]:
        if task not in self._near_misses:
            self._near_misses[task] = near_misses(self.dataset, task)
        return self._near_misses[task]

    def look_up(self) -> Facets:
        """Labels and groups, looked up by one request only."""
        with self._lock:
            return self.facets

    # What is chosen ---------------------------------------------------------------------------------------------------

    def rows(self, wanted: Filter, ids: Sequence[str] | None = None) -> Rows:
        """The numbers of the lines of the samples that are wanted, in the order in which to show them.

        Args:
            wanted: The filter.
            ids: Only these samples, in this order: those of a finding.
        """
        with self._lock:
            found = self._kept.get(wanted)
            if found is not None:
                self._kept.move_to_end(wanted)
                return found
            found = self._selected(wanted, ids)
            self._kept[wanted] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return found

    def _selected(self, wanted: Filter, ids: Sequence[str] | None) -> Rows:
        dataset = self.dataset
        keep = np.ones(len(dataset.samples), bool)
        for column, names, name in (("task", dataset.tasks, wanted.task), ("split", dataset.splits, wanted.split)):
            if name:
                keep &= dataset.column(column) == (names.index(name) if name in names else -1)
        if wanted.label:
            keep &= self.facets.labels.rows(wanted.label)
        for name, value in wanted.groups:
            known = self.facets.groups.get(name)
            keep &= known.rows(value) if known is not None else False
        rows: Rows = np.flatnonzero(keep)
        if ids is not None:
            rows = self._of_ids(ids, keep)
        if wanted.near:
            rows = np.array(list(self._clustered(rows)), np.int64)
        if wanted.text:
            rows = np.array([row for row in rows.tolist() if self._says(row, wanted.text)], np.int64)
        return rows

    def _of_ids(self, ids: Sequence[str], keep: npt.NDArray[np.bool_]) -> Rows:
        found = [self.number(name) for name in ids]
        return np.array([row for row in found if keep[row]], np.int64)

    def _clustered(self, rows: Rows) -> Iterator[int]:
        """The samples that have near misses, each followed by these."""
        seen: set[int] = set()
        kept = set(rows.tolist())
        names, tasks = self.dataset.tasks, self.dataset.column("task")
        for row in rows.tolist():
            near = self._near(names[tasks[row]])
            partners = [other for other in near.get(row, ()) if other in kept]
            if partners:
                for one in (row, *partners):
                    if one not in seen:
                        seen.add(one)
                        yield one

    def _says(self, row: int, text: str) -> bool:
        """Whether a value of a sample contains the text; the raw line, which has keys too, is a fast first look."""
        wanted = text.casefold()
        line = self.dataset.line(row).decode("utf-8", "replace")
        # In JSON some characters are written as escapes.
        if wanted.isascii() and wanted.isalnum() and wanted not in line.casefold():
            return False
        return any(wanted in value.casefold() for value in _texts(json.loads(line)))

    def number(self, name: str) -> int:
        """The number of a sample's line; UsageError if there is no such sample."""
        return self.dataset.number(name)

    def page(self, rows: Rows, start: int, size: int) -> SampleView:
        """Some of the samples."""
        return SampleView(self.dataset, rows[start : start + size])


class Browsers:
    """A browser for each dataset that is open."""

    def __init__(self) -> None:
        self._browsers: WeakKeyDictionary[Dataset, Browser] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def of(self, dataset: Dataset) -> Browser:
        with self._lock:
            found = self._browsers.get(dataset)
            if found is None:
                found = self._browsers[dataset] = Browser(dataset)
            return found

    def forget(self) -> None:
        """Drop all that is known."""
        with self._lock:
            self._browsers.clear()
