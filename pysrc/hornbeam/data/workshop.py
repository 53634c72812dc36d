"""The hidden folder next to its target in which a folder is written, so that the target is complete or absent.

A killed run leaves the hidden folder. The next run with the same recipe takes up its finished shards, one with another
recipe throws them away, and both remove the hidden folder in the end.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.writing import locked, naming, partial_of, write_atomic

_LOCK, _RECIPE = "lock", "recipe"


class Workshop:
    """The folder `.NAME.partial` next to the target NAME, for one process at a time.

    Attributes:
        whole: The folder to fill; `finish` renames it to the target.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self.folder = partial_of(out)
        self.whole = self.folder / "whole"
        self._shards = self.folder / "shards"

    @contextlib.contextmanager
    def opened(self, recipe: str) -> Iterator[Workshop]:
        """Take the folder for this process. Shards of another recipe are thrown away."""
        with naming(self.folder), self._locked():
            try:
                self._prepare(recipe)
                yield self
            except BaseException:
                self._give_up()
                raise

    def sweep(self, recipe: str) -> None:
        """Remove what a run of this recipe left that was killed after it had put its folder in place."""
        # Another run that is busy here removes the folder itself.
        with contextlib.suppress(UsageError, OSError):
            if self._noted() == recipe:
                with self._locked():
                    self.leave()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        busy = "another run is writing this folder now"
        with contextlib.ExitStack() as stack:
            while True:
                self.folder.mkdir(parents=True, exist_ok=True)
                # Another run that ends at this moment removes the folder.
                with contextlib.suppress(FileNotFoundError):
                    stack.enter_context(locked(self.folder / _LOCK, busy, of=self._out))
                    break
            yield

    def _prepare(self, recipe: str) -> None:
        if self._noted() != recipe:
            shutil.rmtree(self._shards, ignore_errors=True)
            self._shards.mkdir()
            write_atomic(self.folder / _RECIPE, recipe.encode())
        shutil.rmtree(self.whole, ignore_errors=True)
        self.whole.mkdir()

    def _noted(self) -> str:
        """The recipe of the run that was here last."""
        noted = self.folder / _RECIPE
        return noted.read_text(encoding="utf-8") if noted.is_file() else ""

    def _give_up(self) -> None:
        """Keep finished shards, and nothing else."""
        shutil.rmtree(self.whole, ignore_errors=True)
        if not self._shards.is_dir() or not any(self._shards.iterdir()):
            self.leave()

    def has(self, shard: int) -> bool:
        return self._path(shard).is_file()

    def keep(self, shard: int, data: bytes) -> None:
        """Put a finished shard on disk."""
        write_atomic(self._path(shard), data)

    def kept(self, shard: int) -> bytes:
        """What `keep` wrote."""
        return self._path(shard).read_bytes()

    def finish(self) -> None:
        """Put the folder in its place, which is empty or absent."""
        self.whole.rename(self._out)
        self.leave()

    def leave(self) -> None:
        """Remove the hidden folder; the lock last, so that no other run begins in a folder that is being removed."""
        for entry in self.folder.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != _LOCK:
                entry.unlink(missing_ok=True)
        (self.folder / _LOCK).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def _path(self, shard: int) -> Path:
        return self._shards / f"{shard:06d}.zip"
