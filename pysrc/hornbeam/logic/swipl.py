"""Finding SWI-Prolog on this machine.

The order: the variable HORNBEAM_SWIPL, then ``bin/swipl`` of the virtual environment (`hornbeam setup` puts there the
one that Janus was built for), then the one that it unpacked for this user, then PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hornbeam.errors import EngineUnavailable
from hornbeam.processes import printed_by

JANUS_NEEDS = (9, 1, 12)
INSTALL = "run `hornbeam setup`, or install SWI-Prolog 9.1.12 or later and put swipl on PATH"


@dataclass(frozen=True, slots=True)
class SwiProlog:
    """An installed SWI-Prolog."""

    executable: str
    home: str
    version: tuple[int, int, int]
    library: str
    arch: str = ""

    @property
    def program(self) -> str:
        """The program itself. `executable` may be a script, which cannot be started behind a wall."""
        installed = Path(self.home, "bin", self.arch, "swipl")
        if _is_script(self.executable) and self.arch and installed.is_file():
            return str(installed)
        return self.executable

    @property
    def parts(self) -> tuple[Path, ...]:
        """The files and folders that the program reads."""
        folders = (Path(self.home), Path(self.library).parent) if self.library else (Path(self.home),)
        # A distribution outside the system's folders has its other libraries next to the program's folder.
        return (*folders, Path(self.program).resolve().parent.parent / "lib")

    def environment(self, home: str) -> dict[str, str]:
        """What the program needs to know when it is started without the user's environment."""
        values = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home}
        return {**values, "LD_LIBRARY_PATH": str(Path(self.library).parent)} if self.library else values

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def serves_janus(self) -> bool:
        return self.version >= JANUS_NEEDS


_adopted: list[SwiProlog] = []


def adopt(engine: SwiProlog) -> None:
    """Use what another process found. A walled process cannot start `swipl` to ask it."""
    _adopted[:] = [engine]


def find() -> SwiProlog:
    """The SWI-Prolog that Hornbeam uses; raises EngineUnavailable if there is none."""
    return _adopted[0] if _adopted else _ask()


@cache
def _ask() -> SwiProlog:
    executable = _executable()
    variables = runtime_variables(executable)
    number = int(variables.get("PLVERSION", "0"))
    return SwiProlog(
        executable=executable,
        home=variables.get("PLBASE", ""),
        version=(number // 10000, number // 100 % 100, number % 100),
        library=variables.get("PLLIBSWIPL", ""),
        arch=variables.get("PLARCH", ""),
    )


@cache
def _is_script(file: str) -> bool:
    with Path(file).open("rb") as stream:
        return stream.read(2) == b"#!"


def _executable() -> str:
    chosen = os.environ.get("HORNBEAM_SWIPL")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise EngineUnavailable(f"HORNBEAM_SWIPL is {chosen}, which is not a program")
        return chosen
    places = (Path(sys.prefix, "bin", "swipl"), data_folder() / "swipl" / "bin" / "swipl")
    own = next((str(place) for place in places if os.access(place, os.X_OK)), None)
    executable = own or shutil.which("swipl")
    if not executable:
        raise EngineUnavailable(f"SWI-Prolog is not installed: {INSTALL}")
    return executable


def data_folder() -> Path:
    """Where Hornbeam keeps what it installed for this user."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "hornbeam"


def runtime_variables(executable: str) -> dict[str, str]:
    try:
        done = printed_by([executable, "--dump-runtime-variables"])
    except OSError as error:
        raise EngineUnavailable(f"{executable} does not start ({error}): {INSTALL}") from error
    if done.returncode:
        raise EngineUnavailable(f"{executable} does not start (exit code {done.returncode}): {INSTALL}")
    return dict(re.findall(r'^(\w+)="(.*)";$', done.stdout, flags=re.MULTILINE))
