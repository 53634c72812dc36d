"""Home, dataset and sample in a real Chromium: they work, are quiet, and can be used by keyboard and screen reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hornbeam
from tests.studio.browser import Running, Watched, barriers, running

pytestmark = pytest.mark.browser

NARROW = {"width": 390, "height": 844}


def negative(made: Path) -> str:
    return next(one.id for one in hornbeam.load(made / "pictures").task("t00_red") if one.label is False)


def screens(made: Path) -> list[str]:
    return ["/", "/make/star/rcc8-small", "/d/pictures", f"/d/pictures/s/{negative(made)}"]


def test_each_screen_has_no_barriers_and_no_errors(watched: Watched, made: Path) -> None:
    for path in screens(made):
        page = watched.go(path)
        if not path.startswith("/make"):  # a check of all rules takes a second; see below
            assert barriers(page) == [], path


@pytest.mark.slow
def test_dark_colours_have_enough_contrast(browser: Any, studio: Running, made: Path) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 800})
    watched = Watched.of(context, studio)
    for path in (*screens(made), "/make", "/jobs", "/health", "/d/nested.regions"):
        assert barriers(watched.go(path)) == [], path
    context.close()
    assert watched.problems == []


def test_nothing_is_wider_than_a_narrow_screen(browser: Any, studio: Running, made: Path) -> None:
    context = browser.new_context(viewport=NARROW)
    watched = Watched.of(context, studio)
    for path in screens(made):
        page = watched.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    context.close()


def test_a_visitor_filters_scrolls_and_reads_a_proof(watched: Watched) -> None:
    """From the first screen to why a picture is not valid, without a mouse where keys do."""
    from playwright.sync_api import expect

    page = watched.page
    page.get_by_role("link", name="pictures").first.click()
    cards = page.locator("article")
    cards.last.scroll_into_view_if_needed()
    expect(cards).to_have_count(80)
    page.get_by_label("Task").select_option("t00_red")
    expect(cards).to_have_count(16)
    assert "task=t00_red" in page.url
    page.get_by_label("Label").select_option("false")
    page.get_by_role("status").filter(has_text="8 of 80 samples").wait_for()
    cards.first.get_by_role("link").focus()
    page.keyboard.press("Enter")
    failing = page.locator(".literal.first")
    failing.wait_for()
    assert page.locator(".outline.marked").count() == 0
    failing.focus()
    assert page.locator(".outline.marked").count() == 1
    assert page.locator(".outline.marked").evaluate("one => getComputedStyle(one).stroke") == "rgb(255, 255, 255)"
    page.keyboard.press("Escape")
    assert page.locator(".outline.marked").count() == 0
    page.get_by_label("Theory file").select_option("theories.blue")
    page.locator("#under .says").wait_for()
    here = page.url
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("j")
    page.wait_for_url(lambda url: url != here and "/s/t00_red" in url)


def test_the_colours_can_be_chosen(watched: Watched) -> None:
    page = watched.page
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.get_by_role("button", name="dark colours").click()
    assert page.locator("html").get_attribute("data-theme") == "dark" and page.evaluate(paper) != before


@pytest.mark.slow
def test_the_screens_work_without_scripts(browser: Any, studio: Running, made: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(studio.url)
    page.get_by_role("link", name="pictures").first.click()
    page.get_by_role("link", name="Next page").click()
    assert page.locator("article").count() == 32
    page.get_by_label("Split").select_option("test")
    page.get_by_role("button", name="Show").click()
    assert "split=test" in page.url
    page.locator("article a").first.click()
    page.get_by_label("Theory file").select_option("theories.blue")
    page.get_by_role("button", name="Show").click()
    assert "theory=theories.blue" in page.url and page.locator("#under .says").count() == 1
    context.close()


@pytest.mark.slow
def test_a_dataset_is_made_and_looked_at(browser: Any, tmp_path: Path) -> None:
    """From an empty folder to a sample; then a job is cancelled."""
    with running([tmp_path]) as studio:
        watched = Watched.of(browser.new_context(), studio)
        page = watched.page
        page.get_by_role("link", name="New dataset").first.click()
        page.get_by_role("link", name="rcc8-small").click()
        page.locator('[name="set.train.cells"]').fill("[{k: [2], b: [1], rows: 2}]")
        page.locator('[name="set.valid.cells"]').fill("[]")
        page.locator('[name="set.test.cells"]').fill("[{k: [3], b: [1], rows: 2}]")
        page.get_by_role("button", name="Generate").first.click()
        page.get_by_role("link", name="Open").click(timeout=90_000)
        assert page.locator("article").count() > 0
        watched.go("/make/star/rcc8")
        page.locator('[name="out"]').fill("never")
        page.get_by_role("button", name="Generate").first.click()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_text("nothing half-written is left").wait_for()
        assert [path.name for path in tmp_path.iterdir()] == ["star-rcc8-small"] and watched.problems == []


@pytest.mark.slow
def test_ten_thousand_samples_scroll_without_a_pause(browser: Any, tmp_path: Path) -> None:
    """Pages of samples are there before the reader reaches their end, but for moments of a busy machine."""
    hornbeam.generate("kandy", "easy", out=tmp_path / "large", seed=1, overrides={"samples": 500})
    with running([tmp_path]) as studio:
        watched = Watched.of(browser.new_context(viewport={"width": 1280, "height": 800}), studio)
        page = watched.go("/d/large")
        page.mouse.move(400, 600)
        empty = 0
        for _ in range(150):
            page.mouse.wheel(0, 500)
            page.wait_for_timeout(60)
            empty += page.evaluate("document.documentElement.scrollHeight - scrollY - innerHeight < 50")
        assert page.locator("article").count() > 1000 and empty < 15
        assert watched.problems == []
