"""A composition table: what two relations in a row say of the ends, with the laws that go with it.

Sets of relations are bit masks; bit i is the relation of place i in `relations`. As a theory the table is a list of
facts, which swipl reads with prolog/networks/reasoning.pl:

    reading(sets).              % compose/3 lists the alternatives of a pair; or function: it derives one relation
    answers(one).               % what answers there are: one relation, several, none
    relation('PO').             % all relations, the most frequent answer first: it decides where several are left
    identity('EQ').
    converse('TPP','TPPI').
    compose('TPP','EC','DC').   % x TPP y and y EC z: x DC z is possible (sets), or follows (function)
    hint(leaves_first,'EC','DC',120).  % where nothing follows: see hornbeam.networks.hinting

>>> table = Table(("p", "g"), ((2, 0), (0, 0)))
>>> print(table.theory(), end="")
reading(function).
answers(one).
relation(p).
relation(g).
compose(p,p,g).
>>> Table.of(table.theory()) == table
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal, cast

from hornbeam.bitsets import bits
from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause, Compound, Term, to_text
from hornbeam.theory import Theory

Reading = Literal["function", "sets"]
READINGS = ("function", "sets")
# Where an edge lies that is a hint: it leaves or enters the first or the second node of the query.
ENDS = ("leaves_first", "enters_first", "leaves_second", "enters_second")
Hint = tuple[str, str, str, int]  # the end, the relation there, the relation that it speaks for, in hundredths
ANSWER_KINDS = ("one", "several", "none")
# A mask is an unsigned number of 64 bits where many are worked on at once.
MOST_RELATIONS = 63


@dataclass(frozen=True)
class Table:
    """`cells[r][s]` is what `r` and then `s` compose to; 0 if nothing is known of the pair."""

    relations: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    converses: tuple[int, ...] = ()  # by relation; 0 if it is not known
    identity: int = 0
    reading: Reading = "function"
    answers: frozenset[str] = frozenset({"one"})
    hints: tuple[Hint, ...] = ()
    _compositions: dict[int, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _converses: dict[int, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not self.converses:
            object.__setattr__(self, "converses", (0,) * len(self.relations))
        if len(self.relations) > MOST_RELATIONS:
            raise UsageError(f"there are {len(self.relations)} relations; at most {MOST_RELATIONS} can be composed")

    @cached_property
    def place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.relations)}

    @property
    def size(self) -> int:
        return len(self.relations)

    @cached_property
    def universal(self) -> int:
        """The mask of all relations: nothing is known."""
        return (1 << len(self.relations)) - 1

    @property
    def unknown(self) -> int:
        """What a cell or a converse that the table does not state stands for: any relation (sets), or none."""
        return self.universal if self.reading == "sets" else 0

    @cached_property
    def backwards(self) -> bool:
        """Whether edges are read both ways: a converse that is not unique derives nothing for a function."""
        return self.reading == "sets" or all(mask.bit_count() == 1 for mask in self.converses)

    @cached_property
    def lawful(self) -> bool:
        """Whether the converse of a composition is the composition of the converses, in turned order, as it should be.

        Then what holds from u to v says what holds from v to u, and only one of the two has to be composed.
        """
        every = [1 << place for place in range(self.size)]
        return all(self.converse(self.converse(one)) == one for one in every) and all(
            self.converse(self.compose(one, other)) == self.compose(self.converse(other), self.converse(one))
            for one in every
            for other in every
        )

    def compose(self, first: int, second: int) -> int:
        """The mask of all that can hold from x to z, given x `first` y and y `second` z.

        >>> Table(("p", "g"), ((2, 0), (0, 0))).compose(1, 3)
        2
        """
        key = first << len(self.relations) | second
        composed = self._compositions.get(key)
        if composed is None:
            composed = 0
            for row in bits(first):
                for column in bits(second):
                    composed |= self.cells[row][column] or self.unknown
            self._compositions[key] = composed
        return composed

    def converse(self, mask: int) -> int:
        """The mask of all that can hold from y to x, given x `mask` y."""
        turned = self._converses.get(mask)
        if turned is None:
            turned = 0
            for place in bits(mask):
                turned |= self.converses[place] or self.unknown
            self._converses[mask] = turned
        return turned

    def __getstate__(self) -> dict[str, object]:
        """Without what is remembered, which another process can work out."""
        return {**self.__dict__, "_compositions": {}, "_converses": {}}

    def mask(self, names: Sequence[str]) -> int:
        """The mask of some relations; UsageError if one is unknown."""
        mask = 0
        for name in names:
            if name not in self.place:
                raise UsageError(f"the theory knows no relation '{name}'; it has {', '.join(self.relations)}")
            mask |= 1 << self.place[name]
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.relations[place] for place in bits(mask))

    def in_order(self, relations: tuple[str, ...]) -> Table:
        """The same table with its relations in another order.

        >>> Table(("p", "g"), ((2, 0), (0, 0))).in_order(("g", "p")).cells
        ((0, 0), (0, 1))
        """
        if relations == self.relations:
            return self
        bit = [1 << relations.index(name) for name in self.relations]
        turned: dict[int, int] = {}

        def turn(mask: int) -> int:
            if mask not in turned:
                turned[mask] = sum(bit[place] for place in bits(mask))
            return turned[mask]

        old = [self.place[name] for name in relations]
        cells = tuple([tuple([turn(self.cells[row][column]) for column in old]) for row in old])
        converses = tuple([turn(self.converses[place]) for place in old])
        return Table(relations, cells, converses, turn(self.identity), self.reading, self.answers, self.hints)

    def same(self, other: Table) -> bool:
        """Whether both say the same of the same relations, in any order; the other may be of another class.

        >>> Table(("p", "g"), ((2, 0), (0, 0))).same(Table(("g", "p"), ((0, 0), (0, 1))))
        True
        """
        if len(self.relations) != len(other.relations) or set(self.relations) != set(other.relations):
            return False
        own = self.in_order(other.relations)
        parts = ("cells", "converses", "identity", "reading", "answers", "hints")
        return all(getattr(own, part) == getattr(other, part) for part in parts)

    # Theories -------------------------------------------------------------------------------------------------------

    def theory(self, name: str | None = None) -> Theory:
        """The table as facts."""
        return Theory.of((Clause(fact) for fact in self._facts()), name=name)

    def _facts(self) -> Iterator[Term]:
        yield Compound("reading", (self.reading,))
        for kind in ANSWER_KINDS:
            if kind in self.answers:
                yield Compound("answers", (kind,))
        names = self.relations
        yield from (Compound("relation", (name,)) for name in names)
        yield from (Compound("identity", (name,)) for name in self.names(self.identity))
        for first, mask in zip(names, self.converses, strict=True):
            yield from (Compound("converse", (first, other)) for other in self.names(mask))
        for first, row in zip(names, self.cells, strict=True):
            for second, mask in zip(names, row, strict=True):
                yield from (Compound("compose", (first, second, whole)) for whole in self.names(mask))
        yield from (Compound("hint", hint) for hint in self.hints)

    @classmethod
    def of(cls, theory: Theory) -> Table:
        """The table that a theory states. Clauses of other predicates are not looked at."""
        heads = ((clause, clause.head) for clause in theory.clauses)
        return cls.of_facts(
            (head.functor, _row(clause))
            for clause, head in heads
            if isinstance(head, Compound) and (head.functor, len(head.args)) in _ARITIES
        )

    @classmethod
    def of_facts(cls, stated: Iterable[tuple[str, tuple[str | int, ...]]]) -> Table:
        """The table that facts state, each as the name of a predicate of tables and its arguments.

        Raises:
            UsageError: if a reading or a kind of answers is unknown, or if there are too many relations.

        >>> Table.of_facts([("compose", ("p", "p", "g"))]).relations
        ('p', 'g')
        """
        facts: dict[str, list[tuple[str, ...]]] = {}
        hints: list[Hint] = []
        for name, row in stated:
            if name == "hint":
                hints.append(_hint(row))
            else:
                facts.setdefault(name, []).append(cast("tuple[str, ...]", row))
        for name, known in _VALUES.items():
            for row in facts.get(name, ()):
                if row[0] not in known:
                    fact = to_text(Clause(Compound(name, row)))
                    raise UsageError(f"{fact}: expected {' or '.join(known)}")
        names = _relations(facts, hints)
        place = {name: number for number, name in enumerate(names)}
        cells = [[0] * len(names) for _ in names]
        converse = [0] * len(names)
        for first, second, whole in facts.get("compose", ()):
            cells[place[first]][place[second]] |= 1 << place[whole]
        for first, second in facts.get("converse", ()):
            converse[place[first]] |= 1 << place[second]
        identity = sum(1 << place[name] for (name,) in dict.fromkeys(facts.get("identity", ())))
        rows = tuple(map(tuple, cells))
        kinds = frozenset(kind for (kind,) in facts.get("answers", [("one",)]))
        return cls(names, rows, tuple(converse), identity, _reading(facts, rows), kinds, tuple(hints))


_ARITIES = {
    ("reading", 1),
    ("answers", 1),
    ("relation", 1),
    ("identity", 1),
    ("converse", 2),
    ("compose", 3),
    ("hint", 4),
}
_VALUES = {"reading": READINGS, "answers": ANSWER_KINDS}


def _row(clause: Clause) -> tuple[str | int, ...]:
    head = cast(Compound, clause.head)
    atoms = head.args[:3] if head.functor == "hint" else head.args
    if clause.body or not all(isinstance(part, str) for part in atoms):
        raise UsageError(f"a table has facts over atoms only, not: {to_text(clause)}")
    return cast("tuple[str | int, ...]", head.args)


def _hint(row: tuple[str | int, ...]) -> Hint:
    end, relation, whole, weight = row
    if end not in ENDS or isinstance(weight, bool) or not isinstance(weight, int):
        fact = to_text(Clause(Compound("hint", row)))
        raise UsageError(f"{fact}: expected hint(End, Relation, Answer, Weight), End one of {', '.join(ENDS)}")
    return str(end), str(relation), str(whole), weight


def _relations(facts: dict[str, list[tuple[str, ...]]], hints: Iterable[Hint]) -> tuple[str, ...]:
    rows = chain.from_iterable(facts.get(name, ()) for name in ("relation", "identity", "converse", "compose"))
    hinted = ((relation, whole) for _, relation, whole, _ in hints)
    return tuple(dict.fromkeys(chain.from_iterable(chain(rows, hinted))))


def _reading(facts: dict[str, list[tuple[str, ...]]], cells: tuple[tuple[int, ...], ...]) -> Reading:
    """What the theory says, else sets where a pair has alternatives."""
    said = facts.get("reading")
    if said:
        return cast(Reading, said[-1][0])
    return "sets" if any(mask & (mask - 1) for row in cells for mask in row) else "function"
