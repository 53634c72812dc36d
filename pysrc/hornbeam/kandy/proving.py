"""Every label derived by SWI-Prolog from the rule that the dataset ships, and confirmed by clingo.

The rules of kb/kandy/tasks and the background knowledge of kb/kandy are the files that a dataset gets as they are. The
rules for clingo, kb/kandy/asp, are written apart from them and run over facts that are made here, so that a slip in one
reasoner, in one encoding or in one text of a rule shows as a difference. A rule that came as text is written into a
file of the dataset and runs in a contained process here; it has no form for clingo.

>>> house = ("in", [("stack", ["triangle_red_small", "square_blue_small"])])
>>> clingo_labels("easy_15_house", [house, ("in", ["circle_red_small"])])
[1, 0]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache, lru_cache
from typing import NamedTuple

from hornbeam import resources
from hornbeam.errors import DatasetError, UsageError, unknown_name
from hornbeam.kandy.curriculum import Curriculum, NamedRule, Rule, RuleText, Task
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.record import PlannedRow
from hornbeam.kandy.search import Judge
from hornbeam.kandy.tree import ATTRIBUTES, DEFAULT_DOMAIN, Domain, Tree
from hornbeam.logic.asp import Facts, Program

_FILES = ("pictures.lp", "easy.lp", "hard.lp")
# Pictures in one program: grounding grows with them, not with their square.
_BATCH = 1_000


class Proven(NamedTuple):
    """How many labels Prolog derived, and how many of them clingo confirmed."""

    labels: int
    confirmed: int


def prove(task: Task, rule: str, rows: Sequence[PlannedRow], logic: KandyLogic) -> Proven:
    """Derive all labels of these rows by the task's rule, with one call of each reasoner.

    Raises:
        DatasetError: names the first sample whose label is not what a reasoner derives.
    """
    trees = [row.tree for row in rows]
    _compare(task, rows, logic.labels(rule, trees), "SWI-Prolog")
    if not isinstance(task.rule, NamedRule):
        return Proven(len(rows), 0)
    _compare(task, rows, clingo_labels(task.rule.name, trees, logic.domain), "clingo")
    return Proven(len(rows), len(rows))


def _compare(task: Task, rows: Sequence[PlannedRow], derived: Sequence[int], reasoner: str) -> None:
    for row, label in zip(rows, derived, strict=True):
        if label != int(row.label):
            answer = "does not end" if label < 0 else f"derives {label}"
            raise DatasetError(
                f"sample {row.sample_id(task)} is labelled {int(row.label)}, but {reasoner} {answer} by the rule of "
                f"{task.title}: this is a fault of the generator"
            )


# The rule of a task in Prolog


@contextmanager
def reasoner(task: Task, domain: Domain) -> Iterator[KandyLogic]:
    """The reasoner for a task. Rules of kb/kandy run in this process, where it is kept; a text has its own process."""
    if isinstance(task.rule, RuleText):
        with KandyLogic(domain) as logic:
            yield logic
    else:
        yield _own_logic(domain)


@lru_cache(maxsize=4)
def _own_logic(domain: Domain) -> KandyLogic:
    return KandyLogic(domain)


def rule_key(rule: Rule, logic: KandyLogic) -> str:
    """The name under which Prolog knows a rule; a rule from text is read first, and refused with its place."""
    if isinstance(rule, NamedRule):
        known = [task.rule for task in logic.task_table()]
        if rule.name not in known:
            raise unknown_name("rule", rule.name, known, **(asdict(rule.place) if rule.place else {}))
        return rule.name
    try:
        return logic.load_rule(rule.text)
    except UsageError as error:
        line = rule.line + (error.line or 1) - 1
        raise UsageError(error.message, file=rule.file, line=line, column=error.column) from None


def check_rules(curriculum: Curriculum, logic: KandyLogic) -> None:
    """Refuses a curriculum with a rule that Prolog cannot use."""
    for task in curriculum.tasks:
        if task.rule is not None:
            try:
                rule_key(task.rule, logic)
            except UsageError as error:
                error.message = f"{task.title}: {error.message}"
                raise


def judge_of(task: Task, logic: KandyLogic) -> Judge | None:
    """Asks a task's rule about trees, in bulk; None if the task has none."""
    if task.rule is None:
        return None
    rule = task.rule
    key = rule_key(rule, logic)

    def judge(trees: Sequence[Tree]) -> list[bool | None]:
        try:
            labels = logic.labels(key, trees)
        except UsageError as error:
            if isinstance(rule, NamedRule):
                raise
            raise UsageError(f"{task.title}: {error.message}", file=rule.file, line=rule.line) from None
        return [None if label < 0 else bool(label) for label in labels]

    return judge


# The same rules in clingo


def clingo_labels(rule: str, trees: Sequence[Tree], domain: Domain = DEFAULT_DOMAIN) -> list[int]:
    """1 if a rule of kb/kandy holds of a tree, else 0: derived by clingo from the rules of kb/kandy/asp."""
    labels: list[int] = []
    for start in range(0, len(trees), _BATCH):
        roots, pictures = _picture_facts(trees[start : start + _BATCH], domain)
        asked = Facts.rows("ask", [(rule, root) for root in dict.fromkeys(roots)])
        model = _rules_of(rule).model(asked | pictures, only="valid")
        valid = set(model.rows("valid"))
        labels += [int((rule, root) in valid) for root in roots]
    return labels


def _picture_facts(trees: Sequence[Tree], domain: Domain) -> tuple[list[str | int], Facts]:
    """The root of each tree, and all of them as facts. Equal compositions are one node, numbered as they appear."""
    numbers: dict[tuple[str, tuple[str | int, ...]], int] = {}
    objects: dict[str, None] = {}

    def node(tree: Tree) -> str | int:
        if isinstance(tree, str):
            objects.setdefault(tree)
            return tree
        key = (tree[0], tuple(map(node, tree[1])))
        return numbers.setdefault(key, len(numbers))

    roots = [node(tree) for tree in trees]
    places = [(number, *place) for (_, parts), number in numbers.items() for place in enumerate(parts)]
    facts = Facts.rows("by", [(number, operator) for (operator, _), number in numbers.items()])
    facts |= Facts.rows("count", [(number, len(parts)) for (_, parts), number in numbers.items()])
    facts |= Facts.rows("child", places)
    facts |= Facts.rows("shape_name", [(name,) for name in domain.shapes])
    facts |= Facts.rows("color_name", [(name,) for name in domain.colors])
    for at, attribute in enumerate(ATTRIBUTES):
        facts |= Facts.rows(attribute, [(name, domain.props[name][at]) for name in objects])
    return roots, facts


@cache
def _rules_of(rule: str) -> Program:
    """What clingo needs for one rule: grounding the others would cost more than the answer."""
    return _all_rules().asking("valid", rule)


@cache
def _all_rules() -> Program:
    return Program.read(*(resources.kb("kandy", "asp", name) for name in _FILES))
