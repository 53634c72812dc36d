"""What a walled Python has to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from hornbeam.wall.walls import holds_home

# Variables that a walled process may see. Others may hold what it could print: keys, tokens, names.
_VARIABLES = ("PATH", "LANG", "LANGUAGE", "TZ", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SWI_HOME_DIR")
_PREFIXES = ("LC_", "HORNBEAM_")


def python_files(*modules: str) -> tuple[Path, ...]:
    """The folders of this Python, of its packages, and of the packages of these modules.

    Python would also import from the working directory and from the user's home. These are not among the folders, but
    for a working directory that one of the packages lies in.
    """
    here = Path.cwd()
    folders = [Path(folder) for folder in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)]
    paths = [Path(part).absolute() for part in sys.path if part]
    folders += [path for path in paths if path != here and not holds_home(path)]
    for module in modules:
        folders += _package(module.partition(".")[0])
    return tuple(dict.fromkeys(folders))


def _package(name: str) -> Iterator[Path]:
    spec = None if name == "__main__" else find_spec(name)
    if spec is None:
        return
    for place in map(Path, spec.submodule_search_locations or ([spec.origin] if spec.origin else [])):
        yield place
        # Python looks for the package in the list of the folder's files.
        if not holds_home(place.parent):
            yield place.parent


def walled_environment(folder: Path) -> dict[str, str]:
    """The variables of a walled process, whose home is `folder`."""
    kept = {name: value for name, value in os.environ.items() if name in _VARIABLES or name.startswith(_PREFIXES)}
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder)}
