"""The pages of models: what a model is, its settings of learning, its options with their defaults and presets."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from hornbeam import config
from hornbeam.handbook.markdown import code, description, page, section, table
from hornbeam.handbook.settings import settings_table
from hornbeam.neural import presets, registry
from hornbeam.neural.registry import ModelDomain, ModelRecipe


def model_page(domain: ModelDomain, name: str) -> str:
    """The page of a model."""
    recipe = domain.recipes[name]
    settings = [(code(setting), about) for setting, about in domain.settings().items()]
    return page(
        code(name),
        recipe.about[:1].upper() + recipe.about[1:] + ".",
        _class_description(recipe),
        section("For", ", ".join(f"[{family}](../families/{family}.md)" for family in domain.families)),
        section(
            "Settings of learning",
            f"The default is `{domain.default_setting}`.",
            table(("setting", "what it is"), settings),
        ),
        section("What its preset sets", _preset_values(domain, name)),
        section("Options", _OPTIONS, _own_defaults(recipe), settings_table(domain.options_type)),
    )


_OPTIONS = (
    "`hornbeam train DIR --model NAME --set KEY=VALUE`. All models of a domain have these options. "
    "The meaning says which models use one. Where no default is given, the model has its own, unless a preset sets it."
)


def model_index() -> str:
    """All models by domain."""
    parts = []
    for domain in registry.domains():
        rows = [(f"[`{name}`]({name}.md)", recipe.about) for name, recipe in domain.recipes.items()]
        parts.append(section(f"{domain.name}: {', '.join(domain.families)}", table(("model", "what it is"), rows)))
    return page("Models", *parts)


def _made_by(recipe: ModelRecipe) -> Any:
    module, _, attribute = recipe.place.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _class_description(recipe: ModelRecipe) -> str:
    maker = _made_by(recipe)
    return description(maker) if inspect.isclass(maker) else ""


def _own_defaults(recipe: ModelRecipe) -> str:
    """The defaults that the model itself has."""
    found = [
        f"`{name}={parameter.default}`"
        for name, parameter in inspect.signature(_made_by(recipe)).parameters.items()
        if parameter.default is not inspect.Parameter.empty and name not in recipe.fixed
    ]
    return f"Defaults of this model: {', '.join(found)}." if found else ""


def _preset_values(domain: ModelDomain, name: str) -> str:
    rows = []
    for family in domain.families:
        for preset in config.presets(f"neural/{family}"):
            values = presets.load(f"neural/{family}", preset).values(
                model=name, setting=domain.default_setting, dataset=""
            )
            shown = ", ".join(f"{key}={value}" for key, value in values.items())
            rows.append((family, code(preset), code(shown)))
    return table(("family", "preset", f"options in the setting {domain.default_setting}"), rows)
