"""Finds kb/, prolog/ and curricula/: next to pysrc/ in a checkout, inside the package in an installed wheel."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hornbeam.errors import EngineUnavailable


@cache
def root() -> Path:
    """The folder that holds kb/, prolog/ and curricula/."""
    package = Path(__file__).resolve().parent
    for folder in (package / "share", package.parent.parent):
        if (folder / "prolog").is_dir() and (folder / "kb").is_dir():
            return folder
    raise EngineUnavailable(f"kb/ and prolog/ are missing next to {package}; install Hornbeam again")


def kb(*parts: str) -> Path:
    """A file of what is true, e.g. ``kb("clutrr", "kinship.pl")``."""
    return root().joinpath("kb", *parts)


def prolog(*parts: str) -> Path:
    """A Prolog module of the engine, e.g. ``prolog("bridge.pl")``."""
    return root().joinpath("prolog", *parts)


def curricula(*parts: str) -> Path:
    """A preset, e.g. ``curricula("kandy", "easy.yml")``."""
    return root().joinpath("curricula", *parts)


def published(family: str) -> dict[str, Any]:
    """Figures of papers about a family, from curricula/published/FAMILY.json.

    ``results`` is a list of objects with the keys ``name``, ``accuracy`` (group of test samples to value, or to mean
    and deviation) and, where it is not that of the whole file, ``source``. A family may have further tables.
    """
    values: dict[str, Any] = json.loads(curricula("published", f"{family}.json").read_text(encoding="utf-8"))
    return values
