"""Models and settings by name.

A domain is a kind of learner for some families: it knows its models, its settings and its options, and prepares a
learner and a stream. One from another package is found through the entry point group ``hornbeam.neural``. A model of a
built-in domain can come from elsewhere too: the entry point group ``hornbeam.neural.DOMAIN`` (e.g.
``hornbeam.neural.vision``) names a function with the arguments of the domain's own models.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError, unknown_name
from hornbeam.registry import Registry

if TYPE_CHECKING:
    from torch import nn

    from hornbeam.neural.devices import Compute
    from hornbeam.neural.learner import Experience, ModelLearner
    from hornbeam.neural.processes import ProcessGroup
    from hornbeam.neural.trainer import TrainingOptions

BUILT_IN: dict[str, tuple[str, tuple[str, ...]]] = {
    # Where each is, and the families it is for: a domain's libraries are loaded for its own families only.
    "vision": ("hornbeam.neural.vision.domain:Vision", ("kandy",)),
    "graph": ("hornbeam.neural.graph.domain:Graphs", ("clutrr", "graphlog", "star")),
    "text": ("hornbeam.neural.text.domain:Texts", ("clutrr",)),
}
GROUP = "hornbeam.neural"


def _processor() -> Compute:
    from hornbeam.neural.devices import Compute

    return Compute()


@dataclass(frozen=True)
class TrainingJob:
    """One run to make: on this dataset, this model in this setting with these options, from this seed."""

    dataset: Dataset
    model: str
    setting: str
    options: TrainingOptions
    seed: int
    processes: ProcessGroup
    compute: Compute = field(default_factory=_processor)


@dataclass(frozen=True)
class PreparedRun:
    """What the trainer needs of a domain."""

    learner: ModelLearner
    stream: Sequence[Experience]


@dataclass(frozen=True)
class ModelRecipe:
    """A built-in model. Its module is imported when the model is built, and not before."""

    about: str
    place: str  # module:attribute
    fixed: Mapping[str, Any] = field(default_factory=dict)  # arguments that the model's name stands for


class ModelDomain(ABC):
    """A kind of model: its models, settings and options, and how a run is prepared. Stateless."""

    name: ClassVar[str]
    families: ClassVar[tuple[str, ...]]
    default_setting: ClassVar[str]
    recipes: ClassVar[Mapping[str, ModelRecipe]] = {}

    @property
    @abstractmethod
    def options_type(self) -> type[TrainingOptions]:
        """The type of its options."""

    @abstractmethod
    def settings(self) -> Mapping[str, str]:
        """Its settings: name, and a line about it."""

    @abstractmethod
    def prepare(self, job: TrainingJob) -> PreparedRun:
        """The learner and the stream of a run. Torch is seeded already: weights come from the job's seed."""

    def built_in_models(self) -> Mapping[str, str]:
        """Its own models: name, and a line about it."""
        return {name: recipe.about for name, recipe in self.recipes.items()}

    def models(self) -> dict[str, str]:
        """All its models, those of other packages too."""
        return {**self.built_in_models(), **dict.fromkeys(self._makers.plugins(), "from another package")}

    def build(self, name: str, *sizes: Any, options: TrainingOptions | None = None) -> nn.Module:
        """A model with new weights from torch's random generator.

        A built-in one takes those options that it has arguments for; an option that is None is left to its own default.
        One of another package gets all options.
        """
        make = self._makers.get(name)
        if name in self._makers.plugins():
            return make(*sizes, *([] if options is None else [options]))
        arguments = list(inspect.signature(make).parameters)[len(sizes) :]
        values = options.model_dump() if options is not None else {}
        given = {option: value for option, value in values.items() if option in arguments and value is not None}
        return make(*sizes, **given, **self.recipes[name].fixed)

    @property
    def _makers(self) -> Registry[Callable[..., nn.Module]]:
        return Registry("model", f"{GROUP}.{self.name}", {name: recipe.place for name, recipe in self.recipes.items()})

    def preset_place(self, dataset: Dataset) -> str:
        """The folder of curricula/ with the presets for a dataset."""
        return f"neural/{dataset.manifest.family}"


def domains(family: str | None = None) -> list[ModelDomain]:
    """All domains, or those that have models for a family."""
    suited = {name: place for name, (place, families) in BUILT_IN.items() if family is None or family in families}
    known = Registry("domain", GROUP, suited, base=ModelDomain, needs=("name", "families", "default_setting")).loaded()
    ordered = [*suited, *(name for name in known if name not in suited)]
    return [known[name] for name in ordered if family is None or family in known[name].families]


def find(family: str, model: str, setting: str | None) -> tuple[ModelDomain, str]:
    """The domain that has this model for a family, and the setting's name; UsageError with what there is instead."""
    suited = domains(family)
    if not suited:
        raise UsageError(f"there are no models for the family {family}")
    for domain in suited:
        if model in domain.models():
            chosen = setting or domain.default_setting
            if chosen not in domain.settings():
                raise unknown_name(f"setting of {model}", chosen, domain.settings())
            return domain, chosen
    raise unknown_name(f"model for {family}", model, [name for domain in suited for name in domain.models()])
