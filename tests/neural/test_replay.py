"""The reservoirs against the distributions that they promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hornbeam.neural.vision.learner import BUFFERS, BalancedReservoir, Reservoir


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def kept(kind: type[Reservoir], stream: list[tuple[int, int]], size: int, seed: int) -> Reservoir:
    buffer = kind(size, seed)
    for row, group in stream:
        buffer.add(row, group)
    return buffer


def test_every_row_is_kept_with_the_same_probability() -> None:
    stream = [(row, row % 2) for row in range(40)]
    counts = Counter(row for seed in range(800) for row in kept(Reservoir, stream, 10, seed).rows)
    # 39 degrees of freedom: 72.1 is passed by chance once in a thousand. The seeds are fixed.
    assert chi_square([counts[row] for row in range(40)]) < 72.1


def test_the_balanced_one_keeps_rows_of_a_class_with_the_same_probability() -> None:
    # 30 of class 0, then 10 of class 1, then 20 of class 0.
    stream = [(row, int(30 <= row < 40)) for row in range(60)]
    buffers = [kept(BalancedReservoir, stream, 10, seed) for seed in range(800)]
    counts = Counter(row for buffer in buffers for row in buffer.rows)
    for rows in ([*range(30), *range(40, 60)], list(range(30, 40))):
        limit = {50: 85.4, 10: 27.9}[len(rows)]  # once in a thousand, 49 and 9 degrees of freedom
        assert chi_square([counts[row] for row in rows]) < limit


def test_the_balanced_one_is_balanced_whatever_the_stream() -> None:
    for order in (lambda row: row // 100, lambda row: 9 - row // 100, lambda row: row % 10):
        stream = [(row, order(row)) for row in range(1000)]
        held = Counter(kept(BalancedReservoir, stream, 50, 1).classes)
        assert set(held) == set(range(10))
        assert max(held.values()) - min(held.values()) <= 1
    # A class of 2 rows keeps both while others are cut.
    rare = [(row, int(row in (3, 500))) for row in range(1000)]
    assert {3, 500} <= set(kept(BalancedReservoir, rare, 20, 1).rows)


def test_the_plain_one_follows_the_stream() -> None:
    stream = [(row, int(row < 900)) for row in range(1000)]
    held = Counter(group for seed in range(50) for group in kept(Reservoir, stream, 50, seed).classes)
    assert held[1] / 2500 == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("kind", sorted(BUFFERS))
def test_a_buffer_goes_on_from_its_state(kind: str) -> None:
    stream = [(row, row % 3) for row in range(200)]
    whole = kept(BUFFERS[kind], stream, 20, 7)
    first = kept(BUFFERS[kind], stream[:90], 20, 7)
    second = BUFFERS[kind](20, 7)
    second.load_state(first.state())
    for row, group in stream[90:]:
        second.add(row, group)
    assert (second.rows, second.classes) == (whole.rows, whole.classes)
    assert second.draw(8).tolist() == whole.draw(8).tolist()


def test_draws_hold_no_row_twice() -> None:
    buffer = kept(Reservoir, [(row, 0) for row in range(30)], 30, 0)
    drawn = buffer.draw(16)
    assert len(set(drawn.tolist())) == 16
    assert not np.array_equal(drawn, buffer.draw(16))
    assert sorted(buffer.draw(100).tolist()) == list(range(30))
