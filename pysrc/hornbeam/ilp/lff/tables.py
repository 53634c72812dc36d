"""Background predicates as tables, where they have finitely many answers that can be had at once.

Terms are interned as small integers; what the tables say of one another (see `implied`) is found by set operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hornbeam.ilp.lff.vocabulary import Symbol
from hornbeam.logic import Limits, Prolog, Term
from hornbeam.logic.terms import Compound
from hornbeam.theory.theory import Indicator

Row = tuple[int, ...]


@dataclass
class Tables:
    """The tables of the predicates that have one, and the terms that the numbers in them stand for."""

    rows: dict[Indicator, list[Row]] = field(default_factory=dict)
    numbers: dict[object, int] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)

    def number(self, term: Term) -> int:
        """The number of a term; a new one for a term that is not known yet."""
        key = _key(term)
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = len(self.terms)
            self.terms.append(term)
        return found

    def values(self) -> dict[tuple[Indicator, int], list[Term]]:
        """What stands at each argument of each predicate, sorted as the rows are."""
        found: dict[tuple[Indicator, int], list[Term]] = {}
        for indicator, rows in self.rows.items():
            for place in range(indicator[1]):
                kept = dict.fromkeys(row[place] for row in rows)
                found[(indicator, place)] = [self.terms[number] for number in kept]
        return found

    def of(self, symbol: Symbol) -> frozenset[Row] | None:
        """The values for the variables of a symbol, or None where they are not known."""
        rows = self.rows.get(symbol.indicator)
        if rows is None or symbol.negated or symbol.recursive:
            return None
        fixed = [
            (place, self.number(constant)) for place, constant in enumerate(symbol.constants) if constant is not None
        ]
        places = symbol.places
        return frozenset(
            tuple(row[place] for place in places) for row in rows if all(row[place] == value for place, value in fixed)
        )


def _key(term: Term) -> object:
    if isinstance(term, Compound):
        return (term.functor, *map(_key, term.args))
    if isinstance(term, list):
        return ("[]", *map(_key, term))
    return (type(term).__name__, term)


def tabulate(
    pl: Prolog, program: str, predicates: Iterable[Indicator], *, inferences: int = 1_000_000, most: int = 100_000
) -> Tables:
    """The tables of those predicates that can be called with nothing bound."""
    tables = Tables()
    wanted = list(dict.fromkeys(predicates))
    asked = [(program, name, arity, inferences, most) for name, arity in wanted]
    replies: list[Sequence[Sequence[Term]] | str] = pl.once_many(
        "hornbeam_lff_cover:rows(M, N, A, I, L, R)",
        over=("M", "N", "A", "I", "L"),
        get="R",
        rows=asked,
        limits=Limits(),
    )
    for indicator, rows in zip(wanted, replies, strict=True):
        if isinstance(rows, list):
            tables.rows[indicator] = [tuple(map(tables.number, row)) for row in rows]
    return tables


def fanouts(symbols: Sequence[Symbol], tables: Tables) -> dict[tuple[int, tuple[int, ...]], float]:
    """How many answers a symbol has on average when some of its places are bound."""
    weights: dict[tuple[int, tuple[int, ...]], float] = {}
    for index, symbol in enumerate(symbols):
        rows = tables.of(symbol)
        if rows is None:
            continue
        for choice in range(2**symbol.arity):
            places = tuple(place for place in range(symbol.arity) if choice >> place & 1)
            keys = {tuple(row[place] for place in places) for row in rows}
            weights[(index, places)] = len(rows) / max(1, len(keys))
    return weights
