"""From `generate` to `diff` and plain `swipl`, in every family and with every learner: one truth, one verdict."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.ilp import learner as learners
from hornbeam.logic import swipl
from hornbeam.logic.terms import Clause, variables
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.theory import Theory
from hornbeam.theory.files import save_theory
from hornbeam.theory.verdict import EQUAL, INCOMPARABLE, REFUTED
from tests.documents import run

# Family, preset, changes that keep it small, and the task to learn (None: one theory for all tasks).
DATASETS: dict[str, tuple[str, str, str | None]] = {
    "kandy": ("tour", "", "t00_red"),
    "clutrr": ("tiny", "", None),
    "graphlog": ("tiny", "", ""),
    "rudas": ("demo", "", ""),
    "star": ("rcc8-small", "", None),
}
SECONDS = 5
QUICK = {"kandy": "mdie", "clutrr": "algebra", "rudas": "amie"}  # a learner for each of the three views


def taking(family: str) -> list[str]:
    """The learners that are here and take this family's tasks."""
    views = hornbeam.family.get(family).learning_views
    found = [learners.get(name) for name in learners.BUILT_IN]
    return [one.name for one in found if one.available() is None and set(one.views) & set(views)]


def pairs() -> Iterator[Any]:
    for family in DATASETS:
        for learner in taking(family):
            marks = () if learner == QUICK.get(family) else (pytest.mark.slow,)
            yield pytest.param(family, learner, marks=marks, id=f"{family}-{learner}")


@cache
def made(family: str, folder: Path) -> tuple[Path, str | None]:
    preset, overrides, task = DATASETS[family]
    run(f"hornbeam generate {family} {preset} --out {family} --seed 11 {overrides}", folder)
    dataset = Dataset(folder / family)
    return folder / family, dataset.tasks[0] if task == "" else task


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("one-truth")


def in_swipl(dataset: Path, theory: Path) -> dict[str, str]:
    """What the theory answers for every judged sample, asked as a person asks in plain `swipl`."""
    told = "( mine(Id, A) -> format('answer ~w ~q~n', [Id, A]) ; format('answer ~w nothing~n', [Id]) )"
    goal = f"forall(judged(Id, _), {told})"
    done = subprocess.run(
        [str(swipl.find().executable), "-g", "set_prolog_flag(unknown, error)", "-g", goal, "-t", "halt",
         str(dataset / "load.pl"), str(theory)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0 and "Warning" not in done.stderr and "ERROR" not in done.stderr, done.stderr
    return dict(re.findall(r"^answer (\S+) (.*)$", done.stdout, flags=re.MULTILINE))


@pytest.mark.parametrize(("family", "learner"), [*pairs()])
def test_what_is_learned_is_judged_alike_everywhere(family: str, learner: str, folder: Path) -> None:
    path, task = made(family, folder)
    named = f"--task {task}" if task else ""
    file = folder / f"{family}-{learner}.pl"
    command = f"hornbeam learn {path} --learner {learner} {named} --timeout {SECONDS} --out {file} --json"
    learned = json.loads(run(f"{command} 2>/dev/null", folder))
    diff = json.loads(run(f"hornbeam diff {file} --dataset {path} --json 2>/dev/null", folder))
    assert learned["verdict"]["kind"] == diff["verdict"]["kind"] != INCOMPARABLE
    if not learned["clauses"]:
        assert "There is no theory of your own yet." in told_in_swipl(path, file, "score")[0]
        return
    with Courtroom(Dataset(path)) as room:
        names = list(room.expected())
        room.hear(Theory.load(file))
        # Several answers are a term a+b, which the two write with and without spaces.
        answers = [answer.replace(" + ", "+") for answer in room.mine(names)]
        inside = dict(zip(names, answers, strict=True))
    assert in_swipl(path, file) == inside
    if diff["verdict"]["kind"] == EQUAL:
        assert not diff["only_true"] and not diff["only_learned"]
    if diff["verdict"]["kind"] == REFUTED:
        assert diff["verdict"]["counterexample"]["true"] != diff["verdict"]["counterexample"]["learned"]


def told_in_swipl(dataset: Path, theory: Path, *goals: str) -> list[str]:
    """What each goal prints in plain `swipl`, whether it holds or not."""
    typed = [word for goal in goals for word in ("-g", f"format('~n<goal>~n'), ({goal} -> true ; true)")]
    done = subprocess.run(
        [str(swipl.find().executable), *typed, "-t", "halt", str(dataset / "load.pl"), str(theory)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0 and "Warning" not in done.stderr and "ERROR" not in done.stderr, done.stderr
    return [text.strip() for text in done.stdout.split("\n<goal>\n")[1:]]


@pytest.mark.parametrize(
    "family", [pytest.param(name, marks=pytest.mark.slow) if name == "graphlog" else name for name in DATASETS]
)
def test_the_same_words_work_in_every_family(family: str, folder: Path) -> None:
    path, task = made(family, folder)
    dataset = Dataset(path)
    court = dataset.family.court(dataset, task)
    file = folder / f"{family}-mine.pl"
    save_theory(court.defined(court.truth), file, {"what": "the true theory, as one's own"})
    with Courtroom(dataset) as room:
        judged = room.expected()
    sample = next(name for name in judged if task in (None, dataset.sample(name).task))
    one_task = f"'{task or dataset.tasks[0]}'"
    goals = (
        f"explain('{sample}')", f"explain(mine, '{sample}')", f"score({one_task})", f"wrong({one_task})",
        f"compare({one_task})", "explain(nobody)", "explain(mine, nobody)", "wrong(nothing_of_the_kind)",
    )  # fmt: skip
    said = dict(zip(goals, told_in_swipl(path, file, *goals), strict=True))
    assert all(said.values()), said
    assert "0 of " in said[f"wrong({one_task})"] and "are wrong." in said[f"wrong({one_task})"]
    assert "(1.000)" in said[f"score({one_task})"]
    assert said[f"compare({one_task})"].startswith("No difference in ")
    for goal in ("explain(nobody)", "explain(mine, nobody)", "wrong(nothing_of_the_kind)"):
        assert len(said[goal].splitlines()) == 1 and said[goal].startswith("There is no "), said[goal]


@pytest.mark.parametrize("family", DATASETS)
def test_the_truth_is_proven_equal_to_itself_renamed_and_reordered(family: str, folder: Path) -> None:
    path, task = made(family, folder)
    dataset = Dataset(path)
    truth = dataset.family.court(dataset, task).truth
    shuffled = "\n".join(reversed([renamed(text) for text in truth.texts])) + "\n"
    file = folder / f"{family}-truth.pl"
    file.write_text(shuffled, encoding="utf-8")
    named = f"--task {task}" if task else ""
    printed = run(f"hornbeam diff {file} --dataset {path} {named}", folder)
    assert printed.splitlines()[0].startswith("proven equal"), printed


def renamed(clause: str) -> str:
    """The clause with other names of variables."""
    theory = Theory.parse(clause)
    names = sorted({name for one in theory for name in variables_of(one)})
    text = clause
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", f"Other_{name}", text)
    return text


def variables_of(clause: Clause) -> list[str]:
    return [name for name in variables(clause) if not name.startswith("_")]
