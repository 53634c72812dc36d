r"""Answer sets: a program grounded once and solved many times, under assumptions.

>>> solver = Solver("1 { colour(N,(r;g)) } 1 :- node(N). :- edge(A,B), colour(A,C), colour(B,C).",
...                 facts=Facts.rows("node", [("a",), ("b",)]) | Facts.rows("edge", [("a", "b")]))
>>> colour = lambda node, value: Compound("colour", (node, value))
>>> len(list(solver.answers()))
2
>>> colour("b", "g") in solver.first([colour("a", "r")])
True
>>> [str(assumed) for assumed in solver.core([colour("a", "r"), colour("b", "r"), colour("b", "g")], minimal=True)]
['colour(a,r)', 'colour(b,r)']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Literal

import clingo

from hornbeam.errors import AspError, TimeLimit
from hornbeam.logic.asp.arithmetic import Functions
from hornbeam.logic.asp.facts import OPTIONS, Facts, Model, check_tokens, read_source
from hornbeam.logic.asp.messages import Messages
from hornbeam.logic.asp.symbols import encode_atom, source
from hornbeam.logic.terms import Compound, Term

Kind = Literal["record", "brave", "cautious"]
# How long a wait inside clingo lasts before Python may see Ctrl-C.
_SLICE = 0.2


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best answer set found; `proven` unless the time limit was reached."""

    model: Model
    cost: tuple[int, ...]
    proven: bool


class Solver:
    """An answer set program in clingo's syntax, from text, files and facts.

    An assumption is a fact, or ``Compound("\\+", (fact,))`` for its absence. Answers have the atoms that ``#show``
    selects. With one thread and a fixed seed, the same calls give the same answers in the same order. A time limit
    applies to solving only, because clingo cannot be stopped while it grounds; with a time limit, Ctrl-C works too.

    >>> [sorted(map(str, answer)) for answer in Solver("1 { a; b } 1.").answers()]
    [['a'], ['b']]
    """

    def __init__(
        self,
        text: str = "",
        *,
        files: Iterable[str | Path] = (),
        facts: Facts | Iterable[Term] = (),
        constants: Mapping[str, Term] | None = None,
        seed: int = 0,
    ) -> None:
        settings = [f"-c{name}={source(value)}" for name, value in (constants or {}).items()]
        self._messages = Messages()
        with self._messages.checked():
            self._control = clingo.Control(
                [*OPTIONS, f"--seed={seed}", *settings], logger=self._messages, message_limit=100
            )
            for file in files:
                read_source(file)
                self._control.load(str(file))
        self._parts = 0
        self._configured: tuple[int, str, str] | None = None
        self._core: list[int] | None = None
        self.add(text, facts=facts)

    # Growing ------------------------------------------------------------------------------------------------------

    def add(self, text: str = "", *, facts: Facts | Iterable[Term] = ()) -> None:
        """Add rules and facts, and ground them."""
        check_tokens(text)
        given = facts if isinstance(facts, Facts) else Facts(facts)
        part = f"part_{self._parts}" if self._parts else "base"
        self._parts += 1
        with self._messages.checked():
            self._control.add(part, [], f"{text}\n{given.source}")
            for file in given.files:
                self._control.load(str(file))
            self._control.ground([(part, [])], context=Functions())

    def forbid(self, literals: Iterable[Term]) -> None:
        """Exclude all answers in which these literals are all true; much cheaper than :meth:`add`."""
        body: list[int] = []
        for literal in literals:
            number = self._number(literal)
            if number is False:
                return
            if number is not True:
                body.append(number)
        with self._messages.checked(), self._control.backend() as backend:
            backend.add_rule([], body)

    # Asking -------------------------------------------------------------------------------------------------------

    def first(self, assumptions: Iterable[Term] = (), *, time_limit: float | None = None) -> Model | None:
        """An answer set, or None if there is none."""
        return next(self.answers(assumptions, limit=1, time_limit=time_limit), None)

    def answers(
        self, assumptions: Iterable[Term] = (), *, limit: int | None = None, time_limit: float | None = None
    ) -> Iterator[Model]:
        """The answer sets, at most `limit`, as they are found; exhaust or close the iterator before the next call.

        ``#minimize`` is ignored; see :meth:`optimum`.
        """
        for model in self._solve(assumptions, limit or 0, "record", "ignore", time_limit):
            yield Model(model.symbols(shown=True))

    def brave(self, assumptions: Iterable[Term] = (), *, time_limit: float | None = None) -> Model | None:
        """The facts that are in at least one answer set; None if there is no answer set."""
        return self._consequences("brave", assumptions, time_limit)

    def cautious(self, assumptions: Iterable[Term] = (), *, time_limit: float | None = None) -> Model | None:
        """The facts that are in all answer sets; None if there is no answer set."""
        return self._consequences("cautious", assumptions, time_limit)

    def _consequences(self, kind: Kind, assumptions: Iterable[Term], time_limit: float | None) -> Model | None:
        symbols: Sequence[clingo.Symbol] | None = None
        for model in self._solve(assumptions, 0, kind, "ignore", time_limit):
            symbols = model.symbols(shown=True)
        return None if symbols is None else Model(symbols)

    def optimum(self, assumptions: Iterable[Term] = (), *, time_limit: float | None = None) -> Optimum | None:
        """The best answer set, or the best so far when the time is up; None if there is no answer set."""
        best: Optimum | None = None
        try:
            for model in self._solve(assumptions, 0, "record", "opt", time_limit):
                best = Optimum(Model(model.symbols(shown=True)), tuple(model.cost), False)
        except TimeLimit:
            if best is None:
                raise
            return best
        return None if best is None else Optimum(best.model, best.cost, True)

    def core(
        self, assumptions: Iterable[Term], *, minimal: bool = False, time_limit: float | None = None
    ) -> tuple[Term, ...] | None:
        """Assumptions that contradict each other, in the given order; None if all are consistent.

        With `minimal` none can be left out. The empty core means that the program has no answer set at all.
        """
        clock = _Clock(time_limit)
        kept = core = self._core_of(tuple(dict.fromkeys(assumptions)), clock)
        for assumed in (core or ()) if minimal else ():
            if kept is not None and assumed in kept:
                smaller = self._core_of(tuple(other for other in kept if other != assumed), clock)
                kept = kept if smaller is None else smaller
        return kept

    def _core_of(self, assumptions: tuple[Term, ...], clock: _Clock) -> tuple[Term, ...] | None:
        numbers = [self._number(assumed) for assumed in assumptions]
        if False in numbers:
            return (assumptions[numbers.index(False)],)
        if self.first(assumptions, time_limit=clock.left()) is not None:
            return None
        guilty = set(self._core or ())
        pairs = zip(numbers, assumptions, strict=True)
        return tuple(assumed for number, assumed in pairs if number is not True and number in guilty)

    # Solving ------------------------------------------------------------------------------------------------------

    def _number(self, literal: Term) -> int | bool:
        """clingo's number of a literal; True or False if grounding has decided it."""
        negative = isinstance(literal, Compound) and literal.functor == "\\+" and len(literal.args) == 1
        fact = literal.args[0] if isinstance(literal, Compound) and negative else literal
        atom = self._control.symbolic_atoms[encode_atom(fact)]
        if atom is None or atom.is_fact:
            return (atom is None) == negative
        return -atom.literal if negative else atom.literal

    def _solve(
        self, assumptions: Iterable[Term], limit: int, kind: Kind, optimise: str, time_limit: float | None
    ) -> Iterator[clingo.Model]:
        numbers = [self._number(assumed) for assumed in assumptions]
        if False in numbers:
            return
        clock = _Clock(time_limit)
        self._configure(limit, kind, optimise)
        with self._handle([number for number in numbers if number is not True], clock) as handle:
            while True:
                handle.resume()
                clock.wait(handle)
                model = handle.model()
                if model is None:
                    break
                yield model
            self._core = handle.core() if handle.get().unsatisfiable else None

    def _configure(self, limit: int, kind: Kind, optimise: str) -> None:
        if self._configured == (limit, kind, optimise):
            return
        solve = self._control.configuration.solve
        assert isinstance(solve, clingo.Configuration)
        solve.models, solve.enum_mode, solve.opt_mode = str(limit), kind, optimise
        self._configured = (limit, kind, optimise)

    @contextmanager
    def _handle(self, numbers: list[int], clock: _Clock) -> Iterator[clingo.SolveHandle]:
        # A separate thread costs about 0.3 ms per call; it is needed only to stop the search.
        apart = clock.limit is not None
        with self._messages.checked(), self._control.solve(numbers, yield_=True, async_=apart) as handle:
            yield handle


class _Clock:
    """Seconds that are left of a limit."""

    def __init__(self, limit: float | None) -> None:
        if limit is not None and limit <= 0:
            raise AspError(f"the time limit must be above 0, not {limit}")
        self._end = None if limit is None else monotonic() + limit
        self.limit = limit

    def left(self) -> float | None:
        if self._end is None:
            return None
        left = self._end - monotonic()
        if left <= 0:
            raise TimeLimit(f"clingo has no answer within {self.limit} s")
        return left

    def wait(self, handle: clingo.SolveHandle) -> None:
        """Wait for the next answer or the end; leaving early cancels the search."""
        left = self.left()
        while left is not None and not handle.wait(min(left, _SLICE)):
            left = self.left()
