"""Asks theories about samples in SWI-Prolog, through the files of a dataset.

A courtroom is a contained `swipl` with a dataset's Prolog files, in which the samples under trial stand in place of the
dataset's own. It asks true_answer/2 and mine_answer/2, as a person does who loads the dataset and a learned theory: so
Python and plain `swipl` cannot disagree.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.prolog_files import facts_header
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError, PrologError, UnknownPredicate, UsageError, nearest
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.prolog import Answer
from hornbeam.logic.terms import Term, quote, to_text
from hornbeam.theory.coverage import furthest, missing_predicate, prefixes, program_text
from hornbeam.theory.files import MODULE
from hornbeam.theory.purity import refuse_impure
from hornbeam.theory.theory import Indicator, Theory, atom_of, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

# A sample that needs more is taken to loop. Inferences decide, so that every machine gives the same answer.
EACH = Limits(inferences=5_000_000, seconds=60.0)
_MEMORY = 4 << 30
_SHOWN = 8
_CPU_SECONDS = 600
NOTHING = "nothing"
UNDECIDED = "undecided"


class Courtroom:
    """A contained SWI-Prolog with a dataset's files and some samples; use it as a context manager.

    Args:
        dataset: Whose Prolog files are loaded.
        samples: The samples to ask about; None for those of the dataset itself.
        limits: Limits on each sample.
        memory: Bytes of memory of the process.
        cpu_seconds: CPU time of the process, after which it is ended.

    Raises:
        PrologError: if the dataset's files do not load.
    """

    def __init__(
        self,
        dataset: Dataset,
        samples: Sequence[Sample] | None = None,
        *,
        limits: Limits = EACH,
        memory: int = _MEMORY,
        cpu_seconds: int = _CPU_SECONDS,
    ) -> None:
        self._limits = limits
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        path = dataset.path
        if samples is not None:
            self._folder = tempfile.TemporaryDirectory(prefix="hornbeam-")
            path = _copy(dataset, samples, Path(self._folder.name))
        self._prolog = Prolog.contained(readable=[path], memory=memory, cpu_seconds=cpu_seconds)
        try:
            self._prolog.load(path / "load.pl", "user", strict=False)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Courtroom:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its files."""
        self._prolog.close()
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def alive(self) -> bool:
        """Whether the process runs. One that ended is started again by the next call, which may find it gone."""
        return self._prolog.pid is not None

    @property
    def prolog(self) -> Prolog:
        """The process, for goals on many theories at once."""
        return self._prolog

    def hear(self, theory: Theory) -> None:
        """Load a theory, with its definitions, in place of the one before.

        Raises:
            UsageError: if it calls a predicate that neither it nor the dataset defines or that keeps a state, or if it
                defines none of those that theories of this family are made of; the message names them.
        """
        refuse_impure(theory)
        known = self.theory_predicates
        if not theory.program.defines & set(known):
            raise UsageError(f"the theory defines none of {_some(known)}", file=theory.name)
        self._load(theory)
        missing = self._undefined(theory)
        if missing is not None:
            raise _undefined_error(theory, missing, self._visible())

    def furthest(self, theory: Theory, goals: Sequence[Term]) -> list[dict[int, int]]:
        """For each goal, how many literals of each clause hold; see :func:`hornbeam.theory.coverage.furthest`.

        A theory that is asked about samples next must be heard again.
        """
        self._load(theory, prefixes(theory))
        return furthest(self._prolog, goals, MODULE, self._limits)

    def once(self, goal: str, **given: Term) -> Answer | None:
        """The first answer to a goal of ours, under the limits of a sample."""
        return self._prolog.once(goal, given=given, limits=self._limits)

    def _load(self, theory: Theory, more: str = "") -> None:
        text = _declared(theory.program, self.theory_predicates) + program_text(theory.program) + more
        # Under one name: text of another name would be added to the theory before, not put in its place.
        self._prolog.load_text(text, MODULE, name="theory", strict=False)

    def _undefined(self, theory: Theory) -> Indicator | None:
        try:
            self._prolog.ask_many("mine_answer(Id, _)", over="Id", rows=[])
        except UnknownPredicate as error:
            return missing_predicate(error)
        except PrologError as error:
            raise UsageError(f"the theory cannot be run: {error.message}", file=theory.name) from None
        return None

    def _visible(self) -> list[Indicator]:
        """The predicates that a theory can call, libraries included."""
        found: Any = self._prolog.all("current_predicate(Name/Arity)", module=MODULE)
        return [(str(one["Name"]), int(one["Arity"])) for one in found if not str(one["Name"]).startswith("$")]

    @cached_property
    def theory_predicates(self) -> list[Indicator]:
        """The predicates of which a theory defines at least one."""
        answer: Any = self._prolog.once("theory_predicates(Predicates)")
        return [(str(one.args[0]), int(one.args[1])) for one in (answer["Predicates"] if answer else [])]

    def truth(self, names: Sequence[str]) -> list[str]:
        """What the true theory answers for each of these samples; `nothing` where it answers nothing."""
        return list(map(said, self._answers("true_answer(Id, Answer)", names)))

    def mine(self, names: Sequence[str]) -> list[str]:
        """What the theory that was loaded last answers for each of these samples."""
        return list(map(said, self.outcomes(names)))

    def outcomes(self, names: Sequence[str]) -> list[str | HornbeamError]:
        """As :meth:`mine`, with the error where a sample meets a limit or the theory raises."""
        return self._answers("mine_answer(Id, Answer)", names)

    def expected(self) -> dict[str, str]:
        """What the labels say, by sample, of those whose label states an answer."""
        answers = self._prolog.all("judged(Id, Expected)")
        return {str(answer["Id"]): to_text(answer["Expected"]) for answer in answers}

    def _answers(self, goal: str, names: Sequence[str]) -> list[str | HornbeamError]:
        answers = self._prolog.once_many(goal, over="Id", rows=list(names), get="Answer", limits=self._limits)
        return [_text(answer) for answer in answers]


def said(outcome: str | HornbeamError) -> str:
    """An outcome as an answer: a sample that met a limit or an error is undecided."""
    return UNDECIDED if isinstance(outcome, HornbeamError) else outcome


def _text(answer: Any) -> str | HornbeamError:
    if answer is None:
        return NOTHING
    return answer if isinstance(answer, HornbeamError) else to_text(answer)


def _declared(theory: Theory, known: Sequence[Indicator]) -> str:
    """Directives that let the dataset's own files call the theory: the sandbox asks for public predicates.

    Predicates that another theory of the family might define are there, and empty.
    """
    names = {one: f"{quote(one[0])}/{one[1]}" for one in (*known, *sorted(theory.defines))}
    absent = [text for one, text in names.items() if one not in theory.defines]
    dynamic = f":- dynamic {', '.join(absent)}.\n" if absent else ""
    return f"{dynamic}:- public {', '.join(names.values())}.\n"


def _names(predicates: Iterable[Indicator]) -> list[str]:
    return [f"{name}/{arity}" for name, arity in predicates]


def _some(predicates: Sequence[Indicator]) -> str:
    """A family may have dozens."""
    more = len(predicates) - _SHOWN
    return ", ".join(_names(predicates[:_SHOWN])) + (f" and {more} more" if more > 0 else "")


def _copy(dataset: Dataset, samples: Sequence[Sample], folder: Path) -> Path:
    """The dataset's Prolog files in a folder of their own, with these samples as facts."""
    for name in dataset.manifest.files:
        if name.endswith(".pl") and name != "facts.pl":
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(dataset.file(name), target)
    family = dataset.family
    facts = facts_header(family.fact_predicates()) + "".join(map(family.facts, samples))
    (folder / "facts.pl").write_text(facts, encoding="utf-8")
    return folder


def _undefined_error(theory: Theory, missing: Indicator, known: Sequence[Indicator]) -> UsageError:
    (name,) = _names([missing])
    calls = ((one.line, indicator(atom_of(literal))) for one in theory.statements for literal in one.clause.body)
    line = next((line for line, called in calls if called == missing), None)
    hint = nearest(name, _names((*theory.defines, *known)))
    told = f"the theory calls {name}, which neither it nor the dataset defines"
    return UsageError(told + (f"; did you mean {hint}?" if hint else ""), file=theory.name, line=line)
