"""What `hornbeam show` says about prompts: one of each kind, and the templates that it is made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbeam.errors import DatasetError, UsageError
from hornbeam.language.item import Item
from hornbeam.language.prompts.asking import FAMILIES, Asker
from hornbeam.language.prompts.rendering import templates
from hornbeam.language.prompts.settings import KINDS, settings_of
from hornbeam.report.page import Macros, Section
from hornbeam.tasks.problem import FACTS

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_HTML = Macros(__file__, "page.html.j2")
_TITLES = {"answer": "Answer: the label of a sample", "induce": "Induce: the theory of a task"}
_ENOUGH = 20  # samples of each task and split to choose from: a large dataset is not read for one prompt


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """An item of one kind, or why there is none, and the templates by name."""

    kind: str
    item: Item | None
    message: str
    templates: Mapping[str, str]

    @property
    def title(self) -> str:
        """The kind in words."""
        return _TITLES[self.kind]


def prompt_sections(dataset: Dataset) -> list[Section]:
    """The section "As a prompt"; none if the family has no prompts."""
    if dataset.manifest.family not in FAMILIES:
        return []
    return [Section("As a prompt", _HTML.prompts([_shown(dataset, kind) for kind in KINDS]))]


def _shown(dataset: Dataset, kind: str) -> ShownPrompt:
    family, known = dataset.manifest.family, templates()
    names = [name for name in (kind, f"{kind}/{family}") if name in known]
    used = {name: known[name] for name in names}
    try:
        return ShownPrompt(kind, _first(dataset, kind), "", used)
    except DatasetError:
        raise
    except UsageError as error:
        return ShownPrompt(kind, None, f"There is none: {error}", used)


def _first(dataset: Dataset, kind: str) -> Item:
    small = dataset if FACTS in dataset.family.learning_views else dataset.drawn(_ENOUGH)
    asker = Asker(small, settings_of({"kind": kind, "picture": "both"}))
    if not len(asker):
        raise UsageError("the dataset has no question of this kind")
    return asker[0]
