"""Puts this process behind a wall and then becomes another program.

    python -I -S launch.py PLAN PROGRAM ARGUMENT ...

:mod:`hornbeam.wall` makes the plan and starts this file as a script, by its path. It imports nothing of Hornbeam and
little else, because it runs before every contained process.
"""

import ctypes
import errno
import marshal
import os
import resource
import stat
import struct
import sys

FAILED = 125  # the exit code if a part of the wall cannot be built; the program is not started then

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PATH_BENEATH = 1
_ON_A_FILE = 0b1100_0000_0000_0111  # of Landlock's rights: execute, write, read, truncate, ioctl
_NEW_USER = 0x10000000
_CAPABILITIES = 0x20080522  # the version of the structure
_FILE_CAPABILITIES = 0b110  # DAC_OVERRIDE and DAC_READ_SEARCH: what root may read, Landlock decides

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def main() -> None:
    plan = marshal.loads(bytes.fromhex(sys.argv[1]))
    command = [os.fsencode(part) for part in sys.argv[2:]]
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    for which, most in plan["limits"]:
        _limit(which, most)
    if plan["confined"]:
        _checked(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _enter_namespaces(plan["namespaces"])
        _drop_capabilities()
        _restrict_paths(plan["ruleset"], plan["paths"])
    path = ctypes.create_string_buffer(command[0])
    arguments = (ctypes.c_char_p * (len(command) + 1))(*command)
    pairs = [key + b"=" + value for key, value in os.environb.items()]
    environment = (ctypes.c_char_p * (len(pairs) + 1))(*pairs)
    if plan["confined"]:
        _restrict_calls(plan["filter"], plan["late"], ctypes.addressof(path))
    _libc.execve(path, arguments, environment)
    raise OSError(ctypes.get_errno(), "execve")


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(which, (most, most))
    except (ValueError, OSError):
        # Some systems have no limit on address space.
        if which != resource.RLIMIT_AS:
            raise


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _system_call(number: int, *arguments: int | bytes) -> int:
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *given)
    return result


def _enter_namespaces(flags: int) -> None:
    """Its own network and so on, where that is allowed: nothing depends on it, the filter refuses sockets anyway."""
    if _libc.unshare(flags) and os.geteuid():  # root would lose its right to the files of others
        _libc.unshare(flags | _NEW_USER)


def _drop_capabilities() -> None:
    header = struct.pack("=Ii", _CAPABILITIES, 0)
    held = ctypes.create_string_buffer(24)
    _checked(_libc.capget(header, held))
    effective, permitted = struct.unpack_from("=II", held.raw)
    kept = struct.pack("=6I", effective & _FILE_CAPABILITIES, permitted & _FILE_CAPABILITIES, 0, 0, 0, 0)
    _checked(_libc.capset(header, kept))


def _restrict_paths(ruleset: bytes, paths: list[tuple[str, int]]) -> None:
    if not ruleset:
        return
    rules = _checked(_system_call(_LANDLOCK_CREATE, ruleset, len(ruleset), 0))
    for path, rights in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError as error:
            # What is not there cannot be read either.
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
                continue
            raise
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _ON_A_FILE
        rule = struct.pack("=Qi", rights, place)
        _checked(_system_call(_LANDLOCK_ADD, rules, _PATH_BENEATH, rule, 0))
        os.close(place)
    _checked(_system_call(_LANDLOCK_RESTRICT, rules, 0))
    os.close(rules)


def _restrict_calls(code: bytes, late: list[tuple[int, str]], path: int) -> None:
    if not code:
        return
    values = {"pid": os.getpid(), "path_low": path & 0xFFFFFFFF, "path_high": path >> 32}
    patched = bytearray(code)
    for place, name in late:
        struct.pack_into("<I", patched, place, values[name])
    program = _FilterProgram(len(patched) // 8, bytes(patched))
    _checked(_libc.prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(program), 0, 0))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        print(f"the wall cannot be built: {error}", file=sys.stderr)
        sys.exit(FAILED)
