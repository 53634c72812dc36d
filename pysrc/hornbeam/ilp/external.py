"""What the wrappers of Aleph and Popper share: finding the external program, and its time limit.

The program is the user's own installation. It is never copied or imported, and runs in its own process.
"""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

from hornbeam.ilp.watch import Watch

# Their own limits are of wall time; ours is of CPU time, and a loaded machine gives it a fraction of the wall's.
_WALL = 10.0
_NO_LIMIT = 86_400.0
_GRACE = 0.9  # of the CPU time: what is left is for writing and reading the result


def chosen_path(path: Path | None, variable: str) -> Path | None:
    """The path of the settings, or else the one that the environment variable names."""
    return path or (Path(os.environ[variable]) if os.environ.get(variable) else None)


def installed_files(distribution: str, ending: str) -> list[Path]:
    """The files of an installed distribution whose path ends so."""
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())) for file in files if f"/{file.as_posix()}".endswith(f"/{ending}")]


def time_limits(watch: Watch) -> tuple[float | None, float]:
    """The CPU seconds after which the program is asked to end, and the wall seconds to give it as its own limit."""
    left = watch.seconds_left()
    return (None, _NO_LIMIT) if left is None else (_GRACE * left, _WALL * _GRACE * left)
