"""The filter, run by an interpreter of our own: so the one of aarch64 is tested on any machine."""

from __future__ import annotations

import errno
import struct

import pytest

from hornbeam.wall import calls, filters
from hornbeam.wall.calls import AUDIT, MACHINES, Call, Machine

PID, PATH = 4711, 0x7F00_1234_5678
ALLOW, KILL = "allow", "kill"
LATE = {"pid": PID, "path_low": PATH & 0xFFFFFFFF, "path_high": PATH >> 32}


def answer(machine: Machine, number: int, *arguments: int, audit: int | None = None, **options: bool) -> str:
    """What the filter says to a call: allow, kill, or the name of an error."""
    chosen = {"writes": False, "processes": False, "signals_held": True, **options}
    built = filters.build(machine, **chosen)
    code = bytearray(built.code)
    for place, name in built.late:
        struct.pack_into("<I", code, place, LATE[name])
    padded = [*arguments, *[0] * (6 - len(arguments))]
    record = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *padded)
    at, word = 0, 0
    while True:
        operation, yes, no, value = struct.unpack_from("<HBBI", code, 8 * at)
        at += 1
        if operation == 0x20:
            (word,) = struct.unpack_from("<I", record, value)
        elif operation == 0x06:
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(value) or errno.errorcode[value & 0xFFFF]
        else:
            holds = {0x15: word == value, 0x25: word > value, 0x45: bool(word & value)}[operation]
            at += yes if holds else no


def number(call: Call, machine: Machine) -> int:
    known = call.number(machine)
    assert known is not None
    return known


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_that_are_refused_whatever_they_ask(machine: Machine) -> None:
    refused = [call for call in (*calls.ALWAYS_REFUSED, *calls.NAMES, *calls.START) if call.number(machine) is not None]
    assert len(refused) > 90
    assert {answer(machine, number(call, machine)) for call in refused} == {"EPERM"}
    assert {answer(machine, number(call, machine)) for call in calls.HIDDEN} == {"ENOSYS"}


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_have_one_number(machine: Machine) -> None:
    tables = (calls.ALWAYS_REFUSED, calls.NAMES, calls.START, calls.HIDDEN, calls.OWN_PROCESS)
    single = (calls.EXECVE, calls.CLONE, calls.PRLIMIT, calls.OPEN, calls.OPENAT, calls.FCNTL, calls.IOCTL)
    known = [call.number(machine) for table in (*tables, single) for call in table]
    numbers = [number for number in known if number is not None]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(("machine", "read", "mmap", "futex"), [("x86_64", 0, 9, 202), ("aarch64", 63, 222, 98)])
def test_calls_that_an_engine_lives_on(machine: Machine, read: int, mmap: int, futex: int) -> None:
    assert {answer(machine, call) for call in (read, mmap, futex)} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_machine_and_new_ones(machine: Machine) -> None:
    assert answer(machine, 1, audit=0x40000003) == KILL  # i386
    assert answer(machine, 0x40000000 | 59) == "ENOSYS"  # x32
    assert answer(machine, 463) == "ENOSYS"  # setxattrat, Linux 6.13
    assert answer(machine, 435) == "ENOSYS"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_thread_is_no_process(machine: Machine) -> None:
    clone = number(calls.CLONE, machine)
    threads, forks, namespace = 0x3D0F00, 0x1200011, 0x40000011
    assert [answer(machine, clone, flags) for flags in (threads, forks, namespace)] == [ALLOW, "EPERM", "EPERM"]
    allowed = [answer(machine, clone, flags, processes=True) for flags in (threads, forks, namespace)]
    assert allowed == [ALLOW, ALLOW, "EPERM"]


@pytest.mark.parametrize("machine", MACHINES)
def test_only_the_launcher_s_own_path_is_executed(machine: Machine) -> None:
    execve = number(calls.EXECVE, machine)
    elsewhere = (PATH + 1, PATH & 0xFFFFFFFF, PATH + (1 << 32), 0)
    assert answer(machine, execve, PATH) == ALLOW
    assert {answer(machine, execve, address) for address in elsewhere} == {"EPERM"}
    assert answer(machine, execve, 0, processes=True) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_signals_and_limits_are_for_itself(machine: Machine) -> None:
    for call in calls.OWN_PROCESS:
        own = number(call, machine)
        others = (PID - 1, 0, (1 << 32) - 1)
        assert answer(machine, own, PID) == ALLOW
        assert {answer(machine, own, pid) for pid in others} == {"EPERM"}
        assert answer(machine, own, PID - 1, processes=True) == ALLOW  # Landlock holds it
        assert answer(machine, own, PID - 1, processes=True, signals_held=False) == "EPERM"
    prlimit = number(calls.PRLIMIT, machine)
    assert [answer(machine, prlimit, pid) for pid in (0, PID, 1)] == [ALLOW, ALLOW, "EPERM"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flags", [0o1, 0o2, 0o100, 0o1000, 0o2001, 0o20000000 | 0o2])
def test_files_are_opened_for_reading(machine: Machine, flags: int) -> None:
    openat = number(calls.OPENAT, machine)
    assert answer(machine, openat, 0, 0, flags) == "EACCES"
    assert answer(machine, openat, 0, 0, 0o2000000) == ALLOW
    assert answer(machine, openat, 0, 0, flags, writes=True) == ALLOW  # Landlock says where


@pytest.mark.parametrize("machine", MACHINES)
def test_descriptors_send_no_signals_and_type_nothing(machine: Machine) -> None:
    fcntl, ioctl = number(calls.FCNTL, machine), number(calls.IOCTL, machine)
    assert {answer(machine, fcntl, 0, command) for command in (8, 10, 15, 1024)} == {"EPERM"}
    assert {answer(machine, fcntl, 0, command) for command in (1, 2, 3, 4, 1030)} == {ALLOW}
    assert {answer(machine, ioctl, 0, request) for request in (0x5412, 0x541C, 0x8901)} == {"EPERM"}
    assert answer(machine, ioctl, 0, 0x5401) == ALLOW
