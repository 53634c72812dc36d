"""Work in the background: progress, results, failures, and the end of all processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from hornbeam.errors import UsageError
from hornbeam.studio import work
from hornbeam.studio.jobs import Job, Jobs, Order
from tests.studio.conftest import wait
from tests.studio.labours import count, die, hang, refuse, until_stopped


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs(at_once=1)
    yield jobs
    jobs.close()


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet has ended all the same."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pid: int) -> bool:
    """Whether a process ends: the system may take a moment on a busy machine."""
    end = time.monotonic() + 30
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def started(job: Job, line: str) -> None:
    end = time.monotonic() + 60
    while job.told().line != line:
        assert time.monotonic() < end and not job.over, job.error
        time.sleep(0.02)


def test_a_job_tells_how_far_it_is_and_has_a_result(jobs: Jobs) -> None:
    job = jobs.start(Order("count", "Count", count, (5,), after=lambda result: f"/{result}", about="here"))
    wait(job)
    assert (job.state, job.result, job.link, job.error) == ("done", 5, "/5", "")
    told = job.told()
    assert (told.done, told.total, told.share, told.line) == (5, 5, 1.0, "counted")
    assert [event["step"] for event in told.events] == [1, 2, 3, 4, 5]
    assert jobs.all(kind="count", about="here") == [job] and jobs.all(about="elsewhere") == []


def test_a_job_that_fails_says_why(jobs: Jobs) -> None:
    refused = jobs.start(Order("refuse", "Refuse", refuse))
    dead = jobs.start(Order("die", "Die", die))
    for job in (refused, dead):
        wait(job)
        assert job.state == "failed" and job.link is None
    assert refused.error == "a.yml:3: a bad value"
    assert "status 7" in dead.error and "last words" in dead.error


def test_a_cancelled_job_ends_with_all_that_it_started(jobs: Jobs, tmp_path: Path) -> None:
    undone = []
    order = Order("hang", "Hang", hang, (tmp_path / "pid",), undo=lambda: undone.append(True))
    job = jobs.start(order)
    waiting = jobs.start(Order("count", "Count", count, (1,)))  # one runs at a time
    started(job, "hanging")
    child = int((tmp_path / "pid").read_text())
    assert alive(child) and waiting.state == "waiting"
    job.cancel()
    wait(job)
    assert job.state == "cancelled" and undone == [True]
    assert gone(child)
    wait(waiting)
    assert waiting.state == "done"


@pytest.mark.slow
def test_the_end_of_the_studio_ends_its_jobs(tmp_path: Path) -> None:
    jobs = Jobs()
    job = jobs.start(Order("hang", "Hang", hang, (tmp_path / "pid",)))
    started(job, "hanging")
    jobs.close()
    assert job.state == "cancelled" and gone(int((tmp_path / "pid").read_text()))
    with pytest.raises(UsageError, match="closed"):
        jobs.start(Order("count", "Count", count, (1,)))


def test_a_job_that_is_asked_to_stop_has_a_result(jobs: Jobs) -> None:
    job = jobs.start(Order("wait", "Wait", until_stopped))
    while job.state == "waiting":
        time.sleep(0.01)
    end = time.monotonic() + 60
    while not job.over and time.monotonic() < end:
        job.stop()
        time.sleep(0.02)
    assert (job.state, job.result) == ("done", "stopped")


@pytest.mark.slow
def test_a_learner_is_followed_and_judged(jobs: Jobs, dataset_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "learned.pl"
    job = jobs.start(Order("learn", "Learn", work.learn, (dataset_folder, "mdie", None, 20.0, {}, {}, out)))
    wait(job)
    assert job.state == "done", job.error
    assert job.result["status"] == "finished" and job.result["verdict"]["kind"] in ("equal", "refuted", "agrees")
    assert "ancestor(" in job.told().theory and out.read_text().startswith("% learner: mdie")
    assert job.told().events and {"seconds", "tried"} <= set(job.told().events[0])


@pytest.mark.slow
def test_a_learner_that_is_stopped_hands_over_its_best_theory(jobs: Jobs, made: Path) -> None:
    arguments = (made / "pictures", "lff", "t04_shared_colour", 300.0, {}, {})
    job = jobs.start(Order("learn", "Learn", work.learn, arguments))
    end = time.monotonic() + 200
    while not job.told().theory and not job.over and time.monotonic() < end:
        time.sleep(0.1)
    job.stop()
    wait(job, 200)
    assert job.state == "done" and job.result["status"] in ("interrupted", "finished")


@pytest.mark.slow
def test_generating_that_is_cancelled_leaves_nothing(jobs: Jobs, tmp_path: Path) -> None:
    out = tmp_path / "new"
    order = Order(
        "generate",
        "Generate",
        work.generate,
        ("star", "rcc8", out, 0, 1, {}),
        undo=lambda: work.remove_partial(out),
    )
    job = jobs.start(order)
    end = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.01)
    job.cancel()
    wait(job)
    assert job.state == "cancelled" and list(tmp_path.iterdir()) == []
