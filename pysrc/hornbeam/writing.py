"""How every command writes: files whole or absent, folders for one process at a time, errors that name the path.

A process that is killed leaves no lock: the operating system releases it. What it leaves of a file or folder ends in
`.partial`, and the next run of the same command takes it up or removes it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from hornbeam.errors import UsageError

# What the operating system reports of a write, without the name of the file.
_NAMELESS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name `path` in an error of writing that names no file, e.g. that the disk is full."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in _NAMELESS:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


@contextlib.contextmanager
def locked(file: Path, busy: str, *, of: Path) -> Iterator[None]:
    """Hold the lock of `file`, which is created if it is missing. UsageError about `of` if another process holds it."""
    try:
        stream = _locked_stream(file, wait=False)
    except BlockingIOError:
        raise UsageError(busy, file=str(of)) from None
    with stream:
        yield


def _locked_stream(file: Path, *, wait: bool) -> BinaryIO:
    """The file, locked; opened again if whoever had the lock removed or renamed the file meanwhile."""
    while True:
        stream = file.open("ab")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(stream.fileno()), file.stat()):
                    return stream
        except BaseException:
            stream.close()
            raise
        stream.close()


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The file to write, next to `path`; it is renamed to `path` at the end, and removed if there is an error.

    A second writer waits. What a killed writer left is overwritten.
    """
    beside = partial_of(path)
    with naming(path), _locked_stream(beside, wait=True) as stream:
        try:
            stream.truncate(0)
            yield beside
            os.fsync(stream.fileno())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or absent, also after a power cut, and with several writers at once.

    A device or a pipe, e.g. /dev/stdout, is written to directly.
    """
    if path.exists() and not path.is_file():
        with naming(path):
            path.write_bytes(data)
        return
    with replacing(path.resolve()) as beside:
        beside.write_bytes(data)


def partial_of(path: Path) -> Path:
    """The hidden place next to `path` where it is written before it is renamed."""
    return path.with_name(f".{path.name}.partial")


def check_writable(path: Path) -> None:
    """Fail now, not after the work, if a file cannot be written at `path`: OSError as writing it would raise."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        return
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = partial_of(path.resolve())
    with _locked_stream(beside, wait=True):
        beside.unlink()


def refuse_foreign(folder: Path, ours: Sequence[str], what: str) -> None:
    """UsageError if the folder has files, but none that `what` writes: names that match one of the patterns `ours`."""
    entries = list(folder.iterdir()) if folder.is_dir() else []
    visible = [entry.name for entry in entries if not entry.name.startswith(".")]
    if visible and not any(entry.match(pattern) for entry in entries for pattern in ours):
        raise UsageError(
            f"the folder holds other files, e.g. {sorted(visible)[0]}, and nothing of {what}; choose another folder",
            file=str(folder),
        )
