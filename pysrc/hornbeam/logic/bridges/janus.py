"""SWI-Prolog in this process through Janus."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.errors import EngineUnavailable, PrologError
from hornbeam.logic import swipl
from hornbeam.logic.bridges.signal_stack import kept_signal_stack
from hornbeam.logic.wire import Wire

# Inferences between two looks at Python's signals: Ctrl-C lands within about a tenth of a second.
_HEARTBEAT = 100_000


class JanusBridge:
    """The engine of this process. SWI-Prolog has one per process, so there is one bridge: see `janus_bridge`."""

    name = "janus"
    safety = "trusted"

    def __init__(self) -> None:
        self._janus = _import_janus()
        self._lock = threading.RLock()
        self._janus.consult(str(resources.prolog("bridge.pl")))
        self._janus.heartbeat(_HEARTBEAT)

    @property
    def version(self) -> str:
        return str(self._janus.version_str())

    def call(self, operation: str, request: Wire, seconds: float | None) -> Wire:
        try:
            with self._lock, kept_signal_stack(), self._engine():
                return self._janus.apply_once("hornbeam_bridge", "serve", operation, request)
        except self._janus.PrologError as error:
            # An interrupt that lands outside the goal itself, while values cross.
            said = self._said(error)
            if "KeyboardInterrupt" in said:
                raise KeyboardInterrupt from None
            raise PrologError(f"a value cannot be passed to Python: {said}") from None

    def _said(self, error: Exception) -> str:
        """The message of an exception, which may hold a term that cannot be passed either."""
        try:
            return str(error)
        except self._janus.PrologError as other:
            return str(other)

    @contextlib.contextmanager
    def _engine(self) -> Iterator[None]:
        """An engine for a thread that has none: Janus crashes in a call from such a thread."""
        if self._janus.engine() > 0:
            yield
            return
        self._janus.attach_engine()
        try:
            yield
        finally:
            self._janus.detach_engine()


_starting = threading.Lock()


def janus_bridge() -> JanusBridge:
    """This process' bridge, started at the first call, by one thread."""
    with _starting:
        return _started()


@cache
def _started() -> JanusBridge:
    return JanusBridge()


def _import_janus() -> Any:
    prolog = swipl.find()
    if not prolog.serves_janus:
        raise EngineUnavailable(
            f"{prolog.executable} is version {prolog.version_text}, too old for Janus (9.1.12): {swipl.INSTALL}; "
            "or choose the other bridge with HORNBEAM_PROLOG=pyswip"
        )
    # Before the import, and nowhere else: a library that starts with another version's home ends the process.
    os.environ["SWI_HOME_DIR"] = prolog.home
    try:
        import janus_swi
    except ImportError as error:
        raise EngineUnavailable(
            f"janus-swi does not load ({error}); build it for {prolog.executable}: {swipl.INSTALL}"
        ) from error
    return janus_swi
