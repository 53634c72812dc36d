"""Where no wall can be built: files from outside are refused, unless the user trusts them or this run made them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

import hornbeam
from hornbeam import doctor
from hornbeam.cli.app import invoke
from hornbeam.errors import UsageError
from hornbeam.ilp.runner import fit
from hornbeam.logic import Prolog
from hornbeam.wall import Support, Wall, holds_home, neighbours, probe, support
from hornbeam.wall.interpreter import python_files, walled_environment
from hornbeam.wall.trust import TRUST, made_here, note_made, trusted, trusting

KERNELS = [Support(), Support(landlock=5), Support(machine="x86_64")]


@pytest.fixture
def no_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TRUST, raising=False)
    for module in ("hornbeam.wall.walls", "hornbeam.doctor"):
        monkeypatch.setattr(f"{module}.support", lambda: Support())


@pytest.fixture
def strange(dataset_folder: Path, tmp_path: Path) -> Path:
    """A dataset that this run did not make."""
    folder = tmp_path / "strange"
    shutil.copytree(dataset_folder, folder)
    return folder


@pytest.mark.parametrize("kernel", KERNELS)
def test_half_a_wall_is_none(kernel: Support, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TRUST, raising=False)
    monkeypatch.setattr("hornbeam.wall.walls.support", lambda: kernel)
    with pytest.raises(UsageError, match=r"Landlock|seccomp") as refused:
        Wall().around(["/bin/true"])
    assert "--trust" in refused.value.message and TRUST in refused.value.message
    assert Wall(foreign=False).around(["/bin/true"])
    monkeypatch.setenv(TRUST, "1")
    assert Wall().around(["/bin/true"])[-1] == "/bin/true"


@pytest.mark.usefixtures("no_wall")
def test_a_stranger_s_dataset_needs_trust(strange: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = hornbeam.load(strange)
    with pytest.raises(UsageError, match="--trust"):
        dataset.query("parent(_, X, Y)")
    with pytest.raises(UsageError, match="--trust"):
        Prolog.contained().ask("true")
    with pytest.raises(UsageError, match="--trust"):
        fit(dataset, "mdie", timeout=5, fresh=None)
    with pytest.raises(UsageError, match="--trust"):
        invoke(["query", str(strange), "parent(_, X, Y)"])
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("no_wall")
def test_the_user_can_trust_it(
    strange: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRUST, "")  # so that it is restored
    assert invoke(["--trust", "query", str(strange), "parent(s000000, X, p1)"]) == 0
    assert "X = p0" in capsys.readouterr().out
    assert os.environ[TRUST] == "1"


@pytest.mark.usefixtures("no_wall")
def test_a_dataset_that_this_run_made_needs_none(strange: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hornbeam.wall.trust._made", set())
    assert not made_here(strange)
    note_made(strange)
    assert hornbeam.load(strange).query("parent(s000000, X, p1)") == [{"X": "p0"}]
    with trusting(True):
        assert trusted()
    assert not trusted()


@pytest.mark.usefixtures("no_wall")
def test_generate_notes_what_it_made(tmp_path: Path) -> None:
    dataset = hornbeam.generate("ancestors", "small", out=tmp_path / "made", seed=1)
    assert made_here(dataset.path)
    assert hornbeam.load(tmp_path / "made").query("parent(s000000, X, p1)")


def test_doctor_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    part = doctor._wall()
    assert part.found is support().whole
    assert part.details.keys() == {"landlock", "seccomp", "namespaces"}
    monkeypatch.setattr("hornbeam.doctor.leaks", lambda: ["opens a socket"])
    assert (doctor._wall().found, "opens a socket" in doctor._wall().note) == (False, support().whole)
    monkeypatch.setattr("hornbeam.doctor.support", lambda: Support(landlock=4))
    part = doctor._wall()
    assert (part.found, part.ok) == (False, True)
    assert "seccomp" in part.note and "--trust" in part.note


@pytest.mark.skipif(not support().whole, reason="this kernel cannot hold a wall")
def test_the_probe_finds_a_wall_with_a_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert probe.leaks() == []
    monkeypatch.setattr("hornbeam.wall.walls.support", lambda: Support(landlock=support().landlock))
    assert {"starts a process", "opens a socket"} <= set(probe.leaks())
    monkeypatch.setattr("hornbeam.wall.walls.support", lambda: Support(machine=support().machine))
    assert probe.leaks() == ["reads a file", "reads its environment"]


# What is readable without being asked for ---------------------------------------------------------------------------


def test_the_home_is_not_readable_because_something_lies_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "project")
    monkeypatch.setattr(sys, "path", [str(home), str(home / "project"), str(home / "packages"), *sys.path])
    assert holds_home(home) and holds_home(tmp_path) and not holds_home(home / "project")
    assert neighbours(home / "rules.pl") == home / "rules.pl"
    assert neighbours(home / "project" / "rules.pl") == home / "project"
    readable = python_files("hornbeam")
    assert home / "packages" in readable and Path(hornbeam.__file__).parent in readable
    assert not {home, home / "project", tmp_path} & set(readable)


def test_a_walled_process_sees_few_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cr3t")
    monkeypatch.setenv("HORNBEAM_SWIPL", "swipl")
    seen = walled_environment(tmp_path)
    assert "s3cr3t" not in seen.values()
    assert (seen["HORNBEAM_SWIPL"], seen["HOME"]) == ("swipl", str(tmp_path))
