"""The neural model of the tour: small, and only where it is quick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from hornbeam.data.dataset import Dataset

# By the preset of the dataset: model and options.
_MODELS: dict[str, tuple[str, dict[str, str]]] = {
    "rcc8-small": ("epignn", {"epochs": "60", "lr": "0.02", "batch": "32", "pooling": "min", "margin": "1.0"}),
}


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model and how good it is, by group."""

    name: str
    command: str
    accuracy: float
    groups: Mapping[str, float]


def train_one(dataset: Dataset, runs: Path) -> Model | None:
    """Train the model for this dataset; None where there is none, or where torch is not installed."""
    chosen = _MODELS.get(dataset.manifest.preset)
    if chosen is None or find_spec("torch") is None or find_spec("torch_geometric") is None:
        return None
    from hornbeam.neural.experiment import train

    name, options = chosen
    trained = train(dataset, name, out=runs / f"{dataset.path.name}-{name}", overrides=options)
    settings = " ".join(f"--set {key}={value}" for key, value in options.items())
    return Model(
        name,
        f"hornbeam train {dataset.path} --model {name} {settings}",
        trained.outcomes[0].mean("test"),
        trained.outcomes[0].final("test"),
    )
