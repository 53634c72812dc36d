"""A task for rule induction: examples and background knowledge, in the view of the family that fits text best.

Graphs are solved questions, and the theory is a table of compositions. RuDaS gives the facts of a world. Other families
have positive and negative examples. Names of examples are drawn anew for each prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.logic.terms import Compound, Term, quote, to_text
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.network_files import edge_name
from hornbeam.tasks.problem import EXAMPLES, FACTS, NETWORKS, ExampleTask, FactTask, NetworkTask, Problem

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_RULES = "reachable(X, Y) :- link(X, Y).\nreachable(X, Y) :- link(X, Z), reachable(Z, Y)."
_TABLE = "converse(above, below).\nconverse(below, above).\ncompose(above, above, above)."


@dataclass(frozen=True, slots=True)
class Task:
    """A task as the template gets it, the true theory, and what the judge needs to know."""

    values: Mapping[str, Any]
    target: str
    meta: Mapping[str, Json] = field(default_factory=dict)


def view_of(dataset: Dataset) -> str:
    """The view of a dataset that its prompts show."""
    views = dataset.family.learning_views
    for view in (NETWORKS, FACTS, EXAMPLES):
        if view in views:
            return view
    raise UsageError(f"the family {dataset.family.name} has no tasks for learners of theories")


def options_of(dataset: Dataset) -> dict[str, str]:
    """The options of the family's tasks that prompts use: KANDY's pictures are terms."""
    return {"encoding": "natural"} if dataset.manifest.family == "kandy" else {}


def tell(dataset: Dataset, task: str | None, settings: PromptSettings, rng: Random) -> Task:
    """The task with `settings.examples` examples of each class."""
    view, options = view_of(dataset), options_of(dataset)
    problem = dataset.family.learning_problem(dataset, view, task, options)
    meta: dict[str, Json] = {"view": view, "options": dict(options)}
    told: Any = {NETWORKS: _networks, FACTS: _facts, EXAMPLES: _examples}[view]
    values, truth = told(dataset, task, problem, settings, rng)
    meta["targets"] = values["heads"]
    return Task(values, truth, meta)


def _networks(
    dataset: Dataset, task: str | None, problem: Problem, settings: PromptSettings, rng: Random
) -> tuple[dict[str, Any], str]:
    assert isinstance(problem.task, NetworkTask)
    truth = dataset.truth_of(task)
    reading = Table.of(truth).reading
    by_answer: dict[str, list[Network]] = {}
    for network in problem.task.networks:
        by_answer.setdefault(edge_name(network.answer), []).append(network)
    chosen = []
    for answer in sorted(by_answer):
        pool = by_answer[answer]
        chosen += rng.sample(pool, min(settings.examples, len(pool)))
    rng.shuffle(chosen)
    values = {
        "graphs": [_graph(network, rng) for network in chosen],
        "relations": [quote(name) for name in problem.task.relations],
        "reading": reading,
        "heads": [["reading", 1], ["converse", 2], ["compose", 3]],
        "limits": [f"at most {2 * len(problem.task.relations) ** 2 + 100} facts"],
        "sample_program": f"reading({reading}).\n{_TABLE}",
    }
    return values, "\n".join(truth.texts)


def _graph(network: Network, rng: Random) -> dict[str, Any]:
    nodes = sorted({node for edge in network.edges for node in (edge.source, edge.target)} | set(network.query))
    names = dict(zip(nodes, rng.sample(range(1, 2 * len(nodes) + 10), len(nodes)), strict=True))
    edges = [(f"n{names[edge.source]}", edge_name(edge.relations), f"n{names[edge.target]}") for edge in network.edges]
    rng.shuffle(edges)
    return {"edges": edges, "query": [f"n{names[node]}" for node in network.query], "answer": edge_name(network.answer)}


def _facts(
    dataset: Dataset, task: str | None, problem: Problem, settings: PromptSettings, rng: Random
) -> tuple[dict[str, Any], str]:
    assert isinstance(problem.task, FactTask) and problem.truth is not None
    spec = dataset.config.specs_by_name().get(task)
    shares = {} if spec is None else {"open_world": spec.open_world, "noise": spec.noise, "missing": spec.missing}
    facts = _renamed([*problem.task.facts], [], rng)[0]
    rng.shuffle(facts)
    heads: list[Json] = [[mode.name, len(mode.places)] for mode in problem.task.bias.head]
    values = {**_bias(problem.task.bias, problem.task.facts), "facts": facts, "shares": shares, "heads": heads}
    return values, "\n".join(problem.truth.texts)


def _examples(
    dataset: Dataset, task: str | None, problem: Problem, settings: PromptSettings, rng: Random
) -> tuple[dict[str, Any], str]:
    given = problem.task
    assert isinstance(given, ExampleTask)
    chosen = [rng.sample(pool, min(settings.examples, len(pool))) for pool in (given.positive, given.negative)]
    heads: list[Json] = [[mode.name, len(mode.places)] for mode in given.bias.head]
    positive, negative = ([f"{to_text(atom)}." for atom in atoms] for atoms in chosen)
    shown = {"positive": positive, "negative": negative, "background": given.background.strip(), "heads": heads}
    truth = problem.truth or dataset.truth_of(task)
    return {**_bias(given.bias, ()), **shown, "targets": [str(mode) for mode in given.bias.head]}, "\n".join(
        truth.texts
    )


def _bias(bias: Bias, facts: Sequence[Term]) -> dict[str, Any]:
    limits = [f"at most {bias.max_body} literals in a body", f"at most {bias.max_vars} variables in a clause"]
    if bias.max_clauses is not None:
        limits.append(f"at most {bias.max_clauses} clauses")
    limits.append("recursion is allowed" if bias.recursion else "no recursion")
    negated = [mode.name for mode in bias.body if mode.negated]
    limits.append(r"\+ is allowed before predicates whose variables are bound" if negated else "no negation")
    used = {place.type for mode in bias.body for place in mode.places if place.fill == "#"}
    constants = [
        (kind, [to_text(value) for value in values]) for kind, values in bias.constants.items() if kind in used
    ]
    return {
        "body": list(dict.fromkeys(str(mode) for mode in bias.body)),
        "constants": constants,
        "limits": limits,
        "sample_program": _RULES,
    }


def _renamed(first: Sequence[Term], second: Sequence[Term], rng: Random) -> tuple[list[str], list[str]]:
    """Atoms as text, with new constants."""
    atoms = [atom for atom in (*first, *second) if isinstance(atom, Compound)]
    constants = sorted({str(arg) for atom in atoms for arg in atom.args}, key=lambda name: (len(name), name))
    numbers = rng.sample(range(1, 2 * len(constants) + 10), len(constants))
    names = {constant: f"k{number}" for constant, number in zip(constants, numbers, strict=True)}

    def text(atom: Term) -> str:
        assert isinstance(atom, Compound)
        return to_text(Compound(atom.functor, tuple(names[str(arg)] for arg in atom.args))) + "."

    return [text(atom) for atom in first], [text(atom) for atom in second]
