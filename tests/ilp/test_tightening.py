"""Tightening: what all positives share is added if it is no chance and says something new."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from hornbeam.ilp.tightening import Evidence, chance, tightened
from hornbeam.logic import Compound
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.theory import Theory

TESTS = ("red", "warm", "triangle", "large", "drawn")
BIAS = Bias(head=(Mode.parse("valid(+thing)"),), body=tuple(Mode.parse(f"{name}(+thing)") for name in TESTS))
RULE = Theory.parse("valid(A) :- red(A).")


def evidence(positive: Sequence[str], negative: Sequence[str], unlabelled: Sequence[str]) -> Evidence:
    """Each example is the initials of what is true of it: all that is drawn, and what is red is warm."""
    facts, atoms = [], []
    for number, truth in enumerate([*positive, *negative, *unlabelled]):
        facts += [f"{name}(e{number})." for name in TESTS if name[0] in truth + "d" + ("w" if "r" in truth else "")]
        atoms.append(Compound("valid", (f"e{number}",)))
    first, second = len(positive), len(positive) + len(negative)
    return Evidence(atoms[:first], atoms[first:second], atoms[second:], "\n".join(sorted(facts)))


def drawn(count: int, always: str, seed: int) -> list[str]:
    """Examples that are triangles in one of three cases, and large in one of two."""
    rng = random.Random(seed)
    return [
        always + ("t" if rng.random() < 1 / 3 else "") + ("l" if rng.random() < 1 / 2 else "") for _ in range(count)
    ]


def test_what_the_positives_share_is_added_and_what_follows_from_the_rule_is_not() -> None:
    given = evidence([f"t{one}" for one in drawn(20, "r", 1)], drawn(20, "", 2), drawn(60, "r", 3))
    assert str(tightened(RULE, BIAS, given)) == "valid(A) :- red(A), triangle(A).\n"


@pytest.mark.parametrize(
    ("positive", "negative", "unlabelled"),
    [
        (drawn(20, "r", 1), drawn(20, "", 2), drawn(60, "r", 3)),  # nothing is shared
        (drawn(20, "rt", 1), drawn(20, "t", 2), drawn(60, "r", 3)),  # negatives are triangles, too
        (drawn(20, "rt", 1), drawn(20, "", 2), drawn(60, "rt", 3)),  # all that is red is a triangle
        (drawn(3, "rt", 1), drawn(20, "", 2), drawn(60, "r", 3)),  # three positives may be chance
        (drawn(20, "rt", 1), drawn(20, "", 2), []),  # nothing to compare with
    ],
)
def test_without_evidence_a_rule_stays_as_it_is(
    positive: list[str], negative: list[str], unlabelled: list[str]
) -> None:
    assert tightened(RULE, BIAS, evidence(positive, negative, unlabelled)) == RULE


def test_the_longest_clause_is_not_made_longer() -> None:
    given = evidence(drawn(20, "rt", 1), drawn(20, "", 2), drawn(60, "r", 3))
    assert tightened(RULE, BIAS.with_limits(max_body=1), given) == RULE


def test_the_chance_of_a_shared_property() -> None:
    assert chance(0, 0, 3) == pytest.approx(1 / 4)  # any frequency is as likely
    assert chance(50, 25, 20) < 1e-4 < 0.1 < chance(50, 50, 20)
