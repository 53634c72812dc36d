"""HTML pages from Jinja2 templates: one file, no outside references, readable on a desk and on a phone.

A module that shows something has a template in its folder, and calls the template's macros from Python:

    _HTML = Macros(__file__, "show.html.j2")
    section = Section("Stories", _HTML.story(sample, steps))

A template finds the shared macros (tables, figures, verdicts) with ``{% import "parts.html.j2" as parts %}``. All text
is escaped; markup that a macro or hornbeam.report.svg made stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from hornbeam.characters import visible
from hornbeam.report.markup import harmless
from hornbeam.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, e.g. of the one that `hornbeam show` writes.

    Args:
        title: Its heading, as text.
        html: Its content, as HTML without outside references.
    """

    title: str
    html: str


class Macros:
    """The macros of a template, as functions that return HTML.

    Args:
        module: The file of the module that shows something; the template is in the same folder.
        name: The template's file name.
    """

    def __init__(self, module: str, name: str) -> None:
        self._folder, self._name = Path(module).parent, name

    def __getattr__(self, macro: str) -> Callable[..., Markup]:
        template = environment(self._folder).get_template(self._name)
        function: Callable[..., Markup] = getattr(template.module, macro)
        return function


@cache
def environment(folder: Path) -> Environment:
    """The templates of a folder, and the shared ones. All text is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # loaded when a page is made

    environment = Environment(
        loader=FileSystemLoader([folder, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["harmless"] = harmless
    return environment


def _shown(value: object) -> object:
    """A text of a file from elsewhere may reverse the line around it."""
    return visible(value) if type(value) is str else value


_PARTS = Macros(str(_TEMPLATES / "parts.html.j2"), "parts.html.j2")


def page(title: str, lead: str, sections: Sequence[Section], *, contents: bool = False) -> str:
    """A whole page.

    Args:
        title: The title of the page, as text.
        lead: What comes before the first section, as HTML.
        sections: The sections, in order.
        contents: Whether links to the sections follow the lead.
    """
    template = environment(_TEMPLATES).get_template("page.html.j2")
    return template.render(title=title, lead=lead, sections=sections, contents=contents, version=__version__) + "\n"


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Markup:
    """A table. Cells are text, or markup that stays as it is."""
    return _PARTS.table(header, rows)


def figure(drawing: Markup, caption: str = "") -> Markup:
    """A drawing with the text below it."""
    return _PARTS.figure(drawing, caption)
