"""The settings: which rows come when, what is forgotten and what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from hornbeam.errors import UsageError
from hornbeam.neural.graph.learner import GraphLearner
from hornbeam.neural.graph.models.graphlog import GraphLogModel
from hornbeam.neural.graph.settings import GraphOptions, PerWorld, Stretch, stream_of
from hornbeam.neural.metrics import Outcome
from hornbeam.neural.processes import seed_all
from hornbeam.neural.runs import RunFolder
from hornbeam.neural.trainer import Habits, Trainer
from tests.neural.graph.planted import RELATIONS, data

OPTIONS = GraphOptions(epochs=2, batch=8, lr=0.01, shots=(1, 3), adapt_epochs=3)


def trainer(path: Path, setting: str, *, own: str | None = None, options: GraphOptions = OPTIONS, **more) -> Trainer:
    seed_all(4, "weights")
    given = data(worlds=3)
    learner = GraphLearner(
        lambda: GraphLogModel(len(RELATIONS), "param", "egat", width=8),
        given,
        own=own,
        judge_all=setting in ("continual", "curriculum"),
    )
    habits = Habits(checkpoint_seconds=0, log_steps=5)
    folder = RunFolder(path, {"setting": setting})
    return Trainer(learner, stream_of(setting, given, options), options, folder, seed=4, habits=habits, **more)


def outcome(made: Trainer) -> Outcome:
    made.run()
    return Outcome.of(made.folder.results())


def test_supervised_is_a_model_for_each_world(tmp_path: Path) -> None:
    found = outcome(trainer(tmp_path, "supervised"))
    assert found.experiences == ("w0", "w1", "w2")
    assert [list(row["test"]) for row in found.accuracy] == [["w0"], ["w1"], ["w2"]]


def test_multitask_batches_are_of_one_world_and_all_rows_come() -> None:
    given = data(worlds=3)
    (experience,) = stream_of("multitask", given, OPTIONS)
    assert isinstance(experience, PerWorld)
    batches = experience.batches(seed=0, index=0, epoch=0, size=8)
    assert all(len(set(given.world_of[rows].tolist())) == 1 for rows in batches)
    assert sorted(np.concatenate(batches).tolist()) == sorted(np.concatenate(list(given.train.values())).tolist())
    assert experience.steps(8) == 2 * len(batches)
    other = experience.batches(seed=0, index=0, epoch=1, size=8)
    assert [rows.tolist() for rows in other] != [rows.tolist() for rows in batches]


def test_pretraining_then_shots_from_the_same_weights(tmp_path: Path) -> None:
    options = OPTIONS.model_copy(update={"adapt": ("w1", "w2")})
    made = trainer(tmp_path, "pretrain", options=options)
    found = outcome(made)
    assert found.experiences == (
        "pretraining",
        *(f"{world} {kind}" for world in ("w1", "w2") for kind in
          ("after 0 steps", "after 1 steps", "after 3 steps", "converged")),
    )  # fmt: skip
    assert found.learned[0] == ("w0",)


def test_shots_are_steps_that_go_on(tmp_path: Path) -> None:
    rows = np.arange(5)
    parts = [Stretch("a", rows, ("w",), skip=0, updates=2), Stretch("b", rows, ("w",), skip=2, updates=3)]
    whole = Stretch("c", rows, ("w",), skip=0, updates=5)

    def steps(experience: Stretch, index: int) -> list[list[int]]:
        return [batch.tolist() for batch in experience.batches(seed=1, index=index, epoch=0, size=2)]

    assert steps(parts[0], 1) + steps(parts[1], 2) == steps(whole, 0)
    assert len(steps(whole, 0)) == 5 == whole.steps(2)
    assert sorted(row for batch in steps(whole, 0)[:3] for row in batch) == rows.tolist()


@pytest.mark.parametrize("own", ["representation", "composition"])
def test_a_model_for_each_world_may_have_parts_of_its_own(tmp_path: Path, own: str) -> None:
    found = outcome(trainer(tmp_path, "supervised", own=own))
    assert found.experiences == ("w0", "w1", "w2")


def test_continual_judges_all_worlds_and_gives_a_matrix(tmp_path: Path) -> None:
    matrix = outcome(trainer(tmp_path, "continual")).matrix("test")
    assert matrix is not None and matrix.shape == (3, 3)


@pytest.mark.parametrize("own", ["representation", "composition"])
def test_a_world_s_own_part_is_not_touched_by_other_worlds(tmp_path: Path, own: str) -> None:
    made = trainer(tmp_path, "continual", own=own)
    first = {name: value.clone() for name, value in made.learner.module.own["w2"].state_dict().items()}
    made.stream = made.stream[:1]
    made.run()
    module = made.learner.module
    assert all(torch.equal(first[name], value) for name, value in module.own["w2"].state_dict().items())
    changed = module.own["w0"].state_dict()
    assert any(not torch.equal(first[name], changed[name]) for name in first)


def test_what_a_setting_needs_is_said() -> None:
    given = data(worlds=2)
    with pytest.raises(UsageError, match="several worlds"):
        stream_of("multitask", data(worlds=1), OPTIONS)
    with pytest.raises(UsageError, match="needs worlds to adapt to"):
        stream_of("pretrain", given, OPTIONS)
    with pytest.raises(UsageError, match="w9"):
        stream_of("pretrain", given, OPTIONS.model_copy(update={"adapt": ("w9",)}))
    with pytest.raises(UsageError, match="from the easiest"):
        stream_of("curriculum", given, OPTIONS)
    ordered = stream_of("curriculum", given, OPTIONS.model_copy(update={"order": ("w1", "w0")}))
    assert [experience.name for experience in ordered] == ["w1", "w0"]


class Killed(Exception):
    """In place of kill -9."""


@pytest.mark.parametrize("setting", ["supervised", "pretrain", "continual"])
def test_a_killed_run_resumes_to_the_same_result(tmp_path: Path, setting: str) -> None:
    options = OPTIONS.model_copy(update={"adapt": ("w2",)})
    whole = trainer(tmp_path / "whole", setting, options=options)
    expected = outcome(whole)

    def progress(done: int, total: int) -> None:
        if done == 9:
            raise Killed

    with pytest.raises(Killed):
        trainer(tmp_path / "broken", setting, options=options, progress=progress).run()
    resumed = trainer(tmp_path / "broken", setting, options=options)
    assert outcome(resumed) == expected
    for name, value in whole.learner.module.state_dict().items():
        assert torch.equal(value, resumed.learner.module.state_dict()[name]), name
