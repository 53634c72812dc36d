"""Pages that are made from the code: everything that can be chosen has a page, and every setting an explanation."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel
from typer.main import get_command

from hornbeam import config, family
from hornbeam.cli.app import app
from hornbeam.handbook import pages
from hornbeam.handbook.settings import settings
from hornbeam.ilp import learner
from hornbeam.kandy.schema import schema
from hornbeam.neural import registry
from hornbeam.perception.perceiver import REGISTRIES

ROOT = Path(__file__).parents[2]
TYPES: dict[str, type[BaseModel]] = {
    **{f"families/{name}": family.get(name).config_type for name in family.BUILT_IN if name != "kandy"},
    **{f"learners/{name}": learner.get(name).settings_type for name in learner.BUILT_IN},
    **{
        f"perceivers/{source}-{name}": registered.get(name).settings_type
        for source, registered in REGISTRIES.items()
        for name in registered.built_in
    },
    **{f"models/{model}": domain.options_type for domain in registry.domains() for model in domain.recipes},
}


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages(ROOT / "docs", get_command(app))


@pytest.mark.parametrize("name", TYPES)
def test_every_setting_is_on_its_page_and_explained(made: dict[str, str], name: str) -> None:
    found = settings(TYPES[name].model_json_schema())
    assert [one.key for one in found if not one.about] == []
    assert all(f"| `{one.key}` | {one.values}" in made[f"{name}.md"] for one in found)


def test_the_keys_of_a_curriculum_are_explained(made: dict[str, str]) -> None:
    found = settings(schema()["$defs"]["config"])
    assert len(found) > 15
    assert all(one.about and f"| `{one.key}` |" in made["families/kandy.md"] for one in found)


def test_a_family_s_page_has_its_presets_its_samples_and_its_learners(made: dict[str, str]) -> None:
    page = made["families/clutrr.md"]
    assert all(
        f"| `{preset}` | {config.description('clutrr', preset)} |" in page for preset in config.presets("clutrr")
    )
    assert "`input.story`" in page and "[`algebra`](../learners/algebra.md)" in page
    assert "| tiny | 220 | 110 |" in page, "the table of the docstring is a table of the page"


def test_a_model_s_page_has_the_values_of_its_presets(made: dict[str, str]) -> None:
    assert "| clutrr | `quick` | `optimizer=adamw, lr=0.03" in made["models/epignn.md"]


def test_every_command_is_on_the_page_of_commands(made: dict[str, str]) -> None:
    group = get_command(app)
    assert all(f"## `hornbeam {name}`" in made["commands.md"] for name in group.commands)  # type: ignore[attr-defined]


def test_the_navigation_has_every_page_that_is_written_by_hand() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in written if page not in text} == set()
    assert yaml.safe_load(text)["site_name"] == "Hornbeam"
