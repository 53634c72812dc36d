"""What rules cover: tests in Prolog, a rule at a time over all examples, coverage as bit sets.

A bit set is a Python integer with bit i set for example i.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from hornbeam.bitsets import bits, mask_of
from hornbeam.ilp.lff.language import BodyLiteral, RuleLanguage
from hornbeam.ilp.lff.vocabulary import TargetHead
from hornbeam.logic import Prolog, Term, to_text
from hornbeam.logic.terms import Var
from hornbeam.resources import prolog

PROGRAM, DATA = "hornbeam_lff_program", "hornbeam_lff_data"
ENGINE = "hornbeam_lff_cover"

Bits = int
NumberedPrograms = list[list[list[int]]]  # of each program the rules: the number of its head, and those of its literals


@dataclass(frozen=True, slots=True)
class HeadExamples:
    """Values of the head's variables, of positive and of negative examples."""

    positive: tuple[tuple[Term, ...], ...]
    negative: tuple[tuple[Term, ...], ...]

    @classmethod
    def of(cls, head: TargetHead, positive: Iterable[Term], negative: Iterable[Term]) -> HeadExamples:
        """The examples of a head."""

        def rows(atoms: Iterable[Term]) -> tuple[tuple[Term, ...], ...]:
            return tuple(values for atom in atoms if (values := head.values(atom)) is not None)

        return cls(rows(positive), rows(negative))

    @property
    def all_positive(self) -> Bits:
        return (1 << len(self.positive)) - 1

    @property
    def all_negative(self) -> Bits:
        return (1 << len(self.negative)) - 1


def load_background(pl: Prolog, background: str, predicates: Iterable[tuple[str, int]]) -> None:
    """Load the background; predicates that it does not define fail instead of raising."""
    pl.load(prolog("lff", "cover.pl"))
    pl.load(prolog("lff", "programs.pl"))
    pl.unload(PROGRAM)
    pl.load_text(background, PROGRAM, name="background", strict=False)
    for name, arity in dict.fromkeys(predicates):
        pl.ask(
            "functor(G, N, A), ( predicate_property(M:G, visible) -> true ; dynamic(M:N/A) )",
            given={"M": PROGRAM, "N": name, "A": arity},
        )
    pl.ask("warm_up(M)", given={"M": PROGRAM}, module=ENGINE)


class Tester:
    """Tests of rules over the examples of one task. Several may not be in use at once: they share the two modules."""

    def __init__(
        self, pl: Prolog, languages: Sequence[RuleLanguage], examples: HeadExamples, *, inferences: int
    ) -> None:
        self._pl = pl
        self._limit = inferences
        self.examples = examples
        self.exceeded = 0  # tests that were cut off
        pl.unload(DATA)
        pl.load_text(_data(languages, examples), DATA, name="language", strict=False)

    def positives(self, order: Sequence[int], among: Bits | None = None) -> Bits | None:
        """The positive examples covered, of those in `among`; None if the limit did not suffice."""
        return self._covered("positives", order, among, len(self.examples.positive))

    def negatives(self, order: Sequence[int], among: Bits | None = None) -> Bits | None:
        """The same for negative examples."""
        return self._covered("negatives", order, among, len(self.examples.negative))

    def _covered(self, kind: str, order: Sequence[int], among: Bits | None, count: int) -> Bits | None:
        rows: Term = "all"
        if among is not None and among.bit_count() * 2 < count:
            rows = [*bits(among)]
        covered = self._ask(f"{kind}({_TASK}, L, X, I, R)", L=[*order], X=rows, I=self._limit)
        if not isinstance(covered, list):
            self.exceeded += 1
            return None
        return mask_of(covered)

    def some_negative(self, order: Sequence[int]) -> bool | None:
        """Whether any negative example is covered."""
        answer = self._ask(f"some_negative({_TASK}, L, I, R)", L=[*order], I=self._limit)
        if answer == "limit":
            self.exceeded += 1
            return None
        return bool(answer != "none")

    def implied(self, order: Sequence[int], number: int) -> bool:
        """Whether a literal holds of every negative example wherever the others do."""
        return bool(self._ask(f"implied({_TASK}, L, N, I, R)", L=[*order], N=number, I=self._limit) == "yes")

    def impossible(self, order: Sequence[int]) -> bool:
        """Whether literals have no answer at all, whatever the head is."""
        return bool(self._ask(f"unanswerable({_TASK}, L, I, R)", L=[*order], I=self._limit) == "yes")

    # Whole programs ---------------------------------------------------------------------------------------------------

    def verdicts(self, programs: NumberedPrograms, *, both: bool, limit: int) -> list[str]:
        """What each program is, in the words of prolog/lff/programs.pl."""
        goal = f"hornbeam_lff_programs:verdicts({_TASK}, B, P, I, R)"
        verdicts = self._ask(goal, B="true" if both else "false", P=cast(Term, programs), I=limit)
        return cast(list[str], verdicts)

    def counts(self, programs: NumberedPrograms, *, limit: int) -> list[tuple[int, int]]:
        """How many positive and how many negative examples each program covers."""
        goal = f"hornbeam_lff_programs:counts({_TASK}, P, I, A, B), R = [A, B]"
        counts = self._ask(goal, P=cast(Term, programs), I=limit)
        return list(zip(*cast(list[list[int]], counts), strict=True))

    def _ask(self, goal: str, **given: Term) -> object:
        answer = self._pl.once(goal, given=given, module=ENGINE)
        assert answer is not None
        return answer["R"]


_TASK = f"task({DATA}, {PROGRAM})"


def _data(languages: Sequence[RuleLanguage], examples: HeadExamples) -> str:
    """The task's facts. Literals of a second language are numbered after those of the first, and so on."""
    width = languages[0].width
    lines = [":- dynamic positive/2, negative/2, literal/3, head/3."]
    for kind, rows in (("positive", examples.positive), ("negative", examples.negative)):
        lines += [
            f"{kind}({number},{_frame([to_text(value) for value in values], width)})."
            for number, values in enumerate(rows)
        ]
    offset = 0
    for index, language in enumerate(languages):
        head = [Var(f"V{variable}") for variable in range(language.head.arity)]
        names = [variable.name for variable in head]
        lines.append(f"head({index},{_frame(names, width)},{to_text(language.head.atom(head))}).")
        lines += [_literal(language, each, offset + each.number) for each in language.literals]
        offset += len(language.literals)
    return "\n".join(lines) + "\n"


def _literal(language: RuleLanguage, each: BodyLiteral, number: int) -> str:
    goal = to_text(language.symbols[each.symbol].literal([Var(f"V{variable}") for variable in each.variables]))
    frame = [f"V{place}" if place in each.variables else "_" for place in range(language.width)]
    return f"literal({number},{_frame(frame, language.width)},{goal})."


def _frame(values: Sequence[str], width: int) -> str:
    return f"v({','.join([*values, *['_'] * (width - len(values))])})"
