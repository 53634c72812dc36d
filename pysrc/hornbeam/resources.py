"""Where kb/, prolog/ and curricula/ are: in a checkout beside pysrc/, in an installed wheel inside the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hornbeam.errors import EngineUnavailable


@cache
def root() -> Path:
    """The folder that holds kb/, prolog/ and curricula/."""
    package = Path(__file__).resolve().parent
    for folder in (package / "share", package.parent.parent):
        if (folder / "prolog").is_dir() and (folder / "kb").is_dir():
            return folder
    raise EngineUnavailable(f"kb/ and prolog/ are missing beside {package}; install Hornbeam again")


def kb(*parts: str) -> Path:
    """A file of what is true, e.g. ``kb("clutrr", "kinship.pl")``."""
    return root().joinpath("kb", *parts)


def prolog(*parts: str) -> Path:
    """A Prolog module of the engine, e.g. ``prolog("bridge.pl")``."""
    return root().joinpath("prolog", *parts)


def curricula(*parts: str) -> Path:
    """A preset, e.g. ``curricula("kandy", "easy.yml")``."""
    return root().joinpath("curricula", *parts)
