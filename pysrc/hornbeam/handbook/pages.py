"""All pages that are made from the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbeam import family as families
from hornbeam import resources
from hornbeam.handbook.commands import command_page
from hornbeam.handbook.families import family_page
from hornbeam.handbook.learners import learner_index, learner_page, perceiver_page
from hornbeam.handbook.models import model_index, model_page
from hornbeam.ilp import learner as learners
from hornbeam.neural import registry
from hornbeam.perception.perceiver import REGISTRIES


def pages(docs: Path, commands: Any) -> dict[str, str]:
    """The generated pages.

    Args:
        docs: The folder of the pages that are written by hand.
        commands: The typer group of the command.

    Returns:
        Markdown by the path of each page below docs/.
    """
    return dict(_pages((docs / "samples.md").read_text(encoding="utf-8"), commands))


def _pages(samples: str, commands: Any) -> Iterator[tuple[str, str]]:
    for name in families.BUILT_IN:
        yield f"families/{name}.md", family_page(name, samples)
    yield "learners/index.md", learner_index()
    for name in learners.BUILT_IN:
        yield f"learners/{name}.md", learner_page(name)
    yield "models/index.md", model_index()
    for domain in registry.domains():
        for name in domain.recipes:
            yield f"models/{name}.md", model_page(domain, name)
    for source, registered in REGISTRIES.items():
        for name in registered.built_in:
            yield f"perceivers/{source}-{name}.md", perceiver_page(source, name)
    yield "commands.md", command_page(commands)
    yield "curricula.md", resources.curricula("kandy", "README.md").read_text(encoding="utf-8")
