"""What is under the folders that the studio was opened on: datasets, training runs, comparisons, theory files.

Only what a walk below these folders finds has a name in a URL, and the walk follows no links. A path that a visitor
types is resolved and must lie below one of the folders, too.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hornbeam.characters import UNSEEN
from hornbeam.data import manifest as manifests
from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import Manifest
from hornbeam.errors import DatasetError, UsageError

Kind = Literal["dataset", "run", "comparison", "theory"]

_DEEPEST = 6  # folders below the given one
_MOST_FOLDERS = 20_000
_FRESH = 2.0  # seconds for which a walk is used again
_PLAIN = re.compile(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*\Z")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_SLUG = 60


class NotFound(UsageError):
    """There is nothing of this name under the folders."""


@dataclass(frozen=True, slots=True)
class Place:
    """Something under the folders.

    Attributes:
        name: Its short name in URLs: the path below its folder, with dots for slashes.
        kind: What it is.
        path: Where it is.
        shown: Its path as people know it, from the folder that the studio was opened on.
    """

    name: str
    kind: Kind
    path: Path
    shown: str


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found, and whether there was too much to see all."""

    places: tuple[Place, ...]
    cut: bool = False

    def of(self, kind: Kind) -> list[Place]:
        return [place for place in self.places if place.kind == kind]


class Workplace:
    """The folders of a studio.

    Args:
        roots: The folders.

    Raises:
        UsageError: if one is no folder.

    >>> [place.name for place in Workplace([dataset_folder.parent]).walk().of("dataset")]
    ['ancestors']
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        for root in roots:
            if not root.is_dir():
                raise UsageError("there is no such folder", file=str(root))
        self.roots = tuple(dict.fromkeys(Path(os.path.realpath(root)) for root in roots))
        self._lock = threading.Lock()
        self._walked: tuple[float, Walk] | None = None
        self._datasets: dict[Path, tuple[tuple[int, int], Dataset]] = {}
        self._manifests: dict[Path, tuple[tuple[int, int], Manifest]] = {}

    # What there is ----------------------------------------------------------------------------------------------------

    def walk(self, *, again: bool = False) -> Walk:
        """All that is under the folders; `again` looks even if the last look was a moment ago."""
        with self._lock:
            if self._walked is None or again or time.monotonic() - self._walked[0] > _FRESH:
                self._walked = (time.monotonic(), self._look())
            return self._walked[1]

    def _look(self) -> Walk:
        found: list[Place] = []
        budget = [_MOST_FOLDERS]
        for number, root in enumerate(self.roots):
            prefix = self._prefix(number)
            for kind, path in _walked(root, 0, budget):
                found.append(_place(kind, path, root, prefix))
        # A folder inside another given one is walked twice, and has the name of its first walk.
        unique = {place.path: place for place in reversed(found)}
        return Walk(tuple(place for place in found if unique[place.path] is place), budget[0] <= 0)

    def _prefix(self, number: int) -> str:
        """What tells the folders apart in names, where there are several."""
        if len(self.roots) == 1:
            return ""
        name = self.roots[number].name
        again = [root.name for root in self.roots].index(name) != number
        return f"{name}{number + 1}" if again else name

    def place(self, kind: Kind, name: str) -> Place:
        """What has this name.

        Raises:
            NotFound: if nothing has.
        """
        for again in (False, True):
            for place in self.walk(again=again).places:
                if place.kind == kind and place.name == name:
                    return place
        raise NotFound(f"there is no {kind} '{name}' under the folders of this studio")

    # Datasets ---------------------------------------------------------------------------------------------------------

    def dataset(self, name: str) -> Dataset:
        """The dataset of this name, opened once and again when its manifest changes.

        Raises:
            NotFound: if there is none.
            DatasetError: if it is damaged.
        """
        path = self.place("dataset", name).path
        mark = _mark(path / manifests.NAME)
        with self._lock:
            before = self._datasets.get(path)
        if before is not None and before[0] == mark:
            return before[1]
        opened = Dataset(path)
        with self._lock:
            self._datasets[path] = (mark, opened)
        return opened

    def manifest(self, place: Place) -> Manifest:
        """What a dataset says of itself, without opening it."""
        mark = _mark(place.path / manifests.NAME)
        with self._lock:
            before = self._manifests.get(place.path)
        if before is not None and before[0] == mark:
            return before[1]
        read = manifests.read(place.path)
        with self._lock:
            self._manifests[place.path] = (mark, read)
        return read

    # Paths that visitors type -----------------------------------------------------------------------------------------

    def inside(self, text: str) -> Path:
        """A path below one of the folders; a relative one is below the first.

        Raises:
            UsageError: if it is empty, or lies elsewhere, also by way of a link.
        """
        if not text.strip() or UNSEEN.search(text):
            raise UsageError("a path is missing, or has characters that are not for reading")
        path = Path(os.path.realpath(self.roots[0] / text.strip()))
        if not any(path != root and path.is_relative_to(root) for root in self.roots):
            folders = ", ".join(map(str, self.roots))
            raise UsageError(f"'{text.strip()}' is not below the folders of this studio: {folders}")
        return path

    def new_folder(self, text: str) -> Path:
        """As :meth:`inside`, for a folder that is to be written: its parent is there, and it is not hidden."""
        path = self.inside(text)
        if path.name.startswith("."):
            raise UsageError(f"'{text.strip()}' would be hidden; choose a name without a leading dot")
        if path.exists():
            raise UsageError(f"'{text.strip()}' exists already; choose another name")
        if any(parent.is_file() for parent in path.parents):
            raise UsageError(f"'{text.strip()}' lies in a file, not in a folder")
        if any((parent / manifests.NAME).is_file() for parent in path.parents):
            raise UsageError(f"'{text.strip()}' lies inside a dataset; choose another place")
        return path

    def shown(self, path: Path) -> str:
        """A path below the folders as people know it."""
        for number, root in enumerate(self.roots):
            if path.is_relative_to(root):
                return str(Path(self._prefix(number)) / path.relative_to(root))
        return path.name


def _mark(path: Path) -> tuple[int, int]:
    """What changes when a file is written again."""
    try:
        status = path.stat()
    except OSError:
        raise DatasetError("cannot be read", file=str(path)) from None
    return status.st_mtime_ns, status.st_size


def _walked(folder: Path, depth: int, budget: list[int]) -> Iterator[tuple[Kind, Path]]:
    """What is in a folder and below. Datasets, runs and comparisons are seen as wholes, but for their theories."""
    budget[0] -= 1
    if budget[0] <= 0:
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted((entry for entry in listing if not entry.name.startswith(".")), key=lambda one: one.name)
    except OSError:  # a folder that may not be read has nothing to show
        return
    files = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
    kind = _kind(files)
    if kind is not None:
        yield kind, folder
    if kind == "dataset":
        return
    yield from (("theory", folder / name) for name in sorted(files) if name.endswith(".pl"))
    if depth < _DEEPEST and kind != "run":
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _walked(folder / entry.name, depth + 1, budget)


def _kind(files: set[str]) -> Kind | None:
    if manifests.NAME in files and "samples.jsonl" in files:
        return "dataset"
    if "summary.json" in files:
        return "run"
    return "comparison" if {"rows.jsonl", "table.json"} <= files else None


def _place(kind: Kind, path: Path, root: Path, prefix: str) -> Place:
    relative = path.relative_to(root).as_posix()
    whole = "/".join(part for part in (prefix, "" if relative == "." else relative) if part) or root.name or "root"
    return Place(_url_name(whole.removesuffix(".pl") if kind == "theory" else whole), kind, path, whole)


def _url_name(path: str) -> str:
    """A name for URLs, the same each time: other characters give way to a digest, so that no two paths share one.

    >>> _url_name("kandy/easy"), _url_name("my data") != _url_name("my-data")
    ('kandy.easy', True)
    """
    if _PLAIN.match(path) and len(path) <= _LONGEST_SLUG:
        return path.replace("/", ".")
    digest = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{_UNSAFE.sub('-', path)[:_LONGEST_SLUG].strip('-')}.{digest}"
