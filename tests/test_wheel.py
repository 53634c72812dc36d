"""A built wheel works outside the checkout: it carries kb/, prolog/, curricula/ and the templates of pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from hornbeam.logic import swipl

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel in it, and this environment's libraries behind it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    site = next((folder / "venv").glob("lib/python*/site-packages"))
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run(python: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HORNBEAM_SWIPL": swipl.find().executable}
    return subprocess.run(
        [str(python), *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    program = "import hornbeam, hornbeam.resources as r; print(hornbeam.__file__); print(r.root())"
    package, root = run(installed, "-c", program, cwd=tmp_path).stdout.split()
    assert Path(package).is_relative_to(installed.parents[1])
    assert Path(root).is_relative_to(installed.parents[1])


def test_the_reasoners_answer(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-m", "hornbeam", "doctor", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["prolog"]["bridge"] == "janus", done.stdout + done.stderr


def test_the_wheel_has_the_alias_of_its_prolog_sources(installed: Path, tmp_path: Path) -> None:
    """regions.pl loads files of kb/ by the alias."""
    program = (
        "from hornbeam import resources; from hornbeam.logic import Prolog; prolog = Prolog(); "
        "prolog.load(resources.prolog('star', 'regions.pl')); "
        "print(prolog.once('module_property(star_rcc8, file(File))')['File'])"
    )
    done = run(installed, "-c", program, cwd=tmp_path)
    assert Path(done.stdout.strip()).is_relative_to(installed.parents[1]), done.stderr


def test_a_dataset_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-m", "hornbeam", "generate", "ancestors", "small", "--out", "data", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run(installed, "-m", "hornbeam", "check", "data", cwd=tmp_path).returncode == 0
    asked = run(installed, "-m", "hornbeam", "query", "data", "sample(s000001, T, S, _, _)", cwd=tmp_path)
    assert asked.stdout == "T = ancestor, S = train\n", asked.stderr
    shown = run(installed, "-m", "hornbeam", "show", "data", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "<h2>A tree</h2>" in (tmp_path / "data.html").read_text(encoding="utf-8")


def test_all_templates_are_in_the_wheel(installed: Path) -> None:
    package = next(installed.parents[1].glob("lib/python*/site-packages/hornbeam"))
    source = ROOT / "pysrc" / "hornbeam"
    templates = {path.relative_to(source) for kind in ("*.j2", "*.css") for path in source.rglob(kind)}
    assert len(templates) > 5 and all((package / path).is_file() for path in templates)


def test_all_knowledge_is_in_the_wheel(installed: Path) -> None:
    share = next(installed.parents[1].glob("lib/python*/site-packages/hornbeam/share"))
    for folder in ("kb", "prolog", "curricula"):
        known = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".pl", ".lp", ".yml")]
        expected = {path.relative_to(ROOT) for path in known}
        found = {path.relative_to(share) for path in (share / folder).rglob("*") if path.is_file()}
        assert expected <= found
