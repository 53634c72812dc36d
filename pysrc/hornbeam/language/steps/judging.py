"""The verdict on each step of a model's own solution, where the step can be read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.language.extraction import MOST_CHARACTERS
from hornbeam.language.item import Item
from hornbeam.language.steps.claims import UNSUPPORTED
from hornbeam.language.steps.proving import GraphProver, prover_of
from hornbeam.language.steps.solving import wording_of
from hornbeam.language.steps.wording import Wording

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class StepsRuling:
    """The judgement of a solution.

    Attributes:
        steps: The claims that were read, in order, each with ``given``, ``follows`` or ``unsupported``.
        sound: Whether there are claims, and all of them are supported.
        complete: Whether what was asked is among the supported claims.
        first_error: The number of the first unsupported claim, from 0; None if there is none.
    """

    steps: tuple[tuple[str, str], ...]
    sound: bool
    complete: bool
    first_error: int | None

    def to_json(self) -> dict[str, Any]:
        """The attributes as a JSON object."""
        return asdict(self)


def judge_steps(dataset: Dataset, sample_id: str, text: str, *, item: Item | None = None) -> StepsRuling:
    """Judge the steps of a solution; see :func:`hornbeam.judge_steps`."""
    sample = dataset.sample(sample_id)
    prover = prover_of(dataset)
    if item is not None:
        wording = wording_of(item)
    else:
        given: Any = sample.input
        names = given.get("names", ())
        wording = Wording(dataset.manifest.family, entities={str(place): name for place, name in enumerate(names)})
    relations = list(prover.table(sample.task).relations) if isinstance(prover, GraphProver) else _predicates(dataset)
    found = wording.read(text[:MOST_CHARACTERS], relations)
    verdicts = prover.verdicts([(sample, [claim for _, claim in found])])[0] if found else []
    goal = prover.goal(sample)
    supported = [claim for (_, claim), verdict in zip(found, verdicts, strict=True) if verdict != UNSUPPORTED]
    first = verdicts.index(UNSUPPORTED) if UNSUPPORTED in verdicts else None
    steps = tuple((words, verdict) for (words, _), verdict in zip(found, verdicts, strict=True))
    return StepsRuling(steps, bool(steps) and first is None, _claims(goal, supported), first)


def _claims(goal: Any, supported: list[Any]) -> bool:
    wanted = frozenset(goal.relations)
    return any(one.args == goal.args and frozenset(one.relations) == wanted for one in supported)


def _predicates(dataset: Dataset) -> list[str]:
    """The predicates of RuDaS's facts and rules."""
    if dataset.manifest.family != "rudas":
        return []
    from hornbeam.language.prompts.asking import teller_of
    from hornbeam.language.prompts.settings import PromptSettings

    teller = teller_of(dataset, PromptSettings())
    return sorted({word for task in dataset.tasks for word in teller.words(task)})
