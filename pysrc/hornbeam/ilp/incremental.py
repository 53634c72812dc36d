"""Tasks one after the other: a rule that was learned for a task is background knowledge of the later ones.

The rule of task t10 becomes the predicate ``holds_t10/1``, which a later theory may call; its definition goes with the
theory. What it holds of is asked of the pictures as terms (the natural encoding), so rules of all encodings can be
kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hornbeam.errors import HornbeamError
from hornbeam.ilp.learned import Learned
from hornbeam.logic.terms import Clause, Compound, Term, to_text
from hornbeam.tasks.bias import Mode, Place
from hornbeam.tasks.problem import ExampleTask, Held, Problem
from hornbeam.theory import Bench, Theory
from hornbeam.theory.theory import Indicator, arguments, indicator

_GOOD = 0.9  # balanced accuracy on the training examples from which on a rule is kept


def kept_rule(learned: Learned) -> Theory | None:
    """The rule of a task as later ones may call it; None if it is not worth keeping."""
    good = learned.train is not None and learned.train.balanced >= _GOOD
    return learned.theory if good and len(learned.theory) else None


def with_rules(problem: Problem, natural: Problem, rules: Mapping[str, Theory]) -> Problem:
    """A problem whose background knowledge has the rules of earlier tasks.

    Args:
        problem: The problem, in any encoding.
        natural: The same problem in the natural encoding: the same examples in the same order.
        rules: The rules by their task.

    Returns:
        The problem with a predicate more for each rule that tells some training examples from others.
    """
    task, plain = problem.task, natural.task
    if not isinstance(task, ExampleTask) or not isinstance(plain, ExampleTask):
        return problem
    parts = {"train": (_of_task(task), _of_task(plain))}
    parts |= {split: (held, natural.held[split]) for split, held in problem.held.items()}
    facts: dict[str, list[Compound]] = {split: [] for split in parts}
    kept: dict[str, Theory] = {}
    for name, rule in rules.items():
        predicate = predicate_of(name)
        true = {split: _true(rule, predicate, own, asked) for split, (own, asked) in parts.items()}
        if 0 < len(true["train"]) < len(task.positive) + len(task.negative):
            kept[predicate] = rule
            for split, atoms in true.items():
                facts[split] += atoms
    if not kept:
        return problem
    modes = tuple(Mode(name, (Place("+", _type(task)),), negated=True) for name in kept)
    larger = replace(
        task,
        background=_with_facts(task.background, facts["train"], kept),
        bias=replace(task.bias, body=(*task.bias.body, *modes)),
    )
    held = {
        split: replace(part, background=_with_facts(part.background, facts[split], kept))
        for split, part in problem.held.items()
    }
    definitions = {**problem.definitions, **_definitions(kept)}
    return replace(problem, task=larger, held=held, definitions=definitions)


def predicate_of(task: str) -> str:
    """The predicate of a task's rule.

    >>> predicate_of("t10_last_red_triangle_long")
    'holds_t10'
    """
    return f"holds_{task.partition('_')[0]}"


def _of_task(task: ExampleTask) -> Held:
    return Held(task.positive, task.negative, task.background)


def _type(task: ExampleTask) -> str:
    """The type of the examples."""
    return task.bias.head[0].places[0].type


def _true(rule: Theory, predicate: str, own: Held, asked: Held) -> list[Compound]:
    """The facts of a rule's predicate: those examples of `own` whose natural forms the rule holds of."""
    try:
        with Bench(asked.background) as bench:
            covered = bench.judge(rule.program, [*asked.positive, *asked.negative]).covered
    except HornbeamError:
        return []
    atoms: Sequence[Term] = [*own.positive, *own.negative]
    return [Compound(predicate, arguments(atom)) for atom, holds in zip(atoms, covered, strict=True) if holds]


def _with_facts(background: str, facts: Sequence[Compound], kept: Mapping[str, Theory]) -> str:
    declared = "".join(f":- dynamic {name}/1.\n" for name in kept)
    lines = sorted({f"{to_text(fact)}.\n" for fact in facts})
    return f"{background}\n{declared}{''.join(lines)}"


def _definitions(kept: Mapping[str, Theory]) -> dict[Indicator, tuple[Clause, ...]]:
    """What the kept predicates mean, and what their rules call."""
    definitions: dict[Indicator, tuple[Clause, ...]] = {}
    for name, rule in kept.items():
        definitions[name, 1] = tuple(Clause(Compound(name, arguments(one.head)), one.body) for one in rule.clauses)
        by_predicate: dict[Indicator, list[Clause]] = {}
        for statement in rule.definitions:
            by_predicate.setdefault(indicator(statement.clause.head), []).append(statement.clause)
        definitions |= {predicate: tuple(clauses) for predicate, clauses in by_predicate.items()}
    return definitions
