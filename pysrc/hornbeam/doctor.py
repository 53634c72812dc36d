"""What is installed, what is missing, and the command that installs it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError
from hornbeam.logic import swipl
from hornbeam.processes import Bounds, apart, printed_by
from hornbeam.version import __version__
from hornbeam.wall import support
from hornbeam.wall.probe import leaks

_BOUNDS = Bounds(cpu=60.0, wall=120.0, memory=16 << 30)  # of the question what torch can use


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that Hornbeam can use."""

    name: str
    found: bool
    needed: bool
    version: str | None = None
    note: str = ""
    fix: str = ""  # the command that installs it
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.found or not self.needed

    def to_json(self) -> dict[str, Any]:
        value = asdict(self)
        del value["name"]
        return {**value.pop("details"), **value}


def examine() -> list[Part]:
    """Look at every part; never raises."""
    return [
        Part("python", True, True, platform.python_version(), note=sys.executable),
        _guarded("prolog", True, _prolog),
        _guarded("wall", False, _wall),
        _guarded("janus", False, _janus),
        _package("pyswip", "pyswip", needed=False, fix="pip install pyswip"),
        _package("clingo", "clingo", needed=True, fix="pip install clingo"),
        _guarded("torch", False, _torch),
        _package("torch_geometric", "torch-geometric", needed=False, fix="pip install 'hornbeam[neural]'"),
        _package("dask", "distributed", needed=False, fix="pip install 'hornbeam[scale]'"),
        _package("pyarrow", "pyarrow", needed=False, fix="pip install 'hornbeam[parquet]'"),
        _guarded("aleph", False, _aleph),
        _guarded("popper", False, _popper),
        _guarded("browser", False, _browser),
    ]


def report() -> dict[str, Any]:
    """What `hornbeam doctor --json` prints."""
    parts = examine()
    return {
        "ok": all(part.ok for part in parts),
        "hornbeam": __version__,
        **{part.name: part.to_json() for part in parts},
    }


def _guarded(name: str, needed: bool, look: Callable[[], Part]) -> Part:
    try:
        return look()
    except (HornbeamError, OSError) as error:
        return Part(name, False, needed, note=str(error), fix="hornbeam setup")


def _prolog() -> Part:
    """The bridge is tried in its own process: a library and a home that do not match end the process."""
    bridge = os.environ.get("HORNBEAM_PROLOG") or "janus"
    program = (
        "from hornbeam.logic import Prolog; p = Prolog(); assert p.ask('X is 6*7, X == 42'); "
        "print(p.bridge, p.version(), p.home(), sep='\\n')"
    )
    done = printed_by([sys.executable, "-c", program], 120)
    prolog = swipl.find()
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it ended without output"])[-1]
        note = f"{prolog.executable} {prolog.version_text} is there, but the bridge {bridge} does not answer: {last}"
        return Part("prolog", False, True, prolog.version_text, note, fix=swipl.INSTALL)
    name, number, home = done.stdout.splitlines()[:3]
    details = {"bridge": name, "home": home, "executable": prolog.executable}
    return Part("prolog", True, True, number, f"{prolog.executable}, bridge {name}", details=details)


def _wall() -> Part:
    """The wall around what others wrote: what the kernel has for it, and whether it holds when it is tried."""
    here = support()
    details = {"landlock": here.landlock, "seccomp": here.machine is not None, "namespaces": here.namespaces}
    trust = "files from outside are refused without `hornbeam --trust ...`"
    if not here.whole:
        return Part("wall", False, False, note=f"{here.missing}: {trust}", details=details)
    through = leaks()
    if through:
        note = f"{here.text} do not hold: a process behind the wall {', '.join(through)}"
        return Part("wall", False, False, note=note, details=details)
    return Part("wall", True, False, note=here.text, details=details)


def _janus() -> Part:
    return _package("janus", "janus-swi", needed=False, fix="hornbeam setup")


def _package(name: str, distribution: str, *, needed: bool, fix: str) -> Part:
    try:
        return Part(name, True, needed, version(distribution))
    except PackageNotFoundError:
        return Part(name, False, needed, fix=fix)


def _torch() -> Part:
    """The library, and the devices that `train --device` can take; asked in a process of its own: torch is large."""
    part = _package("torch", "torch", needed=False, fix="pip install 'hornbeam[neural]'")
    if not part.found:
        return part
    devices = apart(_BOUNDS, _devices)
    return replace(part, note=f"trains on {devices[0]}; devices: {', '.join(devices)}", details={"devices": devices})


def _devices() -> list[str]:
    """The best first, as `auto` chooses."""
    import torch

    here = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [name for name, there in here.items() if there]


def _aleph() -> Part:
    """Aleph comes as an SWI-Prolog pack, as a file, or inside the package python-rdm."""
    chosen = os.environ.get("HORNBEAM_ALEPH")
    places = [Path(chosen)] if chosen else []
    places += sorted(Path.home().glob(".local/share/swi-prolog/pack/aleph/prolog/aleph.pl"))
    spec = find_spec("rdm")
    if spec and spec.submodule_search_locations:
        places += [path for root in spec.submodule_search_locations for path in sorted(Path(root).rglob("aleph.pl"))]
    for place in places:
        if place.is_file():
            return Part("aleph", True, False, note=str(place), details={"path": str(place)})
    return Part("aleph", False, False, fix="pip install --no-deps python-rdm==0.3.7, or set HORNBEAM_ALEPH to aleph.pl")


def _popper() -> Part:
    chosen = os.environ.get("HORNBEAM_POPPER")
    if chosen and Path(chosen).is_dir():
        return Part("popper", True, False, note=chosen, details={"path": chosen})
    if find_spec("popper"):
        return Part("popper", True, False, note="the installed module popper")
    return Part("popper", False, False, fix="git clone Popper and set HORNBEAM_POPPER to its folder")


def _browser() -> Part:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            done = printed_by([path, "--version"], 30)
            return Part("browser", True, False, done.stdout.strip() or None, note=path, details={"path": path})
    return Part("browser", False, False, fix="apt-get install chromium")
