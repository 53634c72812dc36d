"""The stack that a thread handles signals on, kept while SWI-Prolog gives the thread an engine.

With an engine SWI-Prolog registers a signal stack of its own, and frees it with the engine without taking it back: the
next signal would be written over whatever has that memory by then.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Iterator


class _Stack(ctypes.Structure):
    """Linux's stack_t."""

    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


@contextlib.contextmanager
def kept_signal_stack() -> Iterator[None]:
    """Whatever signal stack is registered in the `with`, that of before is registered again after it."""
    if not sys.platform.startswith("linux"):
        yield
        return
    library, before = ctypes.CDLL(None), _Stack()
    library.sigaltstack(None, ctypes.byref(before))
    try:
        yield
    finally:
        library.sigaltstack(ctypes.byref(before), None)
