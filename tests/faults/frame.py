"""Runs commands of Hornbeam as a person does, and kills them: by CPU time, by a sign on the disk, by a signal."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

_LOOK_EVERY = 0.01
_LONGEST = 300.0


@dataclass(frozen=True)
class Finished:
    """A command that came to its end, or was killed."""

    code: int  # its exit code, or minus the number of the signal that killed it
    out: str
    err: str
    cpu: float  # seconds, with all processes that it waited for

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def says(self, path: Path | str) -> bool:
        """Whether the error is one line that names the path."""
        lines = self.err.strip().splitlines()
        return len(lines) == 1 and lines[0].startswith("hornbeam: ") and str(path) in lines[0]


class Running:
    """A command in its own process group, with its own folder for temporary files."""

    def __init__(self, arguments: Sequence[str], temporary: Path, *, before: Callable[[], None] | None = None) -> None:
        temporary.mkdir(parents=True, exist_ok=True)
        self._out, self._err = (tempfile.TemporaryFile("w+") for _ in range(2))  # noqa: SIM115 - closed by finish
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hornbeam", *arguments],
            env={**os.environ, "TMPDIR": str(temporary), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            process_group=0,
            preexec_fn=before,
        )
        self._tree = {psutil.Process(self._process.pid)}

    def until(self, reached: Callable[[], bool]) -> bool:
        """Wait for it: False if the command ended before."""
        deadline = time.monotonic() + _LONGEST
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                return False
            if reached():
                return True
            time.sleep(_LOOK_EVERY)
        raise AssertionError("the command neither ended nor got there")

    def cpu(self) -> float:
        """CPU seconds of all its processes so far."""
        total = 0.0
        for process in self._known():
            with contextlib.suppress(psutil.Error):
                total += sum(process.cpu_times()[:4])
        return total

    def signal(self, number: signal.Signals) -> Finished:
        """Send the command itself a signal, wait for its end, and see that nothing of it is left running."""
        tree = self._known()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, number)
        finished = self.finish()
        _, alive = psutil.wait_procs(tree, timeout=30)
        assert not alive, f"still running after the command: {alive}"
        return finished

    def pause(self) -> None:
        """Stop it where it is, so that it holds what it holds."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.killpg(self._process.pid, signal.SIGCONT)

    def finish(self) -> Finished:
        """Wait for its end."""
        pid, status, used = os.wait4(self._process.pid, 0) if self._process.returncode is None else (0, 0, None)
        if pid:
            self._process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (self._out, self._err):
            stream.seek(0)
            texts.append(stream.read())
            stream.close()
        cpu = used.ru_utime + used.ru_stime if used is not None else 0.0
        return Finished(self._process.returncode, *texts, cpu)

    def _known(self) -> set[psutil.Process]:
        for process in list(self._tree):
            with contextlib.suppress(psutil.Error):
                self._tree.update(process.children(recursive=True))
        return self._tree


def hornbeam(*arguments: str | Path, temporary: Path, before: Callable[[], None] | None = None) -> Finished:
    """Run a command to its end. Nothing may be left in its folder for temporary files."""
    finished = Running([str(argument) for argument in arguments], temporary, before=before).finish()
    assert "Traceback" not in finished.err, finished.err
    assert "internal error" not in finished.err, finished.err
    left = {name for name in names(temporary) if not name.startswith("torchinductor_")}  # a cache of torch's own
    assert not left, f"left behind: {left}"
    return finished


def content(path: Path) -> dict[str, str]:
    """The digest of every file below a path, hidden ones too; of the file itself if it is one."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {file.relative_to(path).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)}


def names(folder: Path) -> set[str]:
    """What is in a folder, hidden entries too."""
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
