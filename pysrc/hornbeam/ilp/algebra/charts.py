"""What the parts of a chain of relations derive from the cells of a function, by any bracketing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Pair = tuple[int, int]
Cells = dict[Pair, int]
Chain = tuple[int, ...]
# What each part [i, j) of a chain derives.
Chart = dict[Pair, set[int]]


def chart(chain: Chain, cells: Mapping[Pair, int]) -> Chart:
    """What every part of a chain derives, by any bracketing."""
    size = len(chain)
    derived: Chart = {(at, at + 1): {relation} for at, relation in enumerate(chain)}
    for length in range(2, size + 1):
        for start in range(size - length + 1):
            end = start + length
            derived[start, end] = {
                cells[left, right]
                for middle in range(start + 1, end)
                for left in derived[start, middle]
                for right in derived[middle, end]
                if (left, right) in cells
            }
    return derived


def derive(chain: Chain, cells: Mapping[Pair, int]) -> set[int]:
    """What a chain derives."""
    return chart(chain, cells)[0, len(chain)]


def wholes(cells: Mapping[Pair, int]) -> dict[int, list[Pair]]:
    """The pairs that derive each relation."""
    before: dict[int, list[Pair]] = {}
    for pair, whole in cells.items():
        before.setdefault(whole, []).append(pair)
    return before


def missing(
    chain: Chain, answer: int, parts: Chart, cells: Cells, before: Mapping[int, Sequence[Pair]]
) -> Iterator[tuple[Pair, int]]:
    """The free cells of which one alone would let the chain derive its answer.

    What a part would have to derive is handed down: where the left part derives r, the right part is asked for
    each s with r∘s wanted, and the other way round.
    """
    wanted: dict[Pair, set[int]] = {(0, len(chain)): {answer}}
    for length in range(len(chain), 1, -1):
        for start in range(len(chain) - length + 1):
            asked = wanted.get((start, start + length))
            for middle in range(start + 1, start + length) if asked else ():
                left, right = (start, middle), (middle, start + length)
                for whole in sorted(asked or ()):
                    for r in parts[left]:
                        for s in parts[right]:
                            if (r, s) not in cells:
                                yield (r, s), whole
                    for r, s in before.get(whole, ()):
                        if r in parts[left] and s not in parts[right]:
                            wanted.setdefault(right, set()).add(s)
                        if s in parts[right] and r not in parts[left]:
                            wanted.setdefault(left, set()).add(r)
