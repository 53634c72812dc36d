"""HTML that came with data, e.g. the drawing in a recorded verdict, without what could run, load or lead elsewhere.

>>> print(harmless('<p onclick="x()">a <b>b</b><script>x()</script><img src="http://x/y.png"></p>'))
<p>a b<img></p>
>>> print(harmless('<svg viewBox="0 0 9 9"><path d="M0 0"/><a href="javascript:x()"><text>1 &lt; 2</text></a></svg>'))
<svg viewBox="0 0 9 9"><path d="M0 0"/><text>1 &lt; 2</text></svg>
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markupsafe import Markup, escape

# What the drawings of the families are made of.
_ELEMENTS = frozenset(
    {
        *("br", "code", "div", "em", "figcaption", "figure", "img", "li", "ol", "p", "pre", "span", "strong", "ul"),
        *("table", "tbody", "td", "th", "thead", "tr"),
        *("circle", "defs", "ellipse", "g", "line", "marker", "path", "polygon", "polyline", "rect", "svg", "text"),
        *("title", "tspan"),
    }
)
_DROPPED = frozenset({"script", "style", "template", "noscript", "iframe", "object"})  # with all that is in them
_ATTRIBUTE = re.compile(r"(?!on|href|src|style|action|data)[a-z][a-z0-9-]*\Z")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif);base64,[A-Za-z0-9+/=]*\Z")
_VOID = frozenset({"br", "img"})
_CAMEL = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio", "markerwidth": "markerWidth",
          "markerheight": "markerHeight", "refx": "refX", "refy": "refY"}  # fmt: skip


class _Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._dropped += tag in _DROPPED
        self._open(tag, attrs, ">")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, "/>")

    def _open(self, tag: str, attrs: list[tuple[str, str | None]], end: str) -> None:
        if tag in _ELEMENTS and not self._dropped:
            kept = [_attribute(name, value or "") for name, value in attrs if _keeps(name, value)]
            self.parts.append(f"<{tag}{''.join(kept)}{end}")

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in _ELEMENTS and tag not in _VOID and not self._dropped:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.parts.append(str(escape(data)))


def _attribute(name: str, value: str) -> str:
    return f' {_CAMEL.get(name, name)}="{escape(value)}"'


def _keeps(name: str, value: str | None) -> bool:
    if name == "src":
        return _PICTURE.match(value or "") is not None
    return _ATTRIBUTE.match(name) is not None and "url(" not in (value or "").replace("url(#", "")


def harmless(html: str) -> Markup:
    """The HTML with known elements and attributes only; text stays."""
    cleaner = _Cleaner()
    cleaner.feed(html)
    cleaner.close()
    return Markup("".join(cleaner.parts))
