"""The compositional operators and their classes, as kb/kandy/compositions.pl has them: asked of Prolog once.

>>> len(operators()), groups()["any_diag"]
(13, ('diag_ul_lr', 'diag_ll_ur'))
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.logic import Prolog

_MODULE = "hornbeam_kandy"


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """The random groups of the curriculum language, and the operators that each draws from, in the order of the kb."""
    prolog = Prolog()
    prolog.load(resources.prolog("kandy", "service.pl"), module=_MODULE)
    answer: Any = prolog.once("kandy_service:operator_classes(Rows)", module=_MODULE)
    return {str(name): tuple(map(str, members)) for name, members in answer["Rows"]}


def operators() -> tuple[str, ...]:
    """All compositional operators."""
    return groups()["any_composition"]
