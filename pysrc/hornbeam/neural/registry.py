"""Models and settings by name.

A domain is a kind of learner for some families: it knows its models, its settings and its options, and prepares a
learner and a stream. One from another package is found through the entry point group ``hornbeam.neural``. A model of a
built-in domain can come from elsewhere too: the entry point group ``hornbeam.neural.DOMAIN`` (e.g.
``hornbeam.neural.vision``) names a function with the arguments of the domain's own models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError, unknown_name
from hornbeam.registry import Registry

if TYPE_CHECKING:
    from hornbeam.neural.learner import Learner
    from hornbeam.neural.options import Options
    from hornbeam.neural.stream import Experience
    from hornbeam.neural.world import World

BUILT_IN: dict[str, tuple[str, tuple[str, ...]]] = {
    # Where each is, and the families it is for: a domain's libraries are loaded for its own families only.
    "vision": ("hornbeam.neural.vision.domain:Vision", ("kandy",)),
    "graph": ("hornbeam.neural.graph.domain:Graphs", ("clutrr", "graphlog", "star")),
    "text": ("hornbeam.neural.text.domain:Texts", ("clutrr",)),
}
GROUP = "hornbeam.neural"


@dataclass(frozen=True)
class Job:
    """One run to make: on this dataset, this model in this setting with these options, from this seed."""

    dataset: Dataset
    model: str
    setting: str
    options: Options
    seed: int
    world: World


@dataclass(frozen=True)
class Work:
    """What the trainer needs of a domain."""

    learner: Learner
    stream: Sequence[Experience]


class Domain(ABC):
    """A kind of learner. Stateless."""

    name: ClassVar[str]
    families: ClassVar[tuple[str, ...]]
    default_setting: ClassVar[str]

    @property
    @abstractmethod
    def options_type(self) -> type[Options]:
        """The type of its options."""

    @abstractmethod
    def built_in_models(self) -> Mapping[str, str]:
        """Its models: name, and a line about it."""

    @abstractmethod
    def settings(self) -> Mapping[str, str]:
        """Its settings: name, and a line about it."""

    @abstractmethod
    def prepare(self, job: Job) -> Work:
        """The learner and the stream of a run. Torch is seeded already: weights come from the job's seed."""

    def models(self) -> dict[str, str]:
        """All its models, those of other packages too."""
        return {**self.built_in_models(), **dict.fromkeys(self.plugins.names(), "from another package")}

    @property
    def plugins(self) -> Registry[Callable[..., Any]]:
        """Models of this domain in other packages: functions with the arguments of the domain's own."""
        return Registry("model", f"{GROUP}.{self.name}", {})

    def preset_place(self, dataset: Dataset) -> str:
        """The folder of curricula/ with the presets for a dataset."""
        return f"neural/{dataset.manifest.family}"


def domains(family: str | None = None) -> list[Domain]:
    """All domains, or those that have models for a family."""
    suited = {name: place for name, (place, families) in BUILT_IN.items() if family is None or family in families}
    known = Registry(
        "domain",
        GROUP,
        suited,
        base=Domain,
        needs=("name", "families", "default_setting"),
    ).loaded()
    ordered = [*suited, *(name for name in known if name not in suited)]
    return [known[name] for name in ordered if family is None or family in known[name].families]


def find(family: str, model: str, setting: str | None) -> tuple[Domain, str]:
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
