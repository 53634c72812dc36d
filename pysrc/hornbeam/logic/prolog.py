"""SWI-Prolog as a Python object: load programs and ask goals, one at a time or thousands in one call.

>>> from hornbeam.logic import Prolog
>>> pl = Prolog()
>>> pl.load_text("parent(ann, bob). parent(bob, cid).", module="family")
'family'
>>> pl.once_many("parent(P, C)", over="P", get="C", rows=["ann", "bob", "cid"], module="family")
['bob', 'cid', None]
>>> pl.unload("family")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.logic.bridges import Bridge, in_process
from hornbeam.logic.replies import error_of
from hornbeam.logic.terms import Term
from hornbeam.logic.wire import Wire, decode, decode_all, encode, encode_all

Answer = dict[str, Term]
Mode = Literal["ask", "once", "all"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a goal. A limit on inferences gives the same outcome on every machine; one on seconds does not.

    Attributes:
        seconds: Wall-clock time.
        inferences: Inferences.
        stack: Bytes of Prolog's stacks.
        answers: The search stops after this many answers; this is not an error.
        together: Wall-clock time of all rows of a bulk call. A contained process that needs longer is ended; the engine
            of this process ignores it.

    Raises:
        UsageError: if a limit is not above 0.

    >>> Prolog().all("between(1, inf, X)", limits=Limits(answers=2))
    [{'X': 1}, {'X': 2}]
    """

    seconds: float | None = None
    inferences: int | None = None
    stack: int | None = None
    answers: int | None = None
    together: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "inferences", "stack", "answers", "together"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise UsageError(f"the limit on {name} must be above 0, not {value}")

    def wire(self) -> list[tuple[str, float]]:
        pairs = ((name, getattr(self, name)) for name in ("seconds", "inferences", "stack", "answers"))
        return [(name, value) for name, value in pairs if value is not None]

    def of_rows(self, count: int) -> float | None:
        """The seconds of a bulk call: the limit applies to each row."""
        if self.together is not None:
            return self.together
        return None if self.seconds is None else min(_LONGEST, self.seconds * max(1, count))


NO_LIMITS = Limits()
_LONGEST = 1_000_000.0  # seconds: poll() takes no longer timeouts

# The default for a user's goal: generous, but it protects the machine.
CAREFUL = Limits(seconds=60.0, stack=1 << 30)


class Prolog:
    """SWI-Prolog: the engine of this process, or with :meth:`contained` a separate process.

    Handles are cheap; all in-process handles share one engine. Goals are text, which should not depend on the data:
    pass values through `given` or `rows`. Any thread may ask a goal; goals of one engine run one after the other.
    Answers of tabled predicates have no fixed order: sort them before you write or sample them.

    All methods raise PrologSyntaxError if a goal is not valid Prolog, UnknownPredicate if it calls an undefined
    predicate, PrologError for other exceptions of Prolog, and LimitExceeded if it exceeds a limit.

    Args:
        bridge: ``janus``, ``pyswip`` or a bridge; by default HORNBEAM_PROLOG, or the one that works here.
    """

    def __init__(self, bridge: str | Bridge | None = None) -> None:
        self._bridge = in_process(bridge) if bridge is None or isinstance(bridge, str) else bridge

    @classmethod
    def contained(
        cls,
        *,
        readable: Sequence[str | Path] = (),
        memory: int = 1 << 30,
        cpu_seconds: int = 600,
        foreign: bool = True,
    ) -> Prolog:
        """Start a separate `swipl` process behind a wall, for untrusted programs; :meth:`close` ends it.

        It can read SWI-Prolog, Hornbeam's own Prolog files and what it is given, and can write, start and connect to
        nothing.

        Args:
            readable: Files and folders that it may read.
            memory: Bytes of memory of the process, enforced by the operating system.
            cpu_seconds: CPU time of the process, enforced by the operating system.
            foreign: Whether it runs what others wrote. False where all that is loaded is ours or was made in this run.

        Returns:
            A handle on the process.

        Raises:
            EngineUnavailable: if `swipl` is not installed.
            UsageError: at the first call, if it is foreign, this kernel cannot hold a wall and HORNBEAM_TRUST is unset.

        >>> with Prolog.contained() as guest:
        ...     guest.once("X is 6 * 7")
        {'X': 42}
        """
        from hornbeam.logic.bridges.contained import ContainedBridge

        return cls(ContainedBridge(memory=memory, cpu_seconds=cpu_seconds, readable=readable, foreign=foreign))

    def close(self) -> None:
        """End a contained process. Does nothing for the engine of this process."""
        close = getattr(self._bridge, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Prolog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The id of a contained process while it runs; None for the engine of this process."""
        pid: int | None = getattr(self._bridge, "pid", None)
        return pid

    # What it is ----------------------------------------------------------------------------------------------------

    @property
    def bridge(self) -> str:
        """The name of the bridge: janus, pyswip or contained."""
        return self._bridge.name

    def version(self) -> str:
        """SWI-Prolog's version, e.g. ``'9.2.9'``."""
        return str(self._call("info", [])[0])

    def home(self) -> str:
        """The folder of SWI-Prolog's library."""
        return str(self._call("info", [])[1])

    # Programs -------------------------------------------------------------------------------------------------------

    def load(self, path: str | Path, module: str = "user", *, strict: bool = True) -> str:
        """Load a Prolog file.

        Args:
            path: The file.
            module: The module to load it into.
            strict: Treat warnings as errors.

        Returns:
            The module that holds its predicates: the file's own module if it declares one, else `module`.

        Raises:
            UsageError: if there is no such file.
            PrologError: at an error or warning, with file, line and message.

        >>> Prolog().load(dataset_folder / "theory.pl", "rules", strict=False)
        'truth'
        """
        file = Path(path)
        if not file.is_file():
            raise UsageError("there is no such Prolog file", file=str(path))
        return str(self._call("load", (module, ("file", str(file.resolve())), _flag(strict))))

    def load_text(self, text: str, module: str, *, name: str | None = None, strict: bool = True) -> str:
        """Load program text, as :meth:`load`; `name` is the file in messages. Loading again replaces the program.

        >>> Prolog().load_text("p(1). p(2).", "numbers")
        'numbers'
        """
        return str(self._call("load", (module, ("text", name or f"<{module}>", text), _flag(strict))))

    def unload(self, module: str) -> None:
        """Remove all predicates that were loaded into a module."""
        self._call("unload", module)

    def parse(self, text: str, *, module: str = "user") -> Term:
        """Read one term with SWI-Prolog's own reader; variables keep their names.

        >>> Prolog().parse("p(X, 'B c') :- q(X)").functor
        ':-'
        """
        return decode(self._call("read", (module, text)))

    # One goal -------------------------------------------------------------------------------------------------------

    def ask(
        self, goal: str, *, given: Mapping[str, Term] | None = None, module: str = "user", limits: Limits = NO_LIMITS
    ) -> bool:
        """Whether `goal` succeeds.

        Args:
            goal: The goal as text, without a full stop.
            given: Values of variables of the goal, by name.
            module: The module to ask it in.
            limits: Limits on the goal.

        Returns:
            True if the goal has an answer.

        >>> Prolog().ask("member(X, Xs)", given={"X": 2, "Xs": [1, 2]})
        True
        """
        return bool(self._query("ask", goal, given, module, limits)[1])

    def once(
        self, goal: str, *, given: Mapping[str, Term] | None = None, module: str = "user", limits: Limits = NO_LIMITS
    ) -> Answer | None:
        """The first answer, without variables that start with an underscore, or None. Arguments as in :meth:`ask`.

        >>> Prolog().once("append(Xs, [c], [a, b, c])")
        {'Xs': ['a', 'b']}
        """
        answers = self._answers("once", goal, given, module, limits)
        return answers[0] if answers else None

    def all(
        self, goal: str, *, given: Mapping[str, Term] | None = None, module: str = "user", limits: Limits = NO_LIMITS
    ) -> list[Answer]:
        """All answers, in Prolog's order. Arguments as in :meth:`ask`.

        >>> Prolog().all("member(X, [a, b])")
        [{'X': 'a'}, {'X': 'b'}]
        """
        return self._answers("all", goal, given, module, limits)

    def _answers(
        self, mode: Mode, goal: str, given: Mapping[str, Term] | None, module: str, limits: Limits
    ) -> list[Answer]:
        names, rows = self._query(mode, goal, given, module, limits)
        return [dict(zip(names, decode_all(row), strict=True)) for row in rows]

    def _query(self, mode: Mode, goal: str, given: Mapping[str, Term] | None, module: str, limits: Limits) -> Wire:
        values = [(name, encode(value)) for name, value in (given or {}).items()]
        request = (module, goal, values, mode, limits.wire(), self._bridge.safety)
        return self._call("query", request, limits.seconds)

    # The same goal for many rows --------------------------------------------------------------------------------------

    def ask_many(
        self,
        goal: str,
        *,
        over: str | Sequence[str],
        rows: Iterable[Any],
        module: str = "user",
        limits: Limits = NO_LIMITS,
    ) -> list[bool | HornbeamError]:
        """Whether `goal` succeeds for each row, in one call.

        Args:
            goal: The goal as text, the same for all rows.
            over: The variable that takes the values of the rows; with several variables, a row is a sequence.
            rows: The values.
            module: The module to ask it in.
            limits: Limits on each row. A row that exceeds them, or raises, has the exception as its result.

        Returns:
            A result for each row, in order.

        Raises:
            HornbeamError: if a row raises and there are no limits.

        >>> Prolog().ask_many("X > Y", over=("X", "Y"), rows=[(2, 1), (1, 2)])
        [True, False]
        """
        replies = self._many("ask", goal, over, rows, (), module, limits)
        if not limits.wire():
            return [reply == 1 for reply in replies]
        return [error_of(reply) if type(reply) is tuple else reply == 1 for reply in replies]

    def once_many(
        self,
        goal: str,
        *,
        over: str | Sequence[str],
        rows: Iterable[Any],
        get: str | Sequence[str],
        module: str = "user",
        limits: Limits = NO_LIMITS,
    ) -> list[Any]:
        """As :meth:`ask_many`, the first answer: the value of `get` (a tuple for several names), or None.

        >>> Prolog().once_many("Y is X * X", over="X", get="Y", rows=[2, 3])
        [4, 9]
        """
        replies = self._many("once", goal, over, rows, _names(get), module, limits)
        if isinstance(get, str) and all(type(reply) is int or type(reply) is str for reply in replies):
            return replies
        return [_row_value(reply, get) for reply in replies]

    def all_many(
        self,
        goal: str,
        *,
        over: str | Sequence[str],
        rows: Iterable[Any],
        get: str | Sequence[str],
        module: str = "user",
        limits: Limits = NO_LIMITS,
    ) -> list[Any]:
        """As :meth:`ask_many`, all answers: a list of the values of `get` (tuples for several names).

        >>> Prolog().all_many("between(1, N, X)", over="N", get="X", rows=[1, 3])
        [[1], [1, 2, 3]]
        """
        replies = self._many("all", goal, over, rows, _names(get), module, limits)
        return [
            error_of(reply) if type(reply) is tuple else [_row_value(value, get) for value in reply]
            for reply in replies
        ]

    def _many(
        self,
        mode: Mode,
        goal: str,
        over: str | Sequence[str],
        rows: Iterable[Any],
        get: tuple[str, ...],
        module: str,
        limits: Limits,
    ) -> list[Wire]:
        values = encode_all(rows)
        names = list(_names(over))
        if not isinstance(over, str):
            _check_rows(values, names)
            values = [row[0] for row in values] if len(names) == 1 else values
        request = (module, goal, names, values, list(get), mode, limits.wire(), self._bridge.safety)
        replies: list[Wire] = self._call("many", request, limits.of_rows(len(values)))
        return replies

    def _call(self, operation: str, request: Wire, seconds: float | None = None) -> Wire:
        reply = self._bridge.call(operation, request, seconds)
        if reply[0] == "ok":
            return reply[1]
        raise error_of(reply)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _check_rows(rows: list[Wire], names: list[str]) -> None:
    """A row of another length would match no answer, and seem to have none."""
    if {len(names)}.issuperset(map(len, rows)):
        return
    number, row = next((number, row) for number, row in enumerate(rows) if len(row) != len(names))
    raise ValueError(f"row {number} has {len(row)} values for the {len(names)} variables {', '.join(names)}")


def _row_value(reply: Wire, get: str | Sequence[str]) -> Any:
    if type(reply) is tuple:
        if reply == ("no",):
            return None
        if reply[0] == "error" and len(reply) == 7:
            return error_of(reply)
    if isinstance(get, str):
        return decode(reply)
    return (decode(reply),) if len(get) == 1 else tuple(decode_all(reply))
