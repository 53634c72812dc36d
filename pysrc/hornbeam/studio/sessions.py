"""Visitors. Each has at most one thing that costs memory, such as a contained Prolog process, which is freed when idle.

>>> class Process:
...     def close(self):
...         print("closed")
>>> session = Sessions(limit=1).open("a")
>>> session.keep("rules of easy", Process()) and None
>>> session.kept("rules of easy") is not None, session.kept("rules of hard")
(True, None)
>>> session.close()
closed
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from hornbeam.errors import HornbeamError

LIMIT = 20
# A Prolog process is started again within a second; a visitor who reads for five minutes does not need it meanwhile.
IDLE_PROCESS = 300.0
IDLE_SESSION = 1800.0


class Closable(Protocol):
    """What has a process, and ends it."""

    def close(self) -> None: ...


Kept = TypeVar("Kept", bound=Closable)


class TooManySessions(HornbeamError):
    """As many visitors as the studio holds are active."""


class Session:
    """A visitor.

    Attributes:
        id: Its name, known to the visitor's browser.
        lock: Hold it while what is kept is in use: one visitor's requests come one after the other there.
        notes: What screens remember of this visitor, e.g. the history of an editor.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.id = name
        self.lock = threading.RLock()
        self.notes: dict[str, Any] = {}
        self._clock = clock
        self._kept: tuple[str, Closable] | None = None
        self.used = clock()

    def touch(self) -> None:
        """The visitor is here."""
        self.used = self._clock()

    def keep(self, name: str, process: Kept) -> Kept:
        """Hold a process for this visitor. Whatever was held before is closed: a visitor has one at most.

        Args:
            name: What it is for; see :meth:`kept`.
            process: It is closed when it was idle for long, is replaced, or the session ends.

        Returns:
            The process.
        """
        with self.lock:
            self.free()
            self._kept = (name, process)
        return process

    def kept(self, name: str) -> Any:
        """What is held under this name, or None."""
        with self.lock:
            return self._kept[1] if self._kept is not None and self._kept[0] == name else None

    @property
    def busy(self) -> bool:
        """Whether it holds something."""
        return self._kept is not None

    def free(self) -> None:
        """Close what is held."""
        with self.lock:
            before, self._kept = self._kept, None
        if before is not None:
            # A process that died cannot be asked to end.
            with contextlib.suppress(HornbeamError, OSError):
                before[1].close()

    close = free


class Sessions:
    """All visitors.

    Args:
        limit: How many there may be at once.
        clock: Seconds.
    """

    def __init__(self, limit: int = LIMIT, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def busy(self) -> int:
        """How many hold a process."""
        with self._lock:
            return sum(session.busy for session in self._sessions.values())

    def open(self, name: str) -> Session:
        """The session of this name, opened if it is new.

        Raises:
            TooManySessions: if there are too many that were active lately.
        """
        with self._lock:
            found = self._sessions.get(name)
            if found is not None:
                found.touch()
                return found
            gone = self._drop_idle() if len(self._sessions) >= self.limit else []
            full = len(self._sessions) >= self.limit
            if not full:
                opened = self._sessions[name] = Session(name, self._clock)
        for session in gone:
            session.close()
        if full:
            raise TooManySessions(
                f"{self.limit} visitors use this studio now, which is its limit. Close one of the windows with "
                f"'End my session', or come back when one has been idle for {IDLE_SESSION / 60:.0f} minutes."
            )
        return opened

    def _drop_idle(self) -> list[Session]:
        now = self._clock()
        idle = [session for session in self._sessions.values() if now - session.used > IDLE_SESSION]
        return [self._sessions.pop(session.id) for session in idle]

    def end(self, name: str) -> None:
        """End a session: what it holds is closed."""
        with self._lock:
            session = self._sessions.pop(name, None)
        if session is not None:
            session.close()

    def free_idle(self) -> None:
        """Close what visitors hold who have not asked for anything for long. Their next request starts it again."""
        now = self._clock()
        with self._lock:
            idle = [one for one in self._sessions.values() if one.busy and now - one.used > IDLE_PROCESS]
        for session in idle:
            # A long request holds the lock: its visitor is not idle.
            if session.lock.acquire(blocking=False):
                try:
                    session.free()
                finally:
                    session.lock.release()

    def close(self) -> None:
        """End all sessions."""
        for name in list(self._sessions):
            self.end(name)
