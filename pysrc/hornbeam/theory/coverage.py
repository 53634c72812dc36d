r"""Which examples a theory covers, in a contained SWI-Prolog: a learned theory comes from outside.

>>> theory = Theory.parse("even(X) :- zero(X). even(X) :- even(Z), next(Z,Y), next(Y,X).")
>>> background = "zero(0). next(0,1). next(1,2). next(2,3)."
>>> judge(theory, [Compound("even", (2,)), Compound("even", (3,))], background=background).covered
(True, False)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError, UnknownPredicate
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Clause, Compound, Term, conjunction, quote, to_text
from hornbeam.theory.purity import refuse_impure
from hornbeam.theory.theory import Indicator, Theory, arguments, atom_of, indicator
from hornbeam.wall import neighbours

# An example that needs more is taken to loop. Inferences decide, so that every machine gives the same answer.
EXAMPLE = Limits(inferences=2_000_000, seconds=20.0)
_MEMORY = 2 << 30
_MOST_UNKNOWN = 50

Outcome = bool | HornbeamError


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of each example: covered or not, or the limit or error that it met."""

    outcomes: tuple[Outcome, ...]
    unknown: tuple[Indicator, ...] = ()  # undefined predicates that the theory calls: such calls fail

    @property
    def covered(self) -> tuple[bool, ...]:
        """With examples that met a limit or an error counted as not covered."""
        return tuple(outcome is True for outcome in self.outcomes)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The numbers of the examples that met a limit or an error."""
        return tuple(n for n, outcome in enumerate(self.outcomes) if not isinstance(outcome, bool))

    def against(self, labels: Sequence[bool]) -> dict[str, float]:
        """Counts and accuracy, precision, recall, F1; an undecided example counts as not covered, and is counted."""
        counts = Counter(zip(self.covered, labels, strict=True))
        tp, fp, fn, tn = (counts[key] for key in ((True, True), (True, False), (False, True), (False, False)))
        agree = fp + fn == 0
        return {
            "tp": tp, "fp": fp, "fn": fn, "tn": tn, "undecided": len(self.undecided),
            "accuracy": (tp + tn) / max(1, len(self.outcomes)) if self.outcomes else 1.0,
            "precision": tp / (tp + fp) if tp else float(agree),
            "recall": tp / (tp + fn) if tp else float(agree),
            "f1": 2 * tp / (2 * tp + fp + fn) if tp else float(agree),
        }  # fmt: skip


def judge(
    theory: Theory, examples: Iterable[Term], *, background: str | Path | None = None, limits: Limits = EXAMPLE
) -> Judgement:
    """Ask a theory all examples, in one call to a contained SWI-Prolog.

    Args:
        theory: The theory.
        examples: The examples, as goals.
        background: Background knowledge, as Prolog text or a Path.
        limits: Limits on each example.

    Returns:
        For each example whether the theory covers it.

    Raises:
        PrologError: if the background knowledge cannot be loaded.
    """
    with Bench(background) as bench:
        return bench.judge(theory, examples, limits=limits)


class Bench:
    """A contained Prolog with background knowledge, on which theories are tried."""

    def __init__(self, background: str | Path | None = None) -> None:
        readable = [neighbours(background)] if isinstance(background, Path) else []
        self._prolog = Prolog.contained(readable=readable, memory=_MEMORY)
        self._theories = 0
        try:
            if isinstance(background, Path):
                self._prolog.load(background, "user", strict=False)
            elif background is not None:
                self._prolog.load_text(background, "user", name="background", strict=False)
        except BaseException:
            self._prolog.close()
            raise

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self._prolog.close()

    def judge(self, theory: Theory, examples: Iterable[Term], *, limits: Limits = EXAMPLE) -> Judgement:
        """See :func:`judge`."""
        refuse_impure(theory)
        goals = list(examples)
        with self._loaded(theory, asked=set(map(indicator, goals))) as (module, unknown):
            return Judgement(tuple(self._asked(goals, module, limits)), unknown)

    def undefined(self, theory: Theory) -> tuple[Indicator, ...]:
        """The undefined predicates that the theory calls."""
        with self._loaded(theory) as (_, unknown):
            return unknown

    def _asked(self, goals: list[Term], module: str, limits: Limits) -> Iterator[Outcome]:
        """Goals of one predicate in one call: the sandbox wants to know what is called."""
        outcomes: dict[int, Outcome] = {}
        groups: dict[Indicator, list[int]] = {}
        for number, goal in enumerate(goals):
            groups.setdefault(indicator(goal), []).append(number)
        for (name, arity), numbers in groups.items():
            names = [f"X{at}" for at in range(arity)]
            goal = f"{quote(name)}({','.join(names)})" if arity else quote(name)
            rows = [arguments(goals[number]) for number in numbers]
            try:
                answers: Sequence[Outcome] = self._rows(goal, names, rows, module, limits)
            except HornbeamError as error:
                answers = [error] * len(numbers)
            outcomes.update(zip(numbers, answers, strict=True))
        return iter([outcomes[number] for number in range(len(goals))])

    def _rows(
        self, goal: str, names: list[str], rows: Sequence[Sequence[Term]], module: str, limits: Limits
    ) -> list[Outcome]:
        if not names:
            answer = self._prolog.ask_many(f"{goal}, X = X", over="X", rows=[0], module=module, limits=limits)[0]
            return [answer] * len(rows)
        if len(names) == 1:
            return list(
                self._prolog.ask_many(goal, over=names[0], rows=[r[0] for r in rows], module=module, limits=limits)
            )
        return list(self._prolog.ask_many(goal, over=names, rows=rows, module=module, limits=limits))

    def furthest(self, theory: Theory, goals: Sequence[Term], *, limits: Limits = EXAMPLE) -> list[dict[int, int]]:
        """For each goal, how many literals of each clause's body hold, from the left: all of them where it covers."""
        heads = {clause.head for clause in theory.clauses}
        if not heads or not goals:
            return [{} for _ in goals]
        with self._loaded(theory, more=prefixes(theory)) as (module, _):
            return furthest(self._prolog, goals, module, limits)

    @contextmanager
    def _loaded(
        self, theory: Theory, *, asked: Collection[Indicator] = (), more: str = ""
    ) -> Iterator[tuple[str, tuple[Indicator, ...]]]:
        """The theory in its own module, with the undefined predicates that it calls.

        Of a predicate in `asked` that it does not define it covers nothing.
        """
        program = theory.program
        entries = {*program.defines, *asked}
        called = {indicator(atom_of(literal)) for clause in program.clauses for literal in clause.body}
        module = f"hornbeam_theory_{self._theories}"
        self._theories += 1
        unknown: list[Indicator] = []
        try:
            while True:
                self._prolog.load_text(
                    _dynamic(unknown) + program_text(program) + more, module, name="theory", strict=False
                )
                missing = self._unknown(entries, module)
                if missing is None or missing in unknown or len(unknown) >= _MOST_UNKNOWN:
                    break
                unknown.append(missing)
            yield module, tuple(sorted(missing for missing in unknown if missing in called or missing not in entries))
        finally:
            self._prolog.unload(module)

    def _unknown(self, entries: Collection[Indicator], module: str) -> Indicator | None:
        """A predicate that these call, or that is one of them, and is not there: the sandbox would refuse the call."""
        for name, arity in sorted(entries):
            goal = f"{quote(name)}({','.join('_' * arity)})" if arity else quote(name)
            try:
                self._prolog.ask_many(f"{goal}, X = X", over="X", rows=[], module=module)
            except UnknownPredicate as error:
                return missing_predicate(error)
            except HornbeamError:
                continue
        return None


def _dynamic(predicates: Iterable[Indicator]) -> str:
    return "".join(f":- dynamic({quote(name)}/{arity}).\n" for name, arity in predicates)


def missing_predicate(error: UnknownPredicate) -> Indicator | None:
    """From ``error(existence_error(procedure, Module:Goal or Module:Name/Arity), _)``."""
    term: Any = Prolog().parse(error.term or "none")
    try:
        goal = term.args[0].args[1]
    except (AttributeError, IndexError):
        return None
    if indicator(goal) == (":", 2):
        goal = goal.args[1]
    return (goal.args[0], goal.args[1]) if indicator(goal) == ("/", 2) else indicator(goal)


def program_text(theory: Theory) -> str:
    """The theory as a program: its clauses as values, so that no directive of a learner's is run.

    Recursive predicates whose clauses build no terms are tabled, for such a recursion may loop.
    """
    lines = [f":- table({quote(name)}/{arity})." for name, arity in sorted(tabled(theory.clauses))]
    defined = sorted(theory.defines)
    lines += [f":- discontiguous({quote(name)}/{arity})." for name, arity in defined]
    return "\n".join([*lines, *map(to_text, theory.clauses)]) + "\n"


def tabled(clauses: Sequence[Clause]) -> set[Indicator]:
    """The predicates that call themselves and whose clauses hold no compound terms."""
    calls: dict[Indicator, set[Indicator]] = {}
    for clause in clauses:
        calls.setdefault(indicator(clause.head), set()).update(indicator(atom_of(part)) for part in clause.body)
    building = {
        indicator(clause.head)
        for clause in clauses
        if any(isinstance(a, Compound | list) for part in (clause.head, *clause.body) for a in arguments(atom_of(part)))
    }
    return {predicate for predicate in calls if predicate not in building and predicate in _reached(predicate, calls)}


def _reached(start: Indicator, calls: dict[Indicator, set[Indicator]]) -> set[Indicator]:
    reached: set[Indicator] = set()
    todo = list(calls.get(start, ()))
    while todo:
        predicate = todo.pop()
        if predicate not in reached:
            reached.add(predicate)
            todo += calls.get(predicate, ())
    return reached


def furthest(prolog: Prolog, goals: Sequence[Term], module: str, limits: Limits) -> list[dict[int, int]]:
    """For each goal, how many literals of each clause's body hold, where `module` holds a theory and its `prefixes`."""
    try:
        answers = prolog.all_many(
            "hornbeam_prefix(N, K, G)", over="G", get=("N", "K"), rows=list(goals), module=module, limits=limits
        )
    except HornbeamError:
        # One clause that the sandbox refuses keeps all of them from being looked at.
        return [{} for _ in goals]
    found = []
    for answer in answers:
        best: dict[int, int] = {}
        for number, size in answer if isinstance(answer, list) else []:
            best[number] = max(size, best.get(number, -1))
        found.append(best)
    return found


def failing_literal(theory: Theory, reached: Mapping[int, int]) -> str | None:
    """The literal at which the clause fails that has the fewest literals left.

    Args:
        theory: The theory.
        reached: How many literals of a clause hold, by its number; see :func:`furthest`.

    >>> failing_literal(Theory.parse("p(X) :- q(X), r(X), s(X). p(X) :- t(X)."), {0: 1, 1: 0})
    't(X) fails in p(X) :- t(X).'
    """
    left = {number: len(theory.clauses[number].body) - size for number, size in reached.items()}
    still_open = [number for number, count in left.items() if count > 0]
    if not still_open:
        return None
    nearest = min(still_open, key=lambda number: (left[number], number))
    return f"{to_text(theory.clauses[nearest].body[reached[nearest]])} fails in {theory.texts[nearest]}"


def prefixes(theory: Theory) -> str:
    """For each clause N and each K a rule that its head matches and its first K literals hold."""
    lines = [":- discontiguous(hornbeam_prefix/3)."]
    for number, clause in enumerate(theory.clauses):
        for size in range(len(clause.body) + 1):
            head = Compound("hornbeam_prefix", (number, size, clause.head))
            body = (*clause.body[:size], "true")
            lines.append(to_text(Clause(head, (Compound("once", (conjunction(body),)),))))
    return "\n".join(lines) + "\n"
