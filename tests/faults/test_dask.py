"""A Dask cluster on this machine that loses a worker, or everything, while a dataset is being generated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from tests.faults.frame import Running, content, hornbeam, names

_SLOW_SHARDS = ("--set", "seconds_a_shard=0.5", "--set", "shard_size=4")
_GENERATE = ("generate", "ancestors", "small", "--seed", "3", *_SLOW_SHARDS, "--json")
_SHARDS = 10


@contextmanager
def process(*arguments: str) -> Iterator[psutil.Process]:
    """A program of Dask's, ended with all that it started."""
    with subprocess.Popen(
        [sys.executable, "-m", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as popen:
        one = psutil.Process(popen.pid)
        try:
            yield one
        finally:
            for each in [*(one.children(recursive=True) if one.is_running() else []), one]:
                if each.is_running():
                    each.kill()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, psutil.Process, list[psutil.Process]]]:
    """The address of a scheduler with two workers, and their processes."""
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    quiet = ("--scheduler-file", str(file))
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            process("distributed.cli.dask_scheduler", *quiet, "--port", "0", "--no-dashboard")
        )
        _wait(file.is_file)
        workers = [
            stack.enter_context(
                process("distributed.cli.dask_worker", *quiet, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            )
            for _ in range(2)
        ]
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        yield address, scheduler, workers


def _wait(ready: object) -> None:
    deadline = time.monotonic() + 60
    while not ready():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_worker_that_is_killed_midway_does_not_change_the_bytes(
    cluster: tuple[str, psutil.Process, list[psutil.Process]], tmp_path: Path
) -> None:
    address, _, workers = cluster
    out, plain = tmp_path / "target" / "out", tmp_path / "plain"
    shards = out.with_name(".out.partial") / "shards"
    running = Running([*_GENERATE, "--out", str(out), "--scheduler", address], tmp_path / "temporary")
    assert running.until(lambda: len(list(shards.glob("*.zip"))) >= 2)
    os.kill(workers[0].pid, signal.SIGKILL)
    done = running.finish()
    assert done.code == 0, done.err
    assert done.json["shards"] == {"generated": _SHARDS, "kept": 0}
    assert hornbeam(*_GENERATE, "--out", plain, "--workers", "2", temporary=tmp_path / "again").code == 0
    assert content(out) == content(plain)
    assert names(out.parent) == {"out"}


@pytest.mark.slow
def test_a_cluster_that_is_gone_costs_no_finished_shard(
    cluster: tuple[str, psutil.Process, list[psutil.Process]], tmp_path: Path
) -> None:
    address, scheduler, workers = cluster
    out = tmp_path / "target" / "out"
    shards = out.with_name(".out.partial") / "shards"
    running = Running([*_GENERATE, "--out", str(out), "--scheduler", address], tmp_path / "temporary")
    assert running.until(lambda: len(list(shards.glob("*.zip"))) >= 2)
    for one in (scheduler, *workers):
        one.kill()
    failed = running.finish()
    assert failed.code == 1, failed
    assert failed.says(address), failed.err
    kept = len(list(shards.glob("*.zip")))
    done = hornbeam(*_GENERATE, "--out", out, "--workers", "2", temporary=tmp_path / "again")
    assert done.json["shards"] == {"generated": _SHARDS - kept, "kept": kept}
