"""Tries on this machine whether a wall holds."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from hornbeam.processes import printed_by
from hornbeam.wall.walls import Wall

# Each line is tried behind a wall; what succeeds is printed.
_ATTEMPTS = {
    "reads a file": "open(FILE).read()",
    "writes a file": "open(FILE, 'a').write('x')",
    "starts a process": "os.fork() or os._exit(0)",
    "opens a socket": "_socket.socket()",
    "signals its parent": "os.kill(os.getppid(), 0)",
    "reads its environment": "open('/proc/self/environ').read()",
}
_PROGRAM = """
import os, sys, _socket
FILE = sys.argv[1]
for name, attempt in ATTEMPTS.items():
    try:
        eval(attempt)
        print(name)
    except OSError:
        pass
print("done")
"""


def leaks() -> list[str]:
    """What a process behind a wall can do here, although it must not; nothing if walls hold. OSError if it hangs."""
    python = getattr(sys, "_base_executable", None) or sys.executable
    wall = Wall((Path(sys.base_prefix),), foreign=False)
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
        file = Path(folder, "outside.txt")
        file.write_text("outside", encoding="utf-8")
        program = f"ATTEMPTS = {_ATTEMPTS!r}\n{_PROGRAM}"
        command = wall.around([python, "-I", "-S", "-c", program, str(file)])
        done = printed_by(command)
    *through, last = done.stdout.splitlines() or [""]
    return through if last == "done" else ["cannot be started"]
