"""manifest.json: what a dataset is, and the checksum of every file of it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from hornbeam.characters import UNSEEN
from hornbeam.data.files import PARQUET, inside, sha256
from hornbeam.data.shape import Count, Name, Shape, read_json
from hornbeam.errors import DatasetError, NoDataset
from hornbeam.version import __version__

FORMAT = 2  # 2: input, symbolic and proof of a sample are objects, edges are [source, relation, target]
NAME = "manifest.json"
_LONGEST = 200  # characters of the name of a task or a split
PROVER = "SWI-Prolog"


class Counts(TypedDict):
    """How many samples there are: in all, by split, and by task and split."""

    samples: Count
    splits: dict[Name, Count]
    tasks: dict[Name, dict[Name, Count]]


class Confirmed(TypedDict):
    """How many labels a second reasoner confirmed."""

    labels: Count
    by: str


class Proven(TypedDict):
    """How many labels were derived, from which files, by which reasoner."""

    labels: Count
    by: list[str]
    reasoner: str
    confirmed: Confirmed


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file's size and digest."""

    bytes: Count
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands in manifest.json."""

    family: Name
    preset: str
    seed: int | None  # None if the samples were imported, not drawn
    config: Mapping[str, Any]
    counts: Counts
    report: Mapping[str, Any]
    files: Mapping[str, FileEntry]
    proven: Proven | None = None  # see `proven`; None if no proof is claimed, as of imported samples
    format: int = FORMAT
    hornbeam: str = field(default=__version__)

    def text(self) -> str:
        # Not sorted: the index numbers tasks and splits in the order in which they stand here.
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def proven(report: Mapping[str, Any], by: Sequence[str], confirmed_by: str) -> Proven | None:
    """How many labels were derived from which files, and confirmed by whom; None if the shards report no proof.

    >>> proven({"proven": 4, "confirmed": 3}, ["theory.pl"], "clingo")["confirmed"]
    {'labels': 3, 'by': 'clingo'}
    """
    labels, confirmed = report.get("proven"), report.get("confirmed", 0)
    if not labels:
        return None
    return {
        "labels": labels,
        "by": list(by),
        "reasoner": PROVER,
        "confirmed": {"labels": confirmed, "by": confirmed_by},
    }


def proven_text(claim: Proven | None) -> str:
    """What `proven` says, as one line.

    >>> proven_text(proven({"proven": 4000, "confirmed": 4000}, ["theory.pl", "background.pl"], "clingo"))
    '4,000 labels proven by SWI-Prolog from theory.pl, background.pl; 4,000 confirmed by clingo'
    """
    if claim is None:
        return "no proof is claimed"
    confirmed = claim["confirmed"]
    return (
        f"{claim['labels']:,} labels proven by {claim['reasoner']} from {', '.join(claim['by'])}; "
        f"{confirmed['labels']:,} confirmed by {confirmed['by']}"
    )


def entries(folder: Path) -> dict[str, FileEntry]:
    """The entry of every file below `folder`, by its path, but the manifest itself and what is derived."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {
        name: FileEntry(path.stat().st_size, sha256(path))
        for name, path in names.items()
        if name not in (NAME, PARQUET)
    }


def read(folder: Path) -> Manifest:
    """Read a dataset's manifest; DatasetError with what to do where it is missing, damaged or too new."""
    path = folder / NAME
    if not folder.exists():
        raise NoDataset("there is no such dataset folder", file=str(folder))
    if not path.is_file():
        raise NoDataset(f"not a Hornbeam dataset: it has no {NAME}", file=str(folder))
    try:
        _refuse_other_format(path)
        manifest: Manifest = read_json(path, Manifest)
        _check_counts(manifest)
    except DatasetError as error:
        raise DatasetError(f"{error.message}; generate the dataset again", file=str(path)) from None
    return manifest


class _Version(Shape, forbid_unknown_fields=False):
    """What every version of the format has."""

    format: int
    hornbeam: Any = None


def _refuse_other_format(path: Path) -> None:
    version: _Version = read_json(path, _Version)
    if version.format < FORMAT:
        raise DatasetError(
            f"written in format {version.format} by an older Hornbeam; this one reads format {FORMAT}", file=str(path)
        )
    if version.format > FORMAT:
        raise DatasetError(
            f"written in format {version.format} by Hornbeam {version.hornbeam}; this one reads format {FORMAT}. "
            "Update Hornbeam",
            file=str(path),
        )


def _check_name(key: str, name: str) -> None:
    """Tasks and splits are also names of files: of exports, learned theories and results."""
    if name in ("", ".", "..") or any(sign in name for sign in "/\\") or UNSEEN.search(name) or len(name) > _LONGEST:
        raise DatasetError(f'key "counts.{key}": {name!r} is no name of a file')


def _check_counts(manifest: Manifest) -> None:
    """The counts name each split, and add up; the files of the samples are listed."""
    counts = manifest.counts
    for key in ("tasks", "splits"):
        for name in counts[key]:
            _check_name(key, name)
    by_split = {split: sum(row.get(split, 0) for row in counts["tasks"].values()) for split in counts["splits"]}
    if by_split != counts["splits"] or sum(by_split.values()) != counts["samples"]:
        raise DatasetError('key "counts": the samples of the tasks and splits do not add up')
    unknown = {split for row in counts["tasks"].values() for split in row} - {*counts["splits"]}
    if unknown:
        raise DatasetError(f'key "counts.tasks": unknown split "{min(unknown)}"')
    missing = [name for name in ("samples.jsonl", "samples.index.npy") if name not in manifest.files]
    if missing:
        raise DatasetError(f'key "files": there is no entry for {missing[0]}')


def verify(folder: Path, manifest: Manifest, *, digests: bool) -> None:
    """Refuse a dataset with a missing, cut off or changed file; `digests` reads every byte."""
    home = os.path.realpath(folder)
    try:
        paths = {name: inside(folder, name) for name in manifest.files}
    except DatasetError as error:
        raise DatasetError(f'key "files": {error.message}', file=str(folder / NAME)) from None
    for parent in {path.parent for path in paths.values()}:
        refuse_outside(parent, home)
    for name, entry in manifest.files.items():
        path = paths[name]
        size = _size(path, home)
        if size != entry.bytes:
            what = "cut off" if size < entry.bytes else "changed"
            raise DatasetError(
                f"the file was {what}: {size} bytes, {entry.bytes} expected; generate the dataset again", file=str(path)
            )
        if digests and sha256(path) != entry.sha256:
            raise DatasetError(
                "the file was changed since it was generated (its checksum differs); generate the dataset again",
                file=str(path),
            )


def _size(path: Path, home: str) -> int:
    """The bytes of a file of the dataset."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            refuse_outside(path, home)
            status = path.stat()
    except OSError:
        raise DatasetError("the file is missing; generate the dataset again", file=str(path)) from None
    if not stat.S_ISREG(status.st_mode):
        raise DatasetError("expected a file", file=str(path))
    return status.st_size


def refuse_outside(path: Path, home: str) -> None:
    """Refuse a link that leads out of the dataset's folder."""
    if not (os.path.realpath(path) + os.sep).startswith(home + os.sep):
        raise DatasetError("is a link that leads out of the dataset's folder", file=str(path))
