"""Pieces of a task that can be checked apart: facts that no rule can ever join with those of another piece.

Two facts can only take part in the same derivation if a chain of true facts that share constants leads from one to the
other, as long as the atoms of each rule hang together. So the connected components of the constants are independent of
each other. A generated task has at least one for each of its blocks: its check then has one block in memory at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.data.view import SampleView
from hornbeam.logic import Clause
from hornbeam.rudas.record import TaskTheory, fact_row
from hornbeam.theory.theory import arguments, atom_of, is_negative

# A piece has at least this many facts, where there are as many: a call of clingo for each small one would take longer.
ENOUGH = 20_000
_AT_ONCE = 10_000
_Numbers = npt.NDArray[np.int64]


def pieces(samples: SampleView, theory: TaskTheory, *, enough: int = ENOUGH) -> Iterator[SampleView]:
    """The samples of one world of a task in pieces; in one piece if a rule joins facts that share no constant.

    Some 50 bytes a fact are in memory. Constants are compared by a hash: two that happen to have the same one may put
    two components into one, which changes no result.
    """
    if len(samples) <= enough or not all(map(hangs_together, theory.clauses)):
        yield samples
        return
    piece = _filled(_components(samples, {predicate for _, predicate in theory.properties}), enough)
    order = np.argsort(piece, kind="stable")
    for numbers in np.split(order, np.flatnonzero(np.diff(piece[order])) + 1):
        yield samples.chosen(numbers)


def hangs_together(clause: Clause) -> bool:
    """Whether all facts of any instance of the clause are linked by constants that they share.

    >>> from hornbeam.theory import Theory
    >>> theory = Theory.parse("p(X, Z) :- q(X, Y), q(Y, Z). p(X, Y) :- q(X, X), q(Y, Y).")
    >>> [hangs_together(clause) for clause in theory.clauses]
    [True, False]
    """
    waiting = [set(arguments(literal)) for literal in clause.body if not is_negative(literal)]
    linked = waiting.pop() if waiting else set()
    while near := next((terms for terms in waiting if terms & linked), None):
        waiting.remove(near)
        linked |= near
    others = [clause.head, *(atom_of(literal) for literal in clause.body if is_negative(literal))]
    return not waiting and all(len(arguments(atom)) > 0 and linked.issuperset(arguments(atom)) for atom in others)


def _components(samples: SampleView, alone: Container[str]) -> _Numbers:
    """The component of each fact, by numbers in no order. Facts of predicates in `alone` with one argument are one."""
    first, links = array("q"), array("q")
    for sample in samples:
        predicate, *constants = fact_row(sample)
        hashes = [hash(constant) for constant in constants]
        if not hashes or (len(hashes) == 1 and predicate in alone):
            hashes.append(hash((predicate,)))
        first.append(hashes[0])
        if sample.label != "noise":
            for other in hashes[1:]:
                links.extend((hashes[0], other))
    names = np.unique(np.concatenate([_numbers(first), _numbers(links)]))
    root = _joined(np.searchsorted(names, _numbers(links)).reshape(-1, 2), len(names))
    return root[np.searchsorted(names, _numbers(first))]


def _numbers(values: array[int]) -> _Numbers:
    return np.frombuffer(values, dtype=np.int64)


def _joined(pairs: _Numbers, count: int) -> _Numbers:
    """For each of `count` numbers, one that stands for all that pairs link it with."""
    parent = array("q", range(count))
    for start in range(0, len(pairs), _AT_ONCE):
        for one, other in pairs[start : start + _AT_ONCE].tolist():
            while one != parent[one]:
                parent[one] = one = parent[parent[one]]
            while other != parent[other]:
                parent[other] = other = parent[parent[other]]
            parent[one] = other
    root = _numbers(parent)
    while (root != root[root]).any():
        root = root[root]
    return root


def _filled(components: _Numbers, enough: int) -> _Numbers:
    """The piece of each fact: components in the order of their first facts, together until there are enough facts."""
    _, firsts, inverse, sizes = np.unique(components, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(firsts)
    before = np.concatenate([[0], np.cumsum(sizes[order])[:-1]])
    piece = np.empty(len(order), dtype=np.int64)
    piece[order] = before // enough
    return piece[inverse]
