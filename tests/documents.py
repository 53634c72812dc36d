"""The project's Markdown as tests read it: code blocks by language, and commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = tuple(sorted((ROOT / "docs").rglob("*.md")))
NOTEBOOKS = tuple(sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))
RESULTS = ROOT / "docs" / "results.md"


def text(pages: Sequence[Path] = (README, *DOCS)) -> str:
    """The README and docs/, or some pages, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in pages)


def blocks(language: str, pages: Sequence[Path] = (README, *DOCS)) -> list[str]:
    """The code blocks, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", text(pages), flags=re.MULTILINE | re.DOTALL)


def console_commands(pages: Sequence[Path] = (README, *DOCS)) -> list[str]:
    """What is typed behind a `$`; not what installs Hornbeam and calls its tests."""
    shown = blocks("console", pages)
    lines = [line for block in shown for line in re.findall(r"^\$ (.*)$", block, flags=re.MULTILINE)]
    return [line for line in lines if not line.startswith(("make ", "git ", "cd ", ". "))]


def inline_commands() -> list[str]:
    """Commands of Hornbeam that stand within a sentence."""
    return sorted({" ".join(found.split()) for found in re.findall(r"`(hornbeam [^`]+)`", text())})


def run(command: str, folder: Path, typed: str = "") -> str:
    """What a line of a document prints, in a shell whose PATH has this environment first, as after `activate`."""
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": here},
        input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip
    printed = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, f"$ {command}\n{printed}"
    return printed
