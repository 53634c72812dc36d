"""A notebook as a page: its text, its code, and what its cells printed when it was saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def notebook_page(notebook: Mapping[str, Any]) -> str:
    """The Markdown of a notebook (nbformat 4).

    >>> cells = [{"cell_type": "markdown", "source": ["# A title"]},
    ...          {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}]}]
    >>> print(notebook_page({"cells": cells}))
    # A title
    <BLANKLINE>
    ```python
    1 + 1
    ```
    <BLANKLINE>
    ```text
    2
    ```
    <BLANKLINE>
    """
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    source = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "text/html" in data:
            yield _text(data["text/html"])
        elif shown := _text(output.get("text", data.get("text/plain", ""))).rstrip("\n"):
            yield f"```text\n{shown}\n```"


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)
