"""The perceiver neural, small: networks learn to find and to group objects; rules from concepts without annotation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import hornbeam
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy.tree import from_json
from hornbeam.neural.perceiver.annotated import Annotation, Node, annotated_pictures, annotation
from hornbeam.neural.perceiver.decoding import average_linkage
from hornbeam.neural.perceiver.detector import Detection, Detector, detect
from hornbeam.neural.perceiver.grouping import Vocabulary, example, groups, targets
from hornbeam.neural.perceiver.perceiver import NeuralPerceiver
from hornbeam.neural.perceiver.reader import NetworkReader
from hornbeam.neural.perceiver.recombining import Recombiner
from hornbeam.neural.perceiver.settings import NeuralSettings
from hornbeam.neural.runs import DONE, WEIGHTS
from hornbeam.perception.perceiver import Picture, Preparation
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.seeds import fast_rng

SMALL = NeuralSettings(annotated=40, object_steps=80, group_steps=80, least=0.0)
COUNTS = (3, 6, 2)


@pytest.fixture(scope="module")
def trained(pictures_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[NetworkReader, Path]:
    folder = tmp_path_factory.mktemp("perceiver")
    reader = NeuralPerceiver().prepare(Preparation(hornbeam.load(pictures_folder), folder, SMALL))
    assert isinstance(reader, NetworkReader)
    return reader, folder


def found(network: Detector, pictures: list[Annotation]) -> float:
    """The F1 of objects: found within 4 pixels, with the right color."""
    hits, seen, there = 0, 0, 0
    for one in pictures:
        detection: Detection = detect(network, one.pixels[None], 0.5)[0]
        seen, there = seen + len(detection), there + len(one.boxes)
        for number, center in enumerate(one.centers):
            near = np.abs(detection.centers - center).max(1) < 4
            hits += bool((near & (detection.kinds[1].argmax(1) == one.kinds[number, 1])).any())
    return 2 * hits / max(1, seen + there)


@pytest.mark.slow
def test_the_network_learns_to_find_objects(pictures_dataset: Dataset, trained: tuple[NetworkReader, Path]) -> None:
    reader, _ = trained
    valid = held_out(pictures_dataset)
    torch.manual_seed(0)
    assert found(Detector(COUNTS), valid) < 0.2
    assert found(reader.detector, valid) > 0.6


def held_out(dataset: Dataset) -> list[Annotation]:
    return [annotation(dataset, sample) for sample in dataset.samples.split("test")]


def test_the_network_learns_to_group(pictures_dataset: Dataset, trained: tuple[NetworkReader, Path]) -> None:
    """With the true boxes, most trees come out right up to twins; with new weights almost none does."""
    reader, _ = trained
    right = 0
    pictures = held_out(pictures_dataset)
    for one in pictures:
        chances = [np.eye(count, dtype=np.float32)[one.kinds[:, kind]] for kind, count in enumerate(COUNTS)]
        detection = Detection(np.full(len(one.boxes), 0.99, np.float32), one.boxes, tuple(chances))
        tree = reader.decoder((96, 96)).readings(detection, 3)
        right += any(_same(read.tree, read.things, one.root) for read in tree)
    assert right >= 0.6 * len(pictures)


def _same(tree: object, things: tuple[int, ...], root: Node | int) -> bool:
    numbers = iter(things)

    def shape(part: object) -> object:
        return next(numbers) if isinstance(part, str) else tuple(shape(child) for child in part[1])  # type: ignore[index]

    def true(part: Node | int) -> object:
        return part if isinstance(part, int) else tuple(map(true, part.children))

    return bool(shape(tree) == true(root))


def test_readings_are_trees_of_the_language_or_say_why_not(
    pictures_dataset: Dataset, trained: tuple[NetworkReader, Path]
) -> None:
    reader, _ = trained
    pictures = pictures_of(pictures_dataset, pictures_dataset.samples.split("test"))
    readings = reader.perceive(pictures)
    assert [one.id for one in readings] == [one.id for one in pictures]
    for reading in readings:
        for one in reading.alternatives:
            from_json(one.symbolic["tree"], pictures_dataset.config.domain)
        assert sum(one.probability for one in reading.alternatives) <= 1 + 1e-9
        assert list(reading.alternatives) == sorted(reading.alternatives, key=lambda one: -one.log_probability)
    (blank,) = reader.perceive([Picture("blank", np.full((96, 96, 3), 127, np.uint8))])
    assert blank.unread == "no object was found"
    objects = Detection(np.full(101, 0.9, np.float32), np.zeros((101, 4), np.float32), ())
    crowded = reader._reading("crowded", objects, reader.decoder((96, 96)))
    assert crowded.unread == "101 objects were found: not a drawing of a few objects"


def test_names_that_are_less_certain_than_in_annotated_pictures_are_not_guessed(
    pictures_dataset: Dataset, trained: tuple[NetworkReader, Path]
) -> None:
    reader, _ = trained
    assert 0 < float(reader.detector.least_certainty) < 1
    strict = NetworkReader(reader.detector, reader._grouper, reader._domain, SMALL.model_copy(update={"certain": 0.8}))
    shapes = np.array([[0.79, 0.2, 0.01]], np.float32)
    others = [np.eye(count, dtype=np.float32)[:1] for count in COUNTS[1:]]
    doubtful = Detection(np.ones(1, np.float32), np.array([[40, 40, 15, 15]], np.float32), (shapes, *others))
    reading = strict._reading("doubtful", doubtful, strict.decoder((96, 96)))
    assert reading.unread == "the name of an object has a probability of only 0.79, in annotated pictures at least 0.80"
    annotated = annotated_pictures(pictures_dataset, 40, 0)
    readings = reader.perceive([Picture(one.name, one.pixels) for one in annotated])
    assert sum(bool(one.unread) for one in readings) <= 2


def test_the_same_seed_gives_the_same_weights_and_a_finished_run_is_kept(
    pictures_dataset: Dataset, tmp_path: Path
) -> None:
    quick = NeuralSettings(annotated=10, object_steps=3, group_steps=3)
    steps: list[int] = []
    for name in ("first", "second", "second"):
        NeuralPerceiver().prepare(
            Preparation(pictures_dataset, tmp_path / name, quick, lambda done, _: steps.append(done))
        )
    assert len(steps) == 2 * (3 + 3)  # the third time nothing is trained
    for network in ("objects", "groups"):
        files = [next((tmp_path / name).glob(f"neural-*/{network}")) for name in ("first", "second")]
        assert all((file / DONE).is_file() for file in files)
        first, second = (torch.load(file / WEIGHTS, weights_only=True) for file in files)
        assert all(torch.equal(first[key], second[key]) for key in first)


def test_parts_that_change_places_keep_the_tree(pictures_dataset: Dataset) -> None:
    annotated = annotated_pictures(pictures_dataset, 30, 0)
    assert len({one.name.split("_train")[0] for one in annotated[:5]}) == 5  # drawn evenly over the tasks
    examples = [example(one, COUNTS) for one in annotated]
    vocabulary = Vocabulary.of([one.root for one in examples])
    recombiner = Recombiner(examples, jitter=0.0)
    known = {place.tobytes() for one in examples for place in one.places}
    drawn = [recombiner.draw(fast_rng(0, "scene", number)) for number in range(40)]
    for one in drawn:
        assert {place.tobytes() for place in one.places} <= known
        targets([one.root], len(one.places), vocabulary)  # raises if the tree says what no annotated one does
        assert sum(1 for group in groups(one.root) if isinstance(group.node, int)) == len(one.places)
    before = {repr(one.root) + one.places.tobytes().hex() for one in examples}
    assert any(repr(one.root) + one.places.tobytes().hex() not in before for one in drawn)


def test_linkage_joins_what_belongs_together() -> None:
    close = np.kron(np.eye(2), np.full((3, 3), 0.9)) + np.kron(1 - np.eye(2), np.full((3, 3), 0.2))
    assert average_linkage(close, 0.5) == [[0, 1, 2], [3, 4, 5]]
    assert average_linkage(close, 0.1) == [[0, 1, 2, 3, 4, 5]]


def test_pictures_without_boxes_are_refused(pictures_dataset: Dataset) -> None:
    sample = pictures_dataset.samples[0]
    with pytest.raises(UsageError, match="has no boxes"):
        annotation(pictures_dataset, replace(sample, input={"image": sample.input["image"]}))


def test_rules_from_concepts_that_nobody_named(
    pictures_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No annotation at all: the rule has invented names, and predicts the test pictures all the same."""
    arguments = ["learn", str(pictures_folder), "--from", "pictures", "--perceiver", "neural", "--task", "t00_red"]
    arguments += ["--perceiver-set", "annotated=0", "--readings", str(tmp_path), "--learner", "mdie", "--timeout", "5"]
    assert run([*arguments, "--no-verdict", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["test"]["balanced_accuracy"] == 1.0
    assert told["perception"]["unread"] == 0


def test_unknown_settings_are_refused(
    pictures_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["perceive", str(pictures_folder), "--perceiver", "neural", "--readings", str(tmp_path)]
    assert run([*arguments, "--perceiver-set", "annotate=3"]) == 2
    assert "did you mean 'annotated'?" in capsys.readouterr().err
