"""The stack that a thread handles signals on, kept while it calls Prolog.

SWI-Prolog registers a signal stack of its own with every engine that a thread runs (the thread's, or one that
engine_create/3 made), and frees it with the engine without taking it back: the next signal would be written over
whatever has that memory by then.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Iterator

_LIBRARY = ctypes.CDLL(None) if sys.platform.startswith("linux") else None


class _Stack(ctypes.Structure):
    """Linux's stack_t."""

    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


@contextlib.contextmanager
def kept_signal_stack() -> Iterator[None]:
    """Whatever signal stack is registered in the `with`, that of before is registered again after it."""
    if _LIBRARY is None:
        yield
        return
    before = _Stack()
    _LIBRARY.sigaltstack(None, ctypes.byref(before))
    try:
        yield
    finally:
        _LIBRARY.sigaltstack(ctypes.byref(before), None)
