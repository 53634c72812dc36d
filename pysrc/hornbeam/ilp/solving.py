"""clingo for learners: models as they are found, until the search ends or the time is up.

Models are taken by the thread that asked: a callback would be run by a thread of clingo's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import clingo

_LOOK = 0.05  # seconds between looks at the clock


@dataclass(frozen=True, slots=True)
class End:
    """How a search ended."""

    stopped: bool  # from outside
    exhausted: bool  # nothing is left to be found
    core: tuple[int, ...] = ()  # where nothing fits: assumptions that do not go together


def solve(
    control: clingo.Control,
    take: Callable[[clingo.Model], object],
    stop: Callable[[], bool],
    *,
    assumptions: Sequence[int] = (),
) -> End:
    """Hand each model to `take`, of a program that optimises each better one; a limit of conflicts is the control's.

    >>> control = clingo.Control(["--models=0"])
    >>> control.add("base", [], "{ a; b }. :- a, b. #maximize { 1,X : a, X = 1; 2,X : b, X = 1 }.")
    >>> control.ground([("base", [])])
    >>> found = []
    >>> solve(control, lambda model: found.append(str(model)), lambda: False)
    End(stopped=False, exhausted=True, core=())
    >>> found[-1]
    'b'
    """
    with control.solve(assumptions=list(assumptions), yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            while not handle.wait(_LOOK):
                if stop():
                    handle.cancel()
                    return End(stopped=True, exhausted=False)
            model = handle.model()
            if model is None:
                break
            take(model)
        result = handle.get()
        core = tuple(sorted(handle.core())) if result.unsatisfiable else ()
    return End(stopped=False, exhausted=bool(result.exhausted), core=core)
