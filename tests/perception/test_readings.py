"""Readings: kept in a folder, settled, and put in the place of symbols."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.perception.perceiver import Alternative, Part, Picture, Reader, Reading
from hornbeam.perception.pictures import inverse
from hornbeam.perception.pictures.settling import settle
from hornbeam.perception.readings import Perception
from hornbeam.perception.seen import SeenDataset


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("pictures") / "data"
    return hb.generate("kandy", "tour", out=folder, seed=1, overrides={"samples": 20})


def test_a_reading_is_the_same_after_it_was_written() -> None:
    part = Part("circle_red_small", (0, 1), (1, 2, 3, 4), 0.5)
    reading = Reading("a", (Alternative({"tree": {"in": []}, "prolog": "in([])"}, -0.25, (part,)),))
    assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading


def test_a_reading_has_alternatives_or_a_reason() -> None:
    with pytest.raises(ValueError, match="either"):
        Reading("a")
    with pytest.raises(ValueError, match="either"):
        Reading("a", (Alternative({}),), unread="too dark")


def test_an_interrupted_run_goes_on_where_it_stopped(
    pictures: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = list(pictures.samples)
    read: list[str] = []
    perceive = inverse.InverseReader.perceive

    def counted(self: Reader, inputs: list[Picture]) -> list[Reading]:
        read.extend(picture.id for picture in inputs)
        if len(read) > 80:
            raise KeyboardInterrupt
        return perceive(self, inputs)  # type: ignore[arg-type]

    monkeypatch.setattr(inverse.InverseReader, "perceive", counted)
    with pytest.raises(KeyboardInterrupt):
        Perception.of("pictures", "inverse", {}, tmp_path).readings(pictures, samples)
    (file,) = tmp_path.glob("inverse-*.jsonl")
    file.write_bytes(file.read_bytes() + b'{"id": "torn')
    read.clear()
    readings = Perception.of("pictures", "inverse", {}, tmp_path).readings(pictures, samples)
    assert list(readings) == [sample.id for sample in samples]
    assert read == [sample.id for sample in samples[64:]]
    read.clear()
    again = Perception.of("pictures", "inverse", {}, tmp_path).readings(pictures, samples)
    assert again == readings and read == []


def test_readings_of_another_dataset_are_not_taken(pictures: Dataset, tmp_path: Path) -> None:
    other = hb.generate("kandy", "tour", out=tmp_path / "other", seed=2, overrides={"samples": 20})
    perception = Perception.of("pictures", "inverse", {}, tmp_path / "readings")
    ours, theirs = (perception.readings(data, list(data.samples[:3])) for data in (pictures, other))
    assert ours.keys() == theirs.keys() and ours != theirs


def test_settings_and_sources_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown setting of inverse 'sed'; did you mean 'seed'"):
        Perception.of("pictures", "inverse", {"sed": 1}, tmp_path)
    with pytest.raises(UsageError, match=r"unknown reader of stories 'inverse'\. Known: grammar, neural"):
        Perception.of("stories", "inverse", {}, tmp_path)
    with pytest.raises(UsageError, match="unknown perceiver 'invers'; did you mean 'inverse'"):
        Perception.of("pictures", "invers", {}, tmp_path)


def test_a_seen_dataset_has_the_symbols_that_were_read_and_no_others(pictures: Dataset) -> None:
    samples = list(pictures.samples)
    symbolic = {"tree": {"in": [{"shape": "circle", "color": "red", "size": "small"}]}, "prolog": "in([c])"}
    chosen: dict[str, Alternative | None] = {sample.id: Alternative(symbolic) for sample in samples}
    unread = next(sample for sample in samples if sample.split == "test")
    chosen[unread.id] = None
    seen = SeenDataset(pictures, samples, chosen)
    assert len(seen.samples) == len(samples) - 1
    assert seen.unread == {(unread.task, "test"): (int(bool(unread.label)), int(not unread.label))}
    for sample in seen.samples:
        true = pictures.sample(sample.id)
        assert sample.symbolic == symbolic and sample.proof == {}
        assert sample.input == {"image": true.input["image"]}  # type: ignore[index,call-overload]
        assert (sample.label, sample.split, sample.task) == (true.label, true.split, true.task)
    assert len(seen.task(unread.task).split("test")) == len(pictures.task(unread.task).split("test")) - 1


PAIR = {"grid": [{"shape": "circle"}, {"shape": "square"}]}


def alternative(tree: object, probability: float) -> Alternative:
    return Alternative({"tree": tree}, math.log(probability))  # type: ignore[dict-item]


def unclear(name: str) -> Reading:
    return Reading(name, (alternative(PAIR, 0.55), alternative({"in": [PAIR]}, 0.45)))


def test_without_clear_pictures_the_simpler_tree_stays_the_best() -> None:
    readings = {name: unclear(name) for name in "abcdef"}
    settled = settle(readings, "abcdef")
    assert all(reading.best == settled["a"].best for reading in settled.values())
    assert settled["a"].best is not None and settled["a"].best.symbolic["tree"] == PAIR
    assert settled["a"].best.probability > 0.9


def test_unclear_pictures_follow_the_clear_ones_in_every_split() -> None:
    clear = {name: Reading(name, (alternative({"quadrant_ur": [PAIR]}, 1.0),)) for name in "uvwxyz"}
    settled = settle({**{name: unclear(name) for name in "abcdef"}, **clear}, "abcuvwxyz")
    for name in "abcdef":
        best = settled[name].best
        assert best is not None and best.symbolic["tree"] == {"in": [PAIR]} and best.probability > 0.95
        assert sum(one.probability for one in settled[name].alternatives) == pytest.approx(1.0)


def test_what_was_read_clearly_stays_whatever_the_others_are() -> None:
    lone = Reading("a", (alternative(PAIR, 0.999), alternative({"in": [PAIR]}, 1e-6)))
    clear = {name: Reading(name, (alternative({"quadrant_ur": [PAIR]}, 1.0),)) for name in "uvwxyz"}
    best = settle({"a": lone, **clear}, "auvwxyz")["a"].best
    assert best is not None and best.symbolic["tree"] == PAIR
