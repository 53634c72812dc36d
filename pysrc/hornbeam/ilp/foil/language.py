"""What a clause may be made of: relations as tables, with the constants that modes allow filled in.

A place that a mode marks with # takes constants: the relation is then split into one table for each constant (or
combination of them) that occurs, which the search treats as a predicate of its own with fewer places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log2

import numpy as np

from hornbeam.errors import UsageError
from hornbeam.ilp.naming import variable_name
from hornbeam.ilp.relations import FactBase, Table, TableAtom, body_bits
from hornbeam.logic.terms import Clause, Term, Var, literal, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode, Place
from hornbeam.tasks.problem import ExampleTask, FactTask
from hornbeam.theory import as_facts
from hornbeam.theory.theory import Indicator, arguments, indicator


@dataclass(frozen=True, slots=True)
class TableSymbol:
    """A predicate of the search: a relation, some places of which may be filled with constants."""

    relation: Indicator
    fixed: tuple[tuple[int, Term], ...] = ()
    types: tuple[str, ...] = ()  # of the open places
    bound: tuple[int, ...] = ()  # open places that must hold a variable of the clause so far

    @property
    def open(self) -> tuple[int, ...]:
        closed = {at for at, _ in self.fixed}
        return tuple(at for at in range(self.relation[1]) if at not in closed)

    def term(self, args: Sequence[int]) -> Term:
        filled: dict[int, Term] = dict(self.fixed)
        filled.update({at: Var(variable_name(arg)) for at, arg in zip(self.open, args, strict=True)})
        return literal(self.relation[0], *(filled[at] for at in range(self.relation[1])))


@dataclass(frozen=True, slots=True)
class Target:
    """A predicate to learn: its symbol, the facts of it that are true, and those that are false, if they are given."""

    predicate: int
    positive: Table
    negative: Table | None
    types: tuple[str, ...]


@dataclass(frozen=True)
class TableLanguage:
    """The tables, in the order of the symbols, and which of them may stand in a body."""

    world: FactBase
    symbols: tuple[TableSymbol, ...]
    body: tuple[int, ...]
    targets: tuple[Target, ...]
    bias: Bias

    @property
    def recursion(self) -> bool:
        """Whether a clause may call its own predicate; where no bodies are declared, everything is allowed."""
        return self.bias.recursion or not self.bias.body

    def clause(self, head: TableAtom, body: Sequence[TableAtom]) -> Clause:
        """A rule as a clause."""
        literals = [self.symbols[atom.predicate].term(atom.args) for atom in (head, *body)]
        return Clause(literals[0], tuple(literals[1:]))

    def bits(self, body: Sequence[TableAtom], variables: int) -> float:
        """The bits that name a body: a symbol and its variables for each atom, less the order of the atoms."""
        return body_bits(body, len(self.body), variables) - sum(log2(at) for at in range(2, len(body) + 1))


def language(task: ExampleTask | FactTask) -> TableLanguage:
    """The language of a task; UsageError for background that is more than facts, and heads that are no relations."""
    if isinstance(task, FactTask):
        return _of_facts(task)
    if not task.facts:
        raise UsageError(f"foil learns from tables of facts; the background of {task.name} is a program")
    return _of_examples(task)


def _of_facts(task: FactTask) -> TableLanguage:
    world = FactBase.of(task.facts)
    bias = task.bias
    heads = bias.targets or world.predicates
    modes = [mode for mode in bias.body if mode.indicator in world.predicates]
    if not bias.body:
        modes = [Mode(name, (Place("?"),) * arity) for name, arity in world.predicates]
    symbols, tables = _symbols(world, modes, bias)
    targets = []
    for head in heads:
        if head in world.predicates:
            table = world.tables[world.predicates.index(head)]
            number = _symbol_of(symbols, tables, head, table)
            targets.append(Target(number, table, None, _types(bias, head)))
    return _language(world, symbols, tables, targets, bias)


def _of_examples(task: ExampleTask) -> TableLanguage:
    background = as_facts(task.background)
    heads = task.bias.targets
    for name, arity in heads:
        if not arity:
            raise UsageError(f"foil learns relations; {name} of {task.name} has no arguments")
    world = FactBase.of([*background, *task.positive], named=task.negative)
    modes = [mode for mode in task.bias.body if mode.indicator in world.predicates]
    numbers = {to_text(term): at for at, term in enumerate(world.constants)}
    symbols, tables = _symbols(world, modes, task.bias)
    targets = []
    for head in heads:
        positive = _rows(task.positive, head, numbers)
        negative = _rows(task.negative, head, numbers)
        number = _symbol_of(symbols, tables, head, positive)
        targets.append(Target(number, positive, negative if len(negative) else None, _types(task.bias, head)))
    return _language(world, symbols, tables, targets, task.bias)


def _language(
    world: FactBase, symbols: list[TableSymbol], tables: list[Table], targets: list[Target], bias: Bias
) -> TableLanguage:
    heads = {target.predicate for target in targets}
    called = {mode.indicator for mode in bias.body}
    body = tuple(
        at
        for at, symbol in enumerate(symbols)
        if at not in heads or symbol.relation in called or bias.recursion or not called
    )
    names = tuple((f"{at}", len(symbol.open)) for at, symbol in enumerate(symbols))
    return TableLanguage(FactBase(names, world.constants, tuple(tables)), tuple(symbols), body, tuple(targets), bias)


def _rows(facts: Sequence[Term], head: Indicator, numbers: dict[str, int]) -> Table:
    rows = [[numbers[to_text(arg)] for arg in arguments(fact)] for fact in facts if indicator(fact) == head]
    return np.unique(np.array(rows, dtype=np.int64).reshape(-1, head[1]), axis=0)


def _types(bias: Bias, head: Indicator) -> tuple[str, ...]:
    for mode in bias.head:
        if mode.indicator == head:
            return tuple(place.type for place in mode.places)
    return (ANY_TYPE,) * head[1]


# Constants --------------------------------------------------------------------------------------------------------


def _symbols(world: FactBase, modes: Sequence[Mode], bias: Bias) -> tuple[list[TableSymbol], list[Table]]:
    symbols: dict[TableSymbol, Table] = {}
    for mode in modes:
        table = world.tables[world.predicates.index(mode.indicator)]
        for symbol, rows in _split(world, mode, table, bias):
            if len(rows) and symbol.open:
                symbols.setdefault(symbol, rows)
    return list(symbols), list(symbols.values())


def _split(world: FactBase, mode: Mode, table: Table, bias: Bias) -> Iterator[tuple[TableSymbol, Table]]:
    """The relation of a mode for each way to fill its # places."""
    fixed = [at for at, place in enumerate(mode.places) if place.fill == "#"]
    kept = [at for at in range(len(mode.places)) if at not in fixed]
    types = tuple(mode.places[at].type for at in kept)
    bound = tuple(number for number, at in enumerate(kept) if mode.places[at].fill == "+")
    for values in product(*(_constants(world, table, at, bias.constants.get(mode.places[at].type)) for at in fixed)):
        rows = table
        for at, value in zip(fixed, values, strict=True):
            rows = rows[rows[:, at] == value]
        constants = tuple((at, world.constants[value]) for at, value in zip(fixed, values, strict=True))
        yield TableSymbol(mode.indicator, constants, types, bound), np.unique(rows[:, kept], axis=0)


def _constants(world: FactBase, table: Table, at: int, declared: Sequence[Term] | None) -> list[int]:
    """The constants for a place: those declared for its type, else those that occur there."""
    occurring: list[int] = np.unique(table[:, at]).tolist()
    allowed = None if declared is None else {to_text(term) for term in declared}
    return [value for value in occurring if allowed is None or to_text(world.constants[value]) in allowed]


def _symbol_of(symbols: list[TableSymbol], tables: list[Table], head: Indicator, table: Table) -> int:
    """The number of the target's symbol, which is added where no mode of a body has made it."""
    for at, symbol in enumerate(symbols):
        if symbol.relation == head and not symbol.fixed:
            return at
    symbols.append(TableSymbol(head, (), (ANY_TYPE,) * head[1]))
    tables.append(table)
    return len(symbols) - 1
