"""Whose files may run where no wall can be built: those that the user trusts, and those that this run made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

TRUST = "HORNBEAM_TRUST"

_trusting: ContextVar[bool] = ContextVar("hornbeam_trusting", default=False)
_made: set[Path] = set()


def trust_all() -> None:
    """Trust all files of this run, in this process and in those that it starts: the option `--trust`."""
    os.environ[TRUST] = "1"


def trusted() -> bool:
    """Whether all files are trusted here."""
    return _trusting.get() or os.environ.get(TRUST, "") not in ("", "0")


@contextmanager
def trusting(yes: bool) -> Iterator[None]:
    """Trust the files of a part of the work, if `yes`."""
    before = _trusting.set(yes or _trusting.get())
    try:
        yield
    finally:
        _trusting.reset(before)


def made_here(path: Path) -> bool:
    """Whether this run made the folder."""
    return path.resolve() in _made


def note_made(path: Path) -> None:
    """This run made the folder: it needs no trust."""
    _made.add(path.resolve())


def for_children() -> dict[str, str]:
    """The variable that tells processes of this run what is trusted."""
    return {TRUST: "1"} if trusted() else {}
