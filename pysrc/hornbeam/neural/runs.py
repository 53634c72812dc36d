"""The folder of a run: what was asked, what came out, and where it stands.

config.json     what decides the result; a folder is only ever used again with the same
results.jsonl   what was measured, a line each; the same bytes for a run that was interrupted and one that was not
checkpoint.pt   where it stands; replaced atomically
weights.pt      the network at the end
done.json       there once the run is finished: its figures
answers.jsonl   what the trained model says of held-out samples
about.json      what does not decide the result: the dataset's folder, the device, the time
"""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec
import torch

from hornbeam.data.shape import as_kind
from hornbeam.errors import DatasetError, HornbeamError, UsageError
from hornbeam.extras import need
from hornbeam.neural.learner import HeldAnswer
from hornbeam.neural.run_reading import ABOUT, ANSWERS
from hornbeam.writing import locked, naming, write_atomic

CONFIG = "config.json"
RESULTS = "results.jsonl"
CHECKPOINT = "checkpoint.pt"
WEIGHTS = "weights.pt"
DONE = "done.json"


def as_text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


class RunFolder:
    """A run on disk. With `write` false (a process that does not lead) nothing is changed."""

    def __init__(self, path: Path, config: Mapping[str, Any], *, write: bool = True) -> None:
        self.path = path
        self.write = write
        if write:
            path.mkdir(parents=True, exist_ok=True)
        config = json.loads(json.dumps(config))
        file = path / CONFIG
        if write and not file.is_file():
            write_atomic(file, as_text(config).encode())
        before = _read_json(file) if file.is_file() else config
        different = sorted(key for key in {*before, *config} if before.get(key) != config.get(key))
        if different:
            key = different[0]
            raise UsageError(
                f"this folder holds another run: {key} was {before.get(key)!r} and is {config.get(key)!r} now. "
                "Give another folder with --out, or remove this one",
                file=str(file),
            )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Refuse a second process on the same folder."""
        if not self.write:
            yield
            return
        busy = "another process is training in this folder"
        with naming(self.path), locked(self.path / ".lock", busy, of=self.path):
            yield

    @property
    def figures(self) -> dict[str, Any] | None:
        """The figures of the finished run, or None."""
        file = self.path / DONE
        return _read_json(file) if file.is_file() else None

    # Checkpoints ------------------------------------------------------------------------------------------------------

    def save(self, name: str, state: Mapping[str, Any]) -> None:
        """Write tensors and plain values, whole or not at all."""
        if self.write:
            buffer = io.BytesIO()
            torch.save(dict(state), buffer)
            (self.path / name).parent.mkdir(exist_ok=True)
            write_atomic(self.path / name, buffer.getvalue())

    def load(self, name: str) -> dict[str, Any] | None:
        """What `save` wrote, or None. Never runs code from the file."""
        file = self.path / name
        return load_state(file) if file.is_file() else None

    def finish(self, figures: Mapping[str, Any], weights: Mapping[str, Any]) -> None:
        """Keep the network and the figures; the checkpoint has done its work."""
        self.save(WEIGHTS, weights)
        if self.write:
            write_atomic(self.path / DONE, as_text(figures).encode())
            (self.path / CHECKPOINT).unlink(missing_ok=True)

    def keep_answers(self, answers: Iterable[HeldAnswer]) -> None:
        """What the trained model says of held-out samples, a line each."""
        if self.write:
            lines = (
                {"id": one.sample, "split": one.split, "group": one.group, "label": one.label, "said": one.said}
                for one in answers
            )
            text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
            write_atomic(self.path / ANSWERS, text.encode())

    def add_about(self, about: Mapping[str, Any], seconds: float) -> None:
        """What does not decide the result: where it ran, and how long in all, interruptions left out."""
        if self.write:
            file = self.path / ABOUT
            before = _read_json(file).get("seconds", 0.0) if file.is_file() else 0.0
            write_atomic(file, as_text({**about, "seconds": round(before + seconds, 3)}).encode())

    # Results ----------------------------------------------------------------------------------------------------------

    def cut_results(self, length: int) -> None:
        """Forget what was measured after the checkpoint: it will be measured again."""
        if self.write:
            with (self.path / RESULTS).open("ab") as stream:
                if stream.tell() < length:
                    raise DatasetError("lines are missing that the checkpoint counts", file=str(self.path / RESULTS))
                stream.truncate(length)

    @contextmanager
    def recording(self, tensorboard: bool) -> Iterator[Callable[..., None]]:
        """A function that adds a line to the results, and to TensorBoard on request: its kind, the step, and values.

        Nothing that differs between two runs of the same (no times) belongs into a line.
        """
        writer: Any = None
        if tensorboard and self.write:
            need("tensorboard", "--tensorboard")
            from torch.utils.tensorboard import SummaryWriter

            writer = SummaryWriter(str(self.path / "tensorboard"))

        def add(kind: str, *, step: int, **values: Any) -> None:
            line = json.dumps({"kind": kind, "step": step, **values}, ensure_ascii=False, separators=(",", ":"))
            if self.write:
                with (self.path / RESULTS).open("a", encoding="utf-8") as stream:
                    stream.write(line + "\n")
            if writer is not None:
                for name, value in _scalars(values):
                    writer.add_scalar(f"{kind}/{name}", value, step)

        with closing(writer) if writer is not None else nullcontext():
            yield add

    def results_length(self) -> int:
        """The length of what was measured, safe on disk."""
        file = self.path / RESULTS
        if not self.write or not file.is_file():
            return 0
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
            return stream.seek(0, os.SEEK_END)

    def results(self) -> list[dict[str, Any]]:
        """All that was measured."""
        file = self.path / RESULTS
        lines = _text(file).splitlines() if file.is_file() else []
        rows = [_object(line, file, number) for number, line in enumerate(lines, start=1)]
        for number, row in enumerate(rows, start=1):
            kind = Evaluation if row.get("kind") == "evaluation" else Measured
            as_kind(row, kind, file=str(file), line=number)
        return rows


class Measured(msgspec.Struct):
    """What every line of results.jsonl has."""

    kind: str
    step: int


class Evaluation(Measured):
    """The line of an evaluation."""

    name: str
    tasks: list[str]
    accuracy: dict[str, dict[str, float]]


def load_state(file: Path) -> dict[str, Any]:
    """Tensors and plain values of a run folder."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            state: Any = torch.load(file, map_location="cpu", weights_only=True)
    # torch raises what it likes of bytes that are no checkpoint.
    except Exception as error:
        reason = str(error).partition("\n")[0] or "it is empty"
        if "eights only" in reason:  # torch's own text tells how to run it all the same
            reason = "it holds more than weights"
        raise DatasetError(f"not a checkpoint ({reason}); remove it to begin again", file=str(file)) from None
    if not isinstance(state, dict):
        raise DatasetError("not a checkpoint of Hornbeam; remove it to begin again", file=str(file))
    return state


@contextmanager
def fitting(file: Path) -> Iterator[None]:
    """Turn what goes wrong when a checkpoint is put to use into an error that names it: it may be of another model."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError) as error:
        if isinstance(error, HornbeamError):
            raise
        reason = " ".join(str(error).split())[:200]
        message = f"not a checkpoint of this model ({type(error).__name__}: {reason}); remove it to begin again"
        raise DatasetError(message, file=str(file)) from None


def _read_json(file: Path) -> dict[str, Any]:
    """A JSON object of a run folder."""
    return _object(_text(file), file)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(file)) from None


def _object(text: str, file: Path, line: int | None = None) -> dict[str, Any]:
    """The object of a JSON text. What was measured may be NaN, which Python's reader knows."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"not JSON: {error}", file=str(file), line=line) from None
    if not isinstance(value, dict):
        raise DatasetError("expected a JSON object", file=str(file), line=line)
    return value


def _scalars(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """All numbers of a nested line, named by their path.

    >>> list(_scalars({"accuracy": {"test": {"red": 0.5}}, "name": "red"}))
    [('accuracy/test/red', 0.5)]
    """
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}/{inner}", number) for inner, number in _scalars(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)
