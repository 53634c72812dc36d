"""Pictures: their cache, the exact windows of the cnn, models that learn, settings, masks, thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import EngineUnavailable, UsageError
from hornbeam.neural import registry
from hornbeam.neural.experiment import train
from hornbeam.neural.processes import ProcessGroup, seed_all
from hornbeam.neural.runs import RunFolder
from hornbeam.neural.trainer import Trainer, TrainingOptions, make_optimizer
from hornbeam.neural.vision import models, settings
from hornbeam.neural.vision.data import PictureBatch, Pictures, Scale
from hornbeam.neural.vision.domain import KANDY, Vision
from hornbeam.neural.vision.learner import VisionLearner, best_threshold
from hornbeam.neural.vision.models import Cnn, Request
from hornbeam.neural.vision.settings import VisionOptions
from hornbeam.neural.vision.windows import Convolutions, cell_bounds, map_size
from hornbeam.registry import Registry
from tests.neural.plain_cnn import plain_convolutions


@pytest.fixture(scope="module")
def pictures(pictures_folder: Path) -> Pictures:
    return Pictures(hornbeam.load(pictures_folder))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Tiny networks with random weights, saved as transformers saves pretrained ones."""
    from transformers import ResNetConfig, ResNetModel, ViTConfig, ViTModel

    torch.manual_seed(0)
    where = tmp_path_factory.mktemp("networks")
    small = ResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 16, 32], depths=[1, 1, 1, 1])
    ResNetModel(small).save_pretrained(where / "resnet")
    tiny = ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, image_size=64, patch_size=16
    )
    ViTModel(tiny, add_pooling_layer=False).save_pretrained(where / "vit")
    return {"resnet50": str(where / "resnet"), "resnet50-head": str(where / "resnet"), "vit-head": str(where / "vit")}


# The cache ----------------------------------------------------------------------------------------------------------


def test_pictures_are_decoded_once_beside_the_dataset(pictures_folder: Path, pictures: Pictures) -> None:
    from PIL import Image

    row = int(pictures.rows("test")[3])
    sample = pictures.dataset.samples[row]
    with Image.open(pictures_folder / sample.input["image"]) as picture:
        assert np.array_equal(np.asarray(picture), pictures.pixels[row])
    (file,) = pictures_folder.parent.glob("tour.pictures-*.npy")
    before = file.stat().st_mtime_ns
    assert isinstance(Pictures(pictures.dataset).pixels, np.memmap)
    assert file.stat().st_mtime_ns == before
    hornbeam.load(pictures_folder).verify()  # the dataset itself was not touched


def test_boxes_hold_all_that_is_not_background(pictures: Pictures) -> None:
    for picture, (top, left, bottom, right) in zip(pictures.pixels, pictures.boxes, strict=True):
        marked = (picture != np.array(pictures.background)).any(axis=2)
        assert marked[top:bottom, left:right].sum() == marked.sum()
        assert marked[top].any() and marked[bottom - 1].any() and marked[:, left].any() and marked[:, right - 1].any()


def test_a_family_without_pictures_is_refused(dataset_folder: Path) -> None:
    with pytest.raises(UsageError, match="has no picture"):
        Pictures(hornbeam.load(dataset_folder))


# The cnn in windows -------------------------------------------------------------------------------------------------


class Exact(Scale):
    """The scale in double precision."""

    def __call__(self, pixels: torch.Tensor) -> torch.Tensor:
        return ((pixels.double() / 255 - self.mean[0]) / self.deviation[0]).movedim(-1, -3)


def batch_of(pixels: np.ndarray, boxes: np.ndarray, background: tuple[int, int, int]) -> PictureBatch:
    return PictureBatch(torch.from_numpy(pixels), boxes, background, Exact((0.4,) * 3, (0.1,) * 3))


def assert_same(layers: Convolutions, batch: PictureBatch) -> None:
    """Values and gradients of the windows are those of the plain network."""
    plain, windows = plain_convolutions(layers, batch.inputs), layers(batch)
    assert torch.allclose(plain, windows, rtol=1e-9, atol=1e-9)
    weight = torch.randn_like(plain)
    wanted = torch.autograd.grad((plain * weight).sum(), list(layers.parameters()))
    found = torch.autograd.grad((windows * weight).sum(), list(layers.parameters()))
    assert all(torch.allclose(a, b, rtol=1e-7, atol=1e-9) for a, b in zip(wanted, found, strict=True))


def test_windows_give_the_plain_network_s_values_and_gradients(pictures: Pictures) -> None:
    torch.manual_seed(5)
    rows = pictures.rows("test")[::4]
    assert_same(Convolutions().double(), batch_of(pictures.pixels[rows], pictures.boxes[rows], pictures.background))


@pytest.mark.parametrize("size", [(64, 64), (77, 91), (130, 66)])
def test_windows_at_edges_of_every_size(size: tuple[int, int]) -> None:
    """Objects in corners, at edges, over the whole picture, and none at all."""
    height, width = size
    boxes = np.array([
        [0, 0, 5, 9], [height - 7, width - 3, height, width], [0, width - 11, height, width],
        [height // 2, 0, height // 2 + 20, width], [0, 0, height, width], [13, 17, 14, 18], [0, 0, 1, 1],
    ])  # fmt: skip
    generator = np.random.default_rng(0)
    pixels = np.full((len(boxes), height, width, 3), (9, 200, 77), dtype=np.uint8)
    for picture, (top, left, bottom, right) in zip(pixels[:-1], boxes[:-1], strict=True):
        picture[top:bottom, left:right] = generator.integers(0, 256, (bottom - top, right - left, 3))
    torch.manual_seed(6)
    assert_same(Convolutions().double(), batch_of(pixels, boxes, (9, 200, 77)))


def test_the_last_map_has_the_size_that_torch_gives() -> None:
    for side in (64, 77, 224):
        maps = torch.zeros(1, 3, side, side)
        layers = Convolutions()
        pooled = torch.nn.functional.max_pool2d(layers.first(maps), 3, 2)
        pooled = torch.nn.functional.max_pool2d(layers.second(pooled), 3, 2)
        assert layers.third(pooled).shape[-1] == map_size(side)
    assert cell_bounds(50) == [(0, 10), (10, 20), (20, 30), (30, 40), (40, 50)]
    assert cell_bounds(7) == [(0, 2), (1, 3), (2, 5), (4, 6), (5, 7)]


# Models -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(Vision.recipes))
def test_each_model_overfits_a_few_pictures(
    name: str, pictures: Pictures, folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cnn, "dense_width", 128)
    rows = np.concatenate([pictures.rows("train", task)[:4] for task in pictures.tasks[:2]])
    torch.manual_seed(0)
    heads = len(pictures.tasks)
    request = Request(heads, 96, 96, weights=folders.get(name), architecture=folders.get(name))
    learner = VisionLearner(pictures, lambda: Vision().build(name, request), KANDY)
    assert learner.module(learner.batch(rows)).shape == (8, heads)
    rate, steps = (0.05, 150) if name.endswith("head") else (0.003, 50 if name == "resnet50" else 25)
    optimizer = make_optimizer(TrainingOptions(lr=rate), learner)
    first = None
    for _ in range(steps):
        optimizer.zero_grad()
        loss = learner.losses(rows).mean()
        first = float(loss.detach()) if first is None else first
        loss.backward()
        optimizer.step()
    learner.module.eval()
    assert float(learner.losses(rows).mean().detach()) < first / 4
    assert np.array_equal(learner.predict(rows) > 0.5, pictures.labels[rows])


def test_the_resnet_from_scratch_is_resnet_50() -> None:
    from transformers import ResNetConfig

    config = ResNetConfig()
    assert (list(config.depths), list(config.hidden_sizes)) == ([3, 4, 6, 3], [256, 512, 1024, 2048])


def test_the_papers_networks_have_their_sizes() -> None:
    mlp = Vision().build("mlp", Request(20, 224, 224))
    assert sum(tensor.numel() for tensor in mlp.parameters()) == 3 * 224 * 224 * 100 + 100 + 100 * 20 + 20
    cnn = Vision().build("cnn", Request(20, 224, 224))
    assert [tuple(layer.weight.shape) for layer in cnn.convolutions.children()] == [
        (64, 3, 5, 5), (128, 64, 5, 5), (256, 128, 3, 3),
    ]  # fmt: skip
    assert tuple(cnn.dense.weight.shape) == (4096, 6400)


def test_a_frozen_body_is_in_no_checkpoint(folders: dict[str, str]) -> None:
    head = Vision().build("vit-head", Request(3, 96, 96, weights=folders["vit-head"]))
    assert set(head.state_dict()) == {"heads.weight", "heads.bias"}


def test_features_of_a_frozen_body_are_what_it_computes(pictures: Pictures, folders: dict[str, str]) -> None:
    request = Request(5, 96, 96, weights=folders["resnet50-head"])
    learner = VisionLearner(pictures, lambda: Vision().build("resnet50-head", request), KANDY)
    rows = pictures.rows("valid")
    pixels = torch.from_numpy(pictures.pixels[rows])
    batch = PictureBatch(pixels, pictures.boxes[rows], pictures.background, models.IMAGENET)
    with torch.inference_mode():
        assert torch.allclose(learner.module(batch), learner.module(learner.batch(rows)), atol=1e-4)


@pytest.mark.usefixtures("no_hub")
def test_weights_that_are_not_here_say_what_to_do() -> None:
    with pytest.raises(EngineUnavailable, match=r"hf download nobody/nothing .*--set weights=FOLDER"):
        Vision().build("vit-head", Request(3, 96, 96, weights="nobody/nothing"))


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=str(tmp_path)):
        Vision().build("resnet50-head", Request(3, 96, 96, weights=str(tmp_path)))


# Settings -----------------------------------------------------------------------------------------------------------


def test_streams_of_the_settings(pictures: Pictures) -> None:
    options = VisionOptions(epochs=7)
    streams = {name: settings.stream_of(name, pictures, options, 0) for name in settings.SETTINGS}
    assert [one.name for one in streams["task-incremental"]] == pictures.tasks
    assert all(one.fresh for one in streams["independent"]) and not any(one.fresh for one in streams["joint"])
    assert [one.epochs for one in streams["joint"]] == [7]
    online = streams["continual-online"]
    assert all(one.epochs == 1 and not one.shuffle for one in online)
    assert np.concatenate([one.rows for one in online]).tolist() == pictures.rows("train").tolist()


def test_labels_of_each_task_are_balanced(pictures: Pictures) -> None:
    for one in settings.stream_of("task-incremental", pictures, VisionOptions(), 0):
        labels = pictures.labels[one.rows]
        assert labels.sum() == (~labels).sum()
        assert set(one.rows) == set(pictures.rows("train", one.name))


def test_tasks_in_random_order_depend_on_the_seed(pictures: Pictures) -> None:
    orders = [settings.task_order(pictures.tasks, VisionOptions(order="random"), seed) for seed in range(8)]
    assert all(sorted(order) == sorted(pictures.tasks) for order in orders)
    assert len({tuple(order) for order in orders}) > 3
    assert orders[2] == settings.task_order(pictures.tasks, VisionOptions(order="random"), 2)


@pytest.mark.parametrize("setting", sorted(settings.SETTINGS))
def test_every_setting_trains(setting: str, pictures_dataset: Dataset, tmp_path: Path) -> None:
    options = {"epochs": "2", "batch": "4", "replay": "6", "lr": "0.001", "threshold": "valid"}
    trained = hornbeam.train(pictures_dataset, "mlp", setting=setting, seeds=2, out=tmp_path / "run", overrides=options)
    metrics = trained.to_json()["metrics"]["test"]
    assert set(metrics["tasks"]) == set(pictures_dataset.tasks)
    assert 0 <= trained.accuracy["mean"] <= 1
    assert ("forgetting" in metrics) == (setting in settings.CONTINUAL)
    again = hornbeam.train(pictures_dataset, "mlp", setting=setting, seeds=2, out=tmp_path / "run", overrides=options)
    assert again.outcomes == trained.outcomes
    rows = np.arange(5)
    learner = trained.learner(1)
    assert isinstance(learner, VisionLearner)
    assert learner.predict(rows).shape == (5,)


@pytest.mark.slow
def test_a_result_does_not_depend_on_the_threads_of_torch(pictures_dataset: Dataset, tmp_path: Path) -> None:
    weights = []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        trained = train(pictures_dataset, "cnn", out=tmp_path / str(threads), overrides={"epochs": "1", "batch": "8"})
        assert torch.get_num_threads() == threads, "training leaves it as it was"
        weights.append(trained.learner().module.state_dict())
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_replay_keeps_labelled_rows_of_past_tasks(sparse_folder: Path, tmp_path: Path) -> None:
    dataset = hornbeam.load(sparse_folder)
    options = {"replay": "10", "epochs": "3", "batch": "4"}
    trained = train(dataset, "mlp", setting="task-incremental", out=tmp_path, overrides=options)
    learner = trained.learner()
    assert isinstance(learner, VisionLearner) and learner.buffer is not None
    kept = np.array(learner.buffer.rows)
    assert learner.pictures.supervised[kept].all()
    assert len(set(learner.pictures.task[kept].tolist())) > 1
    assert learner.buffer.seen.total() == learner.pictures.supervised[learner.pictures.rows("train")].sum()


def test_labels_that_are_hidden_never_matter(sparse_folder: Path, tmp_path: Path) -> None:
    """Training is the same whatever the hidden labels are."""
    dataset = hornbeam.load(sparse_folder)
    ends = []
    for turned in (False, True):
        options = VisionOptions(epochs=2, batch=4, replay=8, threshold="valid")
        seed_all(0, "weights")
        job = registry.TrainingJob(dataset, "mlp", "task-incremental", options, 0, ProcessGroup())
        work = Vision().prepare(job)
        learner = work.learner
        assert isinstance(learner, VisionLearner)
        hidden = ~learner.pictures.supervised
        hidden[learner.pictures.rows("test")] = False
        assert hidden.sum() > 10
        original = learner.pictures.labels
        learner.pictures.labels = np.where(hidden & turned, ~original, original)
        work = registry.PreparedRun(learner, settings.stream_of("task-incremental", learner.pictures, options, 0))
        folder = RunFolder(tmp_path / str(turned), {})
        Trainer(learner, work.stream, options, folder, seed=0).run()
        learner.pictures.labels = original
        ends.append((folder.results(), learner.module.state_dict()))
    assert ends[0][0] == ends[1][0]
    assert all(torch.equal(ends[0][1][name], ends[1][1][name]) for name in ends[0][1])


def test_the_threshold_is_the_first_of_the_best() -> None:
    labels = np.array([True, True, False, False])
    assert best_threshold(np.array([0.9, 0.8, 0.1, 0.2]), labels) == 0.5
    assert best_threshold(np.array([0.45, 0.42, 0.1, 0.2]), labels) == 0.4
    assert best_threshold(np.array([0.9, 0.8, 0.65, 0.2]), labels) == 0.7
    assert best_threshold(np.zeros(0), np.zeros(0, dtype=bool)) == 0.5


def test_a_model_of_another_package(pictures_dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "colours"

        @staticmethod
        def load():
            return Colours

    class Colours(torch.nn.Module):
        """The mean colour alone."""

        def __init__(self, request: Request) -> None:
            super().__init__()
            self.heads = torch.nn.Linear(3, request.heads)

        def forward(self, batch: PictureBatch) -> torch.Tensor:
            return self.heads(batch.inputs.mean(dim=(2, 3)))

    announced = Registry.plugins

    def with_colours(registry: Registry[Any]) -> dict[str, Any]:
        return {"colours": Point} if registry.kind == "model" else announced(registry)

    monkeypatch.setattr(Registry, "plugins", with_colours)
    trained = train(pictures_dataset, "colours", out=tmp_path, overrides={"epochs": "1"})
    assert trained.model == "colours" and trained.setting == "joint"
