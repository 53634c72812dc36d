"""The assignment problem: pair rows with columns, each at most once, at the least total cost.

>>> assign([[4, 1, 3], [2, 0, 5]])
[1, 0]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Cost = int | float | Fraction


def assign(costs: Sequence[Sequence[Cost]]) -> list[int]:
    """The column of each row, by the Hungarian method with potentials; there are at least as many columns as rows."""
    rows = len(costs)
    columns = len(costs[0]) if rows else 0
    if rows > columns:
        raise ValueError("more rows than columns")
    row_price: list[Any] = [0] * (rows + 1)
    column_price: list[Any] = [0] * (columns + 1)
    owner = [0] * (columns + 1)  # the row, counted from 1, that a column is given to
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, row_price, column_price, owner)
    found = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found


def _augment(costs: Sequence[Sequence[Cost]], row_price: list[Any], column_price: list[Any], owner: list[int]) -> None:
    """Give the row that owns column 0 a real column, along a cheapest alternating path."""
    columns = len(column_price) - 1
    slack: list[Any] = [float("inf")] * (columns + 1)
    came_from = [0] * (columns + 1)
    used = [False] * (columns + 1)
    column = 0
    while owner[column]:
        used[column] = True
        row, delta, nearest = owner[column], float("inf"), 0
        line, price = costs[row - 1], row_price[row]
        for other in range(1, columns + 1):
            if not used[other]:
                reduced = line[other - 1] - price - column_price[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < delta:
                    delta, nearest = slack[other], other
        for other in range(columns + 1):
            if used[other]:
                row_price[owner[other]] += delta
                column_price[other] -= delta
            else:
                slack[other] -= delta
        column = nearest
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]
