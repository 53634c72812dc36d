"""Rulings on theories: what was asked of the bench, as a verdict with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import eq

from hornbeam.errors import HornbeamError
from hornbeam.language.extraction import extract
from hornbeam.language.judging.bench import Bench
from hornbeam.language.judging.outcome import Failed, Outcome, Refused, Said, undecided
from hornbeam.language.judging.ruling import Ruling, of_verdict
from hornbeam.tasks.courtroom import NOTHING
from hornbeam.theory import Theory
from hornbeam.theory.verdict import AGREES, REFUTED, Verdict

MOST_CHARACTERS = 16_000
_MOST_KNOWN = 20_000  # programs whose answers are kept
_MOST_BRACKETS = 50  # that are open at a time
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_NO_BRACKETS = re.compile(r"[^()\[\]{}]+")
_FEW = 5
# Offences that are plain mistakes; all others are ways to be right without a theory.
_MISTAKES = frozenset({"syntax", "empty", "no target", "undefined", "unstratified", "control", "built-in"})


@dataclass(frozen=True, slots=True)
class Program:
    """The program in a reply; `refused` says why there is none."""

    text: str
    notes: tuple[str, ...] = ()
    refused: Ruling | None = None


def program_of(reply: str, most: int = MOST_CHARACTERS) -> Program:
    """The program of a reply: its last code fence, or what is in its answer tags, or a reply that is a program itself.

    >>> program_of("The rule is:\\n```prolog\\np(X) :- q(X).\\n```\\nIt holds.").text
    'p(X) :- q(X).'
    """
    found = extract(reply, "fence")
    if found.text is None and not found.notes:
        tagged = extract(reply, "answer")
        found = tagged if tagged.text is not None or tagged.notes else replace(found, text=reply, missing="")
    text = (found.text or "").strip()
    if found.text is None or not text:
        reason = found.missing if found.text is None else "the program is empty"
        return Program("", found.notes, Ruling.invalid(reason, notes=found.notes))
    reason = ""
    if len(text) > most:
        reason = f"it has {len(text):,} characters, and at most {most:,} are read"
    elif _NO_TEXT.search(text):
        reason = "it has a character that is no text"
    elif _deepest(text) > _MOST_BRACKETS:
        reason = f"more than {_MOST_BRACKETS} brackets are open at a time"
    if reason:
        return Program(text, found.notes, Ruling.invalid(reason, shortcut="size", answer=text[:200], notes=found.notes))
    return Program(text, found.notes)


def _deepest(text: str) -> int:
    """How many brackets are open at most, those in quotes and comments among them.

    >>> _deepest("p(f(X)) :- q([a])."), _deepest("(" * 60 + ")" * 70 + "(")
    (0, 60)
    """
    if sum(map(text.count, "([{")) <= _MOST_BRACKETS:
        return 0
    brackets = _NO_BRACKETS.sub("", text)
    left = brackets
    for _ in range(_FEW):  # of most texts nothing is left after a few pairs within each other
        left = left.replace("()", "").replace("[]", "").replace("{}", "")
        if not left:
            return 0
    depth = most = 0
    for char in brackets:
        if char in "([{":
            depth += 1
            most = max(most, depth)
        else:
            depth = max(0, depth - 1)
    return most


class TheoryJudge:
    """Judges the theories of one task. A program that was judged before is not asked again.

    Args:
        bench: The samples.
        prove: Whether a theory that no sample refutes goes to the family's court, which proves it equal, or draws
            further samples that suit it.
        court_fresh: How many fresh samples the court draws.
    """

    def __init__(self, bench: Bench, *, prove: bool = True, court_fresh: int = 2000) -> None:
        self.bench = bench
        self._prove = prove
        self._court_fresh = court_fresh
        self._known: dict[str, Outcome] = {}
        self._proofs: dict[str, Ruling] = {}
        self._true_literals: int | None = None

    def judge(self, replies: Sequence[str]) -> list[Ruling]:
        """The rulings on replies, in order."""
        most = max(MOST_CHARACTERS, 4 * len(str(self.bench.court.truth)))
        programs = [program_of(reply, most) for reply in replies]
        texts = dict.fromkeys(program.text for program in programs if program.refused is None)
        outcomes = {text: self._known[text] for text in texts if text in self._known}
        asked = [text for text in texts if text not in outcomes]
        outcomes |= zip(asked, self.bench.ask(asked) if asked else [], strict=True)
        self._keep(outcomes)
        return [
            program.refused or replace(self._ruling(program.text, outcomes[program.text]), notes=program.notes)
            for program in programs
        ]

    def _keep(self, outcomes: Mapping[str, Outcome]) -> None:
        """Models write the same program again and again. What failed may not fail the next time."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known |= {text: one for text, one in outcomes.items() if not isinstance(one, Failed)}

    def _ruling(self, text: str, outcome: Outcome) -> Ruling:
        if isinstance(outcome, Failed):
            return Ruling.unjudged(f"the judge failed: {outcome.reason}", answer=text)
        if isinstance(outcome, Refused):
            shortcut = "" if outcome.kind in _MISTAKES else self._offence(outcome)
            return Ruling.invalid(f"line {outcome.line}: {outcome.reason}", shortcut=shortcut, answer=text)
        ruling = self._by_samples(text, outcome)
        return self._proven(text, ruling) if ruling.right and self._prove else ruling

    def _offence(self, refused: Refused) -> str:
        """The name of a shortcut; a constant that is the name of a sample is called so."""
        if refused.kind == "constant":
            names = refused.reason.split("'")
            plain = names[1] if len(names) > 2 else refused.reason.removeprefix("the constant ").partition(" ")[0]
            if _is_sample(self.bench, plain):
                return "sample id"
        return refused.kind

    # By samples -------------------------------------------------------------------------------------------------------

    def _by_samples(self, text: str, said: Said) -> Ruling:
        bench, asked = self.bench, len(self.bench.trial.asked)
        right = list(map(eq, said.answers, bench.truth))
        counted = bench.counted
        accuracy = _accuracy(bench.by_answer, right)
        wrong = [number for number in counted if not right[number]]
        ruling = Ruling(
            score=0.0 if wrong else 1.0,
            valid=True,
            accuracy=accuracy,
            verdict=REFUTED if wrong else AGREES,
            answer=text,
            asked=len(counted),
            shown=len(right) - asked,
            shown_right=sum(right[asked:]),
            literals=said.literals,
            simplicity=min(1.0, self._literals_of_truth() / max(1, said.literals)),
        )
        if not wrong and said.built is not None:
            witness = bench.built_witness(said.built)
            message = f"right on {len(counted)} fresh samples, and wrong on one built to tell theories apart: {witness}"
            return replace(ruling, score=0.0, verdict=REFUTED, counterexample=witness, message=message)
        if not wrong:
            return replace(ruling, message=str(Verdict.agrees(len(counted))))
        missed = set(wrong)
        smallest = next(number for number in bench.order if number in missed)
        witness = bench.witness(smallest, said.answers[smallest])
        message = f"wrong on {len(wrong)} of {len(counted)} fresh samples, e.g. {witness}"
        shortcut = self._behaviour(said, right, asked)
        return replace(ruling, counterexample=witness, message=message, shortcut=shortcut)

    def _behaviour(self, said: Said, right: Sequence[bool], asked: int) -> str:
        """Shortcuts that show only in what a theory answers."""
        answers, shown = said.answers[:asked], right[asked:]
        if undecided(answers):
            return "undecided"
        if len(set(answers)) == 1 and len(set(self.bench.truth[:asked])) > 1:
            none = (NOTHING, self.bench.court.silent)
            return "never true" if answers[0] in none else "always true"
        if len(shown) > 1 and all(shown):
            return "memorised"
        return ""

    def _literals_of_truth(self) -> int:
        if self._true_literals is None:
            self._true_literals = self.bench.court.truth.literals
        return self._true_literals

    # By the court -----------------------------------------------------------------------------------------------------

    def _proven(self, text: str, ruling: Ruling) -> Ruling:
        if text not in self._proofs:
            self._proofs[text] = self._by_court(text, ruling)
        return self._proofs[text]

    def _by_court(self, text: str, ruling: Ruling) -> Ruling:
        try:
            verdict = self.bench.court.verdict(Theory.parse(text), fresh=self._court_fresh)
        except HornbeamError as error:
            return Ruling.unjudged(f"the court failed: {error.message}", answer=text)
        score, message = of_verdict(verdict)
        if verdict.kind not in ("equal", REFUTED, AGREES):
            return ruling  # without a generator the samples have the last word
        return replace(
            ruling, score=score, verdict=verdict.kind, counterexample=verdict.counterexample, message=message
        )


def _accuracy(by_answer: Mapping[str, Sequence[int]], right: Sequence[bool]) -> float:
    """The share that is right; of two answers the mean of both shares."""
    shares = [(sum(map(right.__getitem__, numbers)), len(numbers)) for numbers in by_answer.values()]
    if len(shares) != 2:
        return sum(fits for fits, _ in shares) / max(1, sum(count for _, count in shares))
    return sum(fits / count for fits, count in shares) / 2


def _is_sample(bench: Bench, name: str) -> bool:
    try:
        bench.court.dataset.sample(name)
    except HornbeamError:
        return any(sample.id == name for sample in bench.samples)
    return True
