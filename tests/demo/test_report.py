"""The tour from the command, and its report in a real browser, at the width of a desk and of a phone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from hornbeam import family as families
from hornbeam.demo.tour import visit
from tests.documents import ROOT, run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

# Written into the page when all is loaded, and read back from the dumped document.
PROBE = """<script>addEventListener("load", () => {
  document.querySelectorAll("details").forEach(part => part.open = true);
  const images = [...document.images];
  images.forEach(image => image.loading = "eager");
  Promise.all(images.map(image => image.decode().then(() => 1, () => 0))).then(decoded => {
    const report = {
      broken: decoded.filter(good => !good).length, images: images.length,
      wide: document.documentElement.scrollWidth - innerWidth, drawings: document.querySelectorAll("svg").length,
    };
    document.body.insertAdjacentHTML("beforeend", `<pre id="probe">${JSON.stringify(report)}</pre>`);
  });
});</script>"""


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What `make demo` prints once all is installed, and its report."""
    planned = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True)
    (command,) = re.findall(r"^\S*(hornbeam demo .*)$", planned.stdout, flags=re.MULTILINE)
    folder = tmp_path_factory.mktemp("tour")
    return run(command, folder), folder / "demo" / "report.html"


@pytest.fixture(scope="module")
def report(tour: tuple[str, Path]) -> Path:
    return tour[1]


def test_the_tour_ends_by_naming_the_studio(tour: tuple[str, Path]) -> None:
    assert tour[0].strip().splitlines()[-1].endswith("hornbeam studio demo")


class Links(HTMLParser):
    """The ids of a page, and all that it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.used: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        self.used += [given[name] or "" for name in ("href", "src") if name in given]


def test_the_report_refers_to_nothing_outside(report: Path) -> None:
    links = Links()
    links.feed(report.read_text(encoding="utf-8"))
    assert links.used
    for link in links.used:
        assert link.startswith("data:") or (link.startswith("#") and link[1:] in links.ids), link


def test_the_report_has_every_family_with_its_question_and_commands(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    for name in families.BUILT_IN:
        family = families.get(name)
        assert family.question in text
        for preset in family.demo_presets:
            assert f"hornbeam generate {name} {preset} --out demo/" in text
    assert "hornbeam learn demo/" in text and "hornbeam train demo/" in text
    assert "proven equal (" in text
    assert "The best theory so far" in text and "Accuracy by group" in text


def test_a_theory_that_is_right_on_test_and_wrong_beyond_is_the_exhibit(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    (exhibit,) = re.findall(
        r'<section id="s1"><h2>Right on every test sample, and wrong</h2>(.*?)</section>', text, re.S
    )
    assert "exists_size_large(A), last_color_red(A)" in exhibit and "<img" in exhibit
    assert "1.00 on the test split" in exhibit and 'class="good"' not in exhibit
    for shown in re.findall(r'<p class="good"><strong>(.*?)</strong>', text):
        assert shown.startswith("proven equal"), "nothing but a proof is green"


def test_a_second_tour_takes_what_is_there(report: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in report.parent.glob("*/manifest.json")}
    assert len(before) == sum(len(families.get(name).demo_presets) for name in families.BUILT_IN)
    for name in ("rudas", "star"):
        family = families.get(name)
        stop = visit(family, family.demo_presets[0], report.parent, seed=7)
        assert stop.check.ok and stop.answers and stop.dataset.path / "manifest.json" in before
    assert {path: path.stat().st_mtime_ns for path in before} == before


def probed(report: Path, folder: Path, width: int) -> tuple[dict[str, Any], str]:
    page = folder / "probed.html"
    text = report.read_text(encoding="utf-8")
    assert "default-src 'none';" in text, "the page's own policy allows no script"
    probing = text.replace("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';")
    page.write_text(probing.replace("</body>", PROBE + "</body>"), encoding="utf-8")
    flags = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900", "--virtual-time-budget=20000",
    ]  # fmt: skip
    done = subprocess.run(
        [str(CHROMIUM), *flags, "--dump-dom", page.as_uri()],
        capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    found = re.findall(r'<pre id="probe">(\{.*?\})</pre>', done.stdout)
    assert found, done.stderr[-2000:]
    return json.loads(found[-1]), done.stderr


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here (Debian: apt-get install chromium)")
@pytest.mark.parametrize("width", [1280, 500])
def test_in_a_browser(report: Path, tmp_path: Path, width: int) -> None:
    """500 is as narrow as a window of headless Chromium gets: a large phone."""
    found, log = probed(report, tmp_path, width)
    assert found["images"] >= 2 and found["broken"] == 0
    assert found["drawings"] >= 6
    assert found["wide"] <= 0, "the page is wider than the window"
    assert "CONSOLE" not in log, [line for line in log.splitlines() if "CONSOLE" in line]
