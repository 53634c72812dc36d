"""Which code a result was made with, so that results of different code are not taken for results of one run."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam import resources
from hornbeam.ilp.learner import Learner

if TYPE_CHECKING:
    from hornbeam.family import Family

_PACKAGE = Path(__file__).parents[1]
_SOURCES = frozenset({".py", ".pl", ".lp"})


def fingerprint(learner: Learner, family: Family) -> str:
    """The same as long as no source of the learner, of the family, of the frame and of the judge has changed."""
    digest = hashlib.sha256()
    for file in sorted(set(_files(learner, family))):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _files(learner: Learner, family: Family) -> Iterator[Path]:
    """Of another package, the folder that the class is in."""
    for part in (learner, family):
        folder = Path(inspect.getfile(type(part))).parent
        yield from _sources(folder)
        yield from _sources(resources.prolog(part.name))
    # What is true is the family's as well: tasks and their truth are made from it.
    yield from _sources(resources.kb(family.name))
    for folder in (_PACKAGE / "ilp", resources.prolog()):
        yield from (file for file in folder.iterdir() if file.suffix in _SOURCES)
    # Networks are judged by the reasoner over composition rules, whoever learned them.
    for folder in (_PACKAGE / "ilp" / "algebra", _PACKAGE / "theory", _PACKAGE / "logic"):
        yield from _sources(folder)
    for name in ("ilp", "theory"):
        yield from _sources(resources.prolog(name))
    yield from (_PACKAGE / name for name in ("bitsets.py", "seeds.py"))


def _sources(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (file for file in folder.rglob("*") if file.suffix in _SOURCES)
