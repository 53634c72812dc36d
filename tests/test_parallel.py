"""The ordered map over shards: in this process, over spawned processes, over a real Dask cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hornbeam import parallel
from hornbeam.errors import EngineUnavailable, UsageError, WorkerDied
from hornbeam.parallel import map_shards


def square(number: int) -> int:
    return number * number


def slow_first(number: int) -> tuple[int, int]:
    """The first shard takes longest, so that results come back out of order."""
    time.sleep(0.4 if number == 0 else 0.0)
    return number, os.getpid()


def dies_once(shard: tuple[int, Path]) -> int:
    """Shard 2 kills its worker, but only the first time."""
    number, folder = shard
    mark = folder / "died"
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 10


def always_dies(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def waits_for_its_killer(shard: tuple[int, Path]) -> int:
    """Writes its process id and waits, once, so that the test can kill it from outside."""
    number, folder = shard
    mark = folder / f"pid{number}"
    if number == 0 and not mark.exists():
        (folder / "partial").write_text(str(os.getpid()))
        (folder / "partial").rename(mark)
        time.sleep(60)
    return number


def fails(number: int) -> int:
    if number == 3:
        raise LookupError(f"nothing at {number}")
    return number


class Stubborn(Exception):
    """Pickles, but does not come back."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def raises_stubborn(number: int) -> int:
    raise Stubborn(number, number)


def sleeps(shard: tuple[int, Path]) -> None:
    """A worker that started a process of its own, and hangs."""
    started = subprocess.Popen(["sleep", "60"])
    for pid in (os.getpid(), started.pid):
        (shard[1] / str(pid)).touch()
    time.sleep(60)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as local:
        yield local.scheduler_address


def gone(pid: int) -> bool:
    """Whether a process ends within a few seconds; one that nobody has buried yet is gone, too."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_one_worker_stays_in_this_process() -> None:
    assert {pid for _, pid in map_shards(slow_first, range(1, 4))} == {os.getpid()}


def test_two_workers_keep_the_order_of_the_shards() -> None:
    finished: list[int] = []
    results = list(map_shards(slow_first, range(8), workers=2, on_done=lambda index, _: finished.append(index)))
    assert [number for number, _ in results] == list(range(8))
    assert sorted(finished) == list(range(8))
    assert finished[0] != 0, "the slow first shard was not overtaken, so order was not put to the test"
    assert len({pid for _, pid in results} - {os.getpid()}) == 2


def test_cluster_and_cores_and_process_agree(cluster: str) -> None:
    here = list(map_shards(square, range(20)))
    assert list(map_shards(square, range(20), workers=2)) == here
    assert list(map_shards(square, range(20), scheduler=cluster)) == here == [n * n for n in range(20)]


def test_no_shards_no_results() -> None:
    assert list(map_shards(square, [], workers=2)) == []


def test_killed_worker_costs_a_retry(tmp_path: Path) -> None:
    shards = [(number, tmp_path) for number in range(6)]
    assert list(map_shards(dies_once, shards, workers=2, retries=1)) == [0, 10, 20, 30, 40, 50]
    assert (tmp_path / "died").exists()


def test_worker_killed_from_outside_costs_a_retry(tmp_path: Path) -> None:
    shards = [(number, tmp_path) for number in range(3)]
    killer = subprocess.Popen([sys.executable, "-c", KILLER, str(tmp_path / "pid0")])
    assert list(map_shards(waits_for_its_killer, shards, workers=2)) == [0, 1, 2]
    assert killer.wait() == 0


KILLER = """
import os, pathlib, signal, sys, time
mark = pathlib.Path(sys.argv[1])
while not mark.exists():
    time.sleep(0.02)
os.kill(int(mark.read_text()), signal.SIGKILL)
"""


def test_shard_that_always_kills_is_named() -> None:
    results = map_shards(always_dies, range(4), workers=2, retries=1)
    with pytest.raises(WorkerDied, match=r"shard 1 died 2 times; the shard is 1"):
        list(results)


def test_killed_worker_of_a_cluster_costs_a_retry(cluster: str, tmp_path: Path) -> None:
    shards = [(number, tmp_path) for number in range(6)]
    assert list(map_shards(dies_once, shards, scheduler=cluster)) == [0, 10, 20, 30, 40, 50]
    assert (tmp_path / "died").exists()


def test_shard_that_always_kills_a_cluster_worker_is_named(cluster: str) -> None:
    with pytest.raises(WorkerDied, match="shard 1 died"):
        list(map_shards(always_dies, range(3), scheduler=cluster))


@pytest.mark.parametrize("workers", [1, 2])
def test_exception_is_raised_with_its_traceback(workers: int) -> None:
    with pytest.raises(LookupError, match="nothing at 3") as caught:
        list(map_shards(fails, range(100), workers=workers))
    assert caught.value.__notes__ == ["in shard 3"]
    if workers > 1:
        assert 'raise LookupError(f"nothing at {number}")' in str(caught.value.__cause__)


def test_exception_of_a_cluster_worker(cluster: str) -> None:
    with pytest.raises(LookupError, match="nothing at 3"):
        list(map_shards(fails, range(8), scheduler=cluster))


def test_exception_that_does_not_pickle_still_says_what_it_was() -> None:
    with pytest.raises(RuntimeError, match="Stubborn: 7 and 7"):
        list(map_shards(raises_stubborn, [7], workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stream_is_read_only_a_little_ahead(workers: int) -> None:
    read = 0

    def stream() -> Iterator[int]:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield number

    results = map_shards(square, stream(), workers=workers)
    for expected in range(50):
        assert next(results) == expected * expected
        assert read <= expected + 1 + workers * parallel._WINDOW
    results.close()  # type: ignore[attr-defined]


def test_stopping_early_ends_the_workers(tmp_path: Path) -> None:
    results = map_shards(slow_first, range(1, 1000), workers=2)
    pids = {next(results)[1] for _ in range(20)}
    results.close()  # type: ignore[attr-defined]
    assert all(gone(pid) for pid in pids)


INTERRUPTED = """
import sys
from pathlib import Path
from tests.test_parallel import sleeps
from hornbeam.parallel import map_shards
if __name__ == "__main__":
    try:
        list(map_shards(sleeps, [(n, Path(sys.argv[1])) for n in range(4)], workers=2))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_interrupt_leaves_no_process_behind(tmp_path: Path, number: signal.Signals, code: int) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    marks = tmp_path / "pids"
    marks.mkdir()
    root = Path(__file__).resolve().parent.parent
    run = subprocess.Popen(
        [sys.executable, str(script), str(marks)],
        env={**os.environ, "PYTHONPATH": f"{root}:{root / 'pysrc'}"},
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    for _ in range(600):
        if len(list(marks.iterdir())) == 4:
            break
        time.sleep(0.05)
    pids = [int(mark.name) for mark in marks.iterdir()]
    assert len(pids) == 4, "the workers did not start"
    os.kill(run.pid, number)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == code
    assert "Traceback" not in errors
    assert all(gone(pid) for pid in pids)


def test_script_without_main_guard_gets_told(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from operator import neg\nfrom hornbeam.parallel import map_shards\n"
        "print(list(map_shards(neg, [1, 2], workers=2)))\n"
    )
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert "if __name__ == '__main__':" in run.stderr.splitlines()[-1]


def test_what_cannot_be_sent_is_named() -> None:
    with pytest.raises(TypeError, match="cannot be sent to a worker process"):
        list(map_shards(lambda n: n, [1], workers=2))


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(UsageError, match="workers must be 1 or more, not 0"):
        map_shards(square, [1], workers=0)
    with pytest.raises(UsageError, match="retries must be 0 or more, not -1"):
        map_shards(square, [1], retries=-1)


def test_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(parallel, "_CONNECT_SECONDS", 1)
    with pytest.raises(EngineUnavailable, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        list(map_shards(square, [1], scheduler="tcp://127.0.0.1:1"))


def test_missing_dask_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineUnavailable, match=r"hornbeam\[scale\]"):
        list(map_shards(square, [1], scheduler="tcp://127.0.0.1:1"))
