"""The contract of hornbeam.logic.Prolog, over every bridge."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from hornbeam import errors, resources
from hornbeam.logic import Compound, Limits, Prolog, String, Var
from hornbeam.logic.bridges import contained

BRIDGES = ("janus", "pyswip", "contained")
HERE = Path(__file__).parent


@pytest.mark.parametrize("bridge", ["janus", "pyswip"])
def test_contract_in_process(bridge: str) -> None:
    """SWI-Prolog has one engine a process, so each bridge gets a process of its own for the contract."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(HERE / "contract.py")],
        env={**os.environ, "HORNBEAM_PROLOG": bridge},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_default_bridge_is_janus() -> None:
    assert Prolog().bridge == "janus"


def test_an_unknown_bridge_is_named() -> None:
    with pytest.raises(errors.UsageError, match="did you mean 'janus'"):
        Prolog("janis")


class TestContained:
    """Goals and programs from outside."""

    @pytest.fixture
    def pl(self):
        with Prolog.contained(memory=256 << 20, cpu_seconds=20) as prolog:
            yield prolog

    def test_terms_cross_without_loss(self, pl: Prolog) -> None:
        term = Compound("f", ("a", String("é😀"), [1, 2.5, 10**40, Fraction(1, 3)], "true", "[]", [], Var("X")))
        back = pl.once("Y = X", given={"X": term})
        assert back is not None and isinstance(back["Y"], Compound)
        assert back["Y"].args[:-1] == term.args[:-1]

    @pytest.mark.parametrize(
        "goal",
        [
            "shell(ls)",
            "halt",
            "open('/etc/passwd', read, _)",
            "consult('/etc/passwd')",
            "assertz(user:foo(1))",
            "process_create(path(ls), [], [])",
            "G = shell(ls), call(G)",
            "getenv('PATH', _)",
        ],
    )
    def test_the_sandbox_refuses(self, pl: Prolog, goal: str) -> None:
        with pytest.raises(errors.NotAllowed):
            pl.ask(goal)
        assert pl.ask("true")

    @pytest.mark.parametrize(
        "program",
        [
            ":- shell(ls).",
            ":- initialization(shell(ls)).",
            "user:message_hook(_, _, _) :- shell(ls).",
            "term_expansion(a, b) :- shell(ls).\na.",
            "p :- hornbeam_bridge:serve(query, -(user, 'shell(ls)', [], ask, [], trusted), _).\n:- p.",
        ],
    )
    def test_programs_are_loaded_sandboxed(self, pl: Prolog, program: str) -> None:
        with pytest.raises(errors.NotAllowed, match=r"not allowed here|may not be defined here"):
            pl.load_text(program, "outside")
        assert pl.ask("true")

    def test_a_sleeping_goal_ends(self, pl: Prolog) -> None:
        with pytest.raises(errors.TimeLimit):
            pl.ask("sleep(100)", limits=Limits(seconds=0.2))

    def test_a_goal_that_catches_its_limit_is_ended_by_its_process_id(self) -> None:
        with Prolog.contained(cpu_seconds=2) as pl:
            pl.load_text("p(1).", "kept")
            with pytest.raises(errors.TimeLimit):
                pl.ask("catch((repeat, fail), _, (repeat, fail))", limits=Limits(seconds=0.1))
            # A new process takes its place and has what was loaded.
            assert pl.ask("p(1)", module="kept")

    def test_gigabytes_in_one_builtin(self, pl: Prolog) -> None:
        with pytest.raises(errors.StackLimit):
            pl.ask("format(atom(_), '~*c', [2000000000, 0'x])")
        assert pl.ask("true")

    def test_nothing_is_written(self, pl: Prolog) -> None:
        """Printing goals do not garble the replies either."""
        assert pl.once("format('{\"t\": []}~n'), writeln(hello), X = 1") == {"X": 1}

    def test_text_that_is_no_unicode_is_refused(self, pl: Prolog) -> None:
        with pytest.raises(errors.UsageError, match=r"not text that can be sent: '\\udcff'"):
            pl.ask("X = '\udcff'")
        assert pl.ask("true")

    def test_unload(self, pl: Prolog) -> None:
        pl.load_text("p(1).", "m")
        assert pl.all("p(X)", module="m") == [{"X": 1}]
        pl.unload("m")
        with pytest.raises(errors.UnknownPredicate):
            pl.all("p(X)", module="m")

    def test_common_libraries_can_be_used(self, pl: Prolog) -> None:
        program = ":- use_module(library(clpfd)).\n:- use_module(library(assoc)).\np(X) :- X #> 3, X #< 5."
        pl.load_text(program, "m")
        assert pl.all("p(X)", module="m") == [{"X": 4}]

    def test_no_process_is_left(self) -> None:
        pl = Prolog.contained()
        pl.ask("true")
        pid = pl._bridge.pid  # type: ignore[attr-defined]
        pl.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], tuple[str, ...]]]:
    """What a contained engine starts with, where the user's cache is in a folder."""

    def started(cache: Path) -> tuple[str, ...]:
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        contained._program.cache_clear()
        return contained._program()

    yield started
    contained._program.cache_clear()


def test_a_contained_engine_is_compiled_once(program: Callable[[Path], tuple[str, ...]], tmp_path: Path) -> None:
    option, state = program(tmp_path)
    written = Path(state).stat().st_mtime_ns
    with Prolog.contained() as prolog:
        assert prolog.once("X is 6 * 7") == {"X": 42}
        with pytest.raises(errors.NotAllowed):
            prolog.once("shell(true)")
    assert program(tmp_path) == (option, state) and option == "-x"
    assert Path(state).stat().st_mtime_ns == written
    assert [file.name for file in (tmp_path / "hornbeam").iterdir()] == [Path(state).name]


def test_without_a_cache_the_source_is_loaded(program: Callable[[Path], tuple[str, ...]], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert program(tmp_path / "file") == (str(resources.prolog("contained.pl")),)
    with Prolog.contained() as prolog:
        assert prolog.once("X is 6 * 7") == {"X": 42}
