"""Rule, Learn, Ask and Compare in a real Chromium: edits that turn verdicts, learners, goals that attack."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.studio.browser import Running, Watched, barriers, running

pytestmark = pytest.mark.browser

NARROW = {"width": 390, "height": 844}
RULE = "/d/pictures/rule/t00_red"
RED = "valid(Picture) :-\n    contains(Picture, Object),\n    extract_color(Object, red)."
PATHS = (RULE, "/d/pictures/ask?goal=sample(Id,T,S,L,_)", "/d/pictures/learn", "/compare")


def _says(page: Any, words: str) -> None:
    page.locator("#verdict").get_by_text(words).first.wait_for(timeout=60_000)


def test_typing_turns_verdicts_and_marks_what_is_wrong(watched: Watched) -> None:
    page = watched.go(RULE)
    page.locator("#verdict .score").wait_for(timeout=60_000)
    page.locator(".CodeMirror").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(RED.replace("red", "blue"))
    page.locator("#why .blame").wait_for(timeout=60_000)
    _says(page, "Smallest counterexample")
    assert page.locator("#verdict article").count() > 0
    page.evaluate("text => hornbeamEditor.setValue(text)", RED)
    page.locator("#verdict .note.good").wait_for(timeout=60_000)
    assert "16 of 16 right" in page.locator("#verdict .big").inner_text()
    assert "turned right" in page.locator("#verdict .score").inner_text()
    assert page.locator("#verdict article").count() == 0
    page.evaluate("text => hornbeamEditor.setValue(text)", RED.replace("Object)", "Object"))
    page.locator(".CodeMirror .mark-bad").wait_for(timeout=60_000)
    _says(page, "line ")
    page.evaluate("hornbeamEditor.setValue('valid(X) :- loop(f(X)).\\nloop(X) :- loop(f(X)).')")
    _says(page, "inferences")
    page.evaluate("text => hornbeamEditor.setValue(text)", RED)
    page.locator("#verdict .note.good").wait_for(timeout=60_000)
    page.get_by_role("link", name="Show the true rule").click()
    page.locator("#truth .truth").wait_for()
    page.get_by_role("button", name="Diff against the truth").click()
    page.locator(".diff .verdict.equal").wait_for(timeout=180_000)


def test_goals_that_attack_cost_a_message(watched: Watched) -> None:
    page = watched.go("/d/pictures/ask")
    for goal, words in (
        ("halt", "not allowed"),
        ("shell('touch /tmp/hornbeam-was-here')", "sandbox"),
        ("open('/etc/passwd', read, S)", "sandbox"),
        ("length(L, 300000000), L = []", "limit"),
        ('X = "<img src=x onerror=alert(1)>"', "<img src=x"),
        ("member(X, [a, b])", "All answers: 2"),
    ):
        page.evaluate("goal => hornbeamEditor.setValue(goal)", goal)
        page.locator(".CodeMirror").click()
        page.keyboard.press("Control+Enter")
        page.locator("#answers").get_by_text(words).first.wait_for(timeout=60_000)
    assert page.locator("#answers img").count() == 0 and not Path("/tmp/hornbeam-was-here").exists()
    page.locator("a[data-goal]").first.click()
    page.locator("#answers table").wait_for()


def test_the_screens_have_no_barriers(watched: Watched) -> None:
    for path in PATHS:
        page = watched.go(path)
        assert barriers(page) == [], path


@pytest.mark.slow
def test_dark_and_narrow(browser: Any, studio: Running) -> None:
    context = browser.new_context(color_scheme="dark", viewport=NARROW)
    watched = Watched.of(context, studio)
    for path in PATHS:
        page = watched.go(path)
        assert barriers(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    context.close()
    assert watched.problems == []


@pytest.mark.slow
def test_the_rule_screen_works_without_scripts(browser: Any, studio: Running) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(studio.url)
    page.goto(studio.root + RULE)
    page.get_by_label("Rules, as Prolog text").fill(RED)
    page.get_by_role("button", name="Judge").click()
    said = page.locator("#verdict")
    assert "16 of 16 right" in said.inner_text(), said.inner_text()
    context.close()


@pytest.mark.slow
def test_a_learner_runs_from_the_form_to_the_diff(watched: Watched) -> None:
    page = watched.go("/d/pictures/learn")
    page.locator("select[name=learner]").select_option("lff")
    page.wait_for_url("**/learn?learner=lff")
    page.locator("select[name=task]").select_option("t00_red")
    page.get_by_label("CPU seconds").fill("20")
    page.get_by_role("button", name="Start").click()
    card = page.locator(".learner").first
    card.locator("dd.good").get_by_text("proven equal").wait_for(timeout=180_000)
    assert card.locator("svg.curve").count() == 1
    card.get_by_role("button", name="Diff against the truth").click()
    page.locator(".diff .verdict.equal").wait_for(timeout=180_000)


@pytest.mark.slow
def test_twenty_visitors_at_once(made: Path) -> None:
    """Each has a process of its own; all get their verdicts, also those beside one whose rule loops."""
    import httpx
    import psutil

    with running([made]) as studio:
        verdicts: list[str] = []

        def visit(number: int) -> None:
            with httpx.Client(base_url=studio.root, timeout=300.0, follow_redirects=True) as client:
                page = client.get(studio.url).text
                token = page.partition('name="form_token" value="')[2].partition('"')[0]
                for text in ("valid(X) :- l(f(X)).\nl(X) :- l(f(X))." if number % 5 == 0 else RED, RED):
                    answer = client.post(RULE, data={"form_token": token, "text": text})
                    verdicts.append(answer.text if answer.status_code == 200 else f"{answer.status_code}")

        threads = [threading.Thread(target=visit, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(verdicts) == 40
        assert sum("<strong>16</strong> of 16 right" in one for one in verdicts) == 36
        assert len(psutil.Process(studio.process.pid).children(recursive=True)) >= 20
        assert studio.interrupt()[0] == 0
