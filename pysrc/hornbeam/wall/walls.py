"""What a process may touch, and the command that starts a program behind that wall."""

from __future__ import annotations

import contextlib
import marshal
import resource
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.wall import filters, launch
from hornbeam.wall.support import Support, support
from hornbeam.wall.trust import TRUST, trusted

# Landlock's rights.
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_READ = _READ_FILE | _READ_DIR
# Not links, pipes, sockets or devices: whoever reads the folder afterwards would follow or wait for them.
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
_TCP, _SCOPES = 0b11, 0b11

_NEW_NETWORK, _NEW_IPC, _NEW_UTS = 0x40000000, 0x08000000, 0x04000000

# What every program needs: shared libraries, the loader's cache, time zones, the names of locales, and sources of
# nothing and of random numbers.
_SYSTEM = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale", "/etc/locale.alias"),
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu"),
)
_NOWHERE = "/dev/null"
_PROGRAMS = ("/bin", "/usr/bin", "/usr/local/bin")


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits of the operating system on a process: CPU seconds, bytes of address space, bytes of a file."""

    cpu: int | None = None
    memory: int | None = None
    file: int | None = None

    def limits(self) -> list[tuple[int, int]]:
        known = (
            (resource.RLIMIT_CPU, self.cpu),
            (resource.RLIMIT_AS, self.memory),
            (resource.RLIMIT_FSIZE, self.file),
            (resource.RLIMIT_CORE, 0),
        )
        return [(which, most) for which, most in known if most is not None]


@dataclass(frozen=True, slots=True)
class Wall:
    """What a process may touch. It can open no socket, signal nobody else, and change nothing but what it is given.

    Attributes:
        readable: Files and folders that it may read, besides the system's libraries.
        writable: Folders in which it may write.
        processes: It may start other programs, behind the same wall.
        foreign: It runs what others wrote. Where this kernel cannot hold a wall, such a process is not started, unless
            the user trusts the files.
    """

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    processes: bool = False
    foreign: bool = True

    def around(self, command: Sequence[str], quota: Quota | None = None) -> list[str]:
        """The command that starts `command` behind this wall, within the quota. The program is named by its path.

        Raises:
            UsageError: if the wall is for foreign files, this kernel cannot hold it, and the user did not trust them.
        """
        here = support()
        if self.foreign and not here.whole and not trusted():
            raise UsageError(
                f"files from outside run behind a wall, and {here.missing}; "
                f"if you trust all files of this run, say `hornbeam --trust ...` or set {TRUST}=1"
            )
        plan = self._plan(command[0], quota or Quota(), here)
        # Without the site's packages, of which it needs none: that takes a third of the time.
        python = getattr(sys, "_base_executable", None) or sys.executable
        return [python, "-I", "-S", launch.__file__, marshal.dumps(plan).hex(), *command]

    def _plan(self, program: str, quota: Quota, here: Support) -> dict[str, Any]:
        signals_held = here.landlock >= 6
        code = filters.Filter()
        if here.machine is not None:
            code = filters.build(
                here.machine, writes=bool(self.writable), processes=self.processes, signals_held=signals_held
            )
        handled = _handled(here.landlock)
        return {
            "limits": quota.limits(),
            "confined": sys.platform == "linux",
            "namespaces": _NEW_NETWORK | _NEW_IPC | _NEW_UTS,
            "ruleset": _ruleset(here.landlock),
            "paths": [(path, rights & handled) for path, rights in self._rights(program)] if handled else [],
            "filter": code.code,
            "late": list(code.late),
        }

    def _rights(self, program: str) -> Iterator[tuple[str, int]]:
        read = _READ | (_EXECUTE if self.processes else 0)
        yield from ((path, read) for path in _SYSTEM)
        yield from ((str(path), read) for path in self.readable)
        if self.processes:
            yield from ((path, read) for path in _PROGRAMS)
        if self.writable:
            yield _NOWHERE, _READ | _WRITE_FILE
        yield from ((str(path), _WRITE) for path in self.writable)
        yield program, _READ_FILE | _EXECUTE
        interpreter = _interpreter(program)
        if interpreter:
            yield interpreter, _READ_FILE | _EXECUTE


def holds_home(folder: Path) -> bool:
    """Whether the user's home lies in the folder: too much to be readable just because something else lies there."""
    try:
        home = Path.home().resolve()
    except RuntimeError:  # the user has no home
        return False
    return home.is_relative_to(folder.resolve())


def neighbours(path: Path) -> Path:
    """The folder of a file that may refer to others beside it; the file alone if the user's home lies in there."""
    folder = path.resolve().parent
    return path.resolve() if holds_home(folder) else folder


def _handled(version: int) -> int:
    """The rights that this version of Landlock knows: all of them are refused where no rule grants them."""
    if version <= 0:
        return 0
    later = (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0) | (_IOCTL_DEV if version >= 5 else 0)
    return (1 << 13) - 1 | later


def _ruleset(version: int) -> bytes:
    """The structure that tells Landlock what to refuse: files, TCP from version 4 on, signals from version 6 on."""
    if version <= 0:
        return b""
    fields = [_handled(version)] + [_TCP] * (version >= 4) + [_SCOPES] * (version >= 6)
    return struct.pack(f"={len(fields)}Q", *fields)


def _interpreter(program: str) -> str | None:
    """The loader that an ELF program asks for; the kernel executes it, too."""
    with contextlib.suppress(OSError, struct.error), Path(program).open("rb") as stream:
        header = stream.read(64)
        if header[:6] != b"\x7fELF\x02\x01":  # 64 bits, low byte first
            return None
        (table,) = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        for number in range(count):
            stream.seek(table + number * size)
            entry = stream.read(size)
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", entry)
            if kind == 3:  # PT_INTERP
                stream.seek(offset)
                return stream.read(length).rstrip(b"\0").decode()
    return None
