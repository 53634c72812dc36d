"""Every preset fits its models, and the paper's table is what the supplement prints."""

from __future__ import annotations

import itertools

import pytest

from hornbeam import config, resources
from hornbeam.errors import UsageError
from hornbeam.neural import presets
from hornbeam.neural.grid import combinations, values_of
from hornbeam.neural.vision import settings
from hornbeam.neural.vision.domain import Vision
from hornbeam.neural.vision.settings import VisionOptions

DATASETS = ("easy", "hard", "hard-large", "hard-sparse", "hard-decay")
PLACE = "neural/kandy"


@pytest.mark.parametrize("name", config.presets(PLACE))
def test_every_case_gives_valid_options(name: str) -> None:
    preset = presets.load(PLACE, name)
    for model, setting, dataset in itertools.product(Vision.recipes, settings.SETTINGS, DATASETS):
        values = preset.values(model=model, setting=setting, dataset=dataset)
        assert len(values) > len(preset.options), (model, setting, dataset)
        options = presets.options(VisionOptions, values, {}, source=name)
        assert setting != "continual-online" or options.epochs == 1
        assert not options.replay or setting in settings.CONTINUAL
    for values in combinations(preset.grid):
        presets.options(VisionOptions, values, {}, source=name)


# lr, optimiser, batch, epochs, buffer: some cells of supplementary table 1, column by column.
PRINTED = [
    ("easy", "mlp", "independent", 0.01, "sgd", 1, 1, 0),
    ("easy", "cnn", "independent", 0.01, "sgd", 1, 10, 0),
    ("easy", "cnn", "joint", 0.0001, "adam", 1, 10, 0),
    ("easy", "cnn", "task-incremental", 0.0001, "adam", 1, 10, 200),
    ("easy", "resnet50", "continual-online", 0.0001, "adam", 16, 1, 200),
    ("easy", "vit-head", "task-incremental", 0.01, "adam", 16, 10, 200),
    ("hard", "mlp", "continual-online", 0.01, "sgd", 1, 1, 200),
    ("hard", "cnn", "task-incremental", 0.0001, "adam", 1, 1, 200),
    ("hard", "resnet50", "joint", 0.0001, "adam", 1, 10, 0),
    ("hard", "resnet50-head", "task-incremental", 0.01, "adam", 16, 1, 200),
    ("hard", "vit-head", "continual-online", 0.01, "sgd", 1, 1, 0),
    ("hard-large", "mlp", "joint", 0.0001, "adam", 1, 10, 0),
    ("hard-large", "cnn", "task-incremental", 0.01, "sgd", 16, 10, 200),
    ("hard-large", "vit-head", "task-incremental", 0.01, "sgd", 1, 10, 0),
    ("hard-large", "vit-head", "continual-online", 0.01, "adam", 16, 1, 200),
]


@pytest.mark.parametrize("row", PRINTED, ids=lambda row: "-".join(row[:3]))
def test_the_papers_hyper_parameters(row: tuple) -> None:
    dataset, model, setting, *figures = row
    values = presets.load(PLACE, "paper").values(model=model, setting=setting, dataset=dataset)
    options = presets.options(VisionOptions, values, {}, source="paper")
    assert [options.lr, options.optimizer, options.batch, options.epochs, options.replay] == figures


def test_published_figures_are_whole() -> None:
    published = {entry["name"]: entry["accuracy"] for entry in resources.published("kandy")["results"]}
    assert set(published) == set(Vision.recipes)
    kinds = ("easy", "hard", "hard-large")
    groups = [f"{curriculum} {setting}" for curriculum in kinds for setting in settings.SETTINGS]
    for accuracy in published.values():
        assert list(accuracy) == groups
        assert all(0.5 <= mean <= 0.75 and 0 <= deviation <= 0.05 for mean, deviation in accuracy.values())


def test_a_broken_preset_is_named_with_its_line(tmp_path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("options: {lr: 0.1}\ncases:\n  - {model: cnn, option: {}}\n")
    with pytest.raises(UsageError, match=r"mine\.yml:3:.*cases\.0\.option"):
        presets.load(PLACE, str(file))


def test_values_to_try_that_are_no_yaml() -> None:
    with pytest.raises(UsageError, match=r"--try lr: not YAML: .*expected ',' or ']'"):
        values_of({"lr": "0.1,[1"})
