"""A real Chromium, that of this machine, and a studio that the command started."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The program; the test is skipped where there is none."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine: apt-get install chromium")
    return found


@contextlib.contextmanager
def opened() -> Iterator[Any]:
    """A browser."""
    program = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Running:
    """A studio that runs: its address with the token, and its process."""

    url: str
    process: subprocess.Popen[str]

    @property
    def root(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; the exit code, and what it printed."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=60)
        return self.process.returncode, rest


@contextlib.contextmanager
def running(folders: Sequence[Path]) -> Iterator[Running]:
    """`hornbeam studio` on these folders."""
    command = [sys.executable, "-m", "hornbeam", "studio", *map(str, folders), "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
    try:
        assert process.stdout is not None
        said = ""
        while (found := re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]+", said)) is None:
            line = process.stdout.readline()
            assert line, f"the studio did not start: {said}"
            said += line
        yield Running(found[0], process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


@dataclass
class Watched:
    """A page of which everything is noted that should not be: errors in the console, requests to other hosts."""

    page: Any
    root: str
    problems: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: Any, studio: Running) -> Watched:
        watched = cls(context.new_page(), studio.root)
        watched.page.on("console", lambda message: watched.note(message.type, message.text))
        watched.page.on("pageerror", lambda error: watched.problems.append(str(error)))
        watched.page.on("request", lambda request: watched.asked(request.url))
        watched.page.goto(studio.url)
        return watched

    def note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(f"{kind}: {text}")

    def asked(self, url: str) -> None:
        if not url.startswith((self.root, "data:")):
            self.problems.append(f"asked {url}")

    def go(self, path: str) -> Any:
        self.page.goto(self.root + path)
        self.page.wait_for_load_state("networkidle")
        return self.page


def barriers(page: Any) -> list[str]:
    """What keeps people from using a page: the rules of axe-core, contrast among them."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:150]}" for one in found for node in one["nodes"]]
