"""SWI-Prolog behind the wall with no sandbox at all: whatever a goal gets through to, the process cannot do it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hornbeam import resources
from hornbeam.errors import HornbeamError, LimitExceeded, PrologError
from hornbeam.logic import Limits, Prolog, swipl
from hornbeam.logic.bridges.contained import ContainedBridge
from hornbeam.wall import Wall, support
from hornbeam.wall.server import LineServer
from tests.wall.test_system_calls import snapshot

pytestmark = pytest.mark.skipif(not support().whole, reason="this kernel cannot hold a wall")

# Answers each line, a goal, with one line: how it ended. Nothing checks the goals.
SERVER = """
:- initialization(main, main).
:- use_module(library(process)).
:- use_module(library(socket)).
:- use_module(library(filesex)).
:- use_module(library(unix)).
:- use_module(library(readutil)).
:- use_module(library(dcg/basics), []).

main :-
    prompt(_, ''),
    repeat,
    read_term(user_input, Goal, []),
    (   Goal == end_of_file
    ->  !
    ;   catch(( once(Goal) -> Answer = yes ; Answer = no ), Error, Answer = error(Error)),
        format("~q.~n", [Answer]),
        flush_output,
        fail
    ).
"""


class Unchecked:
    """A `swipl` that runs every goal it is told."""

    def __init__(self, folder: Path, *, cpu: int = 20, memory: int = 1 << 30) -> None:
        program = folder / "server.pl"
        program.write_text(SERVER, encoding="utf-8")
        engine = swipl.find()
        self._server = LineServer(
            [engine.program, "-f", "none", "--no-packs", "-q", str(program)],
            wall=Wall((*engine.parts, folder)),
            cpu=cpu,
            memory=memory,
            folder=str(folder),
            environment=engine.environment(str(folder)),
        )
        self.pid = self._server.pid

    def ask(self, goal: str) -> str:
        return self._server.ask(f"{goal}.\n".encode(), 60).decode().strip()

    def wait(self) -> int:
        return self._server.wait().status

    def end(self) -> None:
        self._server.end()


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the process may read."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "given.pl").write_text("given(yes).\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def prolog(given: Path) -> Iterator[Unchecked]:
    server = Unchecked(given)
    yield server
    server.end()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "secret.pl").write_text("secret(s3cr3t).\n", encoding="utf-8")
    library = next(Path(swipl.find().home).rglob("readutil*.so"), None)
    if library is not None:
        (tmp_path / "foreign.so").write_bytes(library.read_bytes())
    return tmp_path


RUNNING = (
    "shell('touch OUT/ran', 0)",
    "shell('touch OUT/ran')",
    "process_create(path(touch), ['OUT/ran'], [])",
    "process_create('/usr/bin/touch', ['OUT/ran'], [process(P)]), process_wait(P, exit(0))",
    "setup_call_cleanup(open(pipe('touch OUT/ran'), read, S), read_string(S, _, _), close(S))",
    "setup_call_cleanup(open(pipe('cat > OUT/ran'), write, S), write(S, x), close(S))",
    "fork(P), ( P == child -> open('OUT/ran', write, S), close(S), halt ; wait(P, _) )",
    "fork_exec(touch('OUT/ran'))",
    "exec(touch('OUT/ran'))",
    "open(pipe('id'), read, S), read_string(S, _, T), T \\== \"\"",
)
SOCKETS = (
    "tcp_socket(_)",
    "udp_socket(_)",
    "unix_domain_socket(_)",
    "socket_create(_, [domain(inet6)])",
    "socket_create(_, [domain(unix)])",
    "tcp_connect(localhost:PORT, _, [])",
    "tcp_connect('OUT/socket', _, [])",
    "tcp_host_to_address(localhost, _), tcp_socket(S), tcp_bind(S, 0)",
)
WRITING = (
    "open('OUT/new.txt', write, _)",
    "open('OUT/secret.pl', write, _)",
    "open('OUT/secret.pl', append, _)",
    "open('OUT/secret.pl', update, _)",
    "tell('OUT/new.txt')",
    "rename_file('OUT/secret.pl', 'OUT/other.pl')",
    "delete_file('OUT/secret.pl')",
    "make_directory('OUT/made')",
    "make_directory_path('OUT/made/deep')",
    "delete_directory('OUT/folder')",
    "delete_directory_and_contents('OUT/folder')",
    "chmod('OUT/secret.pl', +x)",
    "set_time_file('OUT/secret.pl', _, [modified(1)])",
    "link_file('/etc/passwd', 'OUT/link', symbolic)",
    "link_file('OUT/secret.pl', 'OUT/link', hard)",
    "copy_file('HERE/given.pl', 'OUT/copy.pl')",
    "tmp_file_stream(text, _, _)",
    "qsave_program('OUT/state', [])",
    "qcompile('HERE/given.pl')",
    "open('HERE/new.txt', write, _)",
    "delete_file('HERE/given.pl')",
)
READING = (
    "read_file_to_string('/etc/passwd', _, [])",
    "read_file_to_string('OUT/secret.pl', _, [])",
    "open('OUT/secret.pl', read, _, [type(binary)])",
    "see('OUT/secret.pl')",
    "consult('OUT/secret.pl')",
    "load_files('OUT/secret.pl', [silent(true)])",
    "exists_source('OUT/secret.pl'), use_module('OUT/secret.pl')",
    "directory_files('OUT', _)",
    "directory_files('HOME', _)",
    "read_file_to_string('/proc/self/environ', _, [])",
    "read_file_to_string('/proc/PARENT/environ', _, [])",
    "read_file_to_string('/proc/PARENT/cmdline', _, [])",
    "directory_files('/proc', _)",
    "getenv('SECRET_TOKEN', _)",
    "use_foreign_library('OUT/foreign.so')",
    "load_foreign_library('OUT/foreign')",
    "open_shared_object('OUT/foreign.so', _)",
)
SIGNALS = (
    "process_kill(PARENT, usr1)",
    "process_kill(PARENT, 10)",
    "process_group_kill(0, usr1)",
)


# SWI-Prolog's own say yes and print an error; what counts is seen from outside.
SAYS_YES = ("shell(", "use_foreign_library(")


@pytest.mark.parametrize("goal", [*RUNNING, *SOCKETS, *WRITING, *READING, *SIGNALS])
def test_a_goal_that_reaches_out_reaches_nothing(
    goal: str, prolog: Unchecked, given: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cr3t")
    before, own = snapshot(outside), snapshot(given)
    heard: list[int] = []
    handler = signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        names = {"OUT": outside, "HERE": given, "PARENT": os.getpid(), "HOME": Path.home()}
        for name, value in {**names, "PORT": server.getsockname()[1]}.items():
            goal = goal.replace(name, str(value))
        answer = prolog.ask(goal)
        with pytest.raises(TimeoutError):
            server.accept()
    signal.signal(signal.SIGUSR1, handler)
    assert answer.startswith(("error(", "no.")) or goal.startswith(SAYS_YES), answer
    assert "s3cr3t" not in answer
    assert (snapshot(outside), snapshot(given), heard) == (before, own, [])
    assert str(outside) not in Path(f"/proc/{prolog.pid}/maps").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "goal",
    [
        "X is 6 * 7, X == 42",
        "consult('HERE/given.pl'), user:given(yes)",
        "directory_files('HERE', Names), memberchk('given.pl', Names)",
        "use_module(library(clpfd)), user:(#=(X, 3)), X == 3",
        "use_module(library(aggregate)), aggregate_all(count, member(_, [a, b]), 2)",
        "thread_create(true, Id), thread_join(Id, true)",
        "first_solution(X, [member(X, [1])], []), X == 1",
        "get_time(Now), format_time(atom(_), '%c', Now)",
        "X is random_float, X > 0",
        "catch(call_with_time_limit(0.05, (repeat, fail)), time_limit_exceeded, true)",
        "format(atom(A), '~2f', [1.5]), A == '1.50'",
        "use_foreign_library(foreign(readutil))",
        "current_prolog_flag(pid, Pid), integer(Pid)",
    ],
)
def test_what_reasoning_needs_works(goal: str, prolog: Unchecked, given: Path) -> None:
    assert prolog.ask(goal.replace("HERE", str(given))) == "yes."


def test_memory_and_time_are_limited(given: Path) -> None:
    server = Unchecked(given, cpu=1, memory=600 << 20)
    answer = server.ask("set_prolog_flag(stack_limit, 100 000 000 000), numlist(1, 30 000 000, L), length(L, _)")
    assert answer == "" or "resource_error" in answer
    server.end()
    server = Unchecked(given, cpu=1)
    assert server.ask("repeat, fail") == ""
    assert -server.wait() in (signal.SIGXCPU, signal.SIGKILL)
    server.end()


# The engine that everybody uses -------------------------------------------------------------------------------------


class Unsandboxed(ContainedBridge):
    safety = "trusted"


def test_a_contained_engine_whose_sandbox_is_open(outside: Path) -> None:
    """Its goals are not checked, so that they run what the sandbox would refuse."""
    goals = {
        "shell": f"shell('touch {outside}/ran')",
        "write": f"open('{outside}/new', write, _)",
        "read": f"open('{outside}/secret.pl', read, S), read(S, T), T = secret(_)",
        "environment": "open('/proc/self/environ', read, _)",
    }
    before = snapshot(outside)
    with Prolog(Unsandboxed(memory=1 << 29, cpu_seconds=10)) as prolog:
        for name in ("write", "read", "environment"):
            with pytest.raises(PrologError, match=r"(?i)permission"):
                prolog.ask(goals[name])
        prolog.ask(goals["shell"])  # says yes even though it cannot fork
        assert prolog.ask("X is 1 + 1, X == 2")
    with Prolog(Unsandboxed(memory=1 << 29, cpu_seconds=10, readable=[outside])) as prolog:
        assert prolog.ask(goals["read"])
        with pytest.raises(PrologError, match=r"(?i)permission"):
            prolog.ask(goals["write"])
    assert snapshot(outside) == before


def test_a_file_that_was_not_given_cannot_be_loaded(outside: Path) -> None:
    with Prolog.contained() as prolog, pytest.raises(HornbeamError):
        prolog.load(outside / "secret.pl")
    with Prolog.contained(readable=[outside]) as prolog:
        prolog.load(outside / "secret.pl", "user")
        assert prolog.once("secret(X)") == {"X": "s3cr3t"}
    with Prolog.contained() as prolog:
        assert prolog.load(resources.kb("star", "point.pl")) == "star_point"


FORGED = ("X", "[]", '{"t": ["ok"]}', '{"t": ["error", "x"]}', '{"no": 1}')


@pytest.mark.parametrize("line", FORGED)
def test_what_else_is_printed_in_place_of_an_answer_is_no_answer(line: str) -> None:
    """A goal that got hold of the stream of answers can garble them, and that ends the process."""
    with Prolog(Unsandboxed(memory=1 << 29, cpu_seconds=10)) as prolog:
        assert prolog.ask("true")
        before = prolog._bridge.pid  # type: ignore[attr-defined]
        goal = f"stream_property(S, file_no(1)), format(S, '{line}~n', []), flush_output(S)"
        with pytest.raises(PrologError, match=r"cannot be (read|passed)"):
            prolog.ask(goal)
        assert prolog.once("X = 1") == {"X": 1}
        assert prolog._bridge.pid != before  # type: ignore[attr-defined]


def test_facts_may_have_the_name_of_a_library_s_predicate() -> None:
    text = "p(X) :- reverse(X, _).\nreverse(a, b).\nlast(a, b).\n"
    with Prolog.contained() as prolog:
        for _ in range(2):
            prolog.load_text(text, "user")
            assert prolog.all("reverse(X, Y)") == [{"X": "a", "Y": "b"}]


def test_an_answer_that_is_nested_too_deeply() -> None:
    with Prolog.contained() as prolog:
        with pytest.raises(PrologError, match="levels deep"):
            prolog.once("numlist(1, 20000, L), foldl([_, A, f(A)]>>true, L, x, T)")
        assert prolog.ask("true")


def test_a_program_that_does_not_read_is_late(given: Path) -> None:
    server = LineServer(["/bin/sleep", "60"], wall=Wall(), cpu=1, memory=1 << 30, folder=str(given), environment={})
    with pytest.raises(TimeoutError):
        server.ask(b"x" * (1 << 20) + b"\n", 0.3)
    server.end()


@pytest.mark.slow
def test_a_limit_ends_the_process_and_the_next_call_starts_another() -> None:
    with Prolog.contained(memory=1 << 29, cpu_seconds=1) as prolog:
        with pytest.raises(LimitExceeded):
            prolog.ask("repeat, fail", limits=Limits(seconds=30))
        assert prolog.ask("true")
