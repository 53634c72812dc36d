"""Processes within limits: each limit ends the whole tree, and nothing is left behind."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from hornbeam.errors import HornbeamError, StackLimit, TimeLimit, UsageError
from hornbeam.processes import Bounds, Ended, apart, run

AMPLE = Bounds(cpu=20, wall=60, memory=1 << 30)


def python(code: str, folder: Path, bounds: Bounds = AMPLE, stop: threading.Event | None = None) -> Ended:
    return run([sys.executable, "-c", code], bounds, folder=folder, stop=stop)


def alive(pid: int) -> bool:
    try:
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return False


def test_one_that_ends_by_itself(tmp_path: Path) -> None:
    ended = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", tmp_path)
    assert (ended.reason, ended.code) == ("ended", 3)
    assert sorted(ended.printed.split()) == ["err", "out"]


def test_its_cpu_time_is_counted_to_the_end(tmp_path: Path) -> None:
    code = "import time\nwhile time.process_time() < 0.5: pass"
    assert 0.5 <= python(code, tmp_path).cpu < 5


def test_cpu_limit_counts_children_that_have_ended(tmp_path: Path) -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    code = f"import subprocess, sys\nwhile True: subprocess.run([sys.executable, '-c', {burn!r}])"
    ended = python(code, tmp_path, Bounds(cpu=1.0, wall=60, memory=1 << 30))
    assert ended.reason == "cpu"
    assert ended.cpu > 1.0


def test_wall_limit_ends_one_that_sleeps(tmp_path: Path) -> None:
    ended = python("import time; time.sleep(100)", tmp_path, Bounds(cpu=10, wall=0.5, memory=1 << 30))
    assert (ended.reason, ended.code) == ("wall", -9)


def test_memory_of_all_processes_together_is_limited(tmp_path: Path) -> None:
    """Neither of the two alone comes to the limit."""
    eat = "import time; kept = b'x' * (130 << 20); time.sleep(60)"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {eat!r}]); {eat}"
    ended = python(code, tmp_path, Bounds(cpu=10, wall=60, memory=200 << 20))
    assert ended.reason == "memory"
    assert ended.memory > 200 << 20


@pytest.mark.parametrize("session", ["True", "False"])
def test_children_are_ended_too(tmp_path: Path, session: str) -> None:
    """Also one that made a session of its own."""
    child = f"[sys.executable, '-c', 'import time; time.sleep(300)'], start_new_session={session}"
    code = f"import subprocess, sys, time\nprint(subprocess.Popen({child}).pid, flush=True)\ntime.sleep(300)"
    ended = python(code, tmp_path, Bounds(cpu=10, wall=1.0, memory=1 << 30))
    assert ended.reason == "wall"
    pid = int(ended.printed)
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(pid)


def test_printing_without_end_costs_no_memory(tmp_path: Path) -> None:
    ended = python("while True: print('x' * 10000)", tmp_path, Bounds(cpu=0.5, wall=20, memory=1 << 30))
    assert ended.reason in ("cpu", "wall")
    assert len(ended.printed) <= 1 << 16


def test_closing_its_output_hides_nothing(tmp_path: Path) -> None:
    code = "import os, time\nos.close(1); os.close(2)\nwhile True: pass"
    assert python(code, tmp_path, Bounds(cpu=0.5, wall=20, memory=1 << 30)).reason == "cpu"


def test_it_can_be_stopped_from_another_thread(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert python("import time; time.sleep(100)", tmp_path, stop=stop).reason == "stopped"


def test_bounds_are_checked() -> None:
    with pytest.raises(UsageError, match="above 0"):
        Bounds(cpu=0, wall=1, memory=1)


# Jobs -----------------------------------------------------------------------------------------------------------------


def test_a_job_apart_gives_its_result() -> None:
    assert apart(AMPLE, divmod, 17, 5) == (3, 2)
    assert apart(AMPLE, os.getpid) != os.getpid()


def test_errors_of_a_job_are_raised_here() -> None:
    with pytest.raises(UsageError, match="above 0"):
        apart(AMPLE, Bounds, 0, 1, 1)
    with pytest.raises(HornbeamError, match="ZeroDivisionError"):
        apart(AMPLE, divmod, 1, 0)


def test_limits_of_a_job_are_errors_of_their_own() -> None:
    with pytest.raises(TimeLimit):
        apart(Bounds(cpu=5, wall=1.0, memory=1 << 30), time.sleep, 60)
    with pytest.raises(StackLimit):
        apart(Bounds(cpu=20, wall=60, memory=150 << 20), eval, "(b'x' * (300 << 20), __import__('time').sleep(60))")
