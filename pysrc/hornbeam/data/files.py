"""Small things about files: digests, atomic writes, safe relative paths."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath

from hornbeam.errors import DatasetError


def sha256(path: Path) -> str:
    """The digest of a file, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or absent, also after a power cut."""
    beside = path.with_name(path.name + ".partial")
    with beside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)


def inside(folder: Path, relative: str) -> Path:
    """The path of a dataset's file; refuses one that would lie outside the dataset."""
    pure = PurePosixPath(relative)
    if not relative or pure.is_absolute() or ".." in pure.parts or "\\" in relative:
        raise DatasetError(f"'{relative}' is not a path inside a dataset")
    return folder.joinpath(*pure.parts)
