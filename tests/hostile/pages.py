"""Finds in an HTML page what would run, load or leave it."""

from __future__ import annotations

from html.parser import HTMLParser

# Elements that run or load something, and attributes that hold addresses.
_FORBIDDEN = frozenset(
    {"script", "iframe", "object", "embed", "form", "base", "applet", "frame", "audio", "video", "source"}
)
_ADDRESSES = frozenset({"href", "src", "xlink:href", "action", "formaction", "background", "data", "poster", "srcset"})


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"
        if tag in _FORBIDDEN:
            self.problems.append(f"the page has <{tag}>")
        for name, value in attrs:
            text = (value or "").strip().lower()
            if name.startswith("on"):
                self.problems.append(f"<{tag}> has {name}")
            if name in _ADDRESSES and not text.startswith(("#", "data:image/", "data:,")):
                self.problems.append(f"<{tag}> has {name}={value!r}")
            if name == "style" and ("url(" in text or "expression(" in text):
                self.problems.append(f"<{tag}> has style={value!r}")
            if tag == "meta" and name == "http-equiv" and text != "content-security-policy":
                self.problems.append(f"<meta> has {name}={value!r}")

    def handle_data(self, data: str) -> None:
        if self._style and ("@import" in data or "url(" in data.replace("url(data:", "").replace("url(#", "")):
            self.problems.append("a style loads something")


def problems(page: str) -> list[str]:
    """What is wrong with a page: scripts, handlers, addresses outside it, forms."""
    finder = _Finder()
    finder.feed(page)
    finder.close()
    return list(dict.fromkeys(finder.problems))
