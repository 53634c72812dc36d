"""The least Herbrand model of a program: a set of facts that is decoded only where it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import clingo

from hornbeam.logic.asp.symbols import decode, decode_atom, decode_predicate, encode_atom, predicate_source
from hornbeam.logic.terms import Term


class Model:
    """Facts as clingo's own symbols, which are the same objects in every model of this process.

    Set algebra between models compares symbols and decodes nothing. Iteration is in clingo's order of derivation, which
    is the same in every run; :meth:`sorted` does not depend on the order of the facts given either.

    >>> from hornbeam.logic.asp import Facts, Program
    >>> facts = Facts.rows("p", [("a",), ("B",)])
    >>> model = Program.parse("q(X) :- p(X).").model(facts)
    >>> len(model), model.counts(), list((model - facts.model()).rows("q"))
    (4, {'p': 2, 'q': 2}, [('a',), ('B',)])
    """

    def __init__(self, symbols: Sequence[clingo.Symbol]) -> None:
        self.symbols = symbols

    @cached_property
    def _set(self) -> frozenset[clingo.Symbol]:
        return frozenset(self.symbols)

    @cached_property
    def _groups(self) -> dict[str, list[clingo.Symbol]]:
        groups: dict[str, list[clingo.Symbol]] = {}
        for symbol in self.symbols:
            groups.setdefault(symbol.name, []).append(symbol)
        return groups

    def __repr__(self) -> str:
        return f"<Model of {len(self)} facts>"

    def __len__(self) -> int:
        return len(self.symbols)

    def __contains__(self, fact: Term) -> bool:
        return encode_atom(fact) in self._set

    def __iter__(self) -> Iterator[Term]:
        return map(decode_atom, self.symbols)

    def sorted(self) -> list[Term]:
        """All facts, decoded, in clingo's order of symbols."""
        return [decode_atom(symbol) for symbol in sorted(self.symbols)]

    def counts(self) -> dict[str, int]:
        """How many facts each predicate has."""
        return {decode_predicate(name): len(group) for name, group in sorted(self._groups.items())}

    def of(self, predicate: str) -> Iterator[Term]:
        """The facts of one predicate."""
        return map(decode_atom, self._groups.get(predicate_source(predicate), ()))

    def rows(self, predicate: str) -> Iterator[tuple[Term, ...]]:
        """The arguments of the facts of one predicate; each constant is decoded once."""
        known: dict[clingo.Symbol, Term] = {}
        for symbol in self._groups.get(predicate_source(predicate), ()):
            arguments = symbol.arguments
            for argument in arguments:
                if argument not in known:
                    known[argument] = decode(argument)
            yield tuple(known[argument] for argument in arguments)

    def only(self, predicates: Iterable[str]) -> Model:
        """The facts of these predicates."""
        names = [predicate_source(predicate) for predicate in dict.fromkeys(predicates)]
        return Model([symbol for name in names for symbol in self._groups.get(name, ())])

    # Set algebra: what is left keeps its order.

    def __sub__(self, other: Model) -> Model:
        theirs = other._set
        return Model([symbol for symbol in self.symbols if symbol not in theirs])

    def __and__(self, other: Model) -> Model:
        theirs = other._set
        return Model([symbol for symbol in self.symbols if symbol in theirs])

    def __or__(self, other: Model) -> Model:
        mine = self._set
        return Model([*self.symbols, *(symbol for symbol in other.symbols if symbol not in mine)])

    def __le__(self, other: Model) -> bool:
        return self._set <= other._set

    def __eq__(self, other: object) -> bool:
        return self._set == other._set if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._set)
