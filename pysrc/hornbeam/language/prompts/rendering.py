"""Templates of prompts: curricula/prompts, in Jinja2. Another folder can replace some of the files."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.data.archives import refuse_links
from hornbeam.errors import UsageError
from hornbeam.language.item import Part
from hornbeam.language.prompts.telling import MARK, Told

if TYPE_CHECKING:
    from jinja2 import Environment

    from hornbeam.data.dataset import Dataset

_SUFFIX = ".j2"


@cache
def _environment(folder: Path | None) -> Environment:
    from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    places = [folder] if folder else []
    if folder:
        refuse_links(folder)
    loader = ChoiceLoader([FileSystemLoader(place) for place in (*places, resources.curricula("prompts"))])
    # A template may be somebody else's: it sees the values of the prompt, and nothing of Python behind them.
    # Not HTML: a prompt is read by a model as it is.
    made = ImmutableSandboxedEnvironment(loader=loader, undefined=StrictUndefined, autoescape=False, trim_blocks=False)
    made.filters["tojson_plain"] = lambda value: json.dumps(value, ensure_ascii=False)
    return made


def render(name: str, values: Mapping[str, Any], folder: Path | None = None) -> str:
    """The text of a template.

    Raises:
        UsageError: with the file and the line, if a template of the user has a mistake.
    """
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

    try:
        text = _environment(folder).get_template(name + _SUFFIX).render(values)
    except TemplateSyntaxError as error:
        raise UsageError(f"not a template: {error.message}", file=error.filename or name, line=error.lineno) from None
    except TemplateNotFound as error:
        raise UsageError(f"there is no template {error.name}") from None
    except TemplateError as error:
        raise UsageError(f"the template {name}{_SUFFIX}: {error.message}") from None
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        if folder is None:
            raise
        raise UsageError(f"the template {name}{_SUFFIX}: {error or type(error).__name__}", file=str(folder)) from None
    # The search for a plain text is much faster, and most prompts have no empty lines to merge.
    return (re.sub(r"\n{3,}", "\n\n", text) if "\n\n\n" in text else text).strip()


def question_parts(
    family: str, told: Told, shots: Sequence[Told], values: Mapping[str, Any], dataset: Dataset, templates: Path | None
) -> tuple[Part, ...]:
    """The prompt of a question: text, and pictures where the template put them."""
    given = {"family": family, "question": told, "shots": shots, **values}
    text = render("answer", given, templates)
    pictures = [dataset.read(name) for shown in (*shots, told) for name in shown.images]
    return tuple(_parts(text, pictures))


def _parts(text: str, pictures: Sequence[bytes]) -> list[Part]:
    pieces = text.split(MARK)
    parts: list[Part] = []
    for number, piece in enumerate(pieces):
        if piece:
            parts.append(Part(piece))
        if number < len(pictures):
            encoded = base64.b64encode(pictures[number]).decode()
            parts.append(Part(f"data:image/png;base64,{encoded}", "image"))
    return parts


def templates() -> dict[str, str]:
    """The shipped templates by name, such as ``answer/star``."""
    root = resources.curricula("prompts")
    files = sorted(root.rglob(f"*{_SUFFIX}"))
    return {file.relative_to(root).with_suffix("").as_posix(): file.read_text(encoding="utf-8") for file in files}
