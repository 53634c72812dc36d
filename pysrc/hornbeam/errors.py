"""Every error that Hornbeam raises on purpose.

The command turns a :class:`UsageError` (a malformed file, an unknown name, a bad value) into exit code 2 and any other
:class:`HornbeamError` into exit code 1. It prints the message without a traceback.

>>> str(UsageError("expected a number", file="easy.yml", line=3, column=7))
'easy.yml:3:7: expected a number'
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HornbeamError(Exception):
    """Base of all errors raised on purpose; knows the place in a file where there is one."""

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions with keyword arguments do not pickle by themselves, and workers send theirs to the parent.
        return (_rebuild, (type(self), self.message, dict(self.__dict__)))


def _rebuild(kind: type[HornbeamError], message: str, state: dict[str, object]) -> HornbeamError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.__dict__.update(state)
    return error


class UsageError(HornbeamError, ValueError):
    """A usage error: a malformed file, an unknown name, a value out of range."""


class DatasetError(UsageError):
    """A dataset on disk is damaged, unfinished, changed or of another format version."""


class NoDataset(DatasetError):
    """A path at which there is no dataset."""


class EngineUnavailable(HornbeamError, RuntimeError):
    """A reasoner or library is not installed; the message says how to install it."""


class WorkerDied(HornbeamError, RuntimeError):
    """A worker process was killed several times on the same shard."""


class Terminated(HornbeamError):
    """The process was asked to end (SIGTERM); what was finished is saved."""


class LimitExceeded(HornbeamError):
    """A goal or solver went past one of its limits."""


class TimeLimit(LimitExceeded, TimeoutError):
    """It ran longer than its time limit."""


class InferenceLimit(LimitExceeded):
    """It took more inferences than its limit."""


class StackLimit(LimitExceeded, MemoryError):
    """It needed more memory than its limit."""


class PrologError(HornbeamError):
    """SWI-Prolog raised an exception; `message` is what it would have printed, `term` its text."""

    def __init__(
        self,
        message: str,
        *,
        term: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message, file=file, line=line, column=column)
        self.term = term


class PrologSyntaxError(PrologError, UsageError):
    """Text that is not valid Prolog."""


class UnknownPredicate(PrologError):
    """A goal calls an undefined predicate."""


class CyclicTerm(PrologError):
    """A term that contains itself: it has no finite text and cannot be passed to Python."""


class HaltRefused(PrologError):
    """A goal tried to end the process."""


class NotAllowed(PrologError, UsageError):
    """A file from outside says, or a contained goal does, what is not allowed there."""


class AspError(HornbeamError):
    """clingo rejected a program; `message` holds all of its messages."""


class UnsafeRule(AspError, UsageError):
    """A rule with a variable that no positive body literal binds."""


class NotStratified(AspError, UsageError):
    """A program whose negation runs through a cycle, so that it has no unique least model."""


def unknown_name(kind: str, name: str, known: Iterable[str], **place: object) -> UsageError:
    """The error for a name that is not in `known`: it suggests the nearest name and lists all.

    >>> str(unknown_name("family", "kandi", ["kandy", "star"]))
    "unknown family 'kandi'; did you mean 'kandy'? Known: kandy, star"
    """
    choices = sorted(known)
    near = nearest(name, choices)
    hint = f"; did you mean '{near}'?" if near else "."
    return UsageError(f"unknown {kind} '{name}'{hint} Known: {', '.join(choices) or 'none'}", **place)  # type: ignore[arg-type]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `name` is most likely a misspelling of.

    >>> nearest("exists_colour/2", ["exists_color/2", "contains/2"])
    'exists_color/2'
    """
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1)), None)
