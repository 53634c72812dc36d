"""Scores of a learned theory against the true one: on facts (Herbrand models) and on the rules themselves.

The measures are those of RuDaS (Cornelio and Thost 2019, section 5), by their formulas. The paper swaps the names of
false positives and false negatives, its evaluator counts some predicates of the Herbrand base twice (`compat=True`
does, too), and the R-scores in its tables are not its formula's, so do not compare with those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction

from hornbeam.errors import HornbeamError
from hornbeam.logic.terms import Clause, Term
from hornbeam.theory.budget import AMPLE, Budget
from hornbeam.theory.distance import canonical, rule_distance
from hornbeam.theory.models import Comparison, compare
from hornbeam.theory.theory import Form, Indicator, Theory, indicator, literal_kind


@dataclass(frozen=True, slots=True)
class RuleScores:
    """Scores that compare rules, without facts.

    Attributes:
        r_score: The mean similarity of each true rule to the nearest learned one.
        r_precision: The mean similarity of each learned rule to the nearest true one, which the paper leaves out.
        r_f1: The harmonic mean of both.
        clause_ratio: Learned clauses per true clause.
        literal_ratio: Learned literals per true literal.
    """

    r_score: float
    r_precision: float
    r_f1: float
    clause_ratio: float | None
    literal_ratio: float | None


@dataclass(frozen=True, slots=True)
class FactScores:
    """Scores that compare derived facts; given facts do not count. If nothing is expected and derived, they are 1."""

    tp: int
    fp: int
    fn: int
    tn: int
    h_distance: int
    h_accuracy: float
    h_score: float
    accuracy: float
    precision: float
    recall: float
    f1: float
    confidence: float  # standard confidence, which is the precision of all rules together


def rule_scores(true: Theory, learned: Theory) -> RuleScores:
    """Compare the rules of two theories: R-score and sizes.

    Args:
        true: The true theory.
        learned: The learned theory.

    Returns:
        The scores.

    >>> from hornbeam.theory import Theory
    >>> one = Theory.parse("p1(A,B) :- p2(A,A), p3(B,B), p4(A,B).")
    >>> 1 - rule_scores(one, Theory.parse("p1(X,X) :- p2(Y,X), p2(X,X).")).r_score
    0.5625
    """
    recall, precision = r_score(true, learned), r_score(learned, true)
    total = recall + precision
    return RuleScores(
        r_score=float(recall),
        r_precision=float(precision),
        r_f1=float(2 * recall * precision / total) if total else 0.0,
        clause_ratio=len(learned) / len(true) if len(true) else None,
        literal_ratio=learned.literals / true.literals if true.literals else None,
    )


def r_score(true: Theory, learned: Theory) -> Fraction:
    """1 minus the mean distance of each true rule to the nearest learned one with the same head predicate; exact."""
    if not len(true):
        return Fraction(1)
    index = _Index(learned)
    pairs = zip(true.clauses, true.forms, strict=True)
    return 1 - sum((index.nearest(*pair) for pair in pairs), start=Fraction(0)) / len(true)


class _Index:
    """Rules by what they hold, so that of thousands of rules only those that may be nearest are compared."""

    def __init__(self, theory: Theory) -> None:
        rules = dict(zip(theory.forms, theory.clauses, strict=True))
        self._forms = set(rules)
        # Rules of one head predicate by the kinds of their literals: those alone say how near they can be at best.
        self._rules: dict[tuple[Indicator, _Kinds], list[Clause]] = {}
        self._sharing: dict[object, set[_Kinds]] = {}
        self._shapes: dict[Indicator, dict[object, Clause]] = {}
        for clause in rules.values():
            head, kinds = indicator(clause.head), _kinds(clause)
            self._rules.setdefault((head, kinds), []).append(clause)
            for kind, _ in kinds:
                self._sharing.setdefault((head, kind), set()).add(kinds)
            # Rules that share no body predicate with another are told apart by their length and head alone.
            self._shapes.setdefault(head, {}).setdefault((len(clause.body), canonical(Clause(clause.head))), clause)

    def nearest(self, clause: Clause, form: Form) -> Fraction:
        """The least distance to a rule with this head predicate; 1 if there is none."""
        if form in self._forms:
            return Fraction(0)
        head, kinds = indicator(clause.head), _kinds(clause)
        near = set[_Kinds]().union(*(self._sharing.get((head, kind), ()) for kind, _ in kinds))
        groups = [(_at_least(kinds, other), self._rules[head, other]) for other in near]
        groups += [(_at_least(kinds, _kinds(rule)), [rule]) for rule in self._shapes.get(head, {}).values()]
        best = Fraction(1)
        for least, rules in sorted(groups, key=lambda group: group[0]):
            for rule in rules:
                if least >= best:
                    return best
                best = min(best, rule_distance(clause, rule))
        return best


_Kinds = tuple[tuple[tuple[bool, Indicator], int], ...]


def _kinds(clause: Clause) -> _Kinds:
    """How many literals of each sign and predicate the body holds."""
    return tuple(sorted(Counter(map(literal_kind, clause.body)).items()))


def _at_least(one: _Kinds, other: _Kinds) -> Fraction:
    """The distance that the predicates alone make."""
    mine, theirs = dict(one), dict(other)
    shared = sum(min(count, theirs.get(kind, 0)) for kind, count in mine.items())
    longer = max(sum(mine.values()), sum(theirs.values()))
    return Fraction(longer - shared, longer + 1)


def fact_scores(compared: Comparison, *, compat: bool = False) -> FactScores:
    """The scores of a comparison; with `compat` counted as by RuDaS' own evaluator."""
    tp, fn = compared.tp, compared.fn
    fp = compared.fp_original if compat else compared.fp
    base = max(compared.base_double if compat else compared.base, 1)
    wrong = fp + fn
    open_atoms = max(base - compared.given, 1)
    return FactScores(
        tp=tp,
        fp=fp,
        fn=fn,
        tn=base - compared.given - tp - wrong,
        h_distance=wrong,
        h_accuracy=1 - wrong / base,
        h_score=_share(tp, fp + fn, tp + wrong),
        accuracy=1 - wrong / open_atoms,
        precision=_share(tp, wrong, tp + fp),
        recall=_share(tp, wrong, tp + fn),
        f1=_share(2 * tp, wrong, 2 * tp + wrong),
        confidence=_share(tp, wrong, tp + fp),
    )


def _share(part: int, wrong: int, whole: int) -> float:
    if part == 0:
        return 0.0 if wrong else 1.0
    return part / whole


# Many runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one run. A failed run has scores of 0, and `status` says what happened."""

    name: str
    status: str
    rules: RuleScores
    facts: FactScores | None

    def figures(self) -> dict[str, float | None]:
        """All scores by name."""
        return {**asdict(self.rules), **(asdict(self.facts) if self.facts else dict.fromkeys(_FACT_NAMES, 0.0))}


_FACT_NAMES = [field.name for field in fields(FactScores)]
_NO_RULES = RuleScores(0.0, 0.0, 0.0, None, None)


def score_runs(
    true: Theory,
    runs: Mapping[str, Theory | HornbeamError],
    facts: Iterable[Term],
    *,
    budget: Budget = AMPLE,
    compat: bool = False,
) -> list[Row]:
    """Score several runs: theories, or the errors of runs that failed. A theory that exceeds the budget has failed."""
    given = list(facts)
    return [_row(name, true, run, given, budget, compat) for name, run in runs.items()]


def _row(name: str, true: Theory, run: Theory | HornbeamError, facts: list[Term], budget: Budget, compat: bool) -> Row:
    if isinstance(run, HornbeamError):
        return Row(name, f"failed: {run}", _NO_RULES, None)
    rules = rule_scores(true, run)
    try:
        compared = compare(true, run, facts, budget=budget, samples=0, effects=False)
    except HornbeamError as error:
        return Row(name, f"failed: {error}", rules, None)
    return Row(name, "ok", rules, fact_scores(compared, compat=compat))


def means(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """The means over all rows, with 0 for failures, and over the rows that did not fail."""
    finished = [row for row in rows if row.status == "ok"]
    return {"all": _mean(rows), "finished": _mean(finished), "count": {"all": len(rows), "finished": len(finished)}}


def _mean(rows: Sequence[Row]) -> dict[str, float]:
    tables = [row.figures() for row in rows]
    names = dict.fromkeys(name for table in tables for name in table)
    return {name: sum(table.get(name) or 0.0 for table in tables) / len(tables) for name in names}
