"""The pages of learners of theories and of perceivers."""

from __future__ import annotations

from hornbeam.handbook.markdown import code, description, page, section, table
from hornbeam.handbook.settings import settings_table
from hornbeam.ilp import learner as learners
from hornbeam.perception.perceiver import REGISTRIES

_VIEWS = {
    "examples": "true and false examples over background knowledge",
    "facts": "the facts of a world",
    "networks": "labelled graphs with a pair of nodes to relate",
}


def learner_page(name: str) -> str:
    """What a learner is, what it learns from, and its settings."""
    learner = learners.get(name)
    views = "\n".join(f"- `{view}`: {_VIEWS[view]}" for view in learner.views)
    return page(
        code(name),
        description(type(learner)),
        section("What it learns from", views),
        section(
            "Settings", f"`hornbeam learn DIR --learner {name} --set KEY=VALUE`", settings_table(learner.settings_type)
        ),
        section("More", "[Learning theories](../learning.md) has the limits, the verdicts and the search for errors."),
    )


def learner_index() -> str:
    """All learners."""
    rows = []
    for name in learners.BUILT_IN:
        learner = learners.get(name)
        rows.append((f"[`{name}`]({name}.md)", learner.title, ", ".join(learner.views)))
    return page("Learners of theories", table(("learner", "what it is", "learns from"), rows))


def perceiver_page(source: str, name: str) -> str:
    """What a perceiver of pictures or stories is, and its settings."""
    perceiver = REGISTRIES[source].get(name)
    return page(
        f"{code(name)}, from {source}",
        description(type(perceiver)),
        section(
            "Settings",
            f"`hornbeam perceive DIR --perceiver {name} --perceiver-set KEY=VALUE` changes a setting.",
            settings_table(perceiver.settings_type),
        ),
    )
