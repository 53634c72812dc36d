"""`make release`: version, changelog, wheel and tag, or a plain refusal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT

VERSION = "97.0.1"
PERSON = {f"GIT_{role}_{key}": f"{key}@example" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
# A checkout that belongs to another user, as in a container, is cloned all the same.
PERSON |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **PERSON}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def release(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "scripts/release.sh", version, sys.executable],
        cwd=folder, env={**os.environ, **PERSON}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone whose changelog describes the version; the scripts are as they are here, committed or not."""
    folder = tmp_path / "checkout"
    try:
        git(tmp_path, "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(folder))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"needs git and a checkout: {error}")
    shutil.copytree(ROOT / "scripts", folder / "scripts", dirs_exist_ok=True)
    changelog = folder / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## [Unreleased]", f"## [Unreleased]\n\n## [{VERSION}]", 1))
    git(folder, "commit", "--quiet", "--all", "--message", "DOC: changelog")
    return folder


def test_a_release_has_its_version_in_wheel_citation_and_tag(checkout: Path) -> None:
    done = release(checkout, VERSION)
    assert done.returncode == 0, done.stderr
    assert [wheel.name.split("-")[1] for wheel in (checkout / "dist").glob("*.whl")] == [VERSION]
    assert f'__version__ = "{VERSION}"' in (checkout / "pysrc" / "hornbeam" / "version.py").read_text()
    assert f"version: {VERSION}\n" in (checkout / "CITATION.cff").read_text()
    assert git(checkout, "describe", "--tags", "--exact-match") == f"v{VERSION}"
    assert git(checkout, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("version", "reason"),
    [("1.0", "give a version such as 0.2.0"), ("97.0.2", "CHANGELOG.md has no section '## [97.0.2]'")],
)
def test_a_release_that_is_not_ready_is_refused(checkout: Path, version: str, reason: str) -> None:
    before = git(checkout, "rev-parse", "HEAD")
    done = release(checkout, version)
    assert done.returncode != 0 and reason in done.stderr + done.stdout
    assert git(checkout, "rev-parse", "HEAD") == before and git(checkout, "tag", "--list") == ""


def test_a_release_of_a_tree_with_changes_is_refused(checkout: Path) -> None:
    (checkout / "README.md").write_text("changed")
    done = release(checkout, VERSION)
    assert done.returncode != 0 and "commit or stash your changes first" in done.stderr + done.stdout
