"""The harness of Aleph: the files that we write, the settings that we check, and the real program where it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

import hornbeam
from hornbeam.errors import EngineUnavailable, UsageError
from hornbeam.ilp.aleph.learner import VARIABLE, AlephLearner, AlephSettings, Log, aleph_files, find, write_task
from hornbeam.ilp.learner import get
from hornbeam.ilp.watch import Watch
from hornbeam.logic.terms import Compound
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory, judge
from tests.ilp.problems import cards

needs_aleph = pytest.mark.skipif(find() is None, reason="needs Aleph: pip install --no-deps python-rdm==0.3.7")


def task() -> ExampleTask:
    made = cards().task
    assert isinstance(made, ExampleTask)
    return made


def right(theory: Theory, made: ExampleTask) -> list[bool]:
    examples = [*made.positive, *made.negative]
    covered = judge(theory, examples, background=made.background).covered
    return [one == (n < len(made.positive)) for n, one in enumerate(covered)]


# Files ----------------------------------------------------------------------------------------------------------------


def test_sizes_are_said_in_the_terms_of_aleph() -> None:
    bias = replace(task().bias, max_body=4, max_vars=5, depth=3)
    settings = AlephSettings().directives(bias)
    assert (settings["clauselength"], settings["newvars"], settings["i"]) == ("5", "4", "3")
    assert settings["minpos"] == "2" and settings["check_useless"] == "true"
    assert "path" not in settings and "seed" not in settings


def test_the_files_hold_modes_determinations_background_and_examples() -> None:
    files = aleph_files(task(), AlephSettings(negation=True))
    assert ":- modeb(*,colour(+card,#colour)).\n" in files[".b"]
    assert ":- determination(good/1,near/2).\n" in files[".b"]
    assert "red(X) :- colour(X, red)." in files[".b"]
    assert "not(" not in files[".b"]  # no mode may be negated
    assert files[".f"] == "good(c1).\ngood(c2).\n" and files[".n"].count("\n") == 3


def test_negated_modes_recursion_and_open_places() -> None:
    bias = Bias(
        (Mode.parse("p(+t,-t)"),), (Mode.parse("q(?t,?t)"), Mode.parse("r(+t)", negated=True, recall=3)), recursion=True
    )
    text = aleph_files(ExampleTask("x", (), (), "", bias), AlephSettings(negation=True))[".b"]
    modes = [line for line in text.splitlines() if line.startswith(":- modeb")]
    assert modes == [
        ":- modeb(*,q(+t,+t)).", ":- modeb(*,q(+t,-t)).", ":- modeb(*,q(-t,+t)).",
        ":- modeb(3,r(+t)).", ":- modeb(1,not(r(+t))).", ":- modeb(*,p(+t,-t)).",
    ]  # fmt: skip
    assert ":- determination(p/2,(not)/1)." in text and ":- determination(p/2,p/2)." in text


def test_the_port_takes_one_file(tmp_path: Path) -> None:
    (path,) = write_task(task(), tmp_path, kind="port")
    text = path.read_text()
    assert path.suffix == ".pl" and text.startswith(":- aleph.\n:- aleph_set(clauselength,")
    assert text.index(":- begin_bg.") < text.index("near(c1, c4)") < text.index(":- begin_in_pos.")
    assert text.rstrip().endswith(":- end_in_neg.")


def test_unknown_settings_and_values_out_of_range_are_refused() -> None:
    with pytest.raises(ValidationError):
        AlephSettings.model_validate({"min_pos": 2})
    with pytest.raises(ValidationError):
        AlephSettings(minacc=1.5)
    with pytest.raises(ValidationError):
        AlephSettings.model_validate({"evalfn": "covrage"})


def test_two_targets_are_refused() -> None:
    bias = replace(task().bias, head=(*task().bias.head, Mode.parse("bad(+card)")))
    with pytest.raises(UsageError, match="one predicate"):
        aleph_files(replace(task(), bias=bias), AlephSettings())


def test_where_there_is_none_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "aleph.pl"))
    message = get("aleph").available()
    assert message is not None and "python-rdm" in message
    with pytest.raises(EngineUnavailable):
        AlephLearner().fit(task(), AlephSettings(), Watch(1))


def test_the_log_gives_clauses_as_they_are_taken() -> None:
    log = Log()
    printed = """\
[select example] [1]
[clauses constructed] [8]
[clauses constructed] [8]
[best clause]
east(A) :-
   has(A,B), short(B).
[pos cover = 3 neg cover = 1] [pos-neg] [2]
[select example] [4]
[clauses constructed] [5]
"""
    rules = [rule for line in printed.splitlines() for rule in log.feed(line)]
    assert rules == ["east(A) :- has(A,B), short(B)."]
    assert (log.positives, log.negatives, log.constructed) == (3, 1, 13)


# The real one ---------------------------------------------------------------------------------------------------------


@needs_aleph
def test_it_learns_the_cards(capfd: pytest.CaptureFixture[str]) -> None:
    watch = Watch(30)
    theory = AlephLearner().fit(task(), AlephSettings(), watch)
    assert all(right(theory, task()))
    assert watch.tried > 0 and watch.events[-1].kind == "finished"
    assert any(event.kind == "clause" and event.figures["positives"] == 2 for event in watch.events)


@needs_aleph
def test_it_learns_with_negation_only_if_it_may() -> None:
    # Good is what is not red and not near a red one.
    bias = Bias((Mode.parse("good(+card)"),), (Mode.parse("red(+card)", negated=True),), max_body=2)
    made = replace(
        task(), positive=tuple(Compound("good", (card,)) for card in ("c4", "c5")),
        negative=tuple(Compound("good", (card,)) for card in ("c1", "c2", "c3")), bias=bias,
    )  # fmt: skip
    assert not AlephLearner().fit(made, AlephSettings(), Watch(30)).clauses
    assert all(right(AlephLearner().fit(made, AlephSettings(negation=True), Watch(30)), made))


@needs_aleph
def test_at_the_time_limit_the_clauses_so_far_are_kept() -> None:
    """A first group is quick to learn. In the second each positive has a negative twin, and the search has no end."""
    tests = [f"test{number}" for number in range(24)]
    twins = "".join(
        f"{test}(s{n}).\n{test}(n{n}).\n" for k, test in enumerate(tests) for n in range(20) if (n * (k + 3)) % 11 > 2
    )
    bias = Bias(
        (Mode.parse("p(+t)"),), tuple(Mode.parse(f"{test}(+t)") for test in ["easy", *tests]), max_body=12, depth=1
    )
    positive = [f"e{n}" for n in range(5)] + [f"s{n}" for n in range(20)]
    made = ExampleTask(
        "long",
        tuple(Compound("p", (one,)) for one in positive),
        tuple(Compound("p", (f"n{n}",)) for n in range(20)),
        "".join(f"easy(e{n}).\n" for n in range(5)) + twins,
        bias,
        facts=True,
    )
    watch = Watch(3.0)
    theory = AlephLearner().fit(made, AlephSettings(nodes=10_000_000), watch)
    assert str(theory) == "p(A) :- easy(A).\n"
    assert watch.events[-1].kind == "best" and 2 < watch.seconds() < 9


@needs_aleph
def test_a_task_that_would_overwrite_aleph_is_refused() -> None:
    bias = replace(task().bias, body=(Mode.parse("induce(+card)"),))
    with pytest.raises(UsageError, match="induce"):
        AlephLearner().fit(replace(task(), bias=bias), AlephSettings(), Watch(5))


@needs_aleph
@pytest.mark.parametrize("encoding", ["folded", pytest.param("natural", marks=pytest.mark.slow)])
def test_it_learns_a_task_of_kandy(tmp_path: Path, encoding: str) -> None:
    data = hornbeam.generate("kandy", "easy", out=tmp_path / "easy", seed=5)
    problem = data.family.learning_problem(data, "examples", data.tasks[9], {"encoding": encoding})
    assert isinstance(problem.task, ExampleTask)
    theory = AlephLearner().fit(problem.task, AlephSettings(), Watch(30))
    assert all(right(theory, problem.task))
    held = problem.held["test"]
    covered = judge(theory, [*held.positive, *held.negative], background=held.background).covered
    assert covered == (True,) * len(held.positive) + (False,) * len(held.negative)


@needs_aleph
def test_it_learns_a_task_of_rudas(tmp_path: Path) -> None:
    data = hornbeam.generate("rudas", "demo", out=tmp_path / "rudas", seed=5)
    problem = data.family.learning_problem(data, "examples", data.tasks[0], {})
    assert isinstance(problem.task, ExampleTask)
    theory = AlephLearner().fit(problem.task, AlephSettings(noise=2, minacc=0.6), Watch(30))
    held = problem.held["test"]
    labels = [True] * len(held.positive) + [False] * len(held.negative)
    judged = judge(theory, [*held.positive, *held.negative], background=held.background)
    assert judged.against(labels)["f1"] == 1.0
