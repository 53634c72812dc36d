"""Canaries: what an attack would touch if it got out, watched from outside the attacked process.

a file that would be created       a secret file that would be opened (the kernel tells) or shown
a port that would be connected     a process that would be signalled
a variable of the environment whose value would be shown
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

_IN_ACCESS, _IN_MODIFY, _IN_ATTRIB, _IN_OPEN, _IN_MOVED_FROM, _IN_DELETE = 0x1, 0x2, 0x4, 0x20, 0x40, 0x200
_IN_MOVED_TO, _IN_CREATE = 0x80, 0x100
_TOUCHED = _IN_ACCESS | _IN_MODIFY | _IN_ATTRIB | _IN_OPEN | _IN_MOVED_FROM | _IN_MOVED_TO | _IN_DELETE | _IN_CREATE
_IN_ISDIR = 0x40000000
VARIABLE = "HORNBEAM_CANARY"


class Canaries:
    """The canaries of a test, in a folder that no attacked process was given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secrets = folder / "secrets"
        self.marks = folder / "marks"
        self.secrets.mkdir(parents=True)
        self.marks.mkdir()
        self.secret = self.secrets / "secret.pl"
        self.words = (f"gold-{os.urandom(8).hex()}", f"silver-{os.urandom(8).hex()}")
        self.secret.write_text(f":- module(secret, [treasure/1]).\ntreasure('{self.words[0]}').\n", encoding="utf-8")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._packets.bind(self._listener.getsockname())
        self._packets.setblocking(False)
        self._victim = subprocess.Popen(["sleep", "3600"])
        self._watch = _Watch([self.secrets, self.marks])

    def places(self, name: str) -> dict[str, str]:
        """What the placeholders of the attack `name` stand for."""
        return {
            "MARK": str(self.marks / name),
            "SECRET": str(self.secret),
            "FOLDER": str(self.secrets),
            "PORT": str(self._listener.getsockname()[1]),
            "PID": str(self._victim.pid),
        }

    def touched(self, *shown: str) -> list[str]:
        """What was done to a canary since the last call; `shown` is what the attacked program said."""
        events = self._watch.events()
        with contextlib.suppress(BlockingIOError):
            self._listener.accept()[0].close()
            events.append("the port was connected")
        with contextlib.suppress(BlockingIOError):
            self._packets.recv(1)
            events.append("the port got a packet")
        events += [f"a secret was shown: {word.partition('-')[0]}" for word in self.words if word in "".join(shown)]
        if self._victim.poll() is not None:
            events.append(f"the process was ended by signal {-self._victim.returncode}")
        elif psutil.Process(self._victim.pid).status() == psutil.STATUS_STOPPED:
            events.append("the process was stopped")
        return list(dict.fromkeys(events))

    def close(self) -> None:
        self._victim.kill()
        self._victim.wait()
        self._listener.close()
        self._packets.close()
        self._watch.close()


class _Watch:
    """What the kernel says was done to the files of some folders (inotify)."""

    def __init__(self, folders: list[Path]) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self._handle = self._library.inotify_init1(os.O_NONBLOCK)
        if self._handle < 0:
            raise OSError(ctypes.get_errno(), "inotify cannot be used here")
        for folder in folders:
            if self._library.inotify_add_watch(self._handle, os.fsencode(folder), _TOUCHED) < 0:
                raise OSError(ctypes.get_errno(), "the folder cannot be watched", str(folder))

    def events(self) -> list[str]:
        return [f"file {name or '(the folder itself)'}: {what}" for what, name in self._raw()]

    def _raw(self) -> Iterator[tuple[str, str]]:
        kinds = {
            _IN_ACCESS: "read", _IN_MODIFY: "written", _IN_ATTRIB: "attributes changed", _IN_OPEN: "opened",
            _IN_MOVED_FROM: "moved away", _IN_MOVED_TO: "moved here", _IN_CREATE: "created", _IN_DELETE: "deleted",
        }  # fmt: skip
        while select.select([self._handle], [], [], 0)[0]:
            data, start = os.read(self._handle, 1 << 16), 0
            while start < len(data):
                _, mask, _, length = struct.unpack_from("iIII", data, start)
                name = data[start + 16 : start + 16 + length].rstrip(b"\0").decode(errors="replace")
                start += 16 + length
                yield ", ".join(word for bit, word in kinds.items() if mask & bit) or hex(mask), name

    def close(self) -> None:
        os.close(self._handle)


@contextlib.contextmanager
def canaries(folder: Path) -> Iterator[Canaries]:
    """Canaries in `folder`, which end with the block; the variable is in the environment until then."""
    kept = os.environ.get(VARIABLE)
    birds = Canaries(folder)
    os.environ[VARIABLE] = birds.words[1]
    try:
        yield birds
    finally:
        birds.close()
        os.environ.pop(VARIABLE)
        if kept is not None:
            os.environ[VARIABLE] = kept
