"""The training part of tasks, for other learners of theories: Popper's three files, Aleph's three."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.export import Order
from hornbeam.tasks.problem import EXAMPLES, ExampleTask


def popper(order: Order, folder: Path) -> list[Path]:
    """exs.pl, bk.pl and bias.pl; of several tasks in a folder each."""
    from hornbeam.ilp.popper.files import write_task

    return _written(order, folder, "popper", lambda task, place: write_task(task, place))


def aleph(order: Order, folder: Path) -> list[Path]:
    """TASK.b, TASK.f and TASK.n; of several tasks in a folder each."""
    from hornbeam.ilp.aleph.learner import write_task

    return _written(order, folder, "aleph", lambda task, place: write_task(task, place, stem=task.name))


def _written(order: Order, folder: Path, to: str, write: Callable[[ExampleTask, Path], object]) -> list[Path]:
    dataset = order.dataset
    if EXAMPLES not in dataset.family.learning_views:
        raise UsageError(f"the family {dataset.family.name} has no tasks of examples, which {to} wants")
    names: Sequence[str] = dataset.tasks if order.task is None else [order.task]
    places = [folder / name if len(names) > 1 else folder for name in names]
    for name, place in zip(names, places, strict=True):
        problem = dataset.family.learning_problem(dataset, EXAMPLES, name, order.options)
        assert isinstance(problem.task, ExampleTask)
        write(problem.task, place)
    return places
