"""Why a picture has its label, by what was read from its pixels: the proof in words, and drawn onto the picture."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from PIL import Image

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.drawing import drawn, numbered_text, place_numbers
from hornbeam.kandy.judging import court
from hornbeam.kandy.knowledge import ExplanationLine, KandyLogic
from hornbeam.kandy.proving import rule_key
from hornbeam.kandy.tree import from_json
from hornbeam.logic.terms import to_text
from hornbeam.perception.perceiver import PICTURES, Alternative, Picture, Reading
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.pictures.settling import settle
from hornbeam.perception.readings import Perception
from hornbeam.report.page import Macros, Section
from hornbeam.theory import Theory
from hornbeam.theory.theory import indicator

_HTML = Macros(__file__, "explaining.html.j2")
_CONTEXT = 100  # training pictures of a task that are read, too


@dataclass(frozen=True, slots=True)
class PictureExplanation:
    """Why a rule holds or fails for a picture, by what was read from it.

    Attributes:
        text: What was read, the rule, and the proof or the literal that fails, with the numbers of the boxes.
        drawing: The picture with these boxes.
        holds: Whether the rule holds of what was read.
    """

    text: str
    drawing: Image.Image
    holds: bool


def explain_from_picture(
    dataset: Dataset, sample: Sample, perception: Perception, theory: Theory | None = None
) -> PictureExplanation:
    """Read the picture of a sample and explain its label. The symbols of the sample are not used.

    Args:
        dataset: The dataset.
        sample: A sample of it.
        perception: Who reads the picture, and where readings are kept.
        theory: A learned theory; by default the true rule of the task.

    Returns:
        The explanation.

    Raises:
        HornbeamError: if the picture cannot be read; it says why.
        UsageError: if the task has no rule, or the theory does not define valid/1.
    """
    (explanation,) = explain_all(dataset, [sample], perception, theory)
    if isinstance(explanation, HornbeamError):
        raise explanation
    return explanation


def explain_all(
    dataset: Dataset, samples: Sequence[Sample], perception: Perception, theory: Theory | None = None
) -> list[PictureExplanation | HornbeamError]:
    """As :func:`explain_from_picture`, for many samples; a picture that cannot be read has the reason in its place."""
    readings = _settled(dataset, samples, perception)
    return [
        _explained(dataset, sample, picture, readings[sample.id], theory)
        for sample, picture in zip(samples, pictures_of(dataset, samples), strict=True)
    ]


def _settled(dataset: Dataset, samples: Sequence[Sample], perception: Perception) -> dict[str, Reading]:
    """The readings of the samples; other pictures of the task tell trees that look alike apart, as in learning."""
    context = {
        task: list(islice((one for one in dataset.task(task) if one.split == "train"), _CONTEXT))
        for task in dict.fromkeys(sample.task for sample in samples)
    }
    wanted = {one.id: one for one in [*samples, *chain.from_iterable(context.values())]}
    readings = perception.readings(dataset, list(wanted.values()))
    settled: dict[str, Reading] = {}
    for task, training in context.items():
        own = {name: readings[name] for name, one in wanted.items() if one.task == task}
        settled.update(settle(own, [one.id for one in training]))
    return settled


def explained_sections(dataset: Dataset) -> list[Section]:
    """The typical samples of a dataset of pictures, each explained by what was read from its pixels; else nothing."""
    if dataset.family.name != "kandy":
        return []
    samples = dataset.family.typical(dataset)
    with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
        explanations = explain_all(dataset, samples, Perception.of(PICTURES, "inverse", {}, Path(folder)))
    figures = [
        (sample.id, str(one), "") if isinstance(one, HornbeamError) else (sample.id, one.text, _png(one.drawing))
        for sample, one in zip(samples, explanations, strict=True)
    ]
    return [Section("Explained from the pixels", _HTML.explained(figures))]


def _png(drawing: Image.Image) -> str:
    file = io.BytesIO()
    drawing.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def _explained(
    dataset: Dataset, sample: Sample, picture: Picture, reading: Reading, theory: Theory | None
) -> PictureExplanation | HornbeamError:
    if reading.best is None:
        return HornbeamError(f"the picture of {sample.id} could not be read: {reading.unread}")
    with KandyLogic(dataset.config.domain) as logic:
        rule = rule_of(dataset, sample.task, theory, logic)
        tree = from_json(reading.best.symbolic["tree"], dataset.config.domain)
        lines = logic.explain_marked(rule, tree)
        holds = logic.labels(rule, [tree]) == [1]
        text = _told(sample, reading.best, lines, logic.rule_text(rule), holds=holds)
    boxes = {part.path: part.box for part in reading.best.parts}
    return PictureExplanation(text, drawn(Image.fromarray(picture.pixels), lines, boxes), holds)


def rule_of(dataset: Dataset, task_id: str, theory: Theory | None, logic: KandyLogic) -> str:
    """The name under which `logic` knows the rule of a task, or a learned theory in its place.

    Raises:
        UsageError: if the task has no rule, or the theory does not define valid/1.
    """
    if theory is not None:
        defined = court(dataset, task_id).defined(theory)
        return logic.load_rule(_rules(defined), place=theory.name or "theory")
    task: Task = next(task for task in dataset.config.tasks if task.id == task_id)
    if task.rule is None:
        raise UsageError(f"the task {task_id} has no rule that a label could follow from")
    return rule_key(task.rule, logic)


def _rules(theory: Theory) -> str:
    """The clauses, those of one predicate together."""
    clauses = theory.program.clauses
    order = {name: number for number, name in enumerate(dict.fromkeys(indicator(clause.head) for clause in clauses))}
    grouped = sorted(clauses, key=lambda clause: order[indicator(clause.head)])
    return "\n".join(map(to_text, grouped)) + "\n"


def _told(sample: Sample, read: Alternative, lines: list[ExplanationLine], rule_text: str, *, holds: bool) -> str:
    label = {True: "valid", False: "not valid", None: "not given"}[sample.label]  # type: ignore[index]
    numbers = place_numbers(lines)
    head = [
        f"{sample.id}: by what was read from the picture (probability {read.probability:.2f}), it is "
        f"{'valid' if holds else 'not valid'}. Its label is {label}.",
        "",
        rule_text,
    ]
    return "\n".join([*head, *(numbered_text(line, numbers) for line in lines)]) + "\n"
