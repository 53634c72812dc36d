"""What commands left under the folders: theory files, training runs, comparisons. The files may come from anywhere."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data import manifest as manifests
from hornbeam.data.files import sha256
from hornbeam.errors import DatasetError
from hornbeam.neural.run_reading import StoredRun, json_of, stored_run
from hornbeam.studio.workplace import Place, Workplace
from hornbeam.theory.files import read_header

_HEADER = 4096  # bytes of a theory file that hold its header


def header_of(path: Path) -> dict[str, str]:
    """The header of a theory file; empty if there is none, or the file cannot be read."""
    try:
        with path.open("rb") as stream:
            return read_header(stream.read(_HEADER).decode("utf-8", "replace"))
    except OSError:
        return {}


@dataclass(frozen=True, slots=True)
class RunRow:
    """A training run in a list; None if it cannot be read."""

    place: Place
    run: StoredRun | None = None
    error: str = ""


def run_row(place: Place) -> RunRow:
    """What a training run says of itself, or why it cannot be read."""
    try:
        return RunRow(place, stored_run(place.path))
    except DatasetError as error:
        return RunRow(place, error=str(error))


def dataset_of(run: StoredRun, workplace: Workplace) -> Place | None:
    """The dataset that a run was trained on, if it is under the folders: its manifest has the same digest."""
    with contextlib.suppress(DatasetError, OSError):
        config = json_of(run.path / f"seed-{run.seeds[0]}" / "config.json") if run.seeds else None
        wanted = config.get("dataset") if isinstance(config, dict) else None
        for place in workplace.walk().of("dataset"):
            if wanted and sha256(place.path / manifests.NAME) == wanted:
                return place
    return None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison of learners in a list; `results` are its rows."""

    place: Place
    rows: int = 0
    learners: tuple[str, ...] = ()
    error: str = ""
    results: tuple[Mapping[str, Any], ...] = ()


def comparison_row(place: Place) -> ComparisonRow:
    """What a comparison says of itself, or why it cannot be read."""
    try:
        whole = json_of(place.path / "table.json")
    except DatasetError as error:
        return ComparisonRow(place, error=str(error))
    match whole:
        case {"rows": list(rows)}:
            results = tuple(row for row in rows if isinstance(row, dict))
            learners = tuple(dict.fromkeys(str(row.get("learner")) for row in results))
            return ComparisonRow(place, len(results), learners, results=results)
    return ComparisonRow(place, error="table.json is not that of a comparison")
