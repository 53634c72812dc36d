"""The Prolog learner as a stream of events; see prolog/mdie/cover.pl for what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from hornbeam.ilp.naming import variable_name
from hornbeam.logic import Clause, Compound, Prolog, Term, Var
from hornbeam.resources import prolog
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory.theory import Indicator, indicator

BACKGROUND = "mdie_background"


def declarations(task: ExampleTask, target: Indicator, module: str = BACKGROUND) -> list[Term]:
    """The task for one predicate to learn, as prolog/mdie/task.pl reads it."""
    bias = task.bias
    told: list[Term] = [Compound("background", (module,))]
    told += [Compound("head", (_template(mode),)) for mode in bias.head if mode.indicator == target]
    told += [_body(mode) for mode in bias.body if bias.recursion or mode.indicator != target]
    if bias.recursion and not any(mode.indicator == target for mode in bias.body):
        told += [Compound("body", (_template(mode),)) for mode in bias.head if mode.indicator == target]
    told += [Compound("constants", (type_, list(values))) for type_, values in sorted(bias.constants.items())]
    told += [Compound("positive", (atom,)) for atom in task.positive if indicator(atom) == target]
    told += [Compound("negative", (atom,)) for atom in task.negative if indicator(atom) == target]
    return told


def _template(mode: Mode) -> Term:
    places = tuple(Compound(place.fill, (place.type,)) for place in mode.places)
    return Compound(mode.name, places) if places else mode.name


def _body(mode: Mode) -> Term:
    options: list[Term] = [] if mode.recall is None else [Compound("recall", (mode.recall,))]
    options += [Compound("negated", ("true",))] if mode.negated else []
    return Compound("body", (_template(mode), options))


def limits(bias: Bias) -> dict[str, Term]:
    """The sizes of the bias as settings of the Prolog learner."""
    return {"max_body": bias.max_body, "max_vars": bias.max_vars, "depth": bias.depth}


@contextmanager
def events(pl: Prolog, task: Sequence[Term], options: Mapping[str, Term]) -> Iterator[Iterator[Compound]]:
    """Start learning; the events come as they are asked for, and none is worked for after the end of the block."""
    pl.load(prolog("mdie", "session.pl"))
    given: dict[str, Term] = {
        "Task": list(task),
        "Options": [Compound(name, (value,)) for name, value in options.items()],
    }
    opened = pl.once("open_session(Task, Options, Session)", given=given, module="mdie_session")
    assert opened is not None
    session = opened["Session"]
    try:
        yield _stream(pl, session)
    finally:
        pl.ask("close_session(Session)", given={"Session": session}, module="mdie_session")


def _stream(pl: Prolog, session: Term) -> Iterator[Compound]:
    while True:
        answer = pl.once("session_events(Session, 1, Events)", given={"Session": session}, module="mdie_session")
        told = cast(list[Compound], answer["Events"]) if answer else []
        if not told:
            return
        yield from told


def clause(term: Term) -> Clause:
    """A clause of an event, with variables named A, B, ... in their order."""
    names: dict[int, Var] = {}
    if isinstance(term, Compound) and term.functor == ":-":
        head, body = term.args
        return Clause(_named(head, names), tuple(_named(literal, names) for literal in _conjuncts(body)))
    return Clause(_named(term, names))


def _conjuncts(body: Term) -> Iterator[Term]:
    while isinstance(body, Compound) and body.functor == ",":
        yield body.args[0]
        body = body.args[1]
    yield body


def _named(term: Term, names: dict[int, Var]) -> Term:
    if isinstance(term, list):
        return [_named(part, names) for part in term]
    if not isinstance(term, Compound):
        return term
    if term.functor == "$VAR":
        return names.setdefault(cast(int, term.args[0]), Var(variable_name(len(names))))
    return Compound(term.functor, tuple(_named(part, names) for part in term.args))
