"""What is said of a rule that a person types: the answer for each sample, or the place of what is wrong.

>>> rows = ("a", "train", "1", "1"), ("b", "train", "1", "0"), ("c", "test", "0", "0")
>>> judged = Judgement(tuple(Answer(name, "t", split, label, said) for name, split, label, said in rows), total=3)
>>> judged.right, [one.sample for one in judged.wrong], judged.confusion[("1", "0")]
(2, ['b'], 1)
>>> [(split, figures.correct, figures.count) for split, figures in judged.by_split.items()]
[('train', 1, 2), ('test', 1, 1)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from hornbeam.tasks.courtroom import UNDECIDED
from hornbeam.tasks.scoring import Answered, Figures, figures

_VALIDITY = {"1": "valid", "0": "not valid"}
ProblemKind = Literal["empty", "syntax", "rule", "limit", "dataset"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there are no answers, with the place in the text where there is one.

    Attributes:
        kind: `empty` (no rule yet), `syntax`, `rule` (it cannot be run), `limit` (the process was ended) or `dataset`.
        message: What is wrong, in words.
        line: The line, from 1.
        column: The column, from 1.
        length: How many characters to mark; 0 for the rest of the word.
    """

    kind: ProblemKind
    message: str
    line: int | None = None
    column: int | None = None
    length: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is worth saying and prevents nothing, with its place."""

    message: str
    line: int | None = None
    column: int | None = None
    length: int = 0


def in_words(answer: str, *, valid: bool) -> str:
    """A label or an answer as people read it, without Prolog's quotes. `valid`: it says whether a sample is valid.

    >>> in_words("1", valid=True), in_words("'mother-in-law'", valid=False), in_words("1", valid=False)
    ('valid', 'mother-in-law', '1')
    """
    if valid and answer in _VALIDITY:
        return _VALIDITY[answer]
    return answer[1:-1].replace("\\'", "'") if len(answer) > 2 and answer[0] == answer[-1] == "'" else answer


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rule says of a sample, and what the label says."""

    sample: str
    task: str
    split: str
    expected: str
    said: str

    @property
    def right(self) -> bool:
        return self.said == self.expected


@dataclass(frozen=True)
class Judgement:
    """The answers of a rule for the samples of a task.

    Attributes:
        answers: One for each sample that was asked, in the order of the dataset.
        total: How many samples could be asked.
        problem: Why there are no answers.
        notes: What is worth saying.
        seconds: How long it took.
        superseded: A newer text arrived, so this one was not asked to the end.
    """

    answers: tuple[Answer, ...] = ()
    total: int = 0
    problem: Problem | None = None
    notes: tuple[Note, ...] = field(default=())
    seconds: float = 0.0
    superseded: bool = False

    @cached_property
    def wrong(self) -> tuple[Answer, ...]:
        return tuple(one for one in self.answers if not one.right)

    @property
    def right(self) -> int:
        return len(self.answers) - len(self.wrong)

    @cached_property
    def undecided(self) -> tuple[Answer, ...]:
        """The samples that met a limit."""
        return tuple(one for one in self.answers if one.said == UNDECIDED)

    @cached_property
    def confusion(self) -> Counter[tuple[str, str]]:
        """How often a label got an answer, by (label, answer)."""
        return Counter((one.expected, one.said) for one in self.answers)

    @cached_property
    def by_split(self) -> Mapping[str, Figures]:
        """Accuracy with its confidence interval, by split."""
        rows: dict[str, list[Answered]] = defaultdict(list)
        for one in self.answers:
            rows[one.split].append(Answered(one.expected, one.said))
        return {split: figures(answered) for split, answered in rows.items()}

    def turned(self, before: Judgement) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
        """The samples that are right now and were wrong, and those that are wrong now and were right.

        >>> now = Judgement((Answer("a", "t", "train", "1", "0"),))
        >>> now.turned(Judgement((Answer("a", "t", "train", "1", "1"),)))[1][0].sample
        'a'
        """
        was = {one.sample: one.right for one in before.answers}
        changed = [one for one in self.answers if one.sample in was and was[one.sample] != one.right]
        return tuple(one for one in changed if one.right), tuple(one for one in changed if not one.right)
