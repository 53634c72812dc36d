"""The learners and models that a dataset can be given to, with the settings of each as fields of a form."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.ilp import learner as registry
from hornbeam.processes import Bounds, apart
from hornbeam.studio.forms import Field, fields

_BOUNDS = Bounds(cpu=120.0, wall=300.0, memory=4 << 30)


@dataclass(frozen=True, slots=True)
class Choice:
    """A learner or a model.

    Attributes:
        name: Its name in commands.
        about: What it is, in a line.
        missing: Why it cannot run here; "" if it can.
        fields: Its settings.
        cases: The learning settings of a model, by name; the default first.
    """

    name: str
    about: str
    missing: str
    fields: tuple[Field, ...]
    cases: Mapping[str, str]


def learners(dataset: Dataset) -> list[Choice]:
    """The learners of theories for the views of a dataset's family, those that can run first."""
    return list(_learners(frozenset(dataset.family.learning_views)))


@lru_cache(maxsize=16)
def _learners(views: frozenset[str]) -> tuple[Choice, ...]:
    """Asked once: a learner that is another program looks for it on the disk."""
    known = [one for one in registry.LEARNERS.loaded().values() if views & set(one.views)]
    choices = [
        Choice(one.name, one.title, one.available() or "", tuple(_fields(one.settings_type.model_json_schema())), {})
        for one in known
    ]
    return tuple(sorted(choices, key=lambda choice: (bool(choice.missing), _rank(choice.name))))


def _rank(name: str) -> int:
    """Hornbeam's own learners come first, in their order."""
    return registry.BUILT_IN.index(name) if name in registry.BUILT_IN else len(registry.BUILT_IN)


def _fields(schema: Mapping[str, Any]) -> list[Field]:
    """The settings as fields, but for paths: which programs run here is not for visitors to say."""
    properties = schema.get("properties", {})
    kept = {name: part for name, part in properties.items() if not _is_path(part)}
    return fields({**schema, "properties": kept}, {})


def _is_path(part: Mapping[str, Any]) -> bool:
    return any(one.get("format") in ("path", "file-path", "directory-path") for one in (part, *part.get("anyOf", ())))


_models: dict[str, list[Choice] | str] = {}
_lock = threading.Lock()


def models(family: str) -> list[Choice]:
    """The models of a family. The libraries that know them are loaded in a process of its own, once.

    Raises:
        UsageError: if the models' libraries are not installed.
    """
    with _lock:
        if family not in _models:
            try:
                _models[family] = apart(_BOUNDS, _models_of, family)
            except HornbeamError as error:
                _models[family] = error.message
        found = _models[family]
    if isinstance(found, str):
        raise UsageError(found)
    return found


def _models_of(family: str) -> list[Choice]:
    """In the other process."""
    from hornbeam.extras import need

    need("torch", "training")
    from hornbeam.neural import registry as neural

    choices = []
    for domain in neural.domains(family):
        cases = dict(domain.settings())
        ordered = {domain.default_setting: cases.pop(domain.default_setting), **cases}
        shown = tuple(_fields(domain.options_type.model_json_schema()))
        choices += [Choice(name, about, "", shown, ordered) for name, about in domain.models().items()]
    return choices


def learned_points(events: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """The training accuracy that a learner claims of its best theory, over seconds of CPU.

    >>> learned_points([{"seconds": 1.0, "tp": 3, "fn": 1, "fp": 0, "tn": 4}, {"seconds": 2.0, "size": 3}])
    [(1.0, 0.875)]
    """
    points = []
    for event in events:
        counts = {name: event[name] for name in ("tp", "tn", "fp", "fn") if isinstance(event.get(name), int)}
        every = sum(counts.values())
        if len(counts) == 4 and every:
            points.append((float(event.get("seconds", 0.0)), (counts["tp"] + counts["tn"]) / every))
    return points
