"""clingo itself, for programs that :class:`Program` and :class:`Solver` do not cover.

Learners and certificates grow programs through clingo's backend, watch the clock while it searches, or read its syntax
tree. They all get clingo here: no other room imports it.

>>> control = grounded("{ a; b }. :- a, b. #maximize { 1,X : a, X = 1; 2,X : b, X = 1 }.", options=["--models=0"])
>>> models = []
>>> search(control, lambda model: models.append(str(model)), lambda: False)
Ending(stopped=False, exhausted=True, core=())
>>> models[-1]
'b'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clingo import Configuration, Control, Function, Model, Number, SolveControl, Symbol, SymbolType, ast
from clingo.backend import Backend, HeuristicType

from hornbeam.logic.asp.facts import refuse_outside

__all__ = [
    "Backend", "Configuration", "Control", "Ending", "Function", "HeuristicType", "Model", "Number", "SolveControl",
    "Symbol", "SymbolType", "ast", "grounded", "search",
]  # fmt: skip

_LOOK = 0.05  # seconds between looks at the clock


@dataclass(frozen=True, slots=True)
class Ending:
    """How a search ended."""

    stopped: bool  # from outside
    exhausted: bool  # nothing is left to be found
    core: tuple[int, ...] = ()  # where nothing fits: assumptions that do not go together


def grounded(text: str = "", *, files: Iterable[str | Path] = (), options: Sequence[str] = ()) -> Control:
    """A control with this program, grounded.

    Args:
        text: Rules and facts in clingo's syntax.
        files: Programs to load before the text.
        options: Of clingo's command line. Warnings are off.

    Raises:
        ProgramError: if the text has ``#script`` or ``#include``: it may hold names of a dataset from elsewhere.
    """
    refuse_outside(text)
    control = Control([*options, "--warn=none"], logger=lambda *_: None)
    for file in files:
        control.load(str(file))
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


def search(
    control: Control, take: Callable[[Model], object], stop: Callable[[], bool], *, assumptions: Sequence[int] = ()
) -> Ending:
    """Search for models until nothing is left or `stop` says so.

    Models are taken by the thread that asked: a callback would run in a thread of clingo's own.

    Args:
        control: A grounded program; a limit of conflicts is one of its options.
        take: Called with each model; of a program that optimises, with each better one.
        stop: Asked often; the search ends once it is true.
        assumptions: Literals that must hold.
    """
    with control.solve(assumptions=list(assumptions), yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            while not handle.wait(_LOOK):
                if stop():
                    handle.cancel()
                    return Ending(stopped=True, exhausted=False)
            model = handle.model()
            if model is None:
                break
            take(model)
        result = handle.get()
        core = tuple(sorted(handle.core())) if result.unsatisfiable else ()
    return Ending(stopped=False, exhausted=bool(result.exhausted), core=core)
