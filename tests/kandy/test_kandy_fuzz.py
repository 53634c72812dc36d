"""Thousands of random curricula, valid and broken: no crash, no traceback, no wrong label."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import Curriculum, NamedRule
from hornbeam.kandy.generate import make_plan
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.read import examine
from hornbeam.kandy.lint import lint
from hornbeam.kandy.record import annotated
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.search import rehearse
from hornbeam.kandy.tree import prolog_text

sys.path.insert(0, str(Path(__file__).parent))
from tests.kandy.kandy_fuzz import Author, damaged, spoiled


def curriculum_text(seed: int, rules: list[str]) -> tuple[str, str]:
    rng = random.Random(seed)
    text = Author(rng, rules).curriculum()
    kind = ("valid", "valid", "spoiled", "damaged")[seed % 4]
    if kind == "damaged":
        text = damaged(text, rng)
    elif kind == "spoiled":
        document = yaml.safe_load(text)
        spoiled(document, rng)
        text = yaml.safe_dump(document, sort_keys=False)
    return kind, text


def attempt(text: str, logic: KandyLogic, seed: int) -> str:
    """Reads, draws and renders a curriculum; any exception but a UsageError with a place is a defect."""
    curriculum, reading = examine(text, "fuzz.yml", lambda _: None)
    if curriculum is None:
        assert reading.problems
        for problem in reading.problems:
            assert problem.file == "fuzz.yml"
            assert problem.message
        return "refused"
    try:
        rehearse(curriculum, times=5)
        generate(curriculum, logic, seed)
    except UsageError as problem:
        assert problem.file == "fuzz.yml" or "unknown rule" in str(problem)
        return "cannot be drawn"
    return "generated"


def generate(curriculum: Curriculum, logic: KandyLogic, seed: int) -> None:
    renderer = Renderer(curriculum.config)
    for task in curriculum.tasks:
        if task.samples > 50:
            continue
        plan = make_plan(task, curriculum, seed)
        symbols = plan.search.symbols
        assert len({repr(symbol.tree) for symbol in symbols}) == len(symbols)
        if isinstance(task.rule, NamedRule):
            truths = logic.pointer_labels(task.rule.name, [symbol.tree for symbol in symbols])
            assert truths == [int(symbol.label) for symbol in symbols]
        assert len(plan.rows) <= task.samples
        for row in plan.rows[:4]:
            scene = renderer.scene(row.tree, row.rng(task, seed), laid=row.laid)
            assert scene.picture().size == curriculum.config.canvas_size
            annotated(scene)
            prolog_text(row.tree)


def run(seeds: range) -> Counter[tuple[str, str]]:
    logic = KandyLogic()
    rules = [task.rule for task in logic.task_table()]
    outcomes: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        kind, text = curriculum_text(seed, rules)
        try:
            outcomes[kind, attempt(text, logic, seed)] += 1
        except Exception as error:
            pytest.fail(f"seed {seed} ({kind}): {type(error).__name__}: {error}\n{text}")
    return outcomes


def test_random_curricula():
    outcomes = run(range(200))
    assert outcomes["valid", "generated"] > 45
    assert outcomes["spoiled", "refused"] > 30
    assert outcomes["damaged", "refused"] > 30


@pytest.mark.slow
def test_thousands_of_random_curricula():
    outcomes = run(range(1000, 7000))
    assert outcomes["valid", "generated"] > 1500


def test_lint_of_random_curricula(tmp_path):
    logic = KandyLogic()
    rules = [task.rule for task in logic.task_table()]
    for seed in range(20):
        _, text = curriculum_text(seed, rules)
        file = tmp_path / "fuzz.yml"
        file.write_text(text, encoding="utf-8", newline="")
        for finding in lint(file, draws=10):
            assert finding.level in ("error", "warning", "note")
            assert finding.message


@pytest.mark.slow
def test_generated_files_have_the_same_symbols_in_any_process(run_python):
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_kandy_fuzz import curriculum_text\n"
        "from hornbeam.kandy.generate import make_plan\n"
        "from hornbeam.kandy.language.read import examine\n"
        "from hornbeam.errors import UsageError\n"
        "for seed in range(0, 80):\n"
        "    made, _ = examine(curriculum_text(seed, ['easy_03_red', 'hard_15_parity'])[1], 'x', lambda _: None)\n"
        "    for task in made.tasks if made else ():\n"
        "        try:\n"
        "            print(seed, [(row.tree, row.label, row.split) for row in make_plan(task, made, 3).rows])\n"
        "        except UsageError as error:\n"
        "            print(seed, error)\n"
    )
    outputs = {run_python(code, PYTHONHASHSEED=str(seed)) for seed in (0, 1, 2)}
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) > 30
