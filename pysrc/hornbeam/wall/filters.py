"""The seccomp filter of a wall: a program for the kernel that looks at each system call and its arguments.

The filter is built in the parent. Two values are known only to the process that enters the wall, and are put in there:
its own id, and the address of the one path that it may execute.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from typing import Literal

from hornbeam.wall import calls
from hornbeam.wall.calls import AUDIT, LAST_KNOWN, Call, Machine

Late = Literal["pid", "path_low", "path_high"]

# Instructions of the classic BPF.
_LOAD = 0x20  # the word at an offset of the call's record
_EQUAL, _ABOVE, _ANY_BIT = 0x15, 0x25, 0x45  # jumps
_RETURN = 0x06

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERROR = 0x00050000
_REFUSE = _ERROR | errno.EPERM
_NO_SUCH_CALL = _ERROR | errno.ENOSYS
_READ_ONLY = _ERROR | errno.EACCES

_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in the record

_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACE = 0x7E020080
# Flags of open that write: WRONLY, RDWR, CREAT, TRUNC, TMPFILE.
_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o20000000
# Commands of fcntl that send signals to others or watch what they do: SETOWN, SETSIG, SETOWN_EX, SETLEASE, NOTIFY.
_FCNTL_REFUSED = (8, 10, 15, 1024, 1026)
# Requests of ioctl that type into a terminal (TIOCSTI, TIOCLINUX) or send signals (FIOSETOWN, SIOCSPGRP).
_IOCTL_REFUSED = (0x5412, 0x541C, 0x8901, 0x8902)


@dataclass(frozen=True, slots=True)
class Filter:
    """The instructions as bytes, and at which offsets which late value goes."""

    code: bytes = b""
    late: tuple[tuple[int, Late], ...] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """An instruction; `yes` and `no` are how many instructions a jump leaves out."""

    code: int
    value: int | Late
    yes: int = 0
    no: int = 0


def build(machine: Machine, *, writes: bool, processes: bool, signals_held: bool) -> Filter:
    """The filter of a wall.

    Args:
        machine: The machine that the process runs on.
        writes: It may write somewhere; Landlock says where.
        processes: It may start processes; Landlock says which programs.
        signals_held: Landlock keeps its signals inside the wall, so that it may send them to its children.
    """
    steps = [_Step(_LOAD, _MACHINE), _Step(_EQUAL, AUDIT[machine], 1, 0), _Step(_RETURN, _KILL)]
    steps += [_Step(_LOAD, _NUMBER), _Step(_ABOVE, LAST_KNOWN, 0, 1), _Step(_RETURN, _NO_SUCH_CALL)]
    steps += _whole(machine, calls.HIDDEN, _NO_SUCH_CALL)
    steps += _whole(machine, calls.ALWAYS_REFUSED, _REFUSE)
    if not writes:
        steps += _whole(machine, calls.NAMES, _REFUSE)
        steps += _when(machine, calls.OPEN, _bits(1, _WRITING, _READ_ONLY, _ALLOW))
        steps += _when(machine, calls.OPENAT, _bits(2, _WRITING, _READ_ONLY, _ALLOW))
    if processes:
        steps += _when(machine, calls.CLONE, _bits(0, _CLONE_NEW_NAMESPACE, _REFUSE, _ALLOW))
    else:
        steps += _whole(machine, calls.START, _REFUSE)
        steps += _when(machine, calls.CLONE, _bits(0, _CLONE_THREAD, _ALLOW, _REFUSE))
        steps += _when(machine, calls.EXECVE, _own_path())
    if not (processes and signals_held):
        for call in calls.OWN_PROCESS:
            steps += _when(machine, call, _one_of(0, ("pid",), _ALLOW, _REFUSE))
    steps += _when(machine, calls.PRLIMIT, _one_of(0, (0, "pid"), _ALLOW, _REFUSE))
    steps += _when(machine, calls.FCNTL, _one_of(1, _FCNTL_REFUSED, _REFUSE, _ALLOW))
    steps += _when(machine, calls.IOCTL, _one_of(1, _IOCTL_REFUSED, _REFUSE, _ALLOW))
    steps.append(_Step(_RETURN, _ALLOW))
    return _packed(steps)


def _whole(machine: Machine, refused: tuple[Call, ...], answer: int) -> list[_Step]:
    """Calls that are refused whatever their arguments are."""
    steps = []
    for call in refused:
        number = call.number(machine)
        if number is not None:
            steps += [_Step(_EQUAL, number, 0, 1), _Step(_RETURN, answer)]
    return steps


def _when(machine: Machine, call: Call, then: list[_Step]) -> list[_Step]:
    """Steps for one call; they end in a return, because they load something in place of its number."""
    number = call.number(machine)
    return [] if number is None else [_Step(_EQUAL, number, 0, len(then)), *then]


def _argument(place: int, *, high: bool = False) -> _Step:
    """Load half of an argument; both machines store the low half first."""
    return _Step(_LOAD, _ARGUMENTS + 8 * place + 4 * high)


def _bits(place: int, bits: int, any_set: int, none_set: int) -> list[_Step]:
    return [_argument(place), _Step(_ANY_BIT, bits, 0, 1), _Step(_RETURN, any_set), _Step(_RETURN, none_set)]


def _one_of(place: int, values: tuple[int | Late, ...], equal: int, other: int) -> list[_Step]:
    tests = [step for value in values for step in (_Step(_EQUAL, value, 0, 1), _Step(_RETURN, equal))]
    return [_argument(place), *tests, _Step(_RETURN, other)]


def _own_path() -> list[_Step]:
    """The launcher may execute the path that stands at one address of its memory; the program has no such memory."""
    return [
        _argument(0),
        _Step(_EQUAL, "path_low", 0, 3),
        _argument(0, high=True),
        _Step(_EQUAL, "path_high", 0, 1),
        _Step(_RETURN, _ALLOW),
        _Step(_RETURN, _REFUSE),
    ]


def _packed(steps: list[_Step]) -> Filter:
    code, late = bytearray(), []
    for step in steps:
        if isinstance(step.value, str):
            late.append((len(code) + 4, step.value))
        code += struct.pack("<HBBI", step.code, step.yes, step.no, 0 if isinstance(step.value, str) else step.value)
    return Filter(bytes(code), tuple(late))
