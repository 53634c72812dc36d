"""What a dataset offers to compare theories on: facts, or examples over background knowledge.

A family may say it itself with a method ``theory_material(dataset, task)`` that returns a :class:`Material`.
Otherwise a dataset that has RuDaS' evaluation files is compared on its evaluation support, and any other on its
samples: the last argument of sample/5, asked as a goal of the learned theory's predicate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic import CAREFUL
from hornbeam.logic.terms import Term
from hornbeam.theory.behaviour import Example, goal_for, target
from hornbeam.theory.theory import Theory, arguments, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_SUPPORT = "eval-support.txt"
_RULES = "rules.txt"
_TRUE, _FALSE = {True, "true", "1", "yes"}, {False, "false", "0", "no"}


@dataclass(frozen=True, slots=True)
class Material:
    """Facts to evaluate theories on, or examples with the background that they need."""

    facts: Path | Sequence[Term] | None = None
    examples: Sequence[Example] | None = None
    background: Path | str | None = None


def material_of(dataset: Dataset, learned: Theory, *, task: str | None = None) -> Material:
    """What to compare a theory with the true one on."""
    own = getattr(dataset.family, "theory_material", None)
    if own is not None:
        found: Material = own(dataset, task)
        return found
    supports = sorted(dataset.path.rglob(_SUPPORT))
    if supports:
        return Material(facts=_of_task(dataset, supports, task))
    return Material(examples=list(_examples(dataset, learned, task)), background=dataset.path / "load.pl")


def truth(dataset: Dataset, *, task: str | None = None) -> Theory:
    """The true theory of a dataset, or of one of its tasks where each has its own.

    A family may say it itself with a method ``true_theory(dataset, task)``. Otherwise it is the task's rules.txt
    (RuDaS), the file that task/4 in theory.pl names (KANDY), or theory.pl.
    """
    own = getattr(dataset.family, "true_theory", None)
    if own is not None:
        found: Theory = own(dataset, task)
        return found
    rules = sorted(dataset.path.rglob(_RULES))
    if rules:
        return Theory.load(_of_task(dataset, rules, task))
    whole = Theory.load(dataset.path / "theory.pl")
    named = _named_rules(whole)
    if not named:
        return whole
    wanted = _task(dataset, task)
    if wanted not in named:
        raise unknown_name("task with a rule", wanted, named, file=str(dataset.path))
    for path in sorted(dataset.path.rglob(f"{named[wanted]}.pl")):
        return Theory.load(path)
    raise UsageError(f"the rule {named[wanted]} of task {wanted} is not among the files", file=str(dataset.path))


def _named_rules(theory: Theory) -> dict[str, str]:
    """The facts task(Index, Task, Rule, Title), as Task to Rule."""
    facts = [arguments(clause.head) for clause in theory if indicator(clause.head) == ("task", 4) and not clause.body]
    return {str(args[1]): str(args[2]) for args in facts if args[2] != "none"}


def _of_task(dataset: Dataset, paths: Sequence[Path], task: str | None) -> Path:
    """The path in the task's own folder; the only one where there is but one."""
    if len(paths) == 1 and task is None:
        return paths[0]
    wanted = _task(dataset, task)
    found = [path for path in paths if path.parent.name == wanted]
    if not found:
        raise unknown_name("task", wanted, [path.parent.name for path in paths], file=str(dataset.path))
    return found[0]


def _task(dataset: Dataset, task: str | None) -> str:
    if task is None and len(dataset.tasks) != 1:
        example = f", e.g. '{dataset.tasks[0]}'" if dataset.tasks else ""
        raise UsageError(f"the dataset has {len(dataset.tasks)} tasks: name one{example}", file=str(dataset.path))
    return task or dataset.tasks[0]


def _examples(dataset: Dataset, learned: Theory, task: str | None) -> Iterator[Example]:
    """The labelled samples as goals."""
    predicate = target(learned)
    wanted = _task(dataset, task)
    dataset.task(wanted)
    with dataset.prolog() as prolog:
        answers = prolog.all("sample(Id, Task, _, Label, Term)", given={"Task": wanted}, limits=CAREFUL)
    for answer in answers:
        name, label = str(answer["Id"]), answer["Label"]
        truth = True if label in _TRUE else False if label in _FALSE else None
        if not isinstance(label, list) and truth is not None:
            yield Example(goal_for(predicate, name, answer["Term"]), truth, name)
