"""Proofs in words: each step follows, and a wrong step is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError
from hornbeam.language.adapters.source import score
from hornbeam.language.steps import Solver, checked_solutions
from hornbeam.language.steps.claims import Claim, Step

FAMILIES = ("clutrr", "graphlog", "kandy", "rudas", "star")
Made = Callable[[str], Dataset]


@pytest.mark.parametrize("family", FAMILIES)
def test_solutions_are_right_and_each_step_follows(made: Made, family: str) -> None:
    """The assistant's text gets full marks as an answer, and step by step."""
    asker = hornbeam.prompts(made(family), split="test", style="natural")
    solved = list(checked_solutions(asker, asker[:24]))
    assert len(solved) >= 8
    for solution in solved[:8]:
        item = solution.item
        assert score(item, solution.text) == 1.0
        ruling = hornbeam.judge_steps(asker.dataset, str(item.meta["sample"]), solution.text, item=item)
        assert ruling.sound and ruling.complete and len(ruling.steps) >= len(solution.steps)


def test_a_step_that_does_not_follow_is_found(made: Made) -> None:
    dataset = made("clutrr")
    sample = next(one for one in dataset.test if one.symbolic["k"] == 4)  # type: ignore[index,call-overload]
    names = sample.input["names"]  # type: ignore[index,call-overload]
    solver = Solver(hornbeam.prompts(dataset))
    steps = solver._prover.steps(sample)
    assert steps is not None
    wrong = Claim("mother" if steps[0].claim.name != "mother" else "father", steps[0].claim.args)
    with pytest.raises(HornbeamError, match="does not follow"):
        solver.check([(sample, [Step(wrong), *steps[1:]])])
    one, other = (names[int(node)] for node in wrong.args)
    said = f"First, {other} is the {wrong.name} of {one}. That is all."
    ruling = hornbeam.judge_steps(dataset, sample.id, said)
    assert ruling.first_error == 0 and not ruling.sound and not ruling.complete


def test_nothing_rests_on_an_unsupported_claim(made: Made) -> None:
    """The last step alone rests on what was not shown."""
    dataset = made("star")
    asker = hornbeam.prompts(dataset, split="test", task="k9_b1")
    item = asker[0]
    (solution,) = checked_solutions(asker, [item])
    assert len(solution.steps) == 8
    last = solution.text.splitlines()[7]
    ruling = hornbeam.judge_steps(dataset, str(item.meta["sample"]), last, item=item)
    assert ruling.first_error == 0 and not ruling.complete


def test_fine_tuning_rows_from_the_command(made: Made, tmp_path: Path) -> None:
    out = tmp_path / "tuning.jsonl"
    given = [
        "prompts",
        str(made("star").path),
        "--split",
        "train",
        "--with-solutions",
        "--rows",
        "10",
        "--out",
        str(out),
    ]
    assert run(given) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 10
    for row in rows:
        assert [message["role"] for message in row["messages"]] == ["system", "user", "assistant"]
        assert row["messages"][2]["content"].startswith("1. ") and "<answer>" in row["messages"][2]["content"]


def test_what_a_model_writes_cannot_run(made: Made) -> None:
    """Goals of a scene are asked behind a wall, and only if they look like goals."""
    dataset = made("kandy")
    for said in ("shell(ls) holds.", "halt(0) holds.", "contains(Picture,'a'), halt(0)", "x(" * 300):
        ruling = hornbeam.judge_steps(dataset, dataset.test[0].id, said)
        assert not ruling.complete and not any(verdict == "follows" for _, verdict in ruling.steps)


def test_a_solution_keeps_the_words_of_its_prompt(made: Made) -> None:
    asker = hornbeam.prompts(made("graphlog"), style="symbols", split="test")
    (solution, *_) = checked_solutions(asker, asker[:3])
    assert replace(solution.item, target="").text == solution.item.text
    assert "R_" not in solution.text and "edge(E" in solution.text
