"""What is measured goes to results.jsonl, and to TensorBoard where it was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hornbeam.neural.installed import need
from hornbeam.neural.runs import RunFolder


class Recorder:
    """Writes lines; use it in a `with`."""

    def __init__(self, folder: RunFolder, tensorboard: bool) -> None:
        self._folder = folder
        self._writer: Any = None
        if tensorboard and folder.write:
            need("tensorboard", "--tensorboard")
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(folder.path / "tensorboard"))

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def add(self, kind: str, *, step: int, **values: Any) -> None:
        """A line of this kind. Nothing that differs between two runs of the same (no times) belongs here."""
        self._folder.add_result({"kind": kind, "step": step, **values})
        if self._writer is not None:
            for name, value in scalars(values):
                self._writer.add_scalar(f"{kind}/{name}", value, step)


def scalars(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """All numbers of a nested line, named by their path.

    >>> list(scalars({"accuracy": {"test": {"red": 0.5}}, "name": "red"}))
    [('accuracy/test/red', 0.5)]
    """
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}/{inner}", number) for inner, number in scalars(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)
