"""Where a learned table differs from the true one in what it answers; names and order of facts do not matter.

What cannot change an answer is left out: identity/1, which no answer depends on; converses of a function where one has
several, because then edges are read forwards only; the kind of answer `one`, which every theory can give.

>>> from hornbeam.theory import Theory
>>> true = Table.of(Theory.parse("relation(p). relation(g). compose(p,p,g)."))
>>> differing(Table.of(Theory.parse("compose(p,p,p). relation(g).")), true).cells
(('p', 'p'),)
>>> bool(differing(Table.of(Theory.parse("compose(p,p,g).")), true))
False
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain as concat
from itertools import combinations, product
from random import Random

from hornbeam.bitsets import bits
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.table import Table

Cell = tuple[str, str]

_KINDS = frozenset({"several", "none"})


@dataclass(frozen=True, slots=True)
class Differing:
    """Cells, and relations with another converse; `unknown` relations of the truth, and `others` that concern all."""

    cells: tuple[Cell, ...]
    converses: tuple[str, ...]
    unknown: tuple[str, ...]
    others: tuple[str, ...]  # reading, answers

    def __bool__(self) -> bool:
        return bool(self.cells or self.converses or self.unknown or self.others)


def differing(own: Table, true: Table, harmless: Callable[[Cell, frozenset[str]], bool] | None = None) -> Differing:
    """What may make other answers.

    Args:
        own: The learned table.
        true: The true one.
        harmless: Whether a cell that the truth does not have may have these relations: no network can ask for it.
    """
    names = tuple(dict.fromkeys((*true.relations, *own.relations)))
    cells = []
    for cell in _unlike(own, true) if len(names) == len(own.relations) == true.size else product(names, names):
        is_true, is_own = members(true, cell), members(own, cell)
        allowed = harmless is not None and not is_true and harmless(cell, is_own)
        if is_true != is_own and not allowed:
            cells.append(cell)
    others = ["reading"] * (own.reading != true.reading) + ["answers"] * (not _KINDS & true.answers <= own.answers)
    own_laws, true_laws = _converses(own), _converses(true)
    return Differing(
        cells=tuple(cells),
        converses=tuple(name for name in names if own_laws.get(name) != true_laws.get(name)),
        unknown=tuple(name for name in true.relations if name not in own.place),
        others=tuple(others),
    )


def _unlike(own: Table, true: Table) -> Iterator[Cell]:
    """The cells that are not the same in two tables of the same relations."""
    names = true.relations
    for first, row, other in zip(names, own.in_order(names).cells, true.cells, strict=True):
        if row != other:
            yield from ((first, second) for second, one, two in zip(names, row, other, strict=True) if one != two)


def members(table: Table, cell: Cell) -> frozenset[str]:
    """What a pair composes to; nothing where a relation is unknown."""
    if not all(name in table.place for name in cell):
        return frozenset()
    return frozenset(table.names(table.cells[table.place[cell[0]]][table.place[cell[1]]]))


def _converses(table: Table) -> dict[str, frozenset[str]]:
    """Those that answers depend on."""
    if not table.backwards:
        return {}
    known = zip(table.relations, table.converses, strict=True)
    return {name: frozenset(table.names(mask)) for name, mask in known if mask}


def mended(table: Table, cell: Cell, right: frozenset[str]) -> Table | None:
    """The table with one cell corrected; None if it does not know a relation."""
    if not {*cell, *right} <= set(table.place):
        return None
    row, column = (table.place[name] for name in cell)
    cells: list[Sequence[int]] = [*table.cells]
    cells[row] = [*cells[row][:column], table.mask(sorted(right)), *cells[row][column + 1 :]]
    return replace(table, cells=tuple(map(tuple, cells)))


# A path is a sequence of steps: the relations of an edge, and whether it points forwards.
Step = tuple[tuple[str, ...], bool]
Path = tuple[Step, ...]

_MOST = 6000  # networks of a round


def bundle(paths: Sequence[Path], name: str = "") -> Network:
    """Paths from node 0 to the last node, with nothing else in common.

    >>> bundle([((("p",), True), (("q",), False))]).edges
    (Edge(source=0, relations=('p',), target=1), Edge(source=2, relations=('q',), target=1))
    """
    last = 1 + sum(len(path) - 1 for path in paths)
    edges: list[Edge] = []
    free = 1
    for path in paths:
        here = 0
        for place, (relations, forwards) in enumerate(path):
            there = last if place == len(path) - 1 else free
            free += place < len(path) - 1
            edges.append(Edge(here, relations, there) if forwards else Edge(there, relations, here))
            here = there
    return Network(name, tuple(edges), (0, last), ())


def chain(relations: Sequence[str]) -> Path:
    """A path along its edges."""
    return tuple(((relation,), True) for relation in relations)


def probes(true: Table, parts: Differing, rng: Random) -> Iterator[list[Network]]:
    """Rounds of networks in which the differing parts are used, the smallest first."""
    names = true.relations
    direct = [chain(cell) for cell in parts.cells] + list(_turned(parts.converses, names))
    direct += [chain(pair) for name in parts.unknown for pair in _around(name, names)]
    yield _some([[path] for path in direct], rng)
    longer = [path for cell in parts.cells for path in _longer(true, cell)]
    yield _some([[path] for path in longer], rng)
    beside, same = _beside(true)
    yield _some([[path, other] for path, other in product(direct, beside)], rng)
    yield _some([[path, rng.choice(beside)] for path in longer for _ in range(8)] if beside else [], rng)
    if true.reading == "sets" and beside and direct:
        yield _some([[rng.choice(direct), *rng.choices(beside, k=2)] for _ in range(_MOST)], rng)
    yield _some([[path, other] for path, other in product(direct, same)], rng)
    if true.reading == "sets":
        # An edge between the two nodes that leaves a choice: the last resort, for not every dataset has such edges.
        choices: list[Path] = [((pair, True),) for pair in combinations(names, 2)]
        yield _some([[path, choice] for path, choice in product(direct + longer, choices)], rng)


def tellers(own: Table, true: Table, parts: Differing) -> Iterator[Network]:
    """Networks of one path or two that tell a table of alternatives from the true one, if what a path leaves is what it
    composes to from its beginning: so closure must have the last word. The smallest come first.

    >>> names, law = ("a", "b"), {"reading": "sets", "converses": (1, 2)}
    >>> true, own = Table(names, ((1, 3), (2, 1)), **law), Table(names, ((2, 3), (2, 1)), **law)
    >>> [len(network.edges) for network in tellers(own, true, differing(own, true))][:2]
    [2, 4]
    """
    names = true.relations
    direct = [chain(cell) for cell in parts.cells] + list(_turned(parts.converses, names))
    direct += [chain(pair) for name in parts.unknown for pair in _around(name, names)]
    same = own.in_order(names) if set(own.relations) == set(names) else None
    beside = [
        (cell, _cell(true, cell), None if same is None else _cell(same, cell))
        for cells in _beside_cells(true)
        for cell in cells
    ]
    order = {name: place for place, name in enumerate(own.relations)}
    rank = [order.get(name, len(order)) for name in names]

    def answer(mask: int) -> int:
        return min(bits(mask), key=rank.__getitem__, default=-1)

    values: list[tuple[Path, int, int | None]] = []
    for path in concat(direct, (path for cell in parts.cells for path in _longer(true, cell))):
        left, said = _value(path, true), None if same is None else _value(path, same)
        values.append((path, left, said))
        if left and not left & (left - 1) and (said is None or 1 << answer(said) != left):
            yield bundle([path])
        yield from (bundle([path, chain(cell)]) for cell in _telling(left, said, beside, answer))
    # An edge that leaves a choice is the last resort, for not every dataset has such edges.
    choices = [(pair, true.mask(pair), true.mask(pair)) for pair in combinations(names, 2)]
    for path, left, said in values:
        yield from (bundle([path, ((pair, True),)]) for pair in _telling(left, said, choices, answer))


def _telling(
    left: int, said: int | None, beside: Sequence[tuple[Cell, int, int | None]], answer: Callable[[int], int]
) -> Iterator[Cell]:
    """What, beside a path that leaves `left`, decides for one relation by the truth, and for another by a table."""
    for cell, right, theirs in beside:
        both = left & right
        if both and not both & (both - 1):
            learned = None if said is None or theirs is None else said & theirs or said | theirs
            if learned is None or 1 << answer(learned) != both:
                yield cell


def _value(path: Path, table: Table) -> int:
    """What a path composes to from its beginning."""
    steps = [(table.mask(relations), forwards) for relations, forwards in path]
    return reduce(table.compose, [mask if forwards else table.converse(mask) for mask, forwards in steps])


def _cell(table: Table, cell: Cell) -> int:
    return table.cells[table.place[cell[0]]][table.place[cell[1]]] or table.unknown


def everything(true: Table, rng: Random, most: int) -> list[Network]:
    """Networks of two edges for all cells of the truth, and of two such paths: for theories that are not tables."""
    cells, _ = _beside(true)
    single = [[path] for path in cells]
    double = [[rng.choice(cells), rng.choice(cells)] for _ in range(most)] if true.reading == "sets" and cells else []
    return [bundle(paths) for paths in single + double]


def near_misses(networks: Sequence[Network], names: Sequence[str], rng: Random, most: int) -> list[Network]:
    """Networks with one edge of another relation."""
    missed = []
    for network in rng.sample([*networks], min(most, len(networks))):
        place = rng.randrange(len(network.edges)) if network.edges else None
        if place is None:
            continue
        edge = network.edges[place]
        others = [name for name in names if (name,) != edge.relations]
        if others:
            changed = Edge(edge.source, (rng.choice(others),), edge.target)
            edges = (*network.edges[:place], changed, *network.edges[place + 1 :])
            missed.append(Network(network.name, edges, network.query, (), network.group))
    return missed


def _beside(true: Table) -> tuple[list[Path], list[Path]]:
    """Paths of two edges that say something, and apart those with an edge that says that two nodes are the same."""
    plain, same = _beside_cells(true)
    return [*map(chain, plain)], [*map(chain, same)]


def _beside_cells(true: Table) -> tuple[list[Cell], list[Cell]]:
    cells = [pair for pair in product(true.relations, true.relations) if _composes(true, pair)]
    same = set(true.names(true.identity))
    return [pair for pair in cells if not same & {*pair}], [pair for pair in cells if same & {*pair}]


def _composes(table: Table, cell: Sequence[str]) -> bool:
    mask = table.cells[table.place[cell[0]]][table.place[cell[1]]]
    return bool(mask) and mask != table.universal


def _around(name: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for other in names:
        yield (name, other)
        yield (other, name)


def _turned(converses: Sequence[str], names: Sequence[str]) -> Iterator[Path]:
    """Paths with an edge that is read backwards."""
    for name, other in product(converses, names):
        yield (((name,), False), ((other,), True))
        yield (((other,), True), ((name,), False))


def _longer(true: Table, cell: Cell) -> Iterator[Path]:
    """Paths of three edges in which the cell is used: with a third edge, or for what two edges compose to."""
    first, second = cell
    if first not in true.place or second not in true.place:
        return
    for other in true.relations:
        yield chain((first, second, other))
        yield chain((other, first, second))
    for one, other in product(true.relations, repeat=2):
        mask = true.cells[true.place[one]][true.place[other]]
        if mask >> true.place[first] & 1:
            yield chain((one, other, second))
        if mask >> true.place[second] & 1:
            yield chain((first, one, other))


def _some(choices: Sequence[Sequence[Path]], rng: Random) -> list[Network]:
    chosen = [*choices] if len(choices) <= _MOST else rng.sample([*choices], _MOST)
    return [bundle(paths) for paths in chosen]
