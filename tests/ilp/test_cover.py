"""The exact choice of clauses, against trying all choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.ilp.cover import best_cover, replaces
from hornbeam.ilp.watch import Watch


@dataclass(frozen=True)
class Made:
    """A clause of so many literals, and what it covers."""

    size: int
    positive: int
    negative: int = 0


def made(size: int, positive: Iterable[int], negative: Iterable[int] = ()) -> Made:
    return Made(size, sum(1 << number for number in positive), sum(1 << number for number in negative))


def choose(pieces: Sequence[Made], *, noise: bool = False, most: int | None = None) -> tuple[Made, ...]:
    found = best_cover(pieces, Watch(), noise=noise, most=most, conflicts=50_000)
    assert found.proved
    return found.pieces


def cost(chosen: Sequence[Made], everything: int, noise: bool) -> tuple[int, ...]:
    covered = wrong = 0
    for piece in chosen:
        covered |= piece.positive
        wrong |= piece.negative
    errors = (everything & ~covered).bit_count() + wrong.bit_count()
    size = sum(piece.size for piece in chosen)
    return (errors + size,) if noise else (errors, size)


def test_the_choice_is_exact_where_greed_fails() -> None:
    greedy = made(2, [1, 2, 3, 4])
    pair = (made(2, [1, 2, 5]), made(2, [3, 4, 6]))
    assert choose([greedy, *pair]) == pair


def test_under_noise_size_is_weighed_against_errors() -> None:
    long, short = made(7, [1, 2]), made(2, [3, 4, 5, 6, 7], [8])
    assert choose([long, short], noise=True) == (short,)
    assert choose([long, short]) == (long, short)


def test_without_noise_a_covered_negative_is_worth_no_saved_literal() -> None:
    small, right = made(2, [1, 2], [1]), made(9, [1, 2])
    assert choose([small, right]) == (right,)


def test_no_more_pieces_than_allowed() -> None:
    pool = [made(2, [1, 2, 3]), made(2, [4]), made(2, [5])]
    assert len(choose(pool, most=2)) == 2
    assert choose(pool, most=1) == (pool[0],)


def test_of_nothing_nothing_is_chosen() -> None:
    assert choose([]) == ()
    assert choose([made(2, [], [1])]) == ()


def test_when_the_time_is_up_nothing_is_claimed() -> None:
    class Over(Watch):
        def time_is_up(self) -> bool:
            return True

    many = [made(1 + number % 5, [(number * step) % 97 for step in range(1, 30)]) for number in range(1, 400)]
    assert not best_cover(many, Over(), noise=True, conflicts=10**9).proved


def test_at_the_limit_of_conflicts_the_same_is_found_again() -> None:
    many = [made(1 + number % 5, [(number * step * step) % 131 for step in range(1, 9)]) for number in range(1, 130)]
    found = [best_cover(many, Watch(), noise=False, conflicts=20) for _ in range(2)]
    assert not found[0].proved
    assert found[0] == found[1]


def test_what_replaces_what() -> None:
    assert replaces(made(2, [1, 2]), made(2, [1]))
    assert replaces(made(2, [1]), made(2, [1], [3]))
    assert not replaces(made(3, [1, 2]), made(2, [1]))
    assert not replaces(made(2, [1, 2], [3]), made(2, [1]))


pieces = st.builds(Made, st.integers(1, 4), st.integers(0, 63), st.integers(0, 7))


@pytest.mark.parametrize("noise", [False, True])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(pool=st.lists(pieces, max_size=7), most=st.none() | st.integers(1, 3))
def test_it_is_as_good_as_trying_everything(noise: bool, pool: list[Made], most: int | None) -> None:
    everything = 0
    for piece in pool:
        everything |= piece.positive
    limit = len(pool) if most is None else most
    choices = [some for count in range(limit + 1) for some in combinations(pool, count)]
    best = min(cost(some, everything, noise) for some in choices)
    assert cost(choose(pool, noise=noise, most=most), everything, noise) == best
