"""Rules of earlier tasks as background knowledge of later ones: the incremental setting of the KANDY paper.

A theory that was learned for an earlier task becomes a test of nodes. The test for task `t03_red` is called
`earlier_t03_red`; its definition is the theory, under names that no other rule has. The theories are files in one
folder, as `hornbeam learn --all-tasks --out FOLDER` writes them. A theory whose file says that it was wrong on many
training samples of its own task is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.learning.definitions import Definitions
from hornbeam.kandy.learning.engine import KnowledgeTables, facts_text, plain_name
from hornbeam.kandy.tree import Domain, Tree
from hornbeam.logic.terms import Clause, to_text
from hornbeam.tasks.bias import Mode, Place
from hornbeam.theory import Theory
from hornbeam.theory.files import read_header
from hornbeam.theory.renaming import Rename, renamed
from hornbeam.theory.theory import Indicator, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_TARGET = ("valid", 1)
_BALANCED = re.compile(r"balanced_accuracy (\d\.\d+)")
_GOOD = 0.9  # balanced accuracy on its own training samples from which on a theory is used


@dataclass(frozen=True, slots=True)
class EarlierRule:
    """The theory of an earlier task, as a test of nodes.

    Attributes:
        name: The name of the test.
        theory: The theory as it was learned, with its definitions: one program.
    """

    name: str
    theory: Theory

    @property
    def mode(self) -> Mode:
        return Mode(self.name, (Place("+", "node"),), negated=True)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The theory under names that no other rule has, the clauses of a predicate together."""
        new = {
            predicate: self.name if predicate == _TARGET else f"{self.name}_{predicate[0]}"
            for predicate in self.theory.defines
        }
        own = renamed(self.theory, [Rename(name, arity, new[name, arity]) for name, arity in new]).clauses
        return tuple(clause for head in dict.fromkeys(map(_head, own)) for clause in own if _head(clause) == head)

    @property
    def definitions(self) -> Definitions:
        """What the test means, by predicate."""
        own = self.clauses
        return {head: tuple(clause for clause in own if _head(clause) == head) for head in map(_head, own)}


def _head(clause: Clause) -> Indicator:
    return indicator(clause.head)


def earlier_rules(folder: Path, dataset: Dataset, task: str) -> tuple[EarlierRule, ...]:
    """The rules of the tasks that come before `task`, in the order of the tasks.

    Raises:
        UsageError: if there is no such folder, or a file in it is not a theory of a task of the dataset.
    """
    if not folder.is_dir():
        raise UsageError("there is no such folder of theories", file=str(folder))
    before = list(dataset.tasks)[: list(dataset.tasks).index(task)]
    rules: dict[str, EarlierRule] = {}
    for file in sorted(folder.glob("*.pl")):
        theory = Theory.load(file).program
        header = read_header(file.read_text(encoding="utf-8"))
        own = header.get("task", "")
        if own not in dataset.tasks:
            raise UsageError(f"expected a theory of a task of the dataset, found one of task {own!r}", file=str(file))
        if own in before and _TARGET in theory.defines and _training_score(header) >= _GOOD:
            rules[own] = EarlierRule(plain_name("earlier", own), theory)
    return tuple(rules[name] for name in before if name in rules)


def _training_score(header: Mapping[str, str]) -> float:
    """The balanced accuracy on the training samples that a file tells; 1 if it tells none."""
    told = _BALANCED.search(header.get("train", ""))
    return float(told[1]) if told else 1.0


def earlier_text(rules: Iterable[EarlierRule]) -> str:
    """The definitions of all tests, as a program."""
    return "".join(f"{to_text(clause)}\n" for rule in rules for clause in rule.clauses)


def earlier_facts(rules: Sequence[EarlierRule], tables: KnowledgeTables, domain: Domain) -> str:
    """The tests as facts over the nodes of tables. The theories run in a contained process."""
    if not rules:
        return ""
    nodes: dict[str, Tree] = {**{name: name for name in _objects(tables, domain)}, **tables.nodes}
    facts: dict[str, list[tuple[str, ...]]] = {}
    with KandyLogic(domain) as logic:
        for rule in rules:
            key = logic.load_rule(_program(rule.theory), place=rule.theory.name or rule.name)
            labels = logic.labels(key, list(nodes.values()))
            facts[rule.name] = [(name,) for name, label in zip(nodes, labels, strict=True) if label == 1]
    return facts_text(facts, [(rule.name, 1) for rule in rules])


def _objects(tables: KnowledgeTables, domain: Domain) -> list[str]:
    return sorted(name for name in map(str, tables.inside) if name in domain.props)


def _program(theory: Theory) -> str:
    """The theory with the clauses of a predicate together, as a rule's text has them."""
    heads = dict.fromkeys(map(_head, theory.clauses))
    return "".join(f"{to_text(clause)}\n" for head in heads for clause in theory.clauses if _head(clause) == head)


def with_earlier(definitions: Mapping[Indicator, tuple[Clause, ...]], rules: Iterable[EarlierRule]) -> Definitions:
    """Definitions of an encoding, and those of the tests."""
    return {**definitions, **{head: clauses for rule in rules for head, clauses in rule.definitions.items()}}
