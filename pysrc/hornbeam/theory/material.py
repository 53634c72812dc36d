"""What a dataset offers to compare theories on: facts, or examples over background knowledge.

The family says where the true theory is and on which facts theories are scored. Without such facts they are compared on
the samples: the last argument of sample/5, asked as a goal of the learned theory's predicate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.logic import CAREFUL
from hornbeam.logic.terms import Term
from hornbeam.theory.behaviour import Example, goal_for, target
from hornbeam.theory.theory import Theory

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_TRUE, _FALSE = {True, "true", "1", "yes"}, {False, "false", "0", "no"}


@dataclass(frozen=True, slots=True)
class Material:
    """Facts to evaluate theories on, or examples with the background that they need."""

    facts: Path | Sequence[Term] | None = None
    examples: Sequence[Example] | None = None
    background: Path | str | None = None


def material_of(dataset: Dataset, learned: Theory, *, task: str | None = None) -> Material:
    """What to compare a theory with the true one on."""
    facts = dataset.family.evaluation_facts(dataset, task)
    if facts is not None:
        return Material(facts=facts)
    return Material(examples=list(_examples(dataset, learned, task)), background=dataset.path / "load.pl")


def truth(dataset: Dataset, *, task: str | None = None) -> Theory:
    """The true theory of a dataset, or of one of its tasks where each has its own."""
    return Theory.load(dataset.family.truth_file(dataset, task))


def _examples(dataset: Dataset, learned: Theory, task: str | None) -> Iterator[Example]:
    """The labelled samples as goals."""
    predicate = target(learned)
    wanted = dataset.one_task(task)
    with dataset.prolog() as prolog:
        answers = prolog.all("sample(Id, Task, _, Label, Term)", given={"Task": wanted}, limits=CAREFUL)
    for answer in answers:
        name, label = str(answer["Id"]), answer["Label"]
        truth = True if label in _TRUE else False if label in _FALSE else None
        if not isinstance(label, list) and truth is not None:
            yield Example(goal_for(predicate, name, answer["Term"]), truth, name)
