"""The frame of every HTML page: one file, no outside references, readable on a desk and on a phone."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from hornbeam.version import __version__

_STYLE = """
:root { --ink: #1d2a24; --soft: #5b6b63; --line: #d8dfda; --paper: #fbfcfa; --leaf: #2f6b4a; --pale: #eef4ef; }
:root { --bad: #a33a2c; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.02rem; margin: 1.3rem 0 .4rem; }
p { max-width: 46rem; overflow-wrap: anywhere; } a { color: var(--leaf); } .soft { color: var(--soft); }
pre, code { font: 13.5px/1.5 ui-monospace, monospace; }
pre { background: var(--pale); border: 1px solid var(--line); border-radius: 6px; }
pre { padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
figure { display: inline-block; margin: .4rem .8rem .4rem 0; vertical-align: top; max-width: 100%; overflow-x: auto; }
svg { max-width: 100%; height: auto; } figure svg { max-width: none; }
figure img, figure svg { border: 1px solid var(--line); background: #fff; }
figure img { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .86rem; max-width: 30rem; overflow-wrap: anywhere; }
details { margin: .4rem 0; } summary { cursor: pointer; color: var(--leaf); }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; }
.good { color: var(--leaf); } .bad { color: var(--bad); }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page that `hornbeam show` writes: a title and HTML without outside references."""

    title: str
    html: str


def page(title: str, lead: str, sections: Sequence[Section], *, contents: bool = False) -> str:
    """A whole page; `lead` is HTML. With `contents` links to the sections follow the lead."""
    numbered = list(enumerate(sections, start=1))
    parts = "\n".join(
        f'<section id="s{number}"><h2>{html.escape(part.title)}</h2>\n{part.html}\n</section>'
        for number, part in numbered
    )
    if contents:
        links = "".join(f'<a href="#s{number}">{html.escape(part.title)}</a>' for number, part in numbered)
        lead = f'{lead}\n<nav aria-label="contents">{links}</nav>'
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<style>{_STYLE}</style></head>\n<body><main><h1>{html.escape(title)}</h1>\n{lead}\n{parts}\n"
        f'<p class="soft">Made by Hornbeam {__version__}.</p></main></body></html>\n'
    )


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table whose cells are text."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "\n".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'
