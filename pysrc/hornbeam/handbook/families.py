"""The page of a family: what it is, its presets, every setting, what a sample holds."""

from __future__ import annotations

import re

from hornbeam import config
from hornbeam import family as families
from hornbeam.family import Family
from hornbeam.handbook.markdown import code, description, page, section, table
from hornbeam.handbook.settings import schema_table, settings_table

_SETTINGS = (
    "`hornbeam generate {name} PRESET --out DIR --set KEY=VALUE` changes a setting. "
    "A file of your own has the same keys. Lists and mappings are written as YAML. "
    "A dash means that there is no default."
)


def family_page(name: str, samples: str) -> str:
    """The page of a family.

    Args:
        name: The family.
        samples: The page about samples (docs/samples.md), which has a section for each family.
    """
    family = families.get(name)
    rows = [(code(preset), config.description(name, preset)) for preset in config.presets(name)]
    return page(
        family.title,
        family.question and f"*{family.question}*",
        description(type(family)),
        section("Presets", table(("preset", "what it is"), rows)),
        section("Settings", _SETTINGS.format(name=name), _settings(family)),
        section("What a sample holds", _of_family(samples, family.title)),
        section("Learners and models", _takers(family)),
    )


def _settings(family: Family) -> str:
    """KANDY's settings are those of its curriculum language; the type of the others has them."""
    if family.name != "kandy":
        return settings_table(family.config_type)
    from hornbeam.kandy.schema import schema

    defs = schema()["$defs"]
    task = {key: value for key, value in defs["task"]["properties"].items() if "description" in value}
    return "\n\n".join(
        [
            "A curriculum is a YAML file in [a language of its own](../curricula.md).",
            "Keys of a task; `set:` sets them for all tasks:",
            schema_table({"properties": task}),
            "Keys of `config:`",
            schema_table(defs["config"]),
        ]
    )


def _of_family(samples: str, title: str) -> str:
    """The section of a family, without its heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", samples, flags=re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def _takers(family: Family) -> str:
    from hornbeam.ilp import learner as learners
    from hornbeam.neural import registry

    fitting = [name for name in learners.names() if set(learners.get(name).views) & set(family.learning_views)]
    models = [name for domain in registry.domains(family.name) for name in domain.built_in_models()]
    links = [f"[`{name}`](../learners/{name}.md)" for name in fitting]
    return "\n\n".join(
        [
            f"Learners: {', '.join(links)}.",
            f"Models: {', '.join(f'[`{name}`](../models/{name}.md)' for name in models) or 'none'}.",
        ]
    )
