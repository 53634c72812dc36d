"""Texts that are tables of compositions, asked about all samples at once.

SWI-Prolog reads every line and says whether a text may have it; a line that it knows is not read again. The closure of
:mod:`hornbeam.networks` then answers the samples. Where it finds a table wrong, SWI-Prolog is asked the counterexample,
by which the table is refuted. Where it finds none wrong, SWI-Prolog is asked all samples that the table may answer in
another way than the true one, so no table is accepted on the word of the closure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.language.judging.outcome import Failed, Outcome, Said, outcome
from hornbeam.logic import Limits, Prolog, String
from hornbeam.networks.reasoning import Answer
from hornbeam.networks.repeating import Repeated
from hornbeam.networks.table import Table
from hornbeam.tasks.courtroom import UNDECIDED
from hornbeam.tasks.networks_court import TABLE

Fact = tuple[str, tuple[str, ...]]

_MOST_LINES = 100_000  # that are kept
_MOST_CHARACTERS = 200  # of a line that is kept


@dataclass(frozen=True, slots=True)
class _Line:
    """An admitted line: its number in the process, and its facts."""

    number: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A table as it was written."""

    numbers: tuple[int, ...]
    facts: tuple[Fact, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Closed:
    """What the closure answers with a table, and the numbers of the samples that SWI-Prolog is asked, too."""

    written: Written
    answers: tuple[str, ...]
    numbers: tuple[int, ...]


class Tables:
    """The lines that one process has read, and the samples as networks.

    Args:
        prolog: The process, with the samples and the language of the task.
        true: The true table.
        asked: The samples as networks.
        ids: Of the samples.
        most: How many facts a text may have.
    """

    def __init__(self, prolog: Prolog, true: Table, asked: Repeated, ids: Sequence[str], most: int) -> None:
        self._prolog = prolog
        self._true = true
        self._asked = asked
        self._ids = ids
        self._most = most
        self._lines: dict[str, _Line | None] = {}
        self._names: dict[tuple[str, ...], str] = {}

    # Reading ----------------------------------------------------------------------------------------------------------

    def read(self, programs: Sequence[str]) -> list[Written | None]:
        """The tables among programs; None for all others, which may be theories of another kind or no theories."""
        split = [[line.strip(" \t\r") for line in program.split("\n")] for program in programs]
        self._admit(dict.fromkeys(line for lines in split for line in lines))
        return [self._written(lines) for lines in split]

    def _admit(self, lines: dict[str, None]) -> None:
        new = [line for line in lines if line not in self._lines and len(line) <= _MOST_CHARACTERS]
        if not new:
            return
        answer = self._call("admit_lines(Given, Found)", [String(line) for line in new])
        for line, admitted in zip(new, answer, strict=True):
            self._lines[line] = _Line(int(admitted[0]), _facts(str(admitted[1]))) if admitted else None

    @property
    def full(self) -> bool:
        """Whether so many lines are kept that the process should be started again."""
        return len(self._lines) > _MOST_LINES

    def _written(self, lines: Sequence[str]) -> Written | None:
        found = [self._lines.get(line) for line in lines]
        known = [line for line in found if line is not None]
        facts = tuple([fact for line in known for fact in line.facts])
        if len(known) != len(found) or len(facts) > self._most or not any(name == TABLE[0] for name, _ in facts):
            return None
        try:
            return Written(tuple([line.number for line in known if line.facts]), facts, Table.of_facts(facts))
        except UsageError:
            return None

    # Asking -----------------------------------------------------------------------------------------------------------

    def is_true(self, written: Written) -> bool:
        """Whether a table says the same as the true one: all of it, in any order."""
        own, true = written.table, self._true
        return set(own.relations) == set(true.relations) and own.in_order(true.relations) == true

    def answers(self, written: Written) -> tuple[str, ...] | None:
        """What the closure answers for each sample; None if a sample has a relation that the table does not know."""
        try:
            found = self._asked.answers(written.table)
        except UsageError:
            return None
        return tuple(map(self._name, found))

    def _name(self, answer: Answer) -> str:
        relations = answer.relations
        if relations not in self._names:
            self._names[relations] = str(self._call("answer_names(Given, Found)", [list(relations)])[0])
        return self._names[relations]

    def concerned(self, written: Written) -> list[int]:
        """The samples that a table may answer in another way than the true one."""
        return self._asked.concerned(written.table)

    def confirmed(self, closed: Sequence[Closed]) -> list[Outcome | None]:
        """The outcome of each table if SWI-Prolog gives the same answers.

        Where it does not, the judge failed. None if it exceeds its limits: then it is for SWI-Prolog alone to judge.
        """
        rows: list[Any] = [[list(one.written.numbers), [self._ids[at] for at in one.numbers]] for one in closed]
        found = [outcome(row) for row in self._call("table_answers(Given, Found)", rows)]
        return [self._agreed(said, one) for said, one in zip(found, closed, strict=True)]

    def _agreed(self, found: Outcome, closed: Closed) -> Outcome | None:
        if not isinstance(found, Said):
            return found
        if UNDECIDED in found.answers:
            return None
        for said, at in zip(found.answers, closed.numbers, strict=True):
            if said != closed.answers[at]:
                both = f"SWI-Prolog answers {said}, the closure {closed.answers[at]}"
                return Failed(f"two reasoners disagree on the sample {self._ids[at]}: {both}")
        return Said(closed.answers, found.clauses, found.literals)

    def _call(self, goal: str, given: list[Any]) -> list[Any]:
        answer = self._prolog.once(f"hornbeam_judge:{goal}", given={"Given": given}, limits=Limits(seconds=600))
        found: Any = answer["Found"] if answer else []
        return list(found)


def _facts(text: str) -> tuple[Fact, ...]:
    parts = [line.split("\t") for line in text.split("\n") if line]
    return tuple([(name, tuple(row)) for name, *row in parts])
