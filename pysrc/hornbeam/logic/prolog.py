"""SWI-Prolog as a Python object: load programs, ask goals, one at a time or thousands in one call.

>>> from hornbeam.logic import Prolog
>>> pl = Prolog()
>>> pl.load_text("parent(ann, bob). parent(bob, cid).", module="family")
'family'
>>> pl.once("parent(X, cid)", module="family")
{'X': 'bob'}
>>> pl.ask_many("parent(P, _)", over="P", rows=["ann", "cid"], module="family")
[True, False]
>>> pl.once_many("parent(P, C)", over="P", get="C", rows=["ann", "bob", "cid"], module="family")
['bob', 'cid', None]
>>> pl.unload("family")
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from hornbeam.errors import (
    CyclicTerm,
    HaltRefused,
    HornbeamError,
    InferenceLimit,
    NotAllowed,
    PrologError,
    PrologSyntaxError,
    StackLimit,
    TimeLimit,
    UnknownPredicate,
    UsageError,
)
from hornbeam.logic.bridges import Bridge, in_process
from hornbeam.logic.terms import Term
from hornbeam.logic.wire import Wire, decode, decode_all, encode, encode_all

Answer = dict[str, Term]
Mode = Literal["ask", "once", "all"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a goal may use. Inferences give the same outcome on every machine; seconds are the net below them."""

    seconds: float | None = None
    inferences: int | None = None
    stack: int | None = None  # bytes
    answers: int | None = None  # more are not looked for; not an error

    def __post_init__(self) -> None:
        for name in ("seconds", "inferences", "stack", "answers"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise UsageError(f"the limit on {name} must be above 0, not {value}")

    def wire(self) -> list[tuple[str, float]]:
        pairs = ((name, getattr(self, name)) for name in ("seconds", "inferences", "stack", "answers"))
        return [(name, value) for name, value in pairs if value is not None]


NO_LIMITS = Limits()
_LONGEST = 1_000_000.0  # seconds: poll() takes no longer timeouts

# What a goal of a person's gets where they set nothing: ample, but no end of the machine.
CAREFUL = Limits(seconds=60.0, stack=1 << 30)


class Prolog:
    """A handle on SWI-Prolog: this process' engine, or with :meth:`contained` a process of its own.

    Handles are cheap; all in-process handles share the one engine. Goals are text, and their text should not vary with
    the data: values go in through `given` or `rows`. A goal may be asked from any thread; goals of one engine run one
    after the other. Answers of tabled predicates come in no order: sort them before they are written or sampled.
    """

    def __init__(self, bridge: str | Bridge | None = None) -> None:
        self._bridge = in_process(bridge) if bridge is None or isinstance(bridge, str) else bridge

    @classmethod
    def contained(cls, *, memory: int = 1 << 30, cpu_seconds: int = 600) -> Prolog:
        """A `swipl` process of its own for programs and goals from outside: sandboxed, limited, ended by its id.

        `memory` (bytes) and `cpu_seconds` are enforced by the operating system for the whole process. Use it as a
        context manager, or call :meth:`close`.
        """
        from hornbeam.logic.bridges.contained import ContainedBridge

        return cls(ContainedBridge(memory=memory, cpu_seconds=cpu_seconds))

    def close(self) -> None:
        """End a contained process; nothing for the engine of this process."""
        close = getattr(self._bridge, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Prolog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it is ----------------------------------------------------------------------------------------------------

    @property
    def bridge(self) -> str:
        """The name of the bridge: janus, pyswip or contained."""
        return self._bridge.name

    def version(self) -> str:
        """SWI-Prolog's version, e.g. ``'9.2.9'``."""
        return str(self._call("info", [])[0])

    def home(self) -> str:
        """Where SWI-Prolog's own library is."""
        return str(self._call("info", [])[1])

    # Programs -------------------------------------------------------------------------------------------------------

    def load(self, path: str | Path, module: str = "user", *, strict: bool = True) -> str:
        """Load a file into `module`; returns the module in which its predicates live (its own, where it has a header).

        With `strict` a warning is an error too: both raise PrologError with file, line and message.
        """
        file = Path(path)
        if not file.is_file():
            raise UsageError("there is no such Prolog file", file=str(path))
        return str(self._call("load", (module, ("file", str(file.resolve())), _flag(strict))))

    def load_text(self, text: str, module: str, *, name: str | None = None, strict: bool = True) -> str:
        """Load program text into `module`; `name` stands for the file in messages. Loading again replaces."""
        return str(self._call("load", (module, ("text", name or f"<{module}>", text), _flag(strict))))

    def unload(self, module: str) -> None:
        """Forget all that was loaded under this module's name."""
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
        """Whether `goal` holds."""
        return bool(self._query("ask", goal, given, module, limits)[1])

    def once(
        self, goal: str, *, given: Mapping[str, Term] | None = None, module: str = "user", limits: Limits = NO_LIMITS
    ) -> Answer | None:
        """The first answer, or None. Variables that start with an underscore are left out."""
        answers = self._answers("once", goal, given, module, limits)
        return answers[0] if answers else None

    def all(
        self, goal: str, *, given: Mapping[str, Term] | None = None, module: str = "user", limits: Limits = NO_LIMITS
    ) -> list[Answer]:
        """All answers, in Prolog's order (sort those of tabled predicates)."""
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
        """Whether `goal` holds for each row, in one call.

        `over` names the variable that a row is the value of, or several variables, and then a row is a sequence.
        Without limits an error ends the batch. With limits they hold for each row, and a row that breaks them or raises
        gives its exception as its result.
        """
        replies = self._many("ask", goal, over, rows, (), module, limits)
        if not limits.wire():
            return [reply == 1 for reply in replies]
        return [_error(reply) if type(reply) is tuple else reply == 1 for reply in replies]

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
        """The first answer for each row, in one call: the value of `get` (a tuple for several names), or None."""
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
        """All answers for each row, in one call: a list of the values of `get` (tuples for several names)."""
        replies = self._many("all", goal, over, rows, _names(get), module, limits)
        return [
            _error(reply) if type(reply) is tuple else [_row_value(value, get) for value in reply] for reply in replies
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
        # The limit is a row's, so the batch may take that long for each.
        seconds = None if limits.seconds is None else min(_LONGEST, limits.seconds * max(1, len(values)))
        replies: list[Wire] = self._call("many", request, seconds)
        return replies

    def _call(self, operation: str, request: Wire, seconds: float | None = None) -> Wire:
        reply = self._bridge.call(operation, request, seconds)
        if reply[0] == "ok":
            return reply[1]
        return _raise(_error(reply))


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
            return _error(reply)
    if isinstance(get, str):
        return decode(reply)
    return (decode(reply),) if len(get) == 1 else tuple(decode_all(reply))


_PROLOG_ERRORS: dict[str, type[PrologError]] = {
    "syntax": PrologSyntaxError,
    "unknown": UnknownPredicate,
    "cyclic": CyclicTerm,
    "halt": HaltRefused,
    "sandbox": NotAllowed,
}
_LIMIT_ERRORS: dict[str, type[HornbeamError]] = {
    "time": TimeLimit,
    "inferences": InferenceLimit,
    "stack": StackLimit,
}


def _error(reply: Wire) -> HornbeamError:
    """The exception that an error reply of prolog/diagnostics.pl stands for."""
    _, kind, message, text, file, line, column = reply
    if kind == "interrupt":
        raise KeyboardInterrupt
    # Text loaded under a name is known to Prolog as "name (module)"; a person knows it by the name.
    file = re.sub(r" \([^()]*\)\Z", "", file)
    message = re.sub(r"\A\S*( \([^()]*\))?:\d+:(\d+:)? ", "", message) if file else message
    place: dict[str, Any] = {"file": file or None, "line": line or None, "column": column or None}
    if kind in _LIMIT_ERRORS:
        return _LIMIT_ERRORS[kind](message, **place)
    return _PROLOG_ERRORS.get(kind, PrologError)(message, term=text, **place)


def _raise(error: HornbeamError) -> NoReturn:
    raise error
