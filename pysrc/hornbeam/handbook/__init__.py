"""The reference part of the documentation, made from the code: families, learners, models, perceivers, commands.

A page is Markdown text by its path below docs/. :func:`pages` makes all of them when the site is built, so that they
cannot differ from the code.
"""

from __future__ import annotations

from hornbeam.handbook.notebooks import notebook_page
from hornbeam.handbook.pages import pages

__all__ = ["notebook_page", "pages"]
