"""Solutions in words: the stored proof of a question as numbered steps, which Prolog has checked, and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from hornbeam.errors import HornbeamError
from hornbeam.language.item import Item
from hornbeam.language.prompts.asking import Asker
from hornbeam.language.prompts.rendering import render
from hornbeam.language.steps.claims import UNSUPPORTED, Step
from hornbeam.language.steps.proving import claims_of, prover_of
from hornbeam.language.steps.wording import Wording

if TYPE_CHECKING:
    from hornbeam.data.sample import Json, Sample

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Solution:
    """An item and its solution in words; `steps` are in the dataset's own terms."""

    item: Item
    text: str
    steps: tuple[Step, ...]

    def messages(self) -> list[dict[str, Json]]:
        """The prompt and the solution as chat messages, for fine-tuning."""
        return [*self.item.messages(), {"role": "assistant", "content": self.text}]


class Solver:
    """Solves the items of an asker by their stored proofs."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self._prover = prover_of(asker.dataset)

    def steps(self, item: Item) -> tuple[Sample, list[Step]] | None:
        """The sample and the proof of an item; None if the item is no sample, or no proof is stored."""
        name = str(item.meta["sample"])
        if not name:
            return None
        sample = self.asker.dataset.sample(name)
        steps = self._prover.steps(sample)
        return None if steps is None or steps[-1].claim != self._prover.goal(sample) else (sample, steps)

    def solution(self, item: Item, steps: Sequence[Step]) -> Solution:
        """The proof in the words of the item."""
        wording = wording_of(item)
        told = [
            {"claim": wording.say(step.claim), "premises": [wording.say(one) for one in step.premises]}
            for step in steps
        ]
        values = {"steps": told, "item": item, "format": item.meta["answer_format"], "family": item.family}
        return Solution(item, render("solution", values), tuple(steps))

    def check(self, rows: Sequence[tuple[Sample, Sequence[Step]]]) -> None:
        """Raise HornbeamError if Prolog finds a step that does not follow."""
        asked = [(sample, list(claims_of(steps))) for sample, steps in rows]
        for (sample, claims), verdicts in zip(asked, self._prover.verdicts(asked), strict=True):
            if UNSUPPORTED in verdicts:
                broken = claims[verdicts.index(UNSUPPORTED)]
                raise HornbeamError(f"{sample.id}: the step {broken} of its proof does not follow")


def wording_of(item: Item) -> Wording:
    """The words of an item."""
    entities, renamed = item.meta.get("entities"), item.meta.get("renamed")
    shown = {str(own): str(name) for own, name in entities.items()} if isinstance(entities, dict) else {}
    words = {str(own): str(word) for word, own in renamed.items()} if isinstance(renamed, dict) else {}
    return Wording(item.family, str(item.meta.get("style", "natural")), shown, words)


def checked_solutions(asker: Asker, items: Iterable[Item]) -> Iterator[Solution]:
    """The solutions of items that have a stored proof. Items without one are left out.

    Raises:
        HornbeamError: if a step does not follow.
    """
    solver = Solver(asker)
    for some in _batches(items):
        known = [(item, proof) for item in some if (proof := solver.steps(item)) is not None]
        solver.check([proof for _, proof in known])
        yield from (solver.solution(item, steps) for item, (_, steps) in known)


def _batches(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    rest = iter(items)
    while some := tuple(islice(rest, _AT_ONCE)):
        yield some
