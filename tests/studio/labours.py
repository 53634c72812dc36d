"""Work for jobs: in a module of its own, for the process of a job imports it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.studio.jobs import Report


def count(report: Report, upto: int) -> int:
    for done in range(1, upto + 1):
        report.progress(done, upto)
        report.event(step=done)
    report.line("counted")
    return upto


def refuse(report: Report) -> None:
    raise UsageError("a bad value", file="a.yml", line=3)


def die(report: Report) -> None:
    print("last words", file=sys.stderr, flush=True)
    os._exit(7)


def hang(report: Report, note: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    note.write_text(str(child.pid))
    report.line("hanging")
    time.sleep(1000)


def until_stopped(report: Report) -> str:
    while not report.asked_to_stop:
        time.sleep(0.01)
    return "stopped"
