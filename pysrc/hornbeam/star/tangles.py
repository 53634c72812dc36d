"""The plan for graphs of treewidth above 2: which answers, how many, in which split."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hornbeam.star.calculus import load_calculus
from hornbeam.star.cells import answers, space
from hornbeam.star.config import SPLITS, StarConfig

_ROWS = 100


def tangle_works(config: StarConfig) -> Iterator[dict[str, Any]]:
    """Pieces of work; the splits take consecutive rows of the same stream, so that no graph is in two of them."""
    taken: dict[int, int] = {}
    for split in SPLITS:
        for tangle in config.split(split).tangles:
            for nodes in tangle.nodes:
                first = taken.get(nodes, 0)
                taken[nodes] = first + tangle.rows
                for index, answer in enumerate(answers(config)):
                    if not reachable(config, answer):
                        continue
                    for start in range(first, first + tangle.rows, _ROWS):
                        yield {
                            "kind": "tangle",
                            "name": f"{split}-n{nodes}-a{index:02}",
                            "task": f"n{nodes}",
                            "split": split,
                            "nodes": nodes,
                            "answer": answer,
                            "start": start,
                            "rows": min(_ROWS, first + tangle.rows - start),
                        }


def reachable(config: StarConfig, answer: int) -> bool:
    """Whether paths without identity edges can give this answer at all: then so can a tangle, and else it cannot.

    A distributive calculus' answer is the intersection over all paths, and no more than three are ever needed.
    """
    if answer == 0 or load_calculus(config.calculus).name not in ("rcc8", "allen"):
        return True
    where = space(config.calculus, "all", 1)
    return any(where.cell(k, b, answer).families for k in (2, 3) for b in (1, 2, 3))
