"""GraphLog: worlds of rules, graphs in which two nodes' relation follows from them, and the setups around both.

Code written for the `graphlog` package finds its classes here:

>>> from hornbeam.graphlog import GraphLog                                   # doctest: +SKIP
>>> log = GraphLog("data/suite/original")                                    # doctest: +SKIP
>>> log.get_dataset_by_name("rule_0").view("train")[0]                       # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

__all__ = ["GraphLog", "GraphLogDataset"]


def __getattr__(name: str) -> Any:
    # The classes of the old package need torch; the family does not.
    if name in __all__:
        from hornbeam.graphlog import package

        return getattr(package, name)
    raise AttributeError(f"module 'hornbeam.graphlog' has no attribute '{name}'")
