"""A folder with datasets and theories, an application on it, a visitor, and a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import hornbeam
from hornbeam.studio.app import create_app
from hornbeam.studio.jobs import Job
from hornbeam.studio.pages import Studio
from tests.studio.browser import Running, Watched, opened, running

TOKEN = "a-token-of-this-test"
BASE = "http://127.0.0.1:8765"
THEORY = "% learner: by hand\n% task: t00_red\n\nvalid(X) :- contains(X, Y), extract_color(Y, blue).\n"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two datasets and a theory; tests do not write into it."""
    folder = tmp_path_factory.mktemp("studio") / "data"
    hornbeam.generate("kandy", "tour", out=folder / "pictures", seed=7, overrides={"samples": 16})
    cells = {"train.cells": "[{k: [2, 3], b: [1, 2], rows: 3}]", "valid.cells": "[]"}
    cells |= {"test.cells": "[{k: [4], b: [1, 2], rows: 3}]"}
    hornbeam.generate("star", "rcc8-small", out=folder / "nested" / "regions", seed=7, overrides=cells)
    (folder / "theories").mkdir()
    for name in ("theories/blue", "nested/learned-by-mdie-of-the-task-named-t01-last-is-a-red-triangle"):
        (folder / f"{name}.pl").write_text(THEORY, encoding="utf-8")
    return folder


@pytest.fixture
def workplace(made: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to write into."""
    folder = tmp_path / "data"
    shutil.copytree(made, folder)
    return folder


@dataclass(frozen=True)
class Visitor:
    """A browser that has the cookie, and knows the token of forms."""

    client: TestClient
    form_token: str

    @property
    def studio(self) -> Studio:
        studio: Studio = self.client.app.state.studio  # type: ignore[attr-defined]
        return studio

    def get(self, url: str, **more: Any) -> Any:
        return self.client.get(url, **more)

    def part(self, url: str) -> Any:
        """As htmx asks."""
        return self.client.get(url, headers={"hx-request": "true"})

    def post(self, url: str, **fields: str) -> Any:
        return self.client.post(url, data={"form_token": self.form_token, **fields}, follow_redirects=False)

    def job(self, answer: Any) -> Job:
        """The job that a form started, once it is over."""
        assert answer.status_code == 303, answer.text
        job = self.studio.jobs.get(answer.headers["location"].rpartition("/")[2])
        assert job is not None
        wait(job)
        return job


def wait(job: Job, seconds: float = 120.0) -> None:
    """Wait until a job is over."""
    import time

    end = time.monotonic() + seconds
    while not job.over:
        assert time.monotonic() < end, f"{job.order.title} does not end"
        time.sleep(0.05)


def visitor_of(client: TestClient) -> Visitor:
    page = client.get(f"/?token={TOKEN}")
    assert page.status_code == 200
    found = re.search(r'name="form_token" value="(\w+)"', page.text)
    assert found is not None
    return Visitor(client, found[1])


@pytest.fixture(scope="session")
def visitor(made: Path) -> Iterator[Visitor]:
    """Looks at the folder that nobody writes into."""
    with TestClient(create_app([made], token=TOKEN), base_url=BASE) as client:
        yield visitor_of(client)


@pytest.fixture
def writer(workplace: Path) -> Iterator[Visitor]:
    """Works in a folder of its own."""
    with TestClient(create_app([workplace], token=TOKEN), base_url=BASE) as client:
        yield visitor_of(client)


@pytest.fixture(scope="module")
def studio(made: Path) -> Iterator[Running]:
    """The command `hornbeam studio` on the folder."""
    with running([made]) as studio:
        yield studio


@pytest.fixture(scope="module")
def browser(studio: Running) -> Iterator[Any]:
    """Chromium."""
    with opened() as browser:
        yield browser


@pytest.fixture
def watched(browser: Any, studio: Running) -> Iterator[Watched]:
    """A window at the studio; the test fails if the page complained or asked another host."""
    context = browser.new_context(viewport={"width": 1360, "height": 900})
    watched = Watched.of(context, studio)
    yield watched
    context.close()
    assert watched.problems == []
