"""Why a picture has its label, by what was read from its pixels: the proof in words, and drawn onto the picture."""

from __future__ import annotations

from dataclasses import dataclass

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
from hornbeam.perception.perceiver import Alternative, Picture, Reader
from hornbeam.theory import Theory


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


def explain_picture(
    dataset: Dataset, sample: Sample, picture: Picture, reader: Reader, theory: Theory | None = None
) -> PictureExplanation:
    """Read a picture and explain its label.

    Args:
        dataset: The dataset of the picture; its symbols are not used.
        sample: The sample.
        picture: Its pixels.
        reader: The perceiver, ready to read.
        theory: A learned theory; by default the true rule of the task.

    Returns:
        The explanation.

    Raises:
        HornbeamError: if the picture cannot be read; it says why.
        UsageError: if the task has no rule, or the theory does not define valid/1.
    """
    (reading,) = reader.perceive([picture])
    if reading.best is None:
        raise HornbeamError(f"the picture of {sample.id} could not be read: {reading.unread}")
    with KandyLogic(dataset.config.domain) as logic:
        rule = _rule(dataset, sample.task, theory, logic)
        tree = from_json(reading.best.symbolic["tree"], dataset.config.domain)
        lines = logic.explain_marked(rule, tree)
        holds = logic.labels(rule, [tree]) == [1]
        text = _told(sample, reading.best, lines, logic.rule_text(rule), holds=holds)
    boxes = {part.path: part.box for part in reading.best.parts}
    return PictureExplanation(text, drawn(Image.fromarray(picture.pixels), lines, boxes), holds)


def _rule(dataset: Dataset, task_id: str, theory: Theory | None, logic: KandyLogic) -> str:
    if theory is not None:
        judge = court(dataset, task_id)
        written_out = judge.aligned(judge.defined(theory))[1]
        return logic.load_rule(str(written_out.program), place=theory.name or "theory")
    task: Task = next(task for task in dataset.config.tasks if task.id == task_id)
    if task.rule is None:
        raise UsageError(f"the task {task_id} has no rule that a label could follow from")
    return rule_key(task.rule, logic)


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
