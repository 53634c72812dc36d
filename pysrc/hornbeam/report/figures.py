"""Drawn figures: made without a display, saved whole or not at all, the same figure the same bytes of SVG."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.files import write_atomic
from hornbeam.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
_SALT = "hornbeam"  # of the ids in an SVG, which are drawn at random without it


def new(wide: float, tall: float) -> Figure:
    """An empty figure, in inches. Matplotlib takes a moment to load, so it is loaded here."""
    from matplotlib.figure import Figure

    return Figure(figsize=(wide, tall), layout="constrained", dpi=144)


def save(figure: Figure, path: Path) -> None:
    """Write it as SVG or PNG, by the file's name."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"a plot is {' or '.join(SUFFIXES)}, not '{path.suffix}'", file=str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, _drawn(figure, path.suffix[1:], _SALT))


def inline(figure: Figure, name: str) -> str:
    """As SVG for a page; `name` is one that no other figure of the page has."""
    text = _drawn(figure, "svg", f"{_SALT} {name}").decode()
    return text[text.index("<svg") :]


def _drawn(figure: Figure, kind: str, salt: str) -> bytes:
    from matplotlib import rc_context

    data = io.BytesIO()
    metadata: Any = {"Date": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": salt}):
        figure.savefig(data, format=kind, metadata=metadata)
    return data.getvalue()
