"""One run of clingo's grounder on a checked program: statements and fact text in, the least model out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import clingo
from clingo.ast import AST, ProgramBuilder

from hornbeam.logic.asp.arithmetic import Functions
from hornbeam.logic.asp.datalog import clash
from hornbeam.logic.asp.messages import Messages, Origin, ProgramError
from hornbeam.logic.asp.model import Model

# One thread, so that the same program gives the same answers in the same order.
OPTIONS = ("--warn=all", "--parallel-mode=1")
_BASE: list[tuple[str, list[clingo.Symbol]]] = [("base", [])]
# A part that no program has: clingo rewrites and checks all rules, and grounds none.
_NO_PART: list[tuple[str, list[clingo.Symbol]]] = [("hornbeam_check", [])]


def control(statements: Iterable[AST], messages: Messages) -> clingo.Control:
    """A fresh clingo with these statements, already parsed."""
    made = clingo.Control(list(OPTIONS), logger=messages, message_limit=100)
    with ProgramBuilder(made) as builder:
        for statement in statements:
            builder.add(statement)
    return made


def check_rules(statements: Iterable[AST], origin: Origin | None) -> None:
    """Let clingo check the rules for safety before there are facts."""
    messages = Messages(origin)
    with messages.checked():
        control(statements, messages).ground(_NO_PART)


def ground_model(
    statements: Iterable[AST],
    facts: str,
    files: Iterable[Path] = (),
    *,
    arities: Mapping[str, int] = MappingProxyType({}),
    depth: int | None = None,
    origin: Origin | None = None,
    only: Iterable[str] | None = None,
) -> Model:
    """The least model of a stratified program and facts; `arities` are those of the program's predicates.

    With `only` the model holds the facts of these predicates: much faster where they are few of many.
    """
    messages = Messages(origin)
    with messages.checked():
        run = control(statements, messages)
        if facts.strip():
            run.add("base", [], facts)
        for file in files:
            run.load(str(file))
        run.ground(_BASE, context=Functions(depth))
    _check_arities(run, arities)
    with messages.checked(), run.solve(yield_=True) as handle:
        found = handle.model()
        if found is None:
            raise ProgramError("the program and its facts contradict each other: they have no model")
        if only is None:
            return Model(found.symbols(atoms=True))
        known = run.symbolic_atoms
        atoms = (atom.symbol for name in only for atom in known.by_signature(name, arities[name]))
        return Model([symbol for symbol in atoms if found.contains(symbol)])


def _check_arities(run: clingo.Control, arities: Mapping[str, int]) -> None:
    known = dict(arities)
    for name, arity, _ in sorted(run.symbolic_atoms.signatures):
        if known.setdefault(name, arity) != arity:
            raise ProgramError(clash(name, known[name], arity))
