"""Why a table of compositions answers a network wrongly: the cell to blame, where a path breaks, and the derivation.

>>> from hornbeam.theory import Theory
>>> from hornbeam.networks.network import Edge
>>> true = Table.of(Theory.parse("compose(p,p,g). compose(g,p,h)."))
>>> own = Table.of(Theory.parse("compose(p,p,h). compose(g,p,h)."))
>>> network = Network("n", (Edge(0, ("p",), 1), Edge(1, ("p",), 2)), (0, 2), ("g",))
>>> blamed_cells(own, [network], repairs(own, true))
[('p', 'p')]
>>> cell_text(("p", "p"), members(own, ("p", "p")), members(true, ("p", "p")), own.reading)
'compose(p,p,h). instead of compose(p,p,g).'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbeam import resources
from hornbeam.errors import HornbeamError
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Clause, Compound, Term, to_text
from hornbeam.networks.differing import Cell, Path, bundle, differing, members, mended
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import Answer, reason
from hornbeam.networks.table import Table

Repair = tuple[Cell, frozenset[str]]

_INFERENCES = 1_000_000  # for one derivation
_LIMITS = Limits(seconds=20.0)
_NOTHING = "first of all"


@dataclass(frozen=True, slots=True)
class Break:
    """The first step along a path at which nothing is known any more.

    `cell` is the pair that does not compose; None if an edge itself says nothing or no path leads to the target.
    """

    cell: Cell | None
    text: str


def known_answers(table: Table, networks: Sequence[Network]) -> list[Answer | None]:
    """What a table answers; None if a network has a relation that it does not know."""
    known = [all(name in table.place for edge in one.edges for name in edge.relations) for one in networks]
    answers = iter(reason(table, [one for one, fits in zip(networks, known, strict=True) if fits]))
    return [next(answers) if fits else None for fits in known]


# Cells ----------------------------------------------------------------------------------------------------------------


def repairs(own: Table, true: Table, harmless: Callable[[Cell, frozenset[str]], bool] | None = None) -> list[Repair]:
    """The cells in which a table differs from the true one, each with what it should hold."""
    return [(cell, members(true, cell)) for cell in differing(own, true, harmless).cells]


def removals(own: Table) -> list[Repair]:
    """Every cell that a table has, to be emptied: what to try where the truth is not known."""
    pairs = ((first, second) for first in own.relations for second in own.relations)
    return [(cell, frozenset()) for cell in pairs if members(own, cell)]


def blamed_cells(
    own: Table, networks: Sequence[Network], changes: Sequence[Repair], *, partly: bool = False
) -> list[Cell | None]:
    """Of each network the first change of one cell that gives its right answer.

    Args:
        own: The table that answers the networks wrongly.
        networks: The networks, with their right answers.
        changes: The cells to change; see :func:`repairs` and :func:`removals`.
        partly: Where no change gives the right answer, name the first that gives another answer: the cell is in use.
    """
    before = known_answers(own, networks)
    right: dict[int, Cell] = {}
    used: dict[int, Cell] = {}
    for cell, relations in changes:
        waiting = [number for number, answer in enumerate(before) if answer is not None and number not in right]
        changed = mended(own, cell, relations) if waiting else None
        if changed is None:
            continue
        for number, answer in zip(waiting, reason(changed, [networks[number] for number in waiting]), strict=True):
            if set(answer.relations) == set(networks[number].answer):
                right[number] = cell
            elif answer != before[number]:
                used.setdefault(number, cell)
    return [right.get(number, used.get(number) if partly else None) for number in range(len(networks))]


def cell_text(cell: Cell, learned: frozenset[str], true: frozenset[str], reading: str) -> str:
    """What is wrong with a cell, as facts."""
    wrong = [fact_text("compose", *cell, name) for name in sorted(learned - true)]
    missing = [fact_text("compose", *cell, name) for name in sorted(true - learned)]
    if wrong and missing and reading == "function":
        return f"{' '.join(wrong)} instead of {' '.join(missing)}"
    parts = [f"{' '.join(wrong)} is wrong"] * bool(wrong) + [f"{' '.join(missing)} is missing"] * bool(missing)
    return "; ".join(parts)


def fact_text(name: str, *parts: str) -> str:
    """A fact of a table as Prolog text."""
    return to_text(Clause(Compound(name, parts)))


# Paths ----------------------------------------------------------------------------------------------------------------


def breaks(table: Table, networks: Sequence[Network]) -> list[Break]:
    """Where the shortest path of each network breaks off, for networks from which nothing follows.

    The reasoner is asked about every prefix of the path, those of all networks in one call.
    """
    paths = [_shortest_path(network, table.backwards) for network in networks]
    prefixes = [path[:size] for path in paths for size in range(1, len(path) + 1)]
    plain = replace(table, hints=())
    answers = iter(reason(plain, [bundle([prefix]) for prefix in prefixes]))
    return [_break(network, path, [next(answers) for _ in path]) for network, path in zip(networks, paths, strict=True)]


def _break(network: Network, path: Path, answers: Sequence[Answer]) -> Break:
    if not path:
        return Break(None, f"no path leads from {network.query[0]} to {network.query[1]}")
    for place, answer in enumerate(answers):
        if answer.by == _NOTHING and place == 0:
            return Break(None, f"nothing is known of the edge {_step_text(path, 0)}")
        if answer.by == _NOTHING:
            known, (relations, forwards) = answers[place - 1].relations, path[place]
            cell = (known[0], relations[0]) if len(known) == len(relations) == 1 and forwards else None
            return Break(cell, f"{'|'.join(known)} then {_step_text(path, place)} does not compose")
    return Break(None, "no single path breaks")


def _step_text(path: Path, place: int) -> str:
    relations, forwards = path[place]
    return f"{'|'.join(relations)}{'' if forwards else ' read backwards'}"


def _shortest_path(network: Network, backwards: bool) -> Path:
    """The edges from the first node of the query to the second; () where there is no way."""
    steps: dict[int, list[tuple[int, tuple[tuple[str, ...], bool]]]] = {}
    for edge in network.edges:
        steps.setdefault(edge.source, []).append((edge.target, (edge.relations, True)))
        if backwards:
            steps.setdefault(edge.target, []).append((edge.source, (edge.relations, False)))
    source, sink = network.query
    paths: dict[int, Path] = {source: ()}
    waiting = deque([source])
    while waiting:
        node = waiting.popleft()
        for other, step in steps.get(node, ()):
            if other not in paths:
                paths[other] = (*paths[node], step)
                waiting.append(other)
    return paths.get(sink, ())


# Derivations ----------------------------------------------------------------------------------------------------------


def derivations(table: Table, networks: Sequence[Network]) -> list[tuple[str, ...]]:
    """How the table comes to each of its answers, one composition a line; () where that takes too long.

    The lines are those of prolog/networks/reasoning.pl, asked in one call in a contained SWI-Prolog.
    """
    if not networks:
        return []
    facts: list[Term] = [clause.head for clause in table.theory().clauses]
    given: dict[str, Term] = {"Facts": facts, "Networks": list(map(_term, networks)), "Limit": _INFERENCES}
    with Prolog.contained(foreign=False) as prolog:
        prolog.load(resources.prolog("networks", "tracing.pl"))
        try:
            answer: Any = prolog.once("network_traces(Facts, Networks, Limit, Traces)", given=given, limits=_LIMITS)
        except HornbeamError:
            answer = None
    if answer is None:
        return [()] * len(networks)
    return [() if trace == "none" else tuple(line.value for line in trace) for trace in answer["Traces"]]


def _term(network: Network) -> Compound:
    edges: list[Term] = [Compound("edge", (one.source, [*one.relations], one.target)) for one in network.edges]
    return Compound("network", (edges, Compound("-", network.query)))
