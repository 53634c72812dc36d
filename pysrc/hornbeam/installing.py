"""Brings SWI-Prolog to where there is none that fits, and Janus for it: what `hornbeam setup` does.

Janus is compiled for the SWI-Prolog that it runs in. So pip cannot install it on a machine that has none yet, and it
is not among the dependencies of the package.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hornbeam import resources
from hornbeam.errors import HornbeamError
from hornbeam.logic.swipl import data_folder, runtime_variables
from hornbeam.processes import printed_by

JANUS = "janus-swi>=1.5"
_MINUTES = 60.0
Say = Callable[[str], None]


class InstallationFailed(HornbeamError):
    """Something could not be installed; the message says what, and what to do."""


def install(prefix: Path | None = None, constraints: Path | None = None, say: Say = print) -> str:
    """Install what is missing.

    Args:
        prefix: The folder for SWI-Prolog, if the system has none of 9.1.12 or later. Default: in ~/.local/share.
        constraints: A file of versions for pip.
        say: Called with a line for each step.

    Returns:
        The path of the SWI-Prolog.

    Raises:
        InstallationFailed: if a step fails. What was there before stays as it is.
    """
    program = _swipl(prefix or data_folder() / "swipl", say)
    _link(program)
    if not _has_janus(program):
        say(f"compiling Janus for {program}")
        _janus(program, constraints)
    return program


def _swipl(prefix: Path, say: Say) -> str:
    """The path of a SWI-Prolog that Janus can use; unpacked into `prefix` if there is none."""
    script = resources.root() / "scripts" / "install-swipl.sh"
    say("looking for SWI-Prolog 9.1.12 or later")
    prefix.parent.mkdir(parents=True, exist_ok=True)
    done = printed_by(["sh", str(script), str(prefix)], 30 * _MINUTES)
    if done.returncode:
        raise InstallationFailed(done.stderr.strip().removeprefix("setup: ") or "SWI-Prolog could not be installed")
    program = done.stdout.strip().splitlines()[-1]
    say(f"SWI-Prolog: {program}")
    return program


def _link(program: str) -> None:
    """In a virtual environment its own `swipl` is the one that Janus is for, also on the PATH of who activates it."""
    own = Path(sys.prefix, "bin", "swipl")
    if sys.prefix != sys.base_prefix and Path(program) != own:
        own.unlink(missing_ok=True)
        own.symlink_to(program)


def _has_janus(program: str) -> bool:
    """Whether Janus is installed and answers with this SWI-Prolog; one that was compiled for another one does not."""
    try:
        version("janus-swi")
    except PackageNotFoundError:
        return False
    asked = "from hornbeam.logic import Prolog; print(Prolog().ask('X is 6*7, X == 42'))"
    told = [f"HORNBEAM_SWIPL={program}", "HORNBEAM_PROLOG=janus"]
    done = printed_by(["env", *told, sys.executable, "-c", asked], _MINUTES)
    return done.stdout == "True\n"


def _janus(program: str, constraints: Path | None) -> None:
    folder = Path(runtime_variables(program)["PLLIBSWIPL"]).parent
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    # No cache: a wheel that was compiled for another SWI-Prolog must not be taken for this one.
    command += ["--no-cache-dir", "--force-reinstall", "--no-deps"]
    command += ["--constraint", str(constraints.resolve())] if constraints else []
    told = {"SWIPL": program, "LDFLAGS": f"-L{folder} -Wl,-rpath,{folder}"}
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as place:
        settings = [f"{name}={value}" for name, value in told.items()]
        done = printed_by(["env", "-C", place, *settings, *command, JANUS], 10 * _MINUTES)
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-5:])
        needs = "It needs a C compiler and Python's headers (Debian: apt-get install gcc libc6-dev python3-dev)."
        raise InstallationFailed(f"Janus could not be compiled. {needs}\n{last}")
