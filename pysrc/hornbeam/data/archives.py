"""Archives from others (zip, tar), read so that nothing is written but plain files below a temporary folder.

An archive is refused as a whole, with the name of the member, if a member is neither a plain file nor a folder, has a
name that leads elsewhere, or comes twice; and as soon as there are more members or more bytes than the limits allow.
What is counted is what comes out, not what the headers say.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hornbeam.errors import UsageError

_PIECE = 1 << 20
_LONGEST_PATH = 1000
_LONGEST_NAME = 255
_DEEPEST = 40
# What systems put into archives beside the files that were packed.
_DEBRIS = ("__MACOSX", ".DS_Store")
# What the readers raise for an archive that is cut off or damaged, or compressed in a way that they do not know.
_DAMAGE = (
    zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, struct.error, EOFError,
    RuntimeError, ValueError, LookupError,
)  # fmt: skip
_ENTRY = b"PK\x01\x02"  # starts each entry of a zip archive's table of contents


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much an archive may hold.

    Attributes:
        members: The number of files and folders.
        bytes: The bytes of all members.
        ratio: The bytes of all members per byte of the archive; smaller archives than `spared` may have more.
        spared: The number of bytes up to which the ratio does not matter.
    """

    members: int = 500_000
    bytes: int = 32 << 30
    ratio: int = 200
    spared: int = 100 << 20


@contextmanager
def unpacked(files: Sequence[Path], limits: ArchiveLimits | None = None) -> Iterator[list[Path]]:
    """The files and folders, with the content of each archive in place of the archive, until the `with` block ends.

    Errors in the block that name a file of an archive are given its name in the archive, e.g. `data.zip/train.csv`.

    Args:
        files: Files, folders and archives.
        limits: How much an archive may hold.

    Yields:
        The paths, in the same order. An archive becomes a folder.

    Raises:
        UsageError: if an archive is damaged or refused, or a folder has a pipe, or a link that leads out of it.

    >>> archive = folder / "published.zip"
    >>> with zipfile.ZipFile(archive, "w") as packed:
    ...     packed.writestr("suite/train.csv", "id\\n")
    >>> with unpacked([archive]) as (path,):
    ...     path.name, sorted(file.name for file in path.iterdir())
    ('suite', ['train.csv'])
    """
    with tempfile.TemporaryDirectory(prefix="hornbeam-archive-") as temporary:
        paths, origin = [], dict[str, Path]()
        for number, file in enumerate(files):
            if not is_archive(file):
                refuse_links(file)
                paths.append(file)
                continue
            place = Path(temporary, str(number), _stem(file))
            place.mkdir(parents=True)
            _Unpacking(file, place, limits or ArchiveLimits()).run()
            origin[str(place)] = file
            paths.append(_top(place))
        try:
            yield paths
        except UsageError as error:
            raise _renamed(error, origin) from None


def is_archive(file: Path) -> bool:
    """Whether a file is an archive, by its first bytes.

    >>> is_archive(folder)
    False
    """
    return file.is_file() and _kind(file) is not None


def _kind(file: Path) -> str | None:
    with file.open("rb") as stream:
        head = stream.read(512)
    known = {b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
    packed = next((kind for start, kind in known.items() if head.startswith(start)), None)
    return packed or ("tar" if head[257:262] == b"ustar" else None)


def _decompressed(file: Path) -> io.BufferedIOBase:
    match _kind(file):
        case "gzip":
            return gzip.open(file)
        case "bzip2":
            return bz2.open(file)
        case "xz":
            return lzma.open(file)
        case _:
            return file.open("rb")


def _stem(file: Path) -> str:
    """The archive's name without its endings: some importers name a task after its folder."""
    name = file.name.lstrip(".")
    for ending in (".gz", ".bz2", ".xz", ".tar", ".zip", ".tgz"):
        name = name.removesuffix(ending)
    return name or "archive"


def _top(place: Path) -> Path:
    """The folder that was packed: the only one at the top, or all that is at the top."""
    inside = list(place.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else place


def _renamed(error: UsageError, origin: dict[str, Path]) -> UsageError:
    """The error, with the archive's name in place of that of the temporary folder."""
    for place, file in origin.items():
        error.message = error.message.replace(place, str(file))
        if error.file is not None:
            error.file = error.file.replace(place, str(file))
    return error


def refuse_links(given: Path) -> None:
    """Refuse what is neither file nor folder, and a link that leads out of the folder: it would read something else."""
    home = os.path.realpath(given)
    for path in (given, *_below(given)):
        if path is not given and path.is_symlink() and not os.path.realpath(path).startswith(home + os.sep):
            raise UsageError("is a link that leads out of the folder that is read", file=str(path))
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError("expected a file or a folder, found a pipe, a socket or a device", file=str(path))


def _below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *names))


def _occurrences(file: Path, mark: bytes) -> int:
    """How often some bytes occur in a file, read in pieces."""
    count, rest = 0, b""
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            count += (rest + piece).count(mark)
            rest = piece[1 - len(mark) :]
    return count


def _is_long(parts: Sequence[str]) -> bool:
    sizes = [len(part.encode("utf-8", "replace")) for part in parts]
    return len(parts) > _DEEPEST or sum(sizes) > _LONGEST_PATH or max(sizes, default=0) > _LONGEST_NAME


@dataclass(slots=True)
class _Unpacking:
    """One archive on its way into a folder."""

    file: Path
    place: Path
    limits: ArchiveLimits
    _members: int = 0
    _bytes: int = 0

    def run(self) -> None:
        try:
            self._zip() if _kind(self.file) == "zip" else self._tar()
        except UsageError:
            raise
        except _DAMAGE as error:
            raise self._damaged(error) from None
        except OSError as error:
            if error.errno in (None, errno.EINVAL):  # of a decompressor, or of a jump to where no file can be
                raise self._damaged(error) from None
            raise
        if not any(self.place.iterdir()):
            raise self._error("the archive is empty")

    def _damaged(self, error: Exception) -> UsageError:
        return self._error(f"expected a zip or tar archive, but it is damaged ({error or type(error).__name__})")

    # The two kinds ----------------------------------------------------------------------------------------------------

    def _zip(self) -> None:
        if _occurrences(self.file, _ENTRY) > self.limits.members:
            raise self._error(f"an archive may have at most {self.limits.members:,} members")
        with zipfile.ZipFile(self.file) as archive:
            for member in archive.infolist():
                if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise self._refused(member.filename, "is a link or a device, not a file")
                if member.flag_bits & 1:
                    raise self._refused(member.filename, "is encrypted")
                path = self._admitted(member.orig_filename, folder=member.is_dir())
                if path is not None and not member.is_dir():
                    with archive.open(member) as stream:
                        self._write(stream, path, member.filename)

    def _tar(self) -> None:
        with _decompressed(self.file) as raw:
            counted = _Counted(raw, self)
            # As a stream: nothing is read twice, and no header makes it jump.
            with tarfile.open(fileobj=counted, mode="r|") as archive:
                for member in archive:
                    if not (member.isdir() or member.isreg()) or member.issparse():
                        raise self._refused(member.name, "is a link or a device, not a file")
                    path = self._admitted(member.name, folder=member.isdir())
                    stream = None if path is None else archive.extractfile(member)
                    if path is not None and stream is not None:
                        self._write(stream, path, member.name, counted=True)

    # Members ----------------------------------------------------------------------------------------------------------

    def _admitted(self, name: str, *, folder: bool) -> Path | None:
        """Where a member goes, its folder made; None for what is left out."""
        parts = [part for part in name.split("/") if part not in ("", ".")]
        self._members += 1
        if self._members > self.limits.members:
            raise self._refused(name, f"is one too many: an archive may have at most {self.limits.members:,} members")
        if name.startswith("/") or ".." in parts or "\\" in name or (parts and parts[0][1:2] == ":"):
            raise self._refused(name, "has a path that leads out of the archive")
        if not name.isprintable() or _is_long(parts):
            raise self._refused(name, "has a name that is too long, too deep or not printable")
        if any(part in _DEBRIS or part.startswith("._") for part in parts):
            return None
        path = self.place.joinpath(*parts)
        try:
            (path if folder else path.parent).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise self._refused(name, "is a file and a folder") from None
        if not folder and path.exists():
            raise self._refused(name, "is in the archive twice")
        return path

    def _write(self, stream: IO[bytes], path: Path, name: str, *, counted: bool = False) -> None:
        with path.open("xb") as target:
            while piece := stream.read(_PIECE):
                if not counted:
                    self.count(len(piece), name)
                target.write(piece)

    def count(self, more: int, name: str = "") -> None:
        """Count bytes that came out of the archive; UsageError if they are too many."""
        self._bytes += more
        spared, ratio = self.limits.spared, self.limits.ratio
        if self._bytes > self.limits.bytes:
            raise self._refused(name, f"makes it larger than {self.limits.bytes:,} bytes")
        if self._bytes > spared and self._bytes > ratio * self.file.stat().st_size:
            raise self._refused(name, f"makes it more than {ratio} times as large as the archive: is this a bomb?")

    def _refused(self, name: str, why: str) -> UsageError:
        return self._error(f"the member {name[:200]!r} {why}" if name else f"a member {why}")

    def _error(self, message: str) -> UsageError:
        return UsageError(message, file=str(self.file))


class _Counted(io.RawIOBase):
    """A stream that counts what is read from it, headers included."""

    def __init__(self, stream: io.BufferedIOBase, unpacking: _Unpacking) -> None:
        self._stream = stream
        self._unpacking = unpacking

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        self._unpacking.count(len(piece))
        return piece
