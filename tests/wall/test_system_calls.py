"""A process behind a wall tries system calls itself: there is no sandbox, no interpreter and no library in between."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hornbeam.wall import Quota, Wall, support
from hornbeam.wall.support import Support

pytestmark = pytest.mark.skipif(not support().whole, reason="this kernel cannot hold a wall")

PYTHON = sys._base_executable  # type: ignore[attr-defined]
FILES = (Path(sys.base_prefix),)
NUMBERS = "x86_64" if support().machine == "x86_64" else "aarch64"

# Each attempt is tried; what it raises, or "" if it succeeds, is reported.
PROGRAM = """
import ctypes, json, os, signal, sys, threading, _socket
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
OUT, PARENT = sys.argv[1], os.getppid()

def call(number, *arguments):
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    if libc.syscall(ctypes.c_long(number), *given) < 0:
        raise OSError(ctypes.get_errno(), "")

def fork():
    if not os.fork():
        os._exit(0)

def fresh():
    os.makedirs(OUT + '/folder', exist_ok=True)
    with open(OUT + '/file.txt', 'w') as file:
        file.write('not for you')

def attempt(goal):
    try:
        if len(sys.argv) > 3:
            fresh()
        eval(goal)
    except OSError as error:
        return os.strerror(error.errno) if error.errno else str(error)
    return ""

print(json.dumps({name: attempt(goal) for name, goal in json.loads(sys.argv[2]).items()}))
"""


def tried(wall: Wall, outside: Path, attempts: dict[str, str], quota: Quota | None = None) -> dict[str, str]:
    """What became of attempts behind a wall: "" if one succeeded, else its error."""
    command = wall.around([PYTHON, "-I", "-S", "-c", PROGRAM, str(outside), json.dumps(attempts)], quota)
    environment = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    result: dict[str, str] = json.loads(done.stdout)
    return result


def snapshot(folder: Path) -> dict[str, Any]:
    """All that can be seen of a folder's content."""
    rows = {}
    for path in sorted(folder.rglob("*")):
        seen = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
        rows[path.name] = (seen.st_mode, seen.st_uid, seen.st_mtime_ns, seen.st_nlink, content)
    return rows


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    (folder / "folder").mkdir(parents=True)
    (folder / "file.txt").write_text("not for you", encoding="utf-8")
    return folder


FILE_ATTEMPTS = {
    "read": "open(OUT + '/file.txt').read()",
    "list": "os.listdir(OUT)",
    "write": "open(OUT + '/new.txt', 'w')",
    "append": "open(OUT + '/file.txt', 'a')",
    "update": "open(OUT + '/file.txt', 'r+')",
    "truncate on opening": "os.open(OUT + '/file.txt', os.O_RDONLY | os.O_TRUNC)",
    "nameless file": "os.open(OUT, os.O_TMPFILE | os.O_RDWR)",
    "truncate": "os.truncate(OUT + '/file.txt', 0)",
    "rename": "os.rename(OUT + '/file.txt', OUT + '/renamed')",
    "replace": "os.replace(OUT + '/file.txt', OUT + '/folder/file.txt')",
    "delete": "os.unlink(OUT + '/file.txt')",
    "delete a folder": "os.rmdir(OUT + '/folder')",
    "make a folder": "os.mkdir(OUT + '/made')",
    "symbolic link": "os.symlink('/etc/passwd', OUT + '/link')",
    "hard link": "os.link(OUT + '/file.txt', OUT + '/hard')",
    "pipe with a name": "os.mkfifo(OUT + '/pipe')",
    "mode": "os.chmod(OUT + '/file.txt', 0o777)",
    "owner": "os.chown(OUT + '/file.txt', 1, 1)",
    "times": "os.utime(OUT + '/file.txt', (1, 1))",
    "attribute": "os.setxattr(OUT + '/file.txt', 'user.mark', b'x')",
    "temporary file": "open('/tmp/hornbeam-wall-test', 'w')",
    "shared memory": "open('/dev/shm/hornbeam-wall-test', 'w')",
}
SECRETS = {
    "passwords": "open('/etc/passwd').read()",
    "home": f"os.listdir({str(Path.home())!r})",
    "own environment": "open('/proc/self/environ').read()",
    "the parent's environment": "open(f'/proc/{PARENT}/environ').read()",
    "the parent's command": "open(f'/proc/{PARENT}/cmdline').read()",
    "the parent's memory": "open(f'/proc/{PARENT}/mem', 'rb').read(1)",
    "the terminal": "open('/dev/tty')",
}
PROCESS_ATTEMPTS = {
    "fork": "fork()",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "become another program": "os.execv('/bin/true', ['true'])",
    "become the same program": "os.execv(sys.executable, ['python', '-c', ''])",
    "signal the parent": "os.kill(PARENT, signal.SIGUSR1)",
    "signal the group": "os.kill(0, signal.SIGUSR1)",
    "signal all": "os.kill(-1, signal.SIGUSR1)",
    "signal by descriptor": "__import__('fcntl').fcntl(0, 8, PARENT)",
    "handle of the parent": "os.pidfd_open(PARENT)",
    "priority of the parent": "os.setpriority(os.PRIO_PROCESS, PARENT, 19)",
    "affinity of the parent": "os.sched_setaffinity(PARENT, {0})",
    "limits of the parent": "__import__('resource').prlimit(PARENT, 0, (1, 1))",
}
SOCKETS = {
    "internet": "_socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)",
    "internet 6": "_socket.socket(_socket.AF_INET6, _socket.SOCK_STREAM)",
    "datagrams": "_socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)",
    "unix": "_socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)",
    "netlink": "_socket.socket(_socket.AF_NETLINK, _socket.SOCK_RAW)",
    "a pair": "_socket.socketpair()",
}
X86_CALLS = {
    "ptrace": "call(101, 16, PARENT, 0, 0)",
    "process_vm_readv": "call(310, PARENT, 0, 0, 0, 0, 0)",
    "vfork": "call(58)",
    "execveat": "call(322, -100, b'/bin/true', 0, 0, 0)",
    "tgkill of the parent": "call(234, PARENT, PARENT, 0)",
    "tkill of the parent": "call(200, PARENT, 0)",
    "unshare": "call(272, 0x10000000)",
    "setns": "call(308, 0, 0)",
    "mount": "call(165, b'none', OUT.encode(), b'tmpfs', 0, 0)",
    "chroot": "call(161, b'/')",
    "bpf": "call(321, 0, 0, 0)",
    "perf_event_open": "call(298, 0, 0, -1, -1, 0)",
    "userfaultfd": "call(323, 0)",
    "io_uring_setup": "call(425, 1, 0)",
    "keyctl": "call(250, 0, 0, 0, 0, 0)",
    "memfd_create": "call(319, b'x', 0)",
    "open_by_handle_at": "call(304, 0, 0, 0)",
    "personality": "call(135, 0x40000)",
    "shmget": "call(29, 1, 4096, 0o1600)",
    "inotify_init": "call(253)",
    "syslog": "call(103, 3, 0, 0)",
    "x32": "call(0x40000000 | 39)",
    "clone3": "call(435, 0, 0)",
    "openat2": "call(437, -100, b'/etc/passwd', 0, 24)",
    "fchmodat2": "call(452, -100, OUT.encode(), 0o777, 0)",
    "typing into the terminal": "__import__('fcntl').ioctl(0, 0x5412, b'x')",
}


def test_without_a_wall_the_attempts_succeed(outside: Path) -> None:
    """Otherwise the tests below would say nothing."""
    (outside / "folder" / "deep").mkdir()
    some = {name: SECRETS[name] for name in ("passwords", "home", "own environment", "the parent's command")}
    forks = {name: PROCESS_ATTEMPTS[name] for name in ("fork", "spawn", "handle of the parent", "signal by descriptor")}
    attempts = {**FILE_ATTEMPTS, **some, **forks, **SOCKETS}
    attempts["delete a folder"] = "os.rmdir(OUT + '/folder/deep')"
    command = [PYTHON, "-I", "-S", "-c", PROGRAM, str(outside), json.dumps(attempts), "fresh"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.PIPE)
    failed = {name for name, error in json.loads(done.stdout).items() if error}
    for left in ("/tmp/hornbeam-wall-test", "/dev/shm/hornbeam-wall-test"):
        Path(left).unlink(missing_ok=True)
    # These depend on the file system and on who runs the test.
    assert failed <= {"owner", "attribute", "nameless file", "internet 6", "shared memory"}


def test_files_outside_can_be_neither_read_nor_changed(outside: Path) -> None:
    before = snapshot(outside)
    results = tried(Wall(FILES), outside, FILE_ATTEMPTS)
    assert [name for name, error in results.items() if not error] == []
    assert snapshot(outside) == before
    assert not Path("/tmp/hornbeam-wall-test").exists() and not Path("/dev/shm/hornbeam-wall-test").exists()


def test_nor_can_they_from_a_folder_that_may_be_written(outside: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    allowed = {
        "write": "open('a.txt', 'w').write('mine')",
        "rename": "os.rename('a.txt', 'b.txt')",
        "read": "open('b.txt').read()",
        "make a folder": "os.mkdir('c')",
        "move": "os.rename('b.txt', 'c/b.txt')",
        "truncate": "os.truncate('c/b.txt', 1)",
        "nowhere": "open('/dev/null', 'w').write('x')",
    }
    refused = {
        **FILE_ATTEMPTS,
        "symbolic link": "os.symlink('/etc/passwd', 'link')",
        "link from outside": "os.link(OUT + '/file.txt', 'link.txt')",
        "pipe": "os.mkfifo('pipe')",
        "move out": "os.rename('c/b.txt', OUT + '/b.txt')",
        "out by the parent": "open('../outside/file.txt')",
    }
    before = snapshot(outside)
    inside = f"os.chdir({str(own)!r}) or "
    results = tried(
        Wall(FILES, writable=(own,)), outside, {name: inside + goal for name, goal in (allowed | refused).items()}
    )
    results_allowed = tried(Wall(FILES, writable=(own,)), outside, {n: inside + goal for n, goal in allowed.items()})
    assert {name for name, error in results_allowed.items() if error} == set()
    assert {name for name in refused if not results[name]} == set()
    assert snapshot(outside) == before
    assert sorted(path.name for path in own.rglob("*")) == ["b.txt", "c"]


def test_secrets_stay_secret(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cr3t")
    results = tried(Wall(FILES), outside, SECRETS)
    assert [name for name, error in results.items() if not error] == []


def test_no_process_is_started_and_no_other_one_is_reached(outside: Path) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    limits, affinity = resource.getrlimit(resource.RLIMIT_CPU), os.sched_getaffinity(0)
    try:
        results = tried(Wall(FILES), outside, PROCESS_ATTEMPTS)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert [name for name, error in results.items() if not error] == []
    assert (heard, resource.getrlimit(resource.RLIMIT_CPU), os.sched_getaffinity(0)) == ([], limits, affinity)


def test_no_socket_is_opened(outside: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = {"connect": f"_socket.socket().connect(('127.0.0.1', {port}))"}
        results = tried(Wall(FILES), outside, {**SOCKETS, **connect})
    assert set(results.values()) == {"Operation not permitted"}


@pytest.mark.skipif(support().machine != "x86_64", reason="the numbers are those of x86_64")
def test_calls_that_reach_around_paths_are_refused(outside: Path) -> None:
    before = snapshot(outside)
    results = tried(Wall(FILES), outside, X86_CALLS)
    assert {name: error for name, error in results.items() if error not in _REFUSED} == {}
    assert snapshot(outside) == before


_REFUSED = ("Operation not permitted", "Function not implemented")


def test_what_a_program_needs_works(outside: Path) -> None:
    """Threads, signals to itself, files that it was given, libraries, time, random numbers."""
    results = tried(
        Wall((*FILES, outside)),
        outside,
        {
            "read": "open(OUT + '/file.txt').read()",
            "list": "os.listdir(OUT)",
            "thread": "[t := threading.Thread(target=print, args=('',), kwargs={'end': ''}), t.start(), t.join()]",
            "signal": "[signal.signal(signal.SIGUSR1, lambda *_: 0), os.kill(os.getpid(), signal.SIGUSR1)]",
            "raise": "signal.raise_signal(signal.SIGUSR1)",
            "library": "__import__('_decimal')",
            "random": "[os.urandom(8), open('/dev/urandom', 'rb').read(1)]",
            "limits": "__import__('resource').getrlimit(0)",
            "pipe": "os.pipe()",
        },
    )
    assert {name: error for name, error in results.items() if error} == {}


def test_programs_may_be_started_behind_the_same_wall(outside: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    wall = Wall(FILES, writable=(own,), processes=True)
    before = snapshot(outside)
    script = f"echo ran > {own}/ran; cat {outside}/file.txt; echo x > {outside}/new; kill -USR1 $PPID; echo end"
    command = wall.around(["/bin/sh", "-c", f"/bin/sh -c '{script}'"])
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (own / "ran").read_text(encoding="utf-8") == "ran\n"
    assert (done.stdout, snapshot(outside)) == ("end\n", before)
    results = tried(wall, outside, {**SOCKETS, **SECRETS, **FILE_ATTEMPTS})
    assert [name for name, error in results.items() if not error] == []


def test_a_quota_holds(outside: Path) -> None:
    quota = Quota(cpu=1, memory=400 << 20, file=0)
    loop = Wall(FILES).around([PYTHON, "-I", "-S", "-c", "while True: pass"], quota)
    assert -subprocess.run(loop, timeout=60, check=False).returncode in (signal.SIGXCPU, signal.SIGKILL)
    eat = Wall(FILES).around([PYTHON, "-I", "-S", "-c", "bytearray(500 << 20)"], quota)
    done = subprocess.run(eat, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "MemoryError" in done.stderr) == (1, True)


def test_descriptors_of_the_parent_are_closed(outside: Path) -> None:
    with (outside / "file.txt").open("rb") as stream:
        os.set_inheritable(stream.fileno(), True)
        program = "import os; print([n for n in range(3, 99) if not closed(n)])"
        closed = "def closed(n):\n try: os.fstat(n)\n except OSError: return True\n"
        command = Wall(FILES).around([PYTHON, "-I", "-S", "-c", f"import os\n{closed}{program}"])
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, close_fds=False)
    assert done.stdout == "[]\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has what is dropped")
def test_root_loses_its_powers(outside: Path) -> None:
    """Root may still read what belongs to others where the wall allows it, and that is all."""
    command = Wall((*FILES, Path("/proc/self/status")), foreign=False).around(["/bin/cat", "/proc/self/status"])
    status = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(fields["CapEff"], 16) | int(fields["CapPrm"], 16) == 0b110
    assert (int(fields["CapInh"], 16), int(fields["CapAmb"], 16)) == (0, 0)
    assert (fields["NoNewPrivs"].strip(), fields["Seccomp"].strip()) == ("1", "2")


def test_the_wall_can_be_built_with_older_kernels(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each version of Landlock's interface that this kernel still takes; the filter covers what it lacks."""
    for version in range(1, support().landlock + 1):
        old = Support(version, support().machine, namespaces=False)
        monkeypatch.setattr("hornbeam.wall.walls.support", lambda old=old: old)
        before = snapshot(outside)
        results = tried(Wall(FILES), outside, {**FILE_ATTEMPTS, "kill": PROCESS_ATTEMPTS["signal the parent"]})
        assert ([name for name, error in results.items() if not error], snapshot(outside)) == ([], before), version
