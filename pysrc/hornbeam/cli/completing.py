"""What a shell completes: families, presets, tasks, learners, models, settings. What cannot be read completes nothing.

Each function gets the options on the line so far (`ctx.params`) and the beginning of the word.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer

    from hornbeam.data.dataset import Dataset

Completion = Iterable[str] | Iterable[tuple[str, str]]
Completer = Callable[["typer.Context", str], list[Any]]


def _completer(words: Callable[[dict[str, Any]], Completion]) -> Completer:
    """A function that a shell asks; an error at the prompt would be in the way."""

    @wraps(words)
    def complete(ctx: typer.Context, incomplete: str) -> list[Any]:
        found: list[Any] = []
        with contextlib.suppress(Exception):
            found = [one for one in words(ctx.params) if _name(one).startswith(incomplete)]
        return found

    # typer looks at the names and the types of the arguments.
    del complete.__wrapped__
    complete.__annotations__ = {"incomplete": str}
    return complete


def _name(one: str | tuple[str, str]) -> str:
    return one if isinstance(one, str) else one[0]


def _dataset() -> Dataset:
    from hornbeam.data import manifest as manifests
    from hornbeam.data.dataset import Dataset

    paths = (Path(word) for word in _line())
    return Dataset(next(path for path in paths if (path / manifests.NAME).is_file()))


def _line() -> list[str]:
    """The words on the line. An option without its value keeps typer from telling the arguments before it."""
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    try:
        return shlex.split(line)
    except ValueError:  # a quote is still open
        return line.split()


def _arguments(given: dict[str, Any], *names: str) -> list[str]:
    """The first arguments of a command: as typer tells them, or as they stand on the line."""
    told = [str(given[name]) for name in names if given.get(name)]
    return told if len(told) == len(names) else _line()[2 : 2 + len(names)]


@_completer
def families(given: dict[str, Any]) -> Completion:
    from hornbeam import family

    return family.names()


@_completer
def presets(given: dict[str, Any]) -> Completion:
    from hornbeam import config

    (family,) = _arguments(given, "family")
    return [(name, config.description(family, name)) for name in config.presets(family)]


@_completer
def preset_settings(given: dict[str, Any]) -> Completion:
    from hornbeam.studio.presets import settings

    return [(f"{one.key}=", one.about) for one in settings(*_arguments(given, "family", "preset"))]


@_completer
def tasks(given: dict[str, Any]) -> Completion:
    return _dataset().tasks


@_completer
def learners(given: dict[str, Any]) -> Completion:
    from hornbeam.ilp import learner

    return [(name, one.title) for name, one in learner.LEARNERS.loaded().items()]


@_completer
def learner_settings(given: dict[str, Any]) -> Completion:
    from hornbeam.ilp import learner

    return _keys(learner.LEARNERS.get(given["learner"]).settings_type.model_json_schema())


@_completer
def models(given: dict[str, Any]) -> Completion:
    from hornbeam.neural import registry

    return [one for domain in registry.domains(_dataset().manifest.family) for one in domain.models().items()]


@_completer
def model_cases(given: dict[str, Any]) -> Completion:
    from hornbeam.neural import registry

    domain, _ = registry.find(_dataset().manifest.family, given["model"], None)
    return list(domain.settings().items())


@_completer
def model_options(given: dict[str, Any]) -> Completion:
    from hornbeam.neural import registry

    domain, _ = registry.find(_dataset().manifest.family, given["model"], None)
    return _keys(domain.options_type.model_json_schema())


def _keys(schema: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The settings of a schema as KEY=, with what they are; those of groups with a dot."""
    defs = schema.get("$defs", {})
    for name, stated in schema.get("properties", {}).items():
        inner = defs.get(stated.get("$ref", "").rpartition("/")[2], {})
        if inner.get("properties") and not prefix:
            yield from _keys({**inner, "$defs": defs}, f"{name}.")
        else:
            yield f"{prefix}{name}=", str(stated.get("description", ""))
