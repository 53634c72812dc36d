"""Hostile texts in pages: nothing runs, nothing is loaded, and the text is still there to read."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from hornbeam import theory
from hornbeam.ilp import report
from hornbeam.report import plots
from hornbeam.report.diff_page import diff_page
from hornbeam.report.markup import harmless
from hornbeam.report.page import Section, page, table
from hornbeam.theory.verdict import Verdict, Witness
from tests.hostile.pages import problems

TEXTS = {
    "script": "<script>document.title='owned'</script>",
    "closed": "</style></title></pre></svg></script><script>document.title='owned'</script>",
    "quote": "\"' onmouseover=\"document.title='owned'\" x='",
    "image": "<img src=x onerror=document.title='owned'>",
    "svg": "<svg onload=document.title='owned'><animate onbegin=document.title='owned' attributeName=x dur=1s>",
    "link": "<a href=\"javascript:document.title='owned'\">x</a>",
    "style": "<style>body{display:none}@import 'http://127.0.0.1/x';</style>",
    "refresh": "<meta http-equiv=refresh content='0;url=http://127.0.0.1/'>",
    "frame": "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe>",
    "form": "<form action='http://127.0.0.1/'><input autofocus onfocus=document.title='owned'>",
    "comment": "<!-- --!><script>document.title='owned'</script>",
    "cdata": "<![CDATA[><script>document.title='owned'</script>]]>",
    "template": "{{ 7 * 7 }}{% include '/etc/passwd' %}{{ ''.__class__.__mro__ }}",
    "entity": "&lt;script&gt;document.title='owned'&lt;/script&gt;",
    "math": "$\\frac{$",
    "bidi": "\u202e<script>",
}


PLOTTED = ("closed", "quote", "math")


def whole_page(text: str) -> str:
    """A page with the text in every part of it, and the page of a difference."""
    clauses = theory.Theory.parse(f"p(X) :- q(X, {json.dumps(text)}).\n")
    difference = theory.diff(clauses, theory.Theory.parse("p(X) :- q(X, _)."), facts=theory.Theory.parse("q(a, b)."))
    section = Section(text, table((text, "b"), [(text, 1), ("a", text)]))
    return page(text, f"<p>{html.escape(text)}</p>", [section], contents=True) + diff_page(difference)


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_markup(name: str) -> None:
    assert problems(whole_page(TEXTS[name])) == []


@pytest.mark.parametrize("name", PLOTTED)
def test_no_text_of_a_plot_is_markup(name: str) -> None:
    text = TEXTS[name]
    curve = plots.inline(plots.steps({text: [(0.0, 0.5), (1.0, 1.0)]}, up=text, title=text, limit=2.0), text)
    lines = plots.inline(
        plots.lines([[plots.Lines(text, {text: np.ones((1, 2))}, text, text, names=[text, "b"])]]), "l"
    )
    written = page("plots", "", [Section("curve", curve), Section("lines", lines)])
    assert problems(written) == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_recorded_verdict(name: str, tmp_path: Path) -> None:
    """Results of a comparison that came from elsewhere: text is text, and a drawing can neither run nor load."""
    text = TEXTS[name]
    witness = Witness("graph", text, text, text, html=f"<svg viewBox='0 0 1 1'>{text}</svg>")
    verdict = Verdict.refuted(witness, method=text, blame=text)
    row = {
        "dataset": text, "task": text, "kind": text, "learner": text, "status": text, "accuracy": 1.0, "clauses": 1,
        "verdict": verdict.to_json(), "seconds": 1.0, "tested": True, "code": text, "code_changed": False,
        "theory": text, "complete": True, "message": text, "by_group": {text: {"accuracy": 1.0, "count": 1}},
        **dict.fromkeys(("balanced_accuracy", "h_score", "clause_ratio", "literal_ratio", "equivalent", "exact")),
    }  # fmt: skip
    report.save([row], tmp_path, text)
    written = (tmp_path / report.PAGE).read_text(encoding="utf-8")
    assert problems(written) == []
    assert "Content-Security-Policy" in written


def test_drawings_keep_their_form() -> None:
    """What our own drawings are made of stays."""
    drawing = (
        '<figure><svg viewBox="0 0 9 9" width="9" class="a"><g transform="translate(1,2)">'
        '<path d="M0 0" marker-end="url(#b)"/><text x="1" text-anchor="middle">a &lt; b</text></g></svg>'
        '<img class="picture" alt="x" title="y" src="data:image/png;base64,AAAA"></figure>'
    )
    assert str(harmless(drawing)) == drawing


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no browser")
def test_in_a_browser(tmp_path: Path) -> None:
    """Chromium opens a page with all texts, and one with a raw script in a section: nothing runs."""
    written = tmp_path / "page.html"
    raw = [Section("raw", f"<div>{text}</div>") for name, text in TEXTS.items() if name != "refresh"]
    everything = "".join(whole_page(text) for text in TEXTS.values())
    written.write_text(page("quiet", "", raw) + everything, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    command = ["chromium", *options, "--virtual-time-budget=500", written.as_uri()]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "HOME": str(tmp_path)}
    )
    assert "<title>quiet</title>" in done.stdout, done.stderr[-2000:]
    assert "<title>owned</title>" not in done.stdout
