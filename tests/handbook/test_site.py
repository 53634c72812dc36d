"""The site: it builds without a warning, loads nothing from elsewhere, and its search works from a folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import NOTEBOOKS, ROOT
from tests.studio.browser import FLAGS, chromium

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|iframe|link)[^>]*(?:src|href)="(https?:[^"]+)"', text)
        assert not loaded, (page, loaded)


@pytest.mark.browser
def test_the_site_in_a_browser(site: Path) -> None:
    """Opened as files: pages, pictures and the search work, and nothing is asked of another host."""
    from playwright.sync_api import sync_playwright

    program = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 800})
        asked: list[str] = []
        told: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        for name in ("index", "start", "families/kandy", "models/epignn", "studio", "api"):
            page.goto((site / f"{name}.html").as_uri())
            assert page.locator("h1").count() == 1, name
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{name} is wider than a telephone"
            broken = page.evaluate("[...document.images].filter(image => !image.naturalWidth).map(image => image.src)")
            assert not broken, broken
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto((site / "start.html").as_uri())
        page.click(".md-search__input")
        page.keyboard.type("epignn", delay=30)
        page.wait_for_selector(".md-search-result__item", timeout=20_000)
        assert "models/epignn" in page.locator(".md-search-result__list").inner_html()
        browser.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []
    assert told == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_from_the_first_cell_to_the_last(notebook: Path, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    read = nbformat.read(notebook, as_version=4)
    nbformat.validate(read)
    NotebookClient(read, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [cell.outputs for cell in read.cells if cell.cell_type == "code"]
    assert any(outputs)
