"""Where Popper is on this machine, and which version.

It is looked for in the setting `path`, the variable HORNBEAM_POPPER (a checkout: the folder with popper.py), and among
the installed distributions (`popper-ilp`; the distribution that is called just popper is something else). It is never
imported: one run spoils the process for the next.
"""

from __future__ import annotations

import importlib.metadata
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from hornbeam.logic import swipl

VARIABLE = "HORNBEAM_POPPER"
PYTHON_VARIABLE = "HORNBEAM_POPPER_PYTHON"
GET_IT = (
    "Popper is not here: install it (pip install git+https://github.com/logic-and-learning-lab/Popper@v4.3.0), "
    f"or let {VARIABLE} name a checkout of it and {PYTHON_VARIABLE} a Python that has what it needs"
)
_DISTRIBUTION = "popper-ilp"
# Runs popper.py's last lines for an installed Popper, which brings no module to start.
_MAIN_4 = (
    "from popper.util import Settings; from popper.loop import learn_solution; s = Settings(cmd_line=True); "
    "p, c, t = learn_solution(s); s.print_prog_score(p, c) if p is not None else print('NO SOLUTION'); t.show()"
)
_MAIN_5 = (
    "from popper.util import Settings, print_prog_score; from popper.loop import popper; s = Settings.from_args(); "
    "p, c = popper(s); print_prog_score(p, c, s, s.noisy) if p else print('NO SOLUTION')"
)


@dataclass(frozen=True, slots=True)
class Popper:
    """A Popper that can be started."""

    version: int  # 4 or 5: they differ in flags and output
    start: tuple[str, ...]  # the command, up to its arguments

    def command(self, folder: Path, *, seconds: float, noisy: bool, eval_timeout: float) -> list[str]:
        """The command for a task directory; the sizes are in its bias."""
        flags = ["--timeout", str(max(1, round(seconds)))]
        if self.version == 4:
            flags += ["--eval-timeout", str(eval_timeout)]
        return [*self.start, str(folder), *flags, *(["--noisy"] if noisy else [])]


def find(path: Path | None = None) -> Popper | None:
    """The Popper of this machine, or None."""
    chosen = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    python = os.environ.get(PYTHON_VARIABLE) or sys.executable
    if chosen is not None:
        program = chosen / "popper.py" if chosen.is_dir() else chosen
        util = program.parent / "popper" / "util.py"
        return Popper(_version(util), (python, str(program))) if program.is_file() and util.is_file() else None
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.as_posix() == "popper/util.py"]
    if not found:
        return None
    version = _version(found[0])
    return Popper(version, (sys.executable, "-c", _MAIN_4 if version == 4 else _MAIN_5))


def _version(util: Path) -> int:
    """By the flags that it takes: its metadata are of little help."""
    return 4 if "--eval-timeout" in util.read_text(encoding="utf-8") else 5


def environment(seed: int) -> dict[str, str]:
    """Its environment: sets in an order of their own make its search differ from run to run unless the seed is set."""
    found = swipl.find()
    library = str(Path(found.library).parent) if found.library else ""
    paths = [part for part in (library, os.environ.get("LD_LIBRARY_PATH", "")) if part]
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "PYTHONHASHSEED": str(seed % 4294967296),
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "SWI_HOME_DIR": found.home,
        **({"LD_LIBRARY_PATH": os.pathsep.join(paths)} if paths else {}),
    }
