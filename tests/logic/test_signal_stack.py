"""After a call into Prolog a thread has the signal stack that it had before.

SWI-Prolog registers a stack for signals with every engine that a thread runs, its own or one that a program made, and
frees it with the engine. Python's handlers run on whatever stack is registered: one that is freed is somebody else's
memory by then.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, faulthandler, sys, threading

class Stack(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]

def stack():
    found = Stack()
    ctypes.CDLL(None).sigaltstack(None, ctypes.byref(found))
    return found.start, found.flags, found.size

faulthandler.enable()
before = stack()
from hornbeam.logic import Prolog

# The engine of the process belongs to the thread that asks first, so the main thread needs one for each call.
first = threading.Thread(target=lambda: Prolog().once("true"))
first.start()
first.join()
assert Prolog().once("X is 1 + 1")["X"] == 2
assert stack() == before, (stack(), before)
use = "engine_create(Y, member(Y, [1, 2]), E), engine_next(E, X), engine_destroy(E)"
assert Prolog().once(f"findall(X, ({use}), Found)")["Found"] == [1]
assert stack() == before, (stack(), before)
print("the same")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the layout of stack_t is Linux's")
@pytest.mark.parametrize("bridge", ["janus", "pyswip"])
def test_the_signal_stack_is_left_as_it_was(bridge: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "HORNBEAM_PROLOG": bridge},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.stdout == "the same\n", done.stderr
