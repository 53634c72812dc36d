"""Why a sample has its label, as a tree to unfold: what holds, what fails first, and what each line speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.rudas.show import rule_mark
from hornbeam.studio.engine.verdicts import in_words
from hornbeam.studio.views import mark_of
from hornbeam.theory import Theory
from hornbeam.theory.files import read_header
from hornbeam.theory.reading import file_text

_WORDS = re.compile(r"\w+")
_ARGUMENTS = re.compile(r"\((\w+),(\w+)\)")
_STEP = re.compile(r"(\d+)\. (.*)")
_RULE = re.compile(r"\s*by rule (\d+):")
_PREMISE = re.compile(r"^(\s*)- ")
_BY = re.compile(r", by (\d+) and (\d+)\b")
_MOST_LINES = 400


@dataclass(slots=True)
class Line:
    """A line of a proof, and what is below it.

    Attributes:
        text: The line.
        marks: What it speaks of, as names of `data-node`.
        holds: Whether the literal holds; None for a line that is no literal.
        first: Whether it is the first literal that fails.
        below: The lines that it rests on.
    """

    text: str
    marks: tuple[str, ...] = ()
    holds: bool | None = None
    first: bool = False
    below: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Proof:
    """Why a sample has its label, or why a theory says what it says of it.

    Attributes:
        says: In one line.
        right: Whether a theory says what the label is; None for the true theory.
        rule: The rule, in Prolog; "" if there is none to show.
        lines: The proof.
    """

    says: str
    right: bool | None = None
    rule: str = ""
    lines: tuple[Line, ...] = ()


def proof_of(dataset: Dataset, sample: Sample) -> Proof:
    """Why the label of a sample is true."""
    return _PROOFS.get(dataset.family.name, _told)(dataset, sample)


# Trees from lines ---------------------------------------------------------------------------------------------------


def outline(lines: Iterable[tuple[str, tuple[str, ...]]], *, signs: bool = True) -> tuple[Line, ...]:
    """Lines as a tree, by how far they are indented; where there are `signs`, `+` and `-` say whether a literal holds.

    >>> [(line.text, len(line.below)) for line in outline([("p(a) holds:", ()), ("  + q(a)", ()), ("r", ())])]
    [('p(a) holds:', 1), ('r', 0)]
    """
    top: list[Line] = []
    open_: list[tuple[int, Line]] = []
    failed = False
    for text, marks in list(lines)[:_MOST_LINES]:
        words = text.strip()
        if not words:
            continue
        depth = len(text) - len(text.lstrip())
        holds = {"+ ": True, "- ": False}.get(words[:2]) if signs else None
        line = Line(words[2:] if holds is not None else words, marks, holds)
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        (open_[-1][1].below if open_ else top).append(line)
        open_.append((depth, line))
    for line in top:
        failed = failed or _first_failure(line)
    return tuple(top)


def _first_failure(line: Line) -> bool:
    """Mark the first literal that fails by itself, not because of what is below it."""
    if any(_first_failure(inner) for inner in line.below):
        return True
    line.first = line.holds is False
    return line.first


# The families ---------------------------------------------------------------------------------------------------------


def _kandy(dataset: Dataset, sample: Sample) -> Proof:
    return _kandy_by(dataset, sample, None)


def _kandy_by(dataset: Dataset, sample: Sample, theory: Theory | None) -> Proof:
    from hornbeam.kandy.check import tree_of
    from hornbeam.kandy.knowledge import KandyLogic
    from hornbeam.perception.pictures.explaining import rule_of

    task = next(task for task in dataset.config.tasks if task.id == sample.task)
    if task.rule is None and theory is None:
        return Proof("The task has no rule that a label could follow from.")
    with KandyLogic(dataset.config.domain) as logic:
        rule = rule_of(dataset, sample.task, theory, logic)
        tree = tree_of(sample, logic.domain)
        told = logic.explain_marked(rule, tree)
        holds = logic.labels(rule, [tree]) == [1]
        text = logic.rule_text(rule)
    lines = outline((line.text, tuple(map(mark_of, line.places))) for line in told)
    says = f"The rule {'holds' if holds else 'does not hold'}: the picture is {'valid' if holds else 'not valid'}."
    return Proof(says, None if theory is None or sample.label is None else holds == sample.label, text, lines)


def _clutrr(dataset: Dataset, sample: Sample) -> Proof:
    """The steps of the explanation, the last on top: each rests on two others."""
    given: Any = sample.input
    person, other = (given["names"][node] for node in given["query"])
    told = dataset.family.explain(dataset, sample).splitlines()
    steps = {int(found[1]): found[2] for text in told if (found := _STEP.match(text))}
    says = f"{other} is the {sample.label} of {person}."
    if not steps:
        return Proof(says, lines=outline((text, _marks(text, given["names"])) for text in told))
    return Proof(says, lines=(_step(max(steps), steps, given["names"]),))


def _step(number: int, steps: dict[int, str], names: Sequence[str]) -> Line:
    text = steps[number]
    # A step rests on earlier ones only, or the tree would not end.
    below = [int(one) for found in [_BY.search(text)] if found for one in found.groups() if int(one) < number]
    line = Line(_BY.sub("", text).removeprefix("So "), _marks(text, names), holds=True)
    line.below = [_step(one, steps, names) for one in below if one in steps]
    return line


def _graphlog(dataset: Dataset, sample: Sample) -> Proof:
    told = dataset.family.explain(dataset, sample).splitlines()
    says = told[1] if len(told) > 1 else ""

    def marked(text: str) -> tuple[str, tuple[str, ...]]:
        found = _ARGUMENTS.search(text)
        return text, tuple(dict.fromkeys(found.groups())) if found else ()

    return Proof(says, lines=outline(marked(text) for text in told[2:]))


def _star(dataset: Dataset, sample: Sample) -> Proof:
    given: Any = sample.input
    nodes = {str(node) for source, _, target in given["edges"] for node in (source, target)}
    told = dataset.family.explain(dataset, sample).splitlines()
    source, sink = given["query"]
    lines = outline((text, _marks(text, nodes)) for text in _nested(told[1:]))
    return Proof(f"From {source} to {sink} holds {sample.label}.", lines=lines)


def _nested(lines: Sequence[str]) -> Iterable[str]:
    """The paths get a heading; what follows from which edges has one."""
    inside = [text for text in lines if text.strip()]
    if inside and inside[0].startswith(" "):
        yield "What each path says"
    yield from inside


def _rudas(dataset: Dataset, sample: Sample) -> Proof:
    """Below a fact stands the rule that derives it, below the rule the facts that it needs."""
    told = dataset.family.explain(dataset, sample).splitlines()

    def marked(text: str) -> tuple[str, tuple[str, ...]]:
        rule = _RULE.match(text)
        # What a rule needs stands as a list; all of it holds, or there would be no proof.
        return (text, (rule_mark(int(rule[1])),)) if rule else (_PREMISE.sub(r"\1 + ", text), ())

    return Proof(told[0], lines=outline(map(marked, told[1:])))


def _told(dataset: Dataset, sample: Sample) -> Proof:
    """What a family tells, by indentation."""
    told = dataset.family.explain(dataset, sample).splitlines() or [""]
    return Proof(told[0], lines=outline(((text, ()) for text in told[1:]), signs=False))


def _marks(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that a text mentions, in its order."""
    known = set(names)
    return tuple(dict.fromkeys(word for word in _WORDS.findall(text) if word in known))


_PROOFS: dict[str, Callable[[Dataset, Sample], Proof]] = {
    "kandy": _kandy,
    "clutrr": _clutrr,
    "graphlog": _graphlog,
    "rudas": _rudas,
    "star": _star,
}


# Under a learned theory -----------------------------------------------------------------------------------------------


def under(dataset: Dataset, sample: Sample, file: Path) -> Proof:
    """What a theory file says of a sample, in a contained process.

    Args:
        dataset: The dataset.
        sample: A sample of it.
        file: The theory file.

    Returns:
        Its answer, whether that is the label, and for a picture its proof.

    Raises:
        UsageError: if the file is no theory for this task.
    """
    header = read_header(file_text(file))
    theory = Theory.load(file)
    if dataset.family.name == "kandy":
        return _kandy_by(dataset, sample, theory)
    return _answer(dataset, sample, theory, header)


def _answer(dataset: Dataset, sample: Sample, theory: Theory, header: dict[str, str]) -> Proof:
    from hornbeam.tasks.courtroom import Courtroom

    tasks = dataset.family.learning_tasks(dataset)
    task = sample.task if sample.task in tasks else None
    if task is not None and header.get("task", task) != task:
        raise UsageError(f"the theory is about the task {header['task']}, and the sample is of {task}")
    court = dataset.family.court(dataset, task)
    # The facts of a world need each other; other samples stand alone.
    told = list(dataset.task(sample.task)) if dataset.family.tasks_are_worlds and not _graph(sample) else [sample]
    with Courtroom(dataset, told) as room:
        (true,) = room.truth([sample.id])
        (answer,) = court.answers(room, court.defined(theory), [sample.id])
    words = (in_words(one, valid=False) for one in (answer, true))
    says = "The theory says {}; the true theory says {}.".format(*words)
    return Proof(says, answer == true, str(theory).strip())


def _graph(sample: Sample) -> bool:
    given: Any = sample.input
    return isinstance(given, dict) and "edges" in given
