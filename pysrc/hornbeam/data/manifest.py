"""manifest.json: what a dataset is, and the checksum of every file of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hornbeam.data.files import PARQUET, inside, sha256
from hornbeam.data.sample import Json
from hornbeam.errors import DatasetError, NoDataset
from hornbeam.version import __version__

FORMAT = 2  # 2: input, symbolic and proof of a sample are objects, edges are [source, relation, target]
NAME = "manifest.json"
PROVER = "SWI-Prolog"
_COUNTS = {"samples": int, "splits": dict, "tasks": dict}


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file's size and digest."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands in manifest.json."""

    family: str
    preset: str
    seed: int | None  # None if the samples were imported, not drawn
    config: Mapping[str, Any]
    counts: Mapping[str, Json]
    report: Mapping[str, Json]
    files: Mapping[str, FileEntry]
    proven: Mapping[str, Any] | None = None  # see `proven`; None if no proof is claimed, as of imported samples
    format: int = FORMAT
    hornbeam: str = field(default=__version__)

    def text(self) -> str:
        # Not sorted: the index numbers tasks and splits in the order in which they stand here.
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def proven(report: Mapping[str, Json], by: Sequence[str], confirmed_by: str) -> dict[str, Any] | None:
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


def proven_text(claim: Mapping[str, Any] | None) -> str:
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
        value = json.loads(path.read_text(encoding="utf-8"))
        version = value["format"]
        if version < FORMAT:
            raise DatasetError(
                f"written in format {version} by an older Hornbeam; this one reads format {FORMAT}. "
                "Generate the dataset again.",
                file=str(path),
            )
        if version > FORMAT:
            raise DatasetError(
                f"written in format {version} by Hornbeam {value.get('hornbeam')}; this one reads format {FORMAT}. "
                "Update Hornbeam, or generate the dataset again.",
                file=str(path),
            )
        files = {name: FileEntry(**entry) for name, entry in value.pop("files").items()}
        manifest = Manifest(files=files, **value)
        if not all(isinstance(manifest.counts[key], kind) for key, kind in _COUNTS.items()):
            raise TypeError("counts: expected the number of samples, and tables of splits and tasks")
        return manifest
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DatasetError(
            f"damaged ({type(error).__name__}: {error}); generate the dataset again", file=str(path)
        ) from None


def verify(folder: Path, manifest: Manifest, *, digests: bool) -> None:
    """Refuse a dataset with a missing, cut off or changed file; `digests` reads every byte."""
    for name, entry in manifest.files.items():
        path = inside(folder, name)
        if not path.is_file():
            raise DatasetError("the file is missing; generate the dataset again", file=str(path))
        size = path.stat().st_size
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
