"""What this kernel has to build a wall with."""

from __future__ import annotations

import ctypes
import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from hornbeam.wall.calls import MACHINES, Machine

_LANDLOCK_CREATE, _ASK_VERSION = 444, 1
_GET_SECCOMP = 21
_NAMESPACE_SWITCHES = {
    "/proc/sys/user/max_user_namespaces": "0",
    "/proc/sys/kernel/unprivileged_userns_clone": "0",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
}


@dataclass(frozen=True, slots=True)
class Support:
    """The parts of a wall that this machine has.

    Attributes:
        landlock: The version of Landlock's interface; 0 if there is none.
        machine: The machine whose system calls a filter can be written for; None if filters do not work here.
        namespaces: Whether a process may make namespaces of its own. A wall is whole without them.
    """

    landlock: int = 0
    machine: Machine | None = None
    namespaces: bool = False

    @property
    def whole(self) -> bool:
        """Whether a walled process can neither read, write, start nor connect to anything outside."""
        return self.landlock > 0 and self.machine is not None

    @property
    def missing(self) -> str:
        """The parts that a wall needs and that are not here."""
        if sys.platform != "linux":
            return f"walls are built with Linux, this is {platform.system()}"
        parts = [] if self.landlock else ["Landlock (Linux 5.13, with `landlock` among the kernel's lsm=)"]
        parts += [] if self.machine else [f"seccomp filters on {' or '.join(MACHINES)}"]
        return f"this kernel lacks {' and '.join(parts)}" if parts else ""

    @property
    def text(self) -> str:
        """The parts, in a line."""
        parts = [f"Landlock {self.landlock}"] if self.landlock else []
        parts += ["seccomp"] if self.machine else []
        parts += ["namespaces"] if self.namespaces else []
        return ", ".join(parts)


@cache
def support() -> Support:
    """Ask the kernel."""
    if sys.platform != "linux":
        return Support()
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(ctypes.c_long(_LANDLOCK_CREATE), None, ctypes.c_size_t(0), ctypes.c_long(_ASK_VERSION))
    name = platform.machine()
    # The interface for filters gives the mode of this process, 0 or 2; an error says that the kernel has none.
    filters = libc.prctl(ctypes.c_int(_GET_SECCOMP), 0, 0, 0, 0) >= 0 and name in MACHINES and sys.maxsize > 2**32
    return Support(max(0, version), cast(Machine, name) if filters else None, _namespaces())


def _namespaces() -> bool:
    if not Path("/proc/self/ns/net").exists():
        return False
    return not any(_content(file) == off for file, off in _NAMESPACE_SWITCHES.items())


def _content(file: str) -> str:
    try:
        return Path(file).read_text(encoding="ascii").strip()
    except OSError:
        return ""
