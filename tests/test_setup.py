"""The set-up scripts: what they take, what they refuse, and that they leave nothing half-made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hornbeam.logic import swipl

ROOT = Path(__file__).parents[1]
TOOLS = [
    "sh", "cat", "chmod", "cut", "dirname", "head", "id", "ls", "mkdir", "mv", "readlink", "rm", "sed", "sort", "uname",
    "xargs", "ln", "touch", "env",
]  # fmt: skip
DEBIAN = ["apt-get", "dpkg", "gpgv", "grep", "gzip", "xz"]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH with only the plain tools: no swipl, no package manager."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return folder


def install(prefix: Path, tools: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(ROOT / "scripts" / "install-swipl.sh"), str(prefix)],
        env={"PATH": str(tools), "HOME": str(prefix.parent), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_suitable_swipl_on_path_is_taken(tools: Path, tmp_path: Path) -> None:
    program(tools, "swipl", f'exec {swipl.find().executable} "$@"')
    done = install(tmp_path / "prefix", tools)
    assert done.stdout.strip() == str(tools / "swipl"), done.stderr
    assert not (tmp_path / "prefix").exists()


def test_an_old_swipl_is_not_taken_and_the_command_is_said(tools: Path, tmp_path: Path) -> None:
    program(tools, "swipl", "echo 'PLVERSION=\"90004\";'")
    done = install(tmp_path / "prefix", tools)
    assert done.returncode == 1
    assert "SWI-Prolog 9.1.12 or later is needed. Install it from" in done.stderr


def test_on_macos_the_one_command_is_said(tools: Path, tmp_path: Path) -> None:
    (tools / "uname").unlink()
    program(tools, "uname", "echo Darwin")
    done = install(tmp_path / "prefix", tools)
    assert (done.returncode, "brew install swi-prolog" in done.stderr) == (1, True)


@pytest.mark.skipif(not shutil.which("apt-get"), reason="needs apt")
def test_without_a_network_nothing_is_half_made(tools: Path, tmp_path: Path) -> None:
    for name in DEBIAN:
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)
    # A port on which nothing listens stands for the network that is not there.
    nowhere = "http://127.0.0.1:9"
    done = install(tmp_path / "prefix", tools, http_proxy=nowhere, https_proxy=nowhere)
    assert done.returncode == 1
    assert "is there a network connection? Nothing was changed." in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin"]


def test_missing_packages_are_named_for_those_who_are_not_root(tools: Path) -> None:
    (tools / "id").unlink()
    program(tools, "id", "echo 1000")
    program(tools, "apt-get", "exit 0")
    done = subprocess.run(
        ["sh", "-c", f'. "{ROOT}/scripts/lib.sh"; system_packages "a C compiler is missing" gcc libc6-dev'],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "setup: a C compiler is missing. Run: sudo apt-get install -y gcc libc6-dev\n"


def test_no_environment_variable_is_needed() -> None:
    """The engine answers in a process that has none of ours set."""
    clean = {name: value for name, value in os.environ.items() if name in ("HOME", "PATH")}
    done = subprocess.run(
        [sys.executable, "-c", "from hornbeam.logic import Prolog; print(Prolog().ask('true'))"],
        env={**clean, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "True\n", done.stderr


def setup(prefix: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hornbeam", "setup", "--prefix", str(prefix)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_second_setup_installs_nothing(tmp_path: Path) -> None:
    here = Path(swipl.find().executable).parent
    done = setup(tmp_path / "prefix", f"{here}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ready:") and "compiling" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_setup_says_why_it_failed(tools: Path, tmp_path: Path) -> None:
    done = setup(tmp_path / "prefix", str(tools))
    assert done.returncode == 1
    assert "hornbeam: SWI-Prolog 9.1.12 or later is needed. Install it from" in done.stderr
    assert not (tmp_path / "prefix").exists()


@pytest.mark.slow
def test_a_wheel_becomes_ready_by_one_command(tmp_path: Path) -> None:
    """As a user has it: a new environment, the wheel, no SWI-Prolog on PATH. Needs a network."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-qq", "-c", str(ROOT / "constraints.txt"), str(wheel)],
        check=True,
        cwd=tmp_path,
    )
    outside = {name: value for name, value in os.environ.items() if name not in ("HORNBEAM_SWIPL", "VIRTUAL_ENV")}
    environment = {**outside, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "XDG_DATA_HOME": str(tmp_path / "data")}
    for arguments in (["setup"], ["generate", "star", "rcc8-small", "--out", "regions"], ["check", "regions"]):
        done = subprocess.run(
            [python, "-m", "hornbeam", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
