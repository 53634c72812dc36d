"""What all pages, drawings and tables share: text is escaped, pages stand alone, layouts are as they say."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hornbeam.report import page, svg, tables
from hornbeam.report.page import Macros, Section

ANGRY = "<script>alert('a & b')</script>"
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
SVG = "{http://www.w3.org/2000/svg}"


def test_a_page_escapes_titles_and_keeps_html() -> None:
    text = page.page(ANGRY, "<p>lead</p>", [Section(ANGRY, "<p>part</p>")], contents=True)
    assert "<script" not in text and text.count(html.escape(ANGRY).replace("&#x27;", "&#39;")) == 4
    assert "<p>lead</p>" in text and "<p>part</p>" in text
    assert '<a href="#s1">' in text and '<section id="s1">' in text
    assert "http" not in text.replace("http-equiv", "") and ".sheet" in text


def test_a_table_escapes_text_and_keeps_markup() -> None:
    text = page.table(["<a>"], [[ANGRY, Markup("<b>x</b>"), 3]])
    assert "<script" not in text and "<td><b>x</b></td><td>3</td>" in text and "<th>&lt;a&gt;</th>" in text


def test_a_template_beside_a_module_sees_the_shared_parts(tmp_path: Path) -> None:
    source = '{% import "parts.html.j2" as parts %}{% macro shown(a) %}{{ parts.figure(a, "<i>") }}{% endmacro %}'
    (tmp_path / "mine.html.j2").write_text(source)
    macros = Macros(str(tmp_path / "mine.py"), "mine.html.j2")
    assert macros.shown("<b>").strip() == "<figure>&lt;b&gt;<figcaption>&lt;i&gt;</figcaption></figure>"
    with pytest.raises(AttributeError):
        macros.missing()


@given(TEXT, TEXT)
def test_what_is_drawn_is_xml_with_the_text_as_it_was(words: str, label: str) -> None:
    drawn = svg.drawing(10, 10.2, [svg.element("text", words, x=1, data_name=label)], label)
    root = ElementTree.fromstring(drawn)
    (text,) = root.findall(f"{SVG}text")
    assert (text.text or "") == words and text.get("data-name") == label == root.get("aria-label")
    assert root.get("viewBox") == "0 0 10 11"


@pytest.mark.parametrize(
    "draw",
    [
        lambda: svg.bars({ANGRY: 3, "b": 1}, "bars"),
        lambda: svg.heat_map([ANGRY, "b"], [[1, 0.5], [0, 1]], "map"),
        lambda: svg.drawing(9, 9, [svg.edge((0, 0), (0, 0), ANGRY, "edge"), svg.node((1, 1), ANGRY, "#fff")], "graph"),
        lambda: svg.drawing(9, 9, [svg.box(1, 1, 5, 5, ANGRY)], "box"),
    ],
)
def test_drawings_have_labels_and_no_markup_of_their_words(draw: Callable[[], Markup]) -> None:
    root = ElementTree.fromstring(draw())
    assert ANGRY in " ".join(root.itertext()) and root.get("aria-label")
    assert not root.findall(".//script")


def test_an_edge_ends_before_its_node() -> None:
    line, head, _ = ElementTree.fromstring(svg.edge((0, 0), (100, 0), "r", "edge"))
    assert line.get("d") == "M0.0 0.0L80.0 0.0" and str(head.get("d")).startswith("M88.0 0.0L")


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda edge: edge[0] < edge[1])))
def test_layers_are_lengths_of_longest_paths(edges: set[tuple[int, int]]) -> None:
    layers = svg.layers(7, edges)
    assert layers is not None
    for node, layer in enumerate(layers):
        above = [layers[u] for u, v in edges if v == node]
        assert layer == (max(above) + 1 if above else 0)


def test_a_cycle_has_no_layers() -> None:
    assert svg.layers(3, {(0, 1), (1, 2), (2, 1)}) is None


@given(st.integers(0, 5), st.integers(0, 6))
def test_a_layout_keeps_what_is_fixed_and_stays_inside(fixed: int, free: int) -> None:
    known = {node: (20.0 + 30 * node, 50.0) for node in range(fixed)}
    others = list(range(fixed, fixed + free))
    edges = [(u, v) for u in range(fixed + free) for v in others if u != v]
    places = svg.spring_layout(known, others, edges, (200, 100), 10)
    assert list(places) == [*known, *others] and all(places[node] == known[node] for node in known)
    assert all(10 <= places[node][0] <= 190 and 10 <= places[node][1] <= 90 for node in others)
    assert len(set(places.values())) == len(places)
    assert places == svg.spring_layout(known, others, edges, (200, 100), 10)


def test_markdown_is_aligned_and_a_cell_is_one_line() -> None:
    text = tables.markdown(["name", "n"], [["a|b\nc", "1"]])
    assert text == "| name   | n |\n|--------|---|\n| a\\|b c | 1 |"


def test_columns_that_are_empty_everywhere_are_left_out() -> None:
    assert tables.without_empty_columns(["a", "b", "c"], [["1", "", ""], ["2", "", "x"]]) == (
        ["a", "c"],
        [["1", ""], ["2", "x"]],
    )
