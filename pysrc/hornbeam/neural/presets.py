"""Presets of training: YAML files in curricula/neural/FAMILY.

    about: what it is
    options: {epochs: 10}                # for all
    cases:                               # the first that fits adds its options
      - {model: cnn, setting: joint, dataset: easy, options: {lr: 0.0001}}
    grid: {lr: [0.0001, 0.01]}           # for `--grid`

A case may leave out `dataset` (the name of the preset that made the dataset), `model` or `setting`, or give a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from hornbeam import config
from hornbeam.neural.trainer import TrainingOptions

Names = str | list[str] | None
Chosen = TypeVar("Chosen", bound=TrainingOptions)


class PresetCase(BaseModel):
    """Options for some models, settings or datasets."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Names = Field(default=None, description="model or models; all if absent")
    setting: Names = Field(default=None, description="setting or settings; all if absent")
    dataset: Names = Field(default=None, description="preset or presets that the dataset was made from; all if absent")
    options: dict[str, Any] = Field(description="the options")

    def fits(self, **names: str) -> bool:
        """Whether it is for these."""
        return all(_fits(getattr(self, key), name) for key, name in names.items())


def _fits(wanted: Names, name: str) -> bool:
    return wanted is None or name in ([wanted] if isinstance(wanted, str) else wanted)


class Preset(BaseModel):
    """A file of training options."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = Field(default="", description="what it is")
    options: dict[str, Any] = Field(default_factory=dict, description="options for all")
    cases: list[PresetCase] = Field(default_factory=list, description="options for some; the first that fits counts")
    grid: dict[str, list[Any]] = Field(default_factory=dict, description="values to search, by option")

    def values(self, *, model: str, setting: str, dataset: str) -> dict[str, Any]:
        """The options for this run."""
        case = next((case for case in self.cases if case.fits(model=model, setting=setting, dataset=dataset)), None)
        return {**self.options, **(case.options if case else {})}


def load(place: str, name: str | None) -> Preset:
    """The preset of this name or file; an empty one for None."""
    return Preset() if name is None else config.load(config.find(place, name), Preset)


def options(kind: type[Chosen], values: Mapping[str, Any], overrides: Mapping[str, str], *, source: str) -> Chosen:
    """Checked options: a preset's values, with ``--set`` pairs applied."""
    return config.check(values, kind, file=f"options of {source}", overrides=overrides)
