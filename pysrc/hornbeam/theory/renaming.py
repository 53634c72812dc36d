r"""Renames predicates of a theory, and restricts a theory to what one predicate depends on.

Calling an undefined predicate is an error: the call would fail and look like a wrong rule.

>>> learned = Theory.parse("anc(X,Y) :- par(X,Y). anc(X,Z) :- anc(X,Y), \\+ par(Y,Z).")
>>> print(renamed(learned, parse_renaming(["anc/2=ancestor", "par=parent"])), end="")
ancestor(X,Y) :- parent(X,Y). ancestor(X,Z) :- ancestor(X,Y), \+ parent(Y,Z).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic.terms import Clause, Compound, Term, to_text
from hornbeam.theory.theory import Indicator, Statement, Theory, arguments, indicator, is_test

_NAME = re.compile(r"(?P<name>.+?)(?:/(?P<arity>\d+))?\Z", re.DOTALL)

# Which arguments of a control construct are goals; of any other literal none is.
_GOALS: Mapping[Indicator, tuple[int, ...]] = {
    **dict.fromkeys([(",", 2), (";", 2), ("->", 2), ("*->", 2), ("forall", 2)], (0, 1)),
    **dict.fromkeys([("\\+", 1), ("not", 1), ("once", 1), ("ignore", 1), ("call", 1), ("tnot", 1)], (0,)),
    **dict.fromkeys([("findall", 3), ("findall", 4), ("bagof", 3), ("setof", 3), ("aggregate_all", 3), ("^", 2)], (1,)),
}


@dataclass(frozen=True, slots=True)
class Rename:
    """One predicate name in place of another: of every arity, or of one."""

    old: str
    arity: int | None
    new: str

    def __str__(self) -> str:
        return f"{_shown(self.old, self.arity)}={self.new}"


def parse_renaming(wanted: Mapping[str, str] | Iterable[str]) -> list[Rename]:
    """From ``old=new`` or ``old/2=new``, or from a mapping of such names; UsageError if it is something else."""
    pairs = list(wanted.items()) if isinstance(wanted, Mapping) else [_split(text) for text in wanted]
    renames: list[Rename] = []
    for old, new in pairs:
        (name, arity), (other, other_arity) = _parsed(old), _parsed(new)
        if other_arity is not None and arity is not None and other_arity != arity:
            raise UsageError(f"cannot rename {old} to {new}: a renaming keeps the arity")
        renames.append(Rename(name, other_arity if arity is None else arity, other))
    twice = [one for one in renames if sum(_overlap(one, other) for other in renames) > 1]
    if twice:
        raise UsageError(f"{_shown(twice[0].old, twice[0].arity)} is renamed twice")
    return renames


def _split(text: str) -> tuple[str, str]:
    old, equals, new = (part.strip() for part in text.partition("="))
    if not (old and equals and new):
        raise UsageError(f"expected a renaming old=new or old/2=new, found {text!r}")
    return old, new


def _parsed(text: str) -> tuple[str, int | None]:
    """A name with an arity or without, with Prolog's quotes or without."""
    parts = _NAME.match(text)
    if parts is None:
        raise UsageError(f"expected the name of a predicate, or name/arity, found {text!r}")
    name = parts["name"]
    if len(name) > 2 and name[0] == name[-1] == "'":
        name = name[1:-1]
    return name, int(parts["arity"]) if parts["arity"] else None


def _overlap(one: Rename, other: Rename) -> bool:
    return one.old == other.old and (one.arity is None or other.arity is None or one.arity == other.arity)


def renamed(theory: Theory, renaming: Iterable[Rename]) -> Theory:
    """The theory with its predicates renamed, in its definitions as well.

    UsageError for a name that it does not have, and for a new name that another of its predicates has already.
    """
    wanted = list(renaming)
    if not wanted:
        return theory
    every = predicates(theory.program)
    names: dict[Indicator, str] = {}
    for one in wanted:
        hit = [predicate for predicate in every if predicate[0] == one.old and one.arity in (None, predicate[1])]
        if not hit:
            known = [name if one.arity is None else f"{name}/{arity}" for name, arity in every]
            raise unknown_name("predicate of the learned theory", _shown(one.old, one.arity), set(known))
        names.update(dict.fromkeys(hit, one.new))
    for (name, arity), new in names.items():
        taken = [
            predicate for predicate in every if names.get(predicate, predicate[0]) == new and predicate[1] == arity
        ]
        if len(taken) > 1:
            raise UsageError(
                f"cannot rename {name}/{arity} to {new}: the learned theory has another predicate {new}/{arity}"
            )
    return replace(
        theory,
        statements=tuple(_statement(statement, names) for statement in theory.statements),
        definitions=tuple(_statement(statement, names) for statement in theory.definitions),
    )


def check_new_names(renaming: Iterable[Rename], known: Iterable[Indicator]) -> None:
    """UsageError for a new name that neither the true theory nor the facts have."""
    names = {name for name, _ in known}
    for one in renaming:
        if one.new not in names:
            raise unknown_name("predicate of the true theory", one.new, names)


def _statement(statement: Statement, names: Mapping[Indicator, str]) -> Statement:
    clause = statement.clause
    new = Clause(_goal(clause.head, names), tuple(_goal(literal, names) for literal in clause.body))
    return statement if new == clause else replace(statement, clause=new, text=to_text(new))


def _goal(goal: Term, names: Mapping[Indicator, str]) -> Term:
    if not isinstance(goal, str | Compound):
        return goal
    predicate = indicator(goal)
    inner = _GOALS.get(predicate, ())
    if inner and isinstance(goal, Compound):
        return Compound(
            goal.functor, tuple(_goal(part, names) if at in inner else part for at, part in enumerate(goal.args))
        )
    name = names.get(predicate, predicate[0])
    return Compound(name, goal.args) if isinstance(goal, Compound) else name


# What a theory calls -------------------------------------------------------------------------------------------------


def predicates(theory: Theory) -> set[Indicator]:
    """The predicates of heads and bodies, those inside of control constructs among them."""
    return set(theory.defines) | {predicate for clause in theory.clauses for predicate in calls(clause)}


def calls(clause: Clause) -> Iterator[Indicator]:
    """The predicates that a clause calls, in order; comparisons are left out."""
    for literal in clause.body:
        yield from _called(literal)


def _called(goal: Term) -> Iterator[Indicator]:
    if not isinstance(goal, str | Compound):
        return
    predicate = indicator(goal)
    if predicate in _GOALS:
        for at in _GOALS[predicate]:
            yield from _called(arguments(goal)[at])
    elif not is_test(predicate) and predicate != ("!", 0):
        yield predicate


# One target ----------------------------------------------------------------------------------------------------------


def targets(theory: Theory, target: str) -> set[Indicator]:
    """The predicates of this name, or name/arity, that the theory defines; UsageError if there is none."""
    name, arity = _parsed(target)
    wanted = {known for known in theory.defines if known[0] == name and arity in (None, known[1])}
    if not wanted:
        known = {each if arity is None else f"{each}/{size}" for each, size in theory.defines}
        raise unknown_name("predicate with rules in the true theory", target, known, file=theory.name)
    return wanted


def depends_on(theories: Iterable[Theory], wanted: Iterable[Indicator]) -> set[Indicator]:
    """These predicates, and all that they depend on in one of the theories or another."""
    called: dict[Indicator, set[Indicator]] = {}
    for theory in theories:
        for clause in theory.clauses:
            called.setdefault(indicator(clause.head), set()).update(calls(clause))
    reached, todo = set[Indicator](), list(wanted)
    while todo:
        predicate = todo.pop()
        if predicate not in reached:
            reached.add(predicate)
            todo += called.get(predicate, ())
    return reached


def restricted(theory: Theory, wanted: set[Indicator]) -> Theory:
    """The theory's clauses for these predicates."""
    kept = tuple(one for one in theory.statements if indicator(one.clause.head) in wanted)
    return theory if len(kept) == len(theory) else replace(theory, statements=kept)


# Hints ---------------------------------------------------------------------------------------------------------------


def rename_hints(true: Theory, learned: Theory, given: Iterable[Indicator]) -> list[str]:
    """Where a learned predicate occurs nowhere in the truth, and exactly one true predicate could be meant by it."""
    called = {
        predicate for clause in learned.clauses for predicate in calls(clause) if predicate != indicator(clause.head)
    }
    strange = sorted(learned.defines - predicates(true) - set(given) - called)
    missing = true.defines - predicates(learned)
    hints = []
    for name, arity in strange:
        candidates = [predicate for predicate in missing if predicate[1] == arity]
        rivals = [predicate for predicate in strange if predicate[1] == arity]
        if len(candidates) == len(rivals) == 1:
            hints.append(
                f"{name}/{arity} does not occur in the true theory: did you mean --rename {name}={candidates[0][0]}?"
            )
    return hints


def _shown(name: str, arity: int | None) -> str:
    return name if arity is None else f"{name}/{arity}"


def refuse_undefined(learned: Theory, unknown: Iterable[Indicator], known: Collection[Indicator]) -> None:
    """UsageError for the first clause that calls one of `unknown`, with the nearest of `known`."""
    undefined = set(unknown)
    places = {
        predicate: statement.line
        for statement in reversed(learned.statements)
        for predicate in reversed([*calls(statement.clause)])
        if predicate in undefined
    }
    if not places:
        return
    name, arity = first = min(places, key=lambda predicate: (places[predicate] or 0, predicate))
    others = sorted(f"{other}/{size}" for other, size in places if (other, size) != first)
    also = f"; nor does anybody define {', '.join(others)}" if others else ""
    raise UsageError(
        f"the learned theory calls {name}/{arity}, which is undefined{_nearest(first, known)}{also}",
        file=learned.name or "<theory>",
        line=places[first],
    )


def _nearest(missing: Indicator, known: Collection[Indicator]) -> str:
    name, arity = missing
    other_arities = sorted(predicate[1] for predicate in known if predicate[0] == name)
    if other_arities:
        return f"; did you mean {name}/{other_arities[0]}?"
    fitting = {predicate[0] for predicate in known if predicate[1] == arity}
    near = difflib.get_close_matches(name, sorted(fitting), n=1) or difflib.get_close_matches(
        name, sorted({predicate[0] for predicate in known}), n=1
    )
    if not near:
        return ""
    predicate = min(
        predicate
        for predicate in known
        if predicate[0] == near[0] and (near[0] not in fitting or predicate[1] == arity)
    )
    hint = f" (--rename {name}={predicate[0]})" if predicate[1] == arity else ""
    return f"; did you mean {predicate[0]}/{predicate[1]}?{hint}"
