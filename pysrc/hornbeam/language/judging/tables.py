"""Texts that are tables of compositions, asked about all samples at once.

SWI-Prolog reads every line and says whether a text may have it; a line that it knows is not read again. The closure of
:mod:`hornbeam.networks` then answers the samples, for all tables at once. Where it finds a table wrong, SWI-Prolog is
asked the counterexample, by which the table is refuted. Where it finds none wrong, it tries networks that were built to
tell tables apart. Of a table that none of these refutes, SWI-Prolog is asked all samples that it may answer in another
way than the true one, so no table is accepted on the word of the closure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from hornbeam.errors import UsageError
from hornbeam.language.judging.outcome import Built, Failed, Outcome, Said, outcome
from hornbeam.logic import Limits, Prolog, String
from hornbeam.logic.terms import Compound, Term
from hornbeam.networks.network import Network
from hornbeam.networks.repeating import Relations, Repeated
from hornbeam.networks.table import Table
from hornbeam.tasks.courtroom import NOTHING, UNDECIDED
from hornbeam.tasks.networks_court import TABLE

Fact = tuple[str, tuple[str, ...]]

_MOST_LINES = 100_000  # that are kept
_MOST_CHARACTERS = 200  # of a line that is kept
_ARGUMENT = r"(?:\w+|'[\w +*/|-]*')"
# One fact over atoms: such lines are read together.
_PLAIN = re.compile(rf"[a-z]\w*\( ?{_ARGUMENT}(?:, ?{_ARGUMENT})*\)\.", re.ASCII)


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
    """What the closure answers with a table, and what SWI-Prolog is asked, too.

    Attributes:
        written: The table.
        answers: For each sample.
        numbers: The samples that SWI-Prolog is asked.
        built: A network that tells the table from the true one; SWI-Prolog is asked that.
    """

    written: Written
    answers: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    built: Built | None = None


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
        self._names: dict[Relations | None, str] = {None: NOTHING}
        prolog.once("hornbeam_judge:expect_relations(Names)", given={"Names": list(true.relations)})

    # Reading ----------------------------------------------------------------------------------------------------------

    def read(self, programs: Sequence[str]) -> list[Written | None]:
        """The tables among programs; None for all others, which may be theories of another kind or no theories."""
        split = [[line.strip(" \t\r") for line in program.split("\n")] for program in programs]
        new = {line for lines in split for line in lines}.difference(self._lines)
        # In the order of the texts: numbers of lines shall not depend on chance.
        self._admit([line for line in dict.fromkeys(chain.from_iterable(split)) if line in new] if new else [])
        return [self._written(lines) for lines in split]

    def _admit(self, lines: Sequence[str]) -> None:
        new = [line for line in lines if len(line) <= _MOST_CHARACTERS]
        plain = list(filter(_PLAIN.fullmatch, new))
        known = set(plain)
        others = [line for line in new if line not in known]
        for some, goal in ((plain, "admit_plain_lines"), (others, "admit_lines")):
            answer = self._call(f"{goal}(Given, Found)", [String(line) for line in some]) if some else []
            for line, admitted in zip(some, answer, strict=True):
                self._lines[line] = _Line(int(admitted[0]), _facts(str(admitted[1]))) if admitted else None

    @property
    def full(self) -> bool:
        """Whether so many lines are kept that the process should be started again."""
        return len(self._lines) > _MOST_LINES

    def _written(self, lines: Sequence[str]) -> Written | None:
        found = list(map(self._lines.get, lines))
        if None in found:
            return None
        known = [line for line in found if line is not None and line.facts]
        facts = tuple([fact for line in known for fact in line.facts])
        if len(facts) > self._most or not any(name == TABLE[0] for name, _ in facts):
            return None
        try:
            return Written(tuple([line.number for line in known]), facts, Table.of_facts(facts))
        except UsageError:
            return None

    # Asking -----------------------------------------------------------------------------------------------------------

    def is_true(self, written: Written) -> bool:
        """Whether a table says the same as the true one: all of it, in any order."""
        return written.table.same(self._true)

    def answers(self, tables: Sequence[Written]) -> list[tuple[str, ...]]:
        """What the closure answers for each sample, by table."""
        found = self._asked.answers([written.table for written in tables])
        self._name({relations for own in found for relations in own})
        names = self._names
        return [tuple([names[relations] for relations in own]) for own in found]

    def answer(self, relations: Relations | None) -> str:
        """The answer that some relations make, as SWI-Prolog names it."""
        self._name({relations})
        return self._names[relations]

    def _name(self, answers: set[Relations | None]) -> None:
        new = [relations for relations in answers if relations is not None and relations not in self._names]
        if new:
            named = self._call("answer_names(Given, Found)", [list(relations) for relations in sorted(new)])
            self._names |= zip(sorted(new), map(str, named), strict=True)

    def concerned(self, written: Written) -> list[int]:
        """The samples that a table may answer in another way than the true one."""
        return self._asked.concerned(written.table)

    def confirmed(self, closed: Sequence[Closed]) -> list[Outcome | None]:
        """The outcome of each table if SWI-Prolog gives the same answers.

        Where it does not, the judge failed. None if it exceeds its limits: then it is for SWI-Prolog alone to judge.
        """
        rows: list[Any] = [[_list_text(one.written.numbers), self._questions(one)] for one in closed]
        built = [one.built for one in closed if one.built]
        rows += [[self._true_text, [_network_term(one.network) for one in built]]] if built else []
        found = [outcome(row) for row in self._call("table_answers(Given, Found)", rows)] if rows else []
        last = found.pop() if built else None
        true = iter(last.answers if isinstance(last, Said) else [UNDECIDED] * len(built))
        pairs = zip(found, closed, strict=True)
        return [self._agreed(said, one, next(true) if one.built else "") for said, one in pairs]

    @cached_property
    def _true_text(self) -> String:
        """The lines of the true table."""
        (true,) = self.read(["\n".join(self._true.theory().texts)])
        assert true is not None
        return _list_text(true.numbers)

    def _questions(self, closed: Closed) -> list[Term]:
        samples: list[Term] = [self._ids[at] for at in closed.numbers]
        return [*samples, _network_term(closed.built.network)] if closed.built else samples

    def _agreed(self, found: Outcome, closed: Closed, true: str) -> Outcome | None:
        """`true` is what SWI-Prolog says of a network that was built."""
        if not isinstance(found, Said):
            return found
        if UNDECIDED in (*found.answers, true):
            return None
        if closed.built and closed.built.true != true:
            return Failed(f"two reasoners disagree on what is true of {closed.built.network}")
        expected = [(self._ids[at], closed.answers[at]) for at in closed.numbers]
        expected += [("that was built", closed.built.learned)] if closed.built else []
        for said, (name, answer) in zip(found.answers, expected, strict=True):
            if said != answer:
                both = f"SWI-Prolog answers {said}, the closure {answer}"
                return Failed(f"two reasoners disagree on the sample {name}: {both}")
        count = len(closed.written.facts)
        return Said(closed.answers, count, count, closed.built)

    def _call(self, goal: str, given: list[Any]) -> list[Any]:
        answer = self._prolog.once(f"hornbeam_judge:{goal}", given={"Given": given}, limits=Limits(seconds=600))
        found: Any = answer["Found"] if answer else []
        return list(found)


def _list_text(numbers: Sequence[int]) -> String:
    """A list as Prolog reads it: that is faster than to send each number."""
    return String(f"[{','.join(map(str, numbers))}]")


def _network_term(network: Network) -> Term:
    edges: list[Term] = [Compound("edge", (edge.source, list(edge.relations), edge.target)) for edge in network.edges]
    return Compound("network", (edges, Compound("-", network.query)))


def _facts(text: str) -> tuple[Fact, ...]:
    parts = [line.split("\t") for line in text.split("\n") if line]
    return tuple([(name, tuple(row)) for name, *row in parts])
