"""SWI-Prolog in this process through pyswip, for an SWI-Prolog that is too old for Janus.

pyswip's own conversion of terms loses strings, rationals and quoted atoms, so requests and replies cross as JSON text
and pyswip only opens the library and makes the call.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from hornbeam import resources
from hornbeam.errors import EngineUnavailable, PrologError
from hornbeam.logic import swipl
from hornbeam.logic.bridges.signal_stack import kept_signal_stack
from hornbeam.logic.wire import Wire, dumps, loads


class PyswipBridge:
    """The engine of this process. SWI-Prolog has one per process, so there is one bridge: see `pyswip_bridge`."""

    name = "pyswip"
    safety = "trusted"

    def __init__(self) -> None:
        self._core = _import_core()
        self._lock = threading.RLock()
        self._get_chars = self._core._lib.PL_get_nchars
        self._get_chars.argtypes = [
            self._core.term_t, ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint,
        ]  # fmt: skip
        self._get_chars.restype = ctypes.c_int
        self._run("consult", "user", str(resources.prolog("json_wire.pl")))
        self._watch = InterruptWatch(self)

    def call(self, operation: str, request: Wire, seconds: float | None) -> Wire:
        with self._lock, kept_signal_stack(), self._engine(), self._watch.calls():
            return loads(self._run("serve_json", "hornbeam_json_wire", dumps([operation, request]), reply=True))

    def _run(self, predicate: str, module: str, argument: str, *, reply: bool = False) -> str:
        """Call a predicate on a text; returns its second argument as text where it has one."""
        core = self._core
        frame = core.PL_open_foreign_frame()
        try:
            arity = 2 if reply else 1
            terms = core.PL_new_term_refs(arity)
            text = argument.encode()
            core.PL_put_chars(terms, core.PL_ATOM | core.REP_UTF8, len(text), text)
            procedure = core.PL_predicate(predicate, arity, module)
            if not core.PL_call_predicate(None, core.PL_Q_CATCH_EXCEPTION, procedure, terms):
                raise PrologError(f"the bridge's {predicate} did not answer")
            return self._text(terms + 1) if reply else ""
        finally:
            core.PL_discard_foreign_frame(frame)

    def _text(self, term: int) -> str:
        core, length, start = self._core, ctypes.c_size_t(), ctypes.c_void_p()
        flags = core.CVT_STRING | core.CVT_ATOM | core.REP_UTF8 | core.BUF_MALLOC
        if not self._get_chars(term, ctypes.byref(length), ctypes.byref(start), flags):
            raise PrologError("the bridge's reply is not text")
        try:
            return ctypes.string_at(start.value or 0, length.value).decode()
        finally:
            core._lib.PL_free(start)

    @contextlib.contextmanager
    def _engine(self) -> Iterator[None]:
        """A Prolog engine for this Python thread, if it has none."""
        if self._core.PL_thread_self() != -1:
            yield
            return
        self._core.PL_thread_attach_engine(None)
        try:
            yield
        finally:
            self._core._lib.PL_thread_destroy_engine()

    def interrupt_main(self) -> None:
        """Called in another thread: end the goal that the main thread runs."""
        with kept_signal_stack(), self._engine():
            self._run("interrupt_thread", "hornbeam_bridge", "main")


class InterruptWatch:
    """Ctrl-C while the main thread is inside Prolog.

    Python runs signal handlers in the main thread only, which is busy in C. The C part of its handler writes to a pipe,
    however, and a thread that reads the pipe tells Prolog.
    """

    def __init__(self, bridge: PyswipBridge) -> None:
        self._bridge = bridge
        self._reader: int | None = None
        self._writer: int | None = None

    @contextlib.contextmanager
    def calls(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        if self._writer is None:
            self._start()
        before = signal.set_wakeup_fd(self._writer or -1, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _start(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        threading.Thread(target=self._relay, name="hornbeam-interrupt", daemon=True).start()

    def _relay(self) -> None:
        assert self._reader is not None
        while numbers := os.read(self._reader, 64):
            if signal.SIGINT in numbers:
                self._bridge.interrupt_main()


@cache
def pyswip_bridge() -> PyswipBridge:
    """This process' bridge, started at the first call."""
    return PyswipBridge()


def _import_core() -> ModuleType:
    prolog = swipl.find()
    os.environ["SWI_HOME_DIR"] = prolog.home
    os.environ["LIBSWIPL_PATH"] = prolog.library
    try:
        import pyswip.core as core
        import pyswip.prolog  # noqa: F401  (starts the engine)
    except Exception as error:
        raise EngineUnavailable(f"pyswip does not load with {prolog.executable}: {error}") from error
    found_core: ModuleType = core
    return found_core
