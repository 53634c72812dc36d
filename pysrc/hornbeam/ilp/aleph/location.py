"""Where Aleph is on this machine.

It is looked for in the setting `path` and the variable HORNBEAM_ALEPH (the file aleph.pl), among the packs of
SWI-Prolog, and in the distribution python-rdm, which is located and never imported.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

VARIABLE = "HORNBEAM_ALEPH"
GET_IT = (
    "Aleph is not here: install it with `pip install --no-deps python-rdm==0.3.7` (its dependencies are not needed), "
    f"as a pack with `swipl pack install aleph`, or let {VARIABLE} name a file aleph.pl"
)
LICENCE = (
    "Aleph is free for academic purposes; for commercial use ask its author, Ashwin Srinivasan, first. "
    "Hornbeam runs the copy that is installed here and contains none."
)
_PACKS = (".local/share/swi-prolog/pack", ".config/swi-prolog/pack", "lib/swi-prolog/pack")
_MODULE = re.compile(r"^:-\s*module\(\s*aleph\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Aleph:
    """An aleph.pl: the original of 2007, or the port to SWI-Prolog, whose files and commands differ."""

    file: Path
    kind: Literal["original", "port"]

    @property
    def defines(self) -> frozenset[str]:
        """The names that the original takes in `user`, where a task would overwrite them; the port has a module."""
        if self.kind == "port":
            return frozenset()
        text = self.file.read_text(encoding="latin-1")
        return frozenset(re.findall(r"^([a-z]\w*)(?=\(|\s*:-|\.)", text, re.MULTILINE))


def find(path: Path | None = None) -> Aleph | None:
    """The Aleph of this machine, or None."""
    for file in _candidates(path):
        if file.is_file():
            text = file.read_text(encoding="latin-1")
            return Aleph(file.resolve(), "port" if _MODULE.search(text) else "original")
    return None


def _candidates(path: Path | None) -> list[Path]:
    chosen = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if chosen is not None:
        return [chosen]
    packs = [Path.home() / folder / "aleph" / "prolog" / "aleph.pl" for folder in _PACKS]
    try:
        files = importlib.metadata.files("python-rdm") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    return [*packs, *(Path(str(file.locate())) for file in files if file.name == "aleph.pl")]
