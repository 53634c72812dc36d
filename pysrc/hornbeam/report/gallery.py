"""Some samples as a notebook shows them: a grid of cards. Notebooks have no style sheet of ours, so styles are inline.

>>> print(gallery([("s1", "task t, test", "uncle", "<b>Ann</b> <script>x()</script>")], 7)[:60])
<p>7 samples, the first:</p><div style="display:grid;grid-te
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from hornbeam.report.markup import harmless
from hornbeam.report.svg import element

_GRID = "display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.6rem"
_CARD = "border:1px solid #8886;border-radius:5px;padding:.3rem .5rem;overflow:hidden;min-width:0"
_SMALL = "font-size:.8em;opacity:.8;overflow-wrap:anywhere"


def gallery(samples: Iterable[tuple[str, str, str, str]], count: int) -> Markup:
    """Cards of samples.

    Args:
        samples: For each its id, where it belongs, its label, and its drawing as HTML.
        count: How many there are in all.
    """
    cards = [
        element(
            "div",
            element("div", f"{name}: ", element("strong", label)),
            harmless(drawing),
            element("div", about, style=_SMALL),
            style=_CARD,
        )
        for name, about, label, drawing in samples
    ]
    more = ", the first" if len(cards) < count else ""
    return element("p", f"{count:,} sample{'s' * (count != 1)}{more}:") + element("div", *cards, style=_GRID)
