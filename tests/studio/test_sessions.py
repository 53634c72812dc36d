"""Visitors and what they hold."""

from __future__ import annotations

import pytest

from hornbeam.studio.sessions import IDLE_PROCESS, IDLE_SESSION, LIMIT, Sessions, TooManySessions


class Process:
    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_visitor_holds_one_process_at_most() -> None:
    session = Sessions().open("a")
    first, second = Process(), Process()
    assert session.keep("one", first) is first and session.kept("one") is first
    session.keep("two", second)
    assert (first.closed, second.closed) == (1, 0)
    assert session.kept("one") is None and session.kept("two") is second


def test_an_idle_visitor_loses_the_process_and_keeps_the_session() -> None:
    clock = Clock()
    sessions = Sessions(clock=clock)
    session = sessions.open("a")
    session.notes["history"] = ["p."]
    process = session.keep("one", Process())
    clock.now = IDLE_PROCESS - 1
    sessions.free_idle()
    assert process.closed == 0
    clock.now = IDLE_PROCESS + 1
    sessions.free_idle()
    assert process.closed == 1 and sessions.open("a").notes["history"] == ["p."]


def test_a_process_that_is_in_use_is_not_freed() -> None:
    import threading

    clock = Clock()
    sessions = Sessions(clock=clock)
    session = sessions.open("a")
    process = session.keep("one", Process())
    clock.now = 10 * IDLE_PROCESS
    with session.lock:
        thread = threading.Thread(target=sessions.free_idle)
        thread.start()
        thread.join()
    assert process.closed == 0


def test_as_many_as_the_limit_hold_and_one_more_does_not() -> None:
    clock = Clock()
    sessions = Sessions(clock=clock)
    processes = [sessions.open(str(number)).keep("one", Process()) for number in range(LIMIT)]
    assert sessions.busy == len(sessions) == LIMIT == 20
    with pytest.raises(TooManySessions, match="20 visitors"):
        sessions.open("another")
    assert not any(process.closed for process in processes)
    clock.now = IDLE_SESSION + 1
    sessions.open("0")
    sessions.open("another")
    assert [process.closed for process in processes] == [0, *[1] * (LIMIT - 1)]


def test_the_end_of_a_session_and_of_all_frees_processes() -> None:
    sessions = Sessions()
    processes = [sessions.open(name).keep("one", Process()) for name in "abc"]
    sessions.end("a")
    assert [process.closed for process in processes] == [1, 0, 0]
    sessions.close()
    assert [process.closed for process in processes] == [1, 1, 1] and len(sessions) == 0
