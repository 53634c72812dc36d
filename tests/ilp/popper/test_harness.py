"""The harness of Popper: what each version prints, and programs that stand in for it or are it."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest

from hornbeam.errors import EngineUnavailable, HornbeamError
from hornbeam.ilp.learner import get
from hornbeam.ilp.popper.learner import VARIABLE, Output, PopperLearner, PopperSettings, find
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import judge
from tests.ilp.problems import cards

VERSION_4 = """\
06:12:01 Generating programs of size: 2
06:12:02 ********************
06:12:02 New best hypothesis:
06:12:02 tp:8 fn:2 tn:5 fp:0 size:3
06:12:02 f(V0):- has_car(V0,V1),short(V1).
06:12:02 ********************
06:12:03 Generating programs of size: 3
********** SOLUTION **********
Precision:1.00 Recall:1.00 TP:10 FN:0 TN:5 FP:0 Size:7
f(V0):- has_car(V0,V1),short(V1).
f(V0):- long(V2),has_car(V0,V2),three_wheels(V2).
******************************
Num. programs: 311
Generate:
	Called: 312 times 	 Total: 0.20 	 Mean: 0.0006 	 Max: 0.003 	 Percentage: 40%
"""

VERSION_5 = """\
0.9s New best hypothesis:
0.9s tp:3 fn:1 tn:4 fp:0 size:2
0.9s f(V0,V1):- tail(V0,V1).
1.2s New best hypothesis:
1.2s tp:4 fn:0 tn:4 fp:1 size:3 mdl:4
1.2s f(V0,V1):- tail(V0,V2),tail(V2,V1).
NO SOLUTION
"""


def blocks(text: str) -> tuple[Output, list[tuple[str, ...]]]:
    output = Output()
    found = [block for line in text.splitlines() for block in output.feed(line)]
    found.extend(output.end())
    return output, [block.rules for block in found]


def test_the_output_of_version_4_is_read() -> None:
    output, found = blocks(VERSION_4)
    assert found == [
        ("f(V0):- has_car(V0,V1),short(V1).",),
        ("f(V0):- has_car(V0,V1),short(V1).", "f(V0):- long(V2),has_car(V0,V2),three_wheels(V2)."),
    ]
    assert output.programs == 311 and not output.nothing and not output.complaints


def test_the_output_of_version_5_is_read() -> None:
    output, found = blocks(VERSION_5)
    assert [rules[0] for rules in found] == ["f(V0,V1):- tail(V0,V1).", "f(V0,V1):- tail(V0,V2),tail(V2,V1)."]
    assert output.nothing


def test_a_complaint_is_kept_and_a_time_out_is_none() -> None:
    output, found = blocks("ERROR: missing directions for f\nTIMEOUT OF 60 SECONDS EXCEEDED\n")
    assert found == [] and output.complaints == ["ERROR: missing directions for f"]


# Stand-ins: programs with Popper's place and manners ------------------------------------------------------------------


def stand_in(folder: Path, body: str, flags: str = "--eval-timeout") -> Path:
    (folder / "popper").mkdir(parents=True)
    (folder / "popper" / "util.py").write_text(f"# {flags}\n")
    (folder / "popper.py").write_text("import sys, time, signal\n" + textwrap.dedent(body))
    return folder


def task() -> ExampleTask:
    made = cards().task
    assert isinstance(made, ExampleTask)
    return made


def fit(path: Path, seconds: float = 20) -> tuple[str, Watch]:
    watch = Watch(seconds)
    return str(PopperLearner().fit(task(), PopperSettings(path=path), watch)), watch


FIRST = "print('New best hypothesis:\\ntp:1 fn:1 tn:3 fp:0 size:2\\ngood(V0):- red(V0).', flush=True)\n"


def test_the_last_word_is_the_result_in_the_words_of_the_task(tmp_path: Path) -> None:
    path = stand_in(tmp_path, FIRST + "print('********** SOLUTION **********\\nPrecision:1.00 Recall:1.00 TP:2 FN:0 "
                    "TN:3 FP:0 Size:4\\ngood(V0):- red(V0),shape(V0,V1),shape_square(V1).\\n****')\n"
                    "print('Num. programs: 12')")  # fmt: skip
    theory, watch = fit(path)
    assert theory == "good(V0) :- red(V0), shape(V0,square).\n"
    assert watch.tried == 12 and [event.kind for event in watch.events] == ["best", "best", "finished"]
    assert watch.events[0].figures["claimed_fn"] == 1


def test_at_the_end_of_its_time_it_is_asked_and_its_best_is_kept(tmp_path: Path) -> None:
    last = FIRST.replace("red(V0)", "near(V0,V1)")
    path = stand_in(tmp_path, FIRST + f"""
def stop(*_):
    {last.strip()}
    sys.exit(1)
signal.signal(signal.SIGALRM, stop)
while True: pass
""")  # fmt: skip
    theory, watch = fit(path, 1.0)
    assert theory == "good(V0) :- near(V0,V1).\n"
    assert watch.events[-1].kind == "best"


def test_one_that_does_not_listen_is_ended_and_its_best_is_kept(tmp_path: Path) -> None:
    path = stand_in(tmp_path, FIRST + "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass\n", flags="none")
    theory, watch = fit(path, 1.0)
    assert theory == "good(V0) :- red(V0).\n"
    assert watch.seconds() > 0.8


def test_an_error_that_it_ends_well_with_is_an_error(tmp_path: Path) -> None:
    path = stand_in(tmp_path, "print('ERROR: missing directions for good'); sys.exit(0)")
    with pytest.raises(HornbeamError, match="missing directions"):
        fit(path)


def test_no_solution_is_an_empty_theory(tmp_path: Path) -> None:
    theory, watch = fit(stand_in(tmp_path, "print('NO SOLUTION')"))
    assert theory == "" and watch.events[-1].kind == "finished"


def test_the_versions_take_different_flags(tmp_path: Path) -> None:
    for number, (flags, version) in enumerate((("--eval-timeout", 4), ("--all-opt", 5))):
        found = find(stand_in(tmp_path / str(number), "", flags))
        assert found is not None and found.version == version
        command = found.command(Path("x"), seconds=9, noisy=True, eval_timeout=0.1)
        assert command[0] == os.environ.get("HORNBEAM_POPPER_PYTHON", sys.executable)
        assert ("--eval-timeout" in command) == (version == 4) and "--noisy" in command


def test_where_there_is_none_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nowhere"))
    learner = get("popper")
    message = learner.available()
    assert message is not None and VARIABLE in message
    with pytest.raises(EngineUnavailable):
        learner.fit(task(), PopperSettings(), Watch(1))


@pytest.mark.skipif(find() is None, reason="needs Popper: HORNBEAM_POPPER, or popper-ilp installed")
def test_the_real_one_learns_the_cards() -> None:
    watch = Watch(30)
    theory = PopperLearner().fit(task(), PopperSettings(), watch)
    covered = judge(theory, [*task().positive, *task().negative], background=task().background).covered
    assert covered == (True, True, False, False, False)
    assert watch.events[-1].kind == "finished" and watch.tried > 0
