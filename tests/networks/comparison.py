"""A learned table beside the true one, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hornbeam.logic.terms import Clause, Compound, to_text
from hornbeam.networks.table import Table
from hornbeam.theory import Theory

Cell = tuple[str, str]
Members = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that differs, with what is true of it and what was learned."""

    cell: Cell
    true: Members
    learned: Members

    @property
    def lines(self) -> Iterable[str]:
        yield from (_line("-", "compose", *self.cell, name) for name in self.true if name not in self.learned)
        yield from (_line("+", "compose", *self.cell, name) for name in self.learned if name not in self.true)


@dataclass(frozen=True)
class TableComparison:
    """`missing`: nothing was learned of a true cell; `extra`: the truth says nothing of it; `wrong`: both differ."""

    right: int
    missing: tuple[Difference, ...]
    extra: tuple[Difference, ...]
    wrong: tuple[Difference, ...]
    laws_missing: tuple[str, ...]  # facts of identity and converse
    laws_extra: tuple[str, ...]

    @property
    def cells(self) -> int:
        """The cells of the truth."""
        return self.right + len(self.missing) + len(self.wrong)

    @property
    def same(self) -> bool:
        return self.right == self.cells and not (self.extra or self.laws_missing or self.laws_extra)

    def __str__(self) -> str:
        lines = [
            f"of {self.cells} cells {self.right} are right, {len(self.missing)} missing, {len(self.wrong)} wrong; "
            f"{len(self.extra)} more that are not in the truth"
        ]
        for difference in (*self.wrong, *self.missing, *self.extra):
            lines += difference.lines
        lines += [f"- {fact}" for fact in self.laws_missing] + [f"+ {fact}" for fact in self.laws_extra]
        return "\n".join(lines)


def compare_tables(learned: Theory, truth: Theory) -> TableComparison:
    """Which cells and laws of the truth were learned."""
    own, true = Table.of(learned), Table.of(truth)
    names = tuple(dict.fromkeys((*true.relations, *own.relations)))
    right = 0
    found: dict[str, list[Difference]] = {"missing": [], "extra": [], "wrong": []}
    for cell in ((first, second) for first in names for second in names):
        is_true, is_learned = _members(true, cell), _members(own, cell)
        if set(is_true) == set(is_learned):
            right += bool(is_true)
        else:
            kind = "missing" if not is_learned else "wrong" if is_true else "extra"
            found[kind].append(Difference(cell, is_true, is_learned))
    true_laws, own_laws = _laws(true), _laws(own)
    return TableComparison(
        right=right,
        missing=tuple(found["missing"]),
        extra=tuple(found["extra"]),
        wrong=tuple(found["wrong"]),
        laws_missing=tuple(fact for fact in true_laws if fact not in own_laws),
        laws_extra=tuple(fact for fact in own_laws if fact not in true_laws),
    )


def _members(table: Table, cell: Cell) -> Members:
    if not all(name in table.place for name in cell):
        return ()
    return table.names(table.cells[table.place[cell[0]]][table.place[cell[1]]])


def _laws(table: Table) -> list[str]:
    heads = (clause for clause in table.theory() if isinstance(clause.head, Compound))
    return sorted(to_text(clause) for clause in heads if clause.head.functor in ("identity", "converse"))  # type: ignore[union-attr]


def _line(sign: str, name: str, *parts: str) -> str:
    return f"{sign} {to_text(Clause(Compound(name, parts)))}"
