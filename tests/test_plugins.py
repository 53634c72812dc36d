"""Plug-ins that cannot be loaded are warnings that name them; presets say what they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hornbeam import config
from hornbeam import family as families
from hornbeam.cli.app import invoke
from tests.conftest import PLUGIN

_ENTRY_POINTS = """\
[hornbeam.families]
crumbling = hornbeam_broken.raises:Family
half-made = hornbeam_broken.wrong:half_made
kandy-elsewhere = hornbeam_broken.absent:Family

[hornbeam.learners]
quitter = hornbeam_broken.ends:Learner
stone = hornbeam_broken.wrong:number

[hornbeam.neural]
no-domain = hornbeam_broken.raises:Domain

[hornbeam.neural.graph]
no-model = hornbeam_broken.raises:model

[hornbeam.dialects]
arrows = hornbeam_broken.good:arrows
garbled = hornbeam_broken.raises:read

[hornbeam.perceivers]
blindfold = hornbeam_broken.raises:Perceiver

[hornbeam.reproductions]
lost-paper = hornbeam_broken.raises:Reproduction
"""
_MODULES = {
    "__init__": "",
    "raises": "raise RuntimeError('the roof fell in')\n",
    "ends": "import sys\nsys.exit('I would rather not')\n",
    "good": "from hornbeam.theory.dialects import Line\n\n\ndef arrows(text):\n"
    "    return [Line(number, line, line.replace('<-', ':-')) for number, line in enumerate(text.splitlines(), 1)]\n",
    "wrong": "number = 7\n\n\ndef half_made():\n    return 'not a family'\n",
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package, of whose plug-ins only the dialect `arrows` can be loaded."""
    folder = tmp_path_factory.mktemp("broken")
    about = folder / "hornbeam_broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hornbeam-broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(_ENTRY_POINTS)
    (folder / "hornbeam_broken").mkdir()
    for name, text in _MODULES.items():
        (folder / "hornbeam_broken" / f"{name}.py").write_text(text)
    return folder


def hornbeam(broken: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(broken), *(place for place in sys.path if place and place != str(PLUGIN))])
    return subprocess.run(
        [sys.executable, "-m", "hornbeam", *arguments],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def warned(text: str) -> list[tuple[str, ...]]:
    """What each warning names: the kind, the name, and what was raised; no other line is on stderr."""
    pattern = r"hornbeam: warning: the (\w+) '([\w-]+)' of the package hornbeam-broken cannot be loaded \((\w+): .*\).*"
    return [match.groups() if (match := re.fullmatch(pattern, line)) else (line,) for line in text.splitlines()]


def test_broken_families_are_named_and_the_others_listed(broken: Path) -> None:
    done = hornbeam(broken, "list")
    assert done.returncode == 0, done.stderr
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["family", *families.BUILT_IN]
    assert warned(done.stderr) == [
        ("family", "crumbling", "RuntimeError"),
        ("family", "half-made", "TypeError"),
        ("family", "kandy-elsewhere", "ModuleNotFoundError"),
    ]


def test_broken_learners_are_named_and_the_others_listed(broken: Path) -> None:
    done = hornbeam(broken, "learners")
    assert done.returncode == 0, done.stderr
    shown = {line.split("\t")[0]: line for line in done.stdout.splitlines()}
    assert {"lff", "mdie", "quitter", "stone"} <= set(shown)
    assert "cannot be loaded (SystemExit: I would rather not)" in shown["quitter"]
    assert warned(done.stderr) == [("learner", "quitter", "SystemExit"), ("learner", "stone", "TypeError")]


def test_broken_perceivers_are_named_and_the_others_listed(broken: Path) -> None:
    done = hornbeam(broken, "perceivers")
    assert done.returncode == 0, done.stderr
    assert {"inverse", "neural"} <= {line.split("\t")[0] for line in done.stdout.splitlines()}
    assert warned(done.stderr) == [("perceiver", "blindfold", "RuntimeError")]


def test_a_broken_plug_in_that_is_asked_for_is_an_error(broken: Path, dataset_folder: Path) -> None:
    done = hornbeam(broken, "generate", "crumbling", "small", "--out", str(broken / "out"))
    assert done.returncode == 1 and not (broken / "out").exists()
    assert "the family 'crumbling' of the package hornbeam-broken cannot be loaded (RuntimeError" in done.stderr
    assert "Traceback" not in done.stderr
    done = hornbeam(broken, "list", "crumblin")
    assert done.returncode == 2 and "did you mean 'crumbling'?" in done.stderr


@pytest.mark.slow
def test_broken_models_do_not_keep_others_from_training(broken: Path, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    assert invoke(["generate", "star", "rcc8-small", "--out", data, "--seed", "1"]) == 0
    done = hornbeam(broken, "train", data, "--model", "rgcn", "--set", "epochs=1", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert ("domain", "no-domain", "RuntimeError") in warned(done.stderr)
    done = hornbeam(broken, "train", data, "--model", "no-model", "--out", str(tmp_path / "none"))
    assert done.returncode == 1
    assert "the model 'no-model' of the package hornbeam-broken cannot be loaded (RuntimeError" in done.stderr


def test_a_dialect_of_another_package_is_read_and_a_broken_one_is_named(broken: Path, tmp_path: Path) -> None:
    (tmp_path / "true.pl").write_text("p(X) :- q(X, Y), r(Y).\n")
    (tmp_path / "learned.txt").write_text("p(A) <- q(A, B), r(B).\n")
    files = [str(tmp_path / "true.pl"), str(tmp_path / "learned.txt")]
    done = hornbeam(broken, "diff", *files, "--dialect", "arrows")
    assert done.returncode == 0 and done.stdout.startswith("proven equal"), done.stdout + done.stderr
    done = hornbeam(broken, "diff", *files, "--dialect", "garbled")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "the dialect 'garbled' of the package hornbeam-broken cannot be loaded (RuntimeError" in done.stderr


def test_a_broken_reproduction_that_is_asked_for_is_an_error(broken: Path, tmp_path: Path) -> None:
    done = hornbeam(broken, "reproduce", "lost-paper", "--out", str(tmp_path / "out"))
    assert done.returncode == 1 and not (tmp_path / "out").exists()
    assert "the reproduction 'lost-paper' of the package hornbeam-broken cannot be loaded (RuntimeError" in done.stderr


@pytest.mark.parametrize("family", families.BUILT_IN)
def test_every_preset_is_described_in_sentences(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["list", family]) == 0
    shown = dict(line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line)
    assert shown.pop("preset") == "about"
    assert list(shown) == config.presets(family)
    for preset, about in shown.items():
        assert re.fullmatch(r"[A-Z].{15,}\.", about), f"{preset}: {about}"
        assert "schema" not in about and "yaml-language-server" not in about
