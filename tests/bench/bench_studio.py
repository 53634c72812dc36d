"""Studio: from an edit of a rule to the verdicts on 1,000 KANDY samples, in the browser.

The time of an edit runs in the page: from the change of the text to the moment when its verdict stands there. The
baseline is `hornbeam judge` on the same rule, started as a command, without fresh samples beyond one. The first screen
is Home in a new browser window, beside an empty page in one. Memory is that of the server's processes before anybody
judges.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import yaml

import hornbeam
from hornbeam import resources

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
_EDITS = 48
_WINDOWS = 5
_EMPTY = "data:text/html,<h1>empty</h1>"
_RULE = "easy_11_and_a_circle"
_BODIES = [
    "contains(Picture, Object),\n    extract_shape(Object, {shape})",
    "extract_children(Picture, Objects),\n    last(Objects, Last),\n    extract_shape(Last, {shape}),\n"
    "    extract_color(Last, red)",
    "extract_children(Picture, Objects),\n    last(Objects, Last),\n    extract_shape(Last, triangle),\n"
    "    extract_color(Last, red),\n    member(Other, Objects),\n    extract_shape(Other, {shape})",
]
_TIMED = """text => new Promise(done => {
  const verdict = document.getElementById("verdict"), start = performance.now();
  const wanted = String(Number(document.getElementById("edit").value) + 1);
  const watch = new MutationObserver(() => {
    if (verdict.dataset.shown === wanted) { watch.disconnect(); done(performance.now() - start); }
  });
  watch.observe(verdict, {attributes: true, childList: true});
  hornbeamEditor.setValue(text);
})"""


def _dataset(folder: Path) -> Path:
    """A dataset of one task with 1,000 samples."""
    whole = yaml.safe_load(resources.curricula("kandy", "easy.yml").read_text(encoding="utf-8"))
    whole["set"]["samples"] = 1000
    whole["tasks"] = [task for task in whole["tasks"] if task.get("rule") == _RULE]
    whole.pop("define")
    preset = folder / "thousand.yml"
    preset.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
    return hornbeam.generate("kandy", preset, out=folder / "data" / "thousand", seed=11).path


def _texts() -> list[str]:
    bodies = [body.format(shape=shape) for shape in ("circle", "square", "triangle") for body in _BODIES]
    return [f"% {number}\nvalid(Picture) :-\n    {bodies[number % len(bodies)]}.\n" for number in range(_EDITS)]


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    command = [sys.executable, "-m", "hornbeam", "studio", str(folder), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            found = next(found for line in process.stdout if (found := re.search(r"http://\S+", line)))
            yield found[0], psutil.Process(process.pid)
        finally:
            process.terminate()


def _tree(process: psutil.Process) -> Iterator[psutil.Process]:
    """The server and what it started; what ends meanwhile is left out."""
    for one in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            if one.memory_full_info().pss:
                yield one


def _memory(process: psutil.Process) -> float:
    """MB of the server and all that it started, shared pages by their share, once it has nothing to do."""
    time.sleep(2.0)
    return sum(one.memory_full_info().pss for one in _tree(process)) / 1e6


def _cpu(process: psutil.Process) -> float:
    times = [one.cpu_times() for one in _tree(process)]
    return sum(one.user + one.system for one in times)


def _judged_by_command(dataset: Path, folder: Path) -> list[float]:
    file = folder / "rule.pl"
    seconds = []
    for text in _texts()[:3]:
        file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "hornbeam", "judge", str(dataset), str(file), "--fresh", "1", "--json"]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return seconds


def run() -> None:
    """Print the figures."""
    if not Path(CHROMIUM).exists():
        print(f"no Chromium at {CHROMIUM}: nothing to measure with")
        return
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp(prefix="hornbeam-bench-"))
    try:
        dataset = _dataset(folder)
        with _served(folder / "data") as (url, process), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            used = _cpu(process)
            cold, *warm = (_first_screen(browser, url) for _ in range(_WINDOWS))
            used = (_cpu(process) - used) / _WINDOWS
            empty = statistics.median(_first_screen(browser, _EMPTY) for _ in range(_WINDOWS))
            print(
                f"first screen      {1000 * cold:6.0f} ms in the first window, {1000 * statistics.median(warm):.0f} ms "
                f"median of {len(warm)} more, of an empty page {1000 * empty:.0f} ms; {1000 * used:.0f} ms CPU here"
            )
            print(f"idle memory       {_memory(process):6.0f} MB of the server")
            edits, cpu = _edits(browser, url, process)
            browser.close()
        command = _judged_by_command(dataset, folder)
        _report(edits, cpu, command)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _first_screen(browser: object, url: str) -> float:
    page = browser.new_context().new_page()  # type: ignore[attr-defined]
    started = time.perf_counter()
    page.goto(url, wait_until="load")
    page.wait_for_selector("h1")
    seconds = time.perf_counter() - started
    page.context.close()
    return seconds


def _edits(browser: object, url: str, process: psutil.Process) -> tuple[list[float], float]:
    page = browser.new_context().new_page()  # type: ignore[attr-defined]
    page.goto(url)
    base = url.partition("/?")[0]
    page.goto(f"{base}/d/thousand/rule")
    page.wait_for_selector("#verdict .score", timeout=60_000)
    for text in _texts()[:3]:  # the first ones start the process and fill caches
        page.evaluate(_TIMED, f"{text}% warm\n")
    before, edits = _cpu(process), []
    for text in _texts():
        edits.append(page.evaluate(_TIMED, text) / 1000)
        page.wait_for_timeout(150)
    assert "of 1,000 right" in page.inner_text("#verdict"), page.inner_text("#verdict")[:200]
    return edits, (_cpu(process) - before) / len(edits)


def _report(edits: list[float], cpu: float, command: list[float]) -> None:
    ordered = sorted(edits)
    middle, late = statistics.median(ordered), ordered[int(0.95 * len(ordered))]
    baseline = statistics.median(command)
    print(
        f"edit to verdicts  {1000 * middle:6.0f} ms median, {1000 * late:.0f} ms at the 95th percentile "
        f"of {len(edits)} edits, 1,000 samples"
    )
    print(f"CPU of the server {1000 * cpu:6.0f} ms an edit, its Prolog included")
    print(f"hornbeam judge    {1000 * baseline:6.0f} ms as a command: {baseline / middle:.0f} times the median edit")
    print(f"load of machine   {os.getloadavg()[0]:6.1f} on {os.cpu_count()} cores")
