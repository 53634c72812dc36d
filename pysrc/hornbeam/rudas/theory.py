"""The true rules of a dataset on disk, read from its rules.pl with Prolog's own reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hornbeam.data.dataset import Dataset
from hornbeam.errors import DatasetError, PrologSyntaxError, UsageError
from hornbeam.logic import Clause, Compound, Prolog
from hornbeam.logic.terms import Term


class Part(NamedTuple):
    """A rule graph as rules.pl describes it."""

    category: str
    depth: int
    target: str


@dataclass(slots=True)
class TaskTheory:
    """The rules of one task, numbered from 1 in proofs."""

    clauses: list[Clause] = field(default_factory=list)
    components: list[Part] = field(default_factory=list)
    properties: list[tuple[str, str]] = field(default_factory=list)  # (property, predicate)


def theories(dataset: Dataset) -> dict[str, TaskTheory]:
    """The theory of every task of a dataset."""
    found: dict[str, TaskTheory] = {}
    path = dataset.file("rules.pl")
    for number, term in read_terms(path):
        match term:
            case Compound("rule", (str(task), int(), Compound(":-", (head, body)))):
                found.setdefault(task, TaskTheory()).clauses.append(Clause(head, tuple(_conjuncts(body))))
            case Compound("component", (str(task), int(), str(category), int(depth), str(target))):
                found.setdefault(task, TaskTheory()).components.append(Part(category, depth, target))
            case Compound("property", (str(task), str(kind), str(predicate))):
                found.setdefault(task, TaskTheory()).properties.append((kind, predicate))
            case _:
                raise DatasetError("expected rule/3, component/5 or property/3", file=str(path), line=number)
    missing = [task for task in dataset.tasks if task not in found]
    if missing:
        raise DatasetError(f"there are no rules of the task {missing[0]}", file=str(path))
    return found


def read_terms(path: Path) -> Iterator[tuple[int, Term]]:
    """The terms of a file that has one on each line; UsageError with file and line for text that is none."""
    prolog = Prolog()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if not text.endswith("."):
            raise UsageError(f"expected a clause that ends in a full stop, found: {text}", file=str(path), line=number)
        try:
            yield number, prolog.parse(text[:-1])
        except PrologSyntaxError as error:
            raise UsageError(f"not Prolog: {error.message}", file=str(path), line=number) from None


def numbered_rules(path: Path) -> Iterator[tuple[int, Clause]]:
    """The rules of a rules.txt, also of the original's, with their lines."""
    for number, term in read_terms(path):
        if not (isinstance(term, Compound) and term.functor == ":-" and len(term.args) == 2):
            raise UsageError("expected a rule: head :- body.", file=str(path), line=number)
        yield number, Clause(term.args[0], tuple(_conjuncts(term.args[1])))


def read_rules(path: Path) -> list[Clause]:
    """The rules of a rules.txt."""
    return [clause for _, clause in numbered_rules(path)]


def _conjuncts(body: Term) -> Iterator[Term]:
    while isinstance(body, Compound) and body.functor == "," and len(body.args) == 2:
        yield from _conjuncts(body.args[0])
        body = body.args[1]
    yield body
