"""Targets that a command cannot write: full, read-only, in use, or something else. Each error names the path."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.conftest import Uninterrupted
from tests.faults.frame import Running, content, hornbeam, names
from tests.faults.scenarios import SCENARIOS, Inputs, Scenario

# Commands that write, by the kind of target: a folder that is renamed, a folder that grows, a file.
FOLDERS = ("generate star", "import", "export")
GROWING = ("compare", "train")
FILES = ("learn", "show")


def some(*quick: str, of: Sequence[str] = (*FOLDERS, *GROWING, *FILES)) -> list[object]:
    """Names of scenarios; those that are not quick belong to the slow tests."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in of]


@contextmanager
def mounted(place: Path, options: str) -> Iterator[Path]:
    """A small file system of its own, where this user may mount one."""
    place.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", str(place)], capture_output=True, text=True, check=False
    )
    if mount.returncode:
        pytest.skip(f"cannot mount a file system: {mount.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


# A full disk ----------------------------------------------------------------------------------------------------------


def _fill(place: Path, leaving: int) -> None:
    """Fill a file system up to some bytes."""
    free = os.statvfs(place)
    (place / "filler").write_bytes(b"\0" * max(0, free.f_bavail * free.f_frsize - leaving))


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("generate star", 0),
        *(pytest.param(name, 0, marks=pytest.mark.slow) for name in ("export", "show", "import", "learn", *GROWING)),
        *(pytest.param(name, 40_000, marks=pytest.mark.slow) for name in (*FOLDERS, *GROWING)),
    ],
)
def test_a_full_disk_is_named_and_nothing_is_half_written(
    name: str, left: int, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario = SCENARIOS[name]
    expected = uninterrupted(scenario)
    with mounted(tmp_path / "disk", "size=64m") as disk:
        _fill(disk, left)
        out = disk / "out"
        failed = hornbeam(*scenario.arguments(inputs, out), temporary=tmp_path / "temporary")
        assert failed.code == 1, failed.err
        assert failed.says(disk) and "No space left on device" in failed.err, failed.err
        if name not in GROWING:
            assert not out.exists()
        (disk / "filler").unlink()
        again = hornbeam(*scenario.arguments(inputs, out), temporary=tmp_path / "temporary")
        assert again.code == 0, again.err
        assert scenario.result(out, again.out) == expected.result
        assert names(disk) == {"out"}


@pytest.mark.parametrize("name", some("export", of=FOLDERS))
def test_a_limit_on_the_size_of_files_is_named(name: str, inputs: Inputs, tmp_path: Path) -> None:
    out = tmp_path / "target" / "out"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    failed = hornbeam(*SCENARIOS[name].arguments(inputs, out), temporary=tmp_path / "temporary", before=limit)
    assert failed.code == 1, failed.err
    assert failed.says(out.parent) and "File too large" in failed.err, failed.err
    assert not out.exists()


@pytest.mark.parametrize("name", some("learn", of=("learn", "judge")))
def test_a_full_folder_for_temporary_files(name: str, inputs: Inputs, tmp_path: Path) -> None:
    """A learner's process has its files there; predictions are judged without any."""
    out = tmp_path / "target" / "out"
    out.parent.mkdir()
    with mounted(tmp_path / "temporary", "size=64k") as temporary:
        _fill(temporary, 8192)  # with less, the system's other folders would be used
        finished = Running([str(one) for one in SCENARIOS[name].arguments(inputs, out)], temporary).finish()
        assert "Traceback" not in finished.err and "internal error" not in finished.err, finished.err
        if name == "judge":
            assert finished.code == 0
            return
        assert finished.code == 1, finished
        assert finished.says(temporary), finished.err
        assert not out.exists()
        assert names(temporary) == {"filler"}


# A place where nothing can be written ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some("generate star", "show"))
def test_a_read_only_place_is_a_usage_error(name: str, inputs: Inputs, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=1m") as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        failed = hornbeam(*SCENARIOS[name].arguments(inputs, disk / "out"), temporary=tmp_path / "temporary")
    assert failed.code == 2, failed.err
    assert failed.says(disk) and "Read-only file system" in failed.err, failed.err


@pytest.mark.parametrize("name", some("export"))
def test_a_file_in_place_of_the_parent_is_a_usage_error(name: str, inputs: Inputs, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    failed = hornbeam(*SCENARIOS[name].arguments(inputs, tmp_path / "file" / "out"), temporary=tmp_path / "temporary")
    assert failed.code == 2, failed.err
    assert failed.says(tmp_path / "file"), failed.err
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", some("export"))
def test_a_missing_parent_is_created(
    name: str, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario, out = SCENARIOS[name], tmp_path / "new" / "newer" / "out"
    done = hornbeam(*scenario.arguments(inputs, out), temporary=tmp_path / "temporary")
    assert done.code == 0, done.err
    assert scenario.result(out, done.out) == uninterrupted(scenario).result
    assert names(out.parent) == {"out"}


# A target that is something else --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some("generate star", "compare", of=(*FOLDERS, *GROWING)))
@pytest.mark.parametrize("kind", ["dataset", pytest.param("files", marks=pytest.mark.slow)])
def test_a_target_that_holds_something_else_is_left_alone(name: str, kind: str, inputs: Inputs, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if kind == "files":
        out.mkdir()
        (out / "thesis.tex").write_text("mine")
    else:
        # Not the family that is generated: that dataset would be accepted as done.
        out.symlink_to(inputs.clutrr)
    before = content(out)
    refused = hornbeam(*SCENARIOS[name].arguments(inputs, out), temporary=tmp_path / "temporary")
    assert refused.code == 2, refused.err
    assert refused.says(out), refused.err
    assert content(out) == before
    assert names(tmp_path) == {"out", "temporary"}


@pytest.mark.parametrize("name", some("learn", of=FILES))
def test_a_folder_in_place_of_a_file_is_a_usage_error(name: str, inputs: Inputs, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    refused = hornbeam(*SCENARIOS[name].arguments(inputs, tmp_path / "out"), temporary=tmp_path / "temporary")
    assert refused.code == 2 and refused.says(tmp_path / "out"), refused.err
    assert refused.cpu < 5, "the learner ran although its theory could not be written"


def test_a_pipe_is_written_to_and_stays_a_pipe(
    inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    pipe, copy = tmp_path / "pipe", tmp_path / "copy"
    os.mkfifo(pipe)
    with copy.open("wb") as stream, subprocess.Popen(["cat", str(pipe)], stdout=stream) as reader:
        done = hornbeam(*SCENARIOS["show"].arguments(inputs, pipe), temporary=tmp_path / "temporary")
        assert done.code == 0, done.err
        assert reader.wait(timeout=60) == 0
    assert pipe.is_fifo()
    assert content(copy) == uninterrupted(SCENARIOS["show"]).result


# Two runs at once -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some("generate star", of=("generate star", *GROWING)))
def test_a_second_run_into_the_same_folder_is_refused(
    name: str, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario, out = SCENARIOS[name], tmp_path / "target" / "out"
    arguments = [str(argument) for argument in scenario.arguments(inputs, out)]
    first = Running(arguments, tmp_path / "first")
    lock = {
        "compare": out / ".lock",
        "train": out / "seed-0" / ".lock",
    }.get(name, out.with_name(".out.partial") / "recipe")
    assert first.until(lock.exists)
    first.pause()
    second = hornbeam(*arguments, temporary=tmp_path / "second")
    first.resume()
    assert second.code == 2 and second.says(out), second.err
    done = first.finish()
    assert done.code == 0, done.err
    assert scenario.result(out, done.out) == uninterrupted(scenario).result
    assert names(out.parent) == {"out"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["generate star", "export", "show"])
def test_eight_runs_at_once_give_one_result(
    name: str, inputs: Inputs, uninterrupted: Callable[[Scenario], Uninterrupted], tmp_path: Path
) -> None:
    scenario, out = SCENARIOS[name], tmp_path / "target" / "out"
    arguments = [str(argument) for argument in scenario.arguments(inputs, out)]
    done = [run.finish() for run in [Running(arguments, tmp_path / f"{number}") for number in range(8)]]
    assert {finished.code for finished in done} <= {0, 2}
    assert any(finished.code == 0 for finished in done)
    assert all(finished.code == 0 or finished.says(out) for finished in done), done
    assert scenario.result(out, "") == uninterrupted(scenario).result
    assert names(out.parent) == {"out"}


# Asked to stop --------------------------------------------------------------------------------------------------------

WORKING = ("import", "export", "compare", "train", "learn", "judge")
_CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("export", signal.SIGTERM),
        *(
            pytest.param(name, number, marks=pytest.mark.slow)
            for name in (
                "generate ancestors",
                "generate star",
                "import",
                "export",
                "compare",
                "train",
                "learn",
                "judge",
            )
            for number in _CODES
        ),
    ],
)
def test_a_command_that_is_asked_to_stop(
    name: str,
    number: signal.Signals,
    inputs: Inputs,
    uninterrupted: Callable[[Scenario], Uninterrupted],
    tmp_path: Path,
) -> None:
    scenario, parent = SCENARIOS[name], tmp_path / "target"
    parent.mkdir()
    out, expected = parent / "out", uninterrupted(scenario)
    arguments = [str(argument) for argument in scenario.arguments(inputs, out)]
    running = Running(arguments, tmp_path / "stopped")
    assert running.until(lambda: running.cpu() >= 0.6 * expected.cpu)
    stopped = running.signal(number)
    assert stopped.code == _CODES[number], stopped
    assert "Traceback" not in stopped.err
    assert not [one for one in names(tmp_path / "stopped") if one.startswith("hornbeam-")]
    left = names(parent)
    assert left <= {"out", ".out.partial"}
    if name in ("import", "export"):
        assert not left, "nothing of it can be taken up again, and yet it was left"
    again = hornbeam(*arguments, temporary=tmp_path / "again")
    assert again.code == 0, again.err
    assert scenario.result(out, again.out) == expected.result
    assert names(parent) <= {"out"}
