"""A dataset is finished or absent, repeatable for any number of workers, and interrupted work is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam import family as families
from hornbeam.data.build import Recipe, build
from hornbeam.data.manifest import NAME
from hornbeam.errors import UsageError


def digests(folder: Path) -> dict[str, str]:
    files = json.loads((folder / NAME).read_text())["files"]
    return {name: entry["sha256"] for name, entry in files.items()}


def recipe(seed: int = 7, **settings: object) -> Recipe:
    family = families.get("ancestors")
    config = family.configure("small", {key: str(value) for key, value in settings.items()})
    return Recipe(family, "small", seed, config)


def test_same_bytes_for_any_number_of_workers(tmp_path: Path) -> None:
    one = build(recipe(), tmp_path / "one", workers=1).dataset
    two = build(recipe(), tmp_path / "two", workers=2).dataset
    assert digests(one.path) == digests(two.path)
    assert (one.path / NAME).read_bytes() == (two.path / NAME).read_bytes()


def test_same_bytes_on_a_dask_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        made = build(recipe(), tmp_path / "dask", scheduler=cluster.scheduler_address).dataset
    plain = build(recipe(), tmp_path / "plain", workers=1).dataset
    assert digests(made.path) == digests(plain.path)


def test_same_bytes_for_any_hash_seed(tmp_path: Path) -> None:
    for hash_seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-m", "hornbeam", "generate", "ancestors", "small", "--out", str(tmp_path / hash_seed)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
    assert digests(tmp_path / "1") == digests(tmp_path / "2")


def test_another_seed_gives_other_samples(tmp_path: Path) -> None:
    one = build(recipe(seed=1), tmp_path / "one").dataset
    two = build(recipe(seed=2), tmp_path / "two").dataset
    assert digests(one.path)["samples.jsonl"] != digests(two.path)["samples.jsonl"]


def test_what_is_there_already_is_taken(tmp_path: Path) -> None:
    build(recipe(), tmp_path / "data")
    again = build(recipe(), tmp_path / "data")
    assert again.shards_made == 0


def test_another_dataset_is_not_overwritten(tmp_path: Path) -> None:
    build(recipe(), tmp_path / "data")
    with pytest.raises(UsageError, match="holds another dataset"):
        build(recipe(seed=8), tmp_path / "data")
    (tmp_path / "file").mkdir()
    with pytest.raises(UsageError, match="not a complete dataset"):
        build(recipe(), tmp_path / "file")


def test_a_failing_shard_leaves_no_dataset_and_keeps_the_finished_ones(tmp_path: Path) -> None:
    out = tmp_path / "data"
    with pytest.raises(UsageError, match="told to fail on shard 2"):
        build(recipe(fail_on=2), out)
    assert not out.exists()
    assert len(list((tmp_path / ".data.partial" / "shards").glob("*.zip"))) == 2


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    out = tmp_path / "data"
    command = [sys.executable, "-m", "hornbeam", "generate", "ancestors", "small", "--out", str(out), "--seed", "7"]
    command += ["--workers", "1", "--set", "seconds_a_shard=0.4"]
    shards = tmp_path / ".data.partial" / "shards"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(shards.glob("*.zip")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not out.exists()
    kept = len(list(shards.glob("*.zip")))
    assert 1 <= kept < 4
    resumed = build(recipe(seconds_a_shard=0.4), out)
    assert resumed.shards_kept == kept
    assert not shards.exists()
    unbroken = build(recipe(seconds_a_shard=0.4), tmp_path / "unbroken").dataset
    assert digests(out) == digests(unbroken.path)


def test_a_shard_that_waits_for_a_slower_one_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(maker: Any, shards: Sequence[Any], *, on_done: Any, **_: Any) -> Iterator[Any]:
        on_done(1, maker(shards[1]))
        raise KeyboardInterrupt
        yield

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("hornbeam.data.build.map_shards", interrupted)
        build(recipe(), tmp_path / "data")
    resumed = build(recipe(), tmp_path / "data")
    assert resumed.shards_kept == 1
    assert digests(resumed.dataset.path) == digests(build(recipe(), tmp_path / "unbroken").dataset.path)


def test_shards_of_another_recipe_are_not_taken(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        build(recipe(fail_on=2), tmp_path / "data")
    assert build(recipe(), tmp_path / "data").shards_kept == 0


def test_two_runs_at_once_on_one_place(tmp_path: Path) -> None:
    from hornbeam.data.workshop import Workshop

    with Workshop(tmp_path / "data").opened("x"), pytest.raises(UsageError, match="another run"):
        build(recipe(), tmp_path / "data")


def test_a_run_that_another_overtakes_takes_what_is_there(tmp_path: Path) -> None:
    out, mine = tmp_path / "data", recipe()
    plan = mine.family.plan

    def slow_plan(config: object, seed: int) -> object:
        build(recipe(), out)
        return plan(config, seed)

    mine.family.plan = slow_plan  # type: ignore[method-assign, assignment]
    assert build(mine, out).shards_made == 0
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_the_python_api(tmp_path: Path) -> None:
    dataset = hornbeam.generate("ancestors", "small", out=tmp_path / "a", seed=3, overrides={"samples": 8})
    assert len(hornbeam.load(dataset.path).samples) == 8
    assert hornbeam.check(dataset).ok
    audit = hornbeam.audit(dataset)
    assert (audit.samples, audit.derivable) == (8, 1.0)


def test_more_files_than_may_be_open(tmp_path: Path) -> None:
    from hornbeam.data.writer import _OPEN, _write_originals

    names = [f"part/{number}.txt" for number in range(3 * _OPEN)]
    _write_originals(tmp_path, ((name, f"{name}\n") for _ in range(2) for name in names))
    assert all((tmp_path / name).read_text() == f"{name}\n{name}\n" for name in names)
