"""One sample of a task in its three stages, for authors of curricula."""

from __future__ import annotations

from dataclasses import dataclass

from hornbeam.errors import UsageError
from hornbeam.kandy.curriculum import Curriculum, Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.nodes import DrawError, stages
from hornbeam.kandy.language.show import tree_text, yaml_text
from hornbeam.kandy.proving import judge_of
from hornbeam.kandy.render import below_of
from hornbeam.kandy.search import FAMILY
from hornbeam.kandy.tree import prolog_text
from hornbeam.seeds import fast_rng


@dataclass(frozen=True)
class Expansion:
    """The stages as YAML, the final tree as Prolog, and what the rule says of it (None without a rule)."""

    task: str
    label: bool
    element: str
    expanded: str
    grounded: str
    final: str
    prolog: str
    valid: bool | None

    def __str__(self) -> str:
        side = "positive" if self.label else "negative"
        verdict = {True: "satisfies the rule", False: "violates the rule", None: "there is no rule"}[self.valid]
        kept = "kept" if self.valid in (None, self.label) else "rejected"
        return (
            f"# task {self.task}, {side} set, element at {self.element}\n"
            f"# 1. expanded before grounding\n{self.expanded}"
            f"# 2. grounded\n{self.grounded}"
            f"# 3. expanded after grounding: the symbol\n{self.final}"
            f"# in Prolog, {verdict}: {kept}\n# {self.prolog}"
        )


def expand(curriculum: Curriculum, task: Task, *, seed: int = 0, label: bool = True) -> Expansion:
    """Draws one sample of a task's positive or negative set."""
    below = below_of(fast_rng(seed, FAMILY, task.id, "expand"))
    elements = task.side(label)
    if not elements:
        raise UsageError(f"task '{task.id}' has no sets to draw from")
    element = elements[below(len(elements))]
    try:
        expanded, grounded, tree = stages(element, below)
    except DrawError as error:
        raise error.place.error(str(error)) from None
    domain = curriculum.config.domain
    with KandyLogic(domain) as logic:
        judge = judge_of(task, logic)
        valid = judge([tree])[0] if judge else None
    return Expansion(
        task=task.id,
        label=label,
        element=str(element.place),
        expanded=yaml_text(expanded, domain),
        grounded=yaml_text(grounded, domain),
        final=tree_text(tree, domain),
        prolog=prolog_text(tree),
        valid=valid,
    )
