"""Continual figures against matrices worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.errors import UsageError
from hornbeam.neural.metrics import (
    DEFINITIONS,
    Outcome,
    all_metrics,
    average_accuracy,
    backward_transfer,
    balanced_accuracy,
    curve,
    forgetting,
    forward_transfer,
)

# Rows: after task 0, 1, 2. Columns: accuracy on task 0, 1, 2.
A = np.array([[0.9, 0.6, 0.4], [0.8, 0.7, 0.5], [0.5, 0.9, 0.8]])


def test_average_accuracy() -> None:
    assert average_accuracy(A) == pytest.approx((0.5 + 0.9 + 0.8) / 3)
    assert average_accuracy(A, 1) == pytest.approx((0.8 + 0.7) / 2)
    assert average_accuracy(A, definition="kandy-paper") == pytest.approx((0.5 + 0.9 + 0.8) / 2)


def test_forgetting() -> None:
    # Task 0 was best at first (0.9), task 1 at 0.7: (0.9 - 0.5 + 0.7 - 0.9) / 2.
    for definition in ("standard", "pairs", "kandy-code"):
        assert forgetting(A, definition=definition) == pytest.approx(0.1)
    # As printed: the best over rows 1..z-1 only, divided by z - 1: (0.8 - 0.5 + 0.7 - 0.9) / 1.
    assert forgetting(A, definition="kandy-paper") == pytest.approx(0.1)
    assert forgetting(A, 1) == pytest.approx(0.1)
    assert forgetting(A, 0) == 0
    assert forgetting(A, 1, "kandy-paper") == 0  # there is no row 1..0


def test_the_best_before_includes_rows_from_before_a_task_was_learned() -> None:
    early = np.array([[0.5, 0.9, 0.5], [0.5, 0.6, 0.5], [0.5, 0.6, 0.5]])
    assert forgetting(early) == pytest.approx(0.3 / 2)


def test_backward_transfer() -> None:
    # Last row against the diagonal: (0.5 - 0.9 + 0.9 - 0.7) / 2.
    assert backward_transfer(A) == pytest.approx(-0.1)
    # All pairs: (0.8 - 0.9) + (0.5 - 0.9) + (0.9 - 0.7) = -0.3, and its positive part.
    assert backward_transfer(A, definition="pairs") == 0
    better = A.copy()
    better[2, 0] = 1.0
    assert backward_transfer(better, definition="pairs") == pytest.approx((-0.1 + 0.1 + 0.2) / 3)
    assert backward_transfer(better, definition="kandy-code") == pytest.approx(0.2 / 3)
    # As printed, future tasks: (0.6 - 0.7) + (0.4 - 0.8) + (0.5 - 0.8) < 0.
    assert backward_transfer(A, definition="kandy-paper") == 0
    upper = np.array([[0.9, 0.9, 0.9], [0.8, 0.7, 0.5], [0.5, 0.9, 0.6]])
    assert backward_transfer(upper, definition="kandy-paper") == pytest.approx((0.2 + 0.3 - 0.1) / 1)


def test_forward_transfer() -> None:
    assert forward_transfer(A) == pytest.approx((0.6 - 0.5 + 0.5 - 0.5) / 2)
    assert forward_transfer(A, definition="pairs") == pytest.approx((0.6 + 0.4 + 0.5) / 3 - 0.5)
    assert forward_transfer(A, definition="kandy-code") == pytest.approx((0.6 + 0.4 + 0.5) / 3)
    # As printed, past tasks: (0.8 - 0.5) + (0.5 - 0.5) + (0.9 - 0.5), divided by z (z - 1) / 2 = 1.
    assert forward_transfer(A, definition="kandy-paper") == pytest.approx(0.7)
    assert forward_transfer(A, 0) == 0


def test_curves_end_in_the_figures() -> None:
    for definition in DEFINITIONS:
        for name, figure in all_metrics(A, definition).items():
            assert curve(A, name, definition)[-1] == pytest.approx(figure)
            assert len(curve(A, name, definition)) == 3


def test_unknown_definition() -> None:
    with pytest.raises(UsageError, match="did you mean 'pairs'"):
        forgetting(A, definition="pair")


def test_balanced_accuracy() -> None:
    true = np.array([True] * 9 + [False])
    assert balanced_accuracy(np.ones(10, dtype=bool), true) == 0.5
    assert balanced_accuracy(true, true) == 1
    assert balanced_accuracy(np.array([True, False]), np.array([True, True])) == 0.5
    assert np.isnan(balanced_accuracy(np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)))


def evaluation(name: str, tasks: list[str], accuracy: dict[str, float]) -> dict:
    return {"kind": "evaluation", "name": name, "tasks": tasks, "accuracy": {"test": accuracy}}


def test_an_outcome_orders_tasks_as_they_were_learned() -> None:
    lines = [
        {"kind": "loss", "step": 3, "loss": 0.5},
        evaluation("b", ["b"], {"a": 0.5, "b": 0.9}),
        evaluation("a", ["a"], {"a": 0.8, "b": 0.7}),
    ]
    outcome = Outcome.of(lines)
    assert outcome.matrix().tolist() == [[0.9, 0.5], [0.7, 0.8]]
    assert outcome.mean() == pytest.approx(0.75)
    assert outcome.figures()["forgetting"] == pytest.approx(0.2)


def test_an_outcome_without_a_whole_matrix_has_an_average() -> None:
    alone = Outcome.of([evaluation("a", ["a"], {"a": 0.5}), evaluation("b", ["b"], {"b": 1.0})])
    assert alone.matrix() is None and alone.mean() == 0.75
    joint = Outcome.of([evaluation("all", ["a", "b"], {"a": 0.5, "b": 1.0})])
    assert joint.matrix() is None and joint.figures() == {"average_accuracy": 0.75}
