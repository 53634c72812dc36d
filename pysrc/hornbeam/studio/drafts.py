"""The rules that a visitor tried on a task: the text in the editor and the texts before it, with what they got right.

>>> from hornbeam.studio.engine.verdicts import Answer, Judgement
>>> drafts = Drafts()
>>> wrong = Judgement((Answer("a", "t", "train", "1", "0"),), 1)
>>> drafts.add("valid(_) :- fail.", wrong).number, drafts.add("valid(_).", Judgement(wrong.answers, 1)).number
(1, 2)
>>> [edit.text for edit in drafts.latest]
['valid(_).', 'valid(_) :- fail.']
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace

from hornbeam.studio.engine.verdicts import Judgement
from hornbeam.studio.sessions import Session

_MOST = 40
_WHOLE = 6  # edits whose answers are kept: a thousand each


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that was judged.

    Attributes:
        number: Its number, from 1.
        text: The rules.
        judged: What they said of the samples; None for an edit of long ago, of which only the counts are kept.
        clock: When, as a person's clock shows it.
        right: How many samples they got right.
        asked: Of how many.
    """

    number: int
    text: str
    judged: Judgement | None
    clock: str
    right: int
    asked: int


@dataclass(slots=True)
class Drafts:
    """The texts of one task, in order; the oldest are forgotten."""

    edits: list[Edit] = field(default_factory=list)
    text: str | None = None
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, text: str, judged: Judgement) -> Edit:
        """Remember a text with its verdict; one that is judged again keeps its number."""
        with self._lock:
            self.text = text
            number = next((edit.number for edit in self.edits if edit.text == text), 0)
            if not number:
                self._count += 1
                number = self._count
            edit = Edit(number, text, judged, time.strftime("%H:%M:%S"), judged.right, len(judged.answers))
            kept = [*(one for one in self.edits if one.number != number), edit][-_MOST:]
            self.edits = [*(replace(one, judged=None) for one in kept[:-_WHOLE]), *kept[-_WHOLE:]]
            return edit

    def get(self, number: int) -> Edit | None:
        """The text of this number, if it is still known."""
        return next((edit for edit in self.edits if edit.number == number), None)

    def before(self, edit: Edit) -> Edit | None:
        """The text that was judged before."""
        others = [one for one in self.edits if one.number != edit.number]
        return others[-1] if others else None

    @property
    def latest(self) -> list[Edit]:
        """All, the latest first."""
        return self.edits[::-1]


def drafts_of(session: Session, dataset: str, task: str) -> Drafts:
    """What a visitor tried on a task."""
    drafts: Drafts = session.notes.setdefault(f"drafts of {dataset} {task}", Drafts())
    return drafts
