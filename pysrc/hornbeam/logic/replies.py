"""The exceptions that error replies of Prolog stand for."""

from __future__ import annotations

import re
from typing import Any

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
)
from hornbeam.logic.wire import Wire

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


def error_of(reply: Wire) -> HornbeamError:
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
