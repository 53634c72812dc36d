"""Home: what is under the folders, what runs, and whether the reasoners are well."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam import doctor
from hornbeam.data.manifest import Manifest, proven_text
from hornbeam.errors import HornbeamError
from hornbeam.family import BUILT_IN
from hornbeam.studio.pages import (
    THEMES,
    error_page,
    form_of,
    go,
    page,
    remember_theme,
    session_of,
    studio_of,
    wants_part,
)
from hornbeam.studio.workplace import Place, Workplace
from hornbeam.theory.files import read_header

_SHOWN_JOBS = 6
_HEADER = 4096  # bytes of a theory file that hold its header
_LARGEST = 64 << 20  # bytes of a summary that is read
_WELL_FOR = 60.0  # seconds for which an examination is used again


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset in the list."""

    place: Place
    manifest: Manifest | None
    error: str = ""

    @property
    def proven(self) -> str:
        return proven_text(self.manifest.proven) if self.manifest is not None else ""


def home(request: Request) -> Response:
    """The first screen."""
    studio = studio_of(request)
    walk = studio.workplace.walk(again=True)
    return page(
        request,
        "home.html",
        title="Home",
        tab="home",
        roots=studio.workplace.roots,
        cut=walk.cut,
        datasets=[_dataset(studio.workplace, place) for place in walk.of("dataset")],
        theories=[(place, _header(place.path)) for place in walk.of("theory")],
        runs=[_run(place) for place in walk.of("run")],
        comparisons=[_comparison(place) for place in walk.of("comparison")],
        families=BUILT_IN,
        jobs=studio.jobs.all(),
        limit=_SHOWN_JOBS,
    )


def _dataset(workplace: Workplace, place: Place) -> DatasetRow:
    try:
        return DatasetRow(place, workplace.manifest(place))
    except HornbeamError as error:
        return DatasetRow(place, None, str(error))


def _header(path: Path) -> dict[str, str]:
    try:
        with path.open("rb") as stream:
            return read_header(stream.read(_HEADER).decode("utf-8", "replace"))
    except OSError:
        return {}


def _json(path: Path) -> Any:
    """The content of a JSON file that may come from anywhere; ValueError if it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"{path.name} is too large")
        return json.loads(path.read_bytes())
    except (OSError, RecursionError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A training run in the list."""

    place: Place
    model: str = ""
    setting: str = ""
    seeds: int = 0
    accuracy: str = ""
    error: str = ""


def _run(place: Place) -> RunRow:
    try:
        match _json(place.path / "summary.json"):
            case {"model": str(model), "setting": str(setting), "seeds": list(seeds), "accuracy": dict(accuracy)}:
                figures = [value for value in (accuracy.get("mean"), accuracy.get("std")) if _number(value)]
                return RunRow(place, model, setting, len(seeds), " ± ".join(f"{value:.3f}" for value in figures))
    except ValueError as error:
        return RunRow(place, error=str(error))
    return RunRow(place, error="summary.json is not that of a training run")


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison of learners in the list."""

    place: Place
    rows: int = 0
    learners: tuple[str, ...] = ()
    error: str = ""


def _comparison(place: Place) -> ComparisonRow:
    try:
        match _json(place.path / "table.json"):
            case {"rows": list(rows)}:
                names = [str(row.get("learner")) for row in rows if isinstance(row, dict)]
                return ComparisonRow(place, len(rows), tuple(dict.fromkeys(names)))
    except ValueError as error:
        return ComparisonRow(place, error=str(error))
    return ComparisonRow(place, error="table.json is not that of a comparison")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# Jobs -----------------------------------------------------------------------------------------------------------------


def jobs(request: Request) -> Response:
    """All jobs."""
    part = "part" in request.query_params
    return page(
        request,
        "jobs-part.html" if part else "jobs.html",
        title="Jobs",
        tab="jobs",
        jobs=studio_of(request).jobs.all(),
        limit=_SHOWN_JOBS if part else None,
    )


def job(request: Request) -> Response:
    """How far a job is."""
    found = studio_of(request).jobs.get(request.path_params["job"])
    if found is None:
        return error_page(request, 404, "There is no such job.")
    template = "job-part.html" if wants_part(request) else "job.html"
    return page(request, template, title=found.order.title, tab="jobs", job=found, told=found.told())


def cancel(request: Request) -> Response:
    """Cancel a job."""
    found = studio_of(request).jobs.get(request.path_params["job"])
    if found is None:
        return error_page(request, 404, "There is no such job.")
    found.cancel()
    return go(f"/jobs/{found.id}")


# The reasoners' health ------------------------------------------------------------------------------------------------


class Examination:
    """What `hornbeam doctor` finds, looked up once a minute: it starts processes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = -_WELL_FOR
        self._parts: list[doctor.Part] = []

    def parts(self) -> Iterable[doctor.Part]:
        with self._lock:
            if time.monotonic() - self._at > _WELL_FOR:
                self._parts, self._at = doctor.examine(), time.monotonic()
            return self._parts


def health(request: Request) -> Response:
    """What is installed, and whether it answers."""
    state = request.app.state
    if not hasattr(state, "examination"):
        state.examination = Examination()
    template = "health-part.html" if wants_part(request) else "health.html"
    return page(request, template, title="Reasoners", parts=state.examination.parts())


# The visitor ----------------------------------------------------------------------------------------------------------


async def theme(request: Request) -> Response:
    """Choose dark or light."""
    form = await form_of(request)
    back = "/" + form.get("back", "/").lstrip("/\\")
    response = go(back)
    if form.get("theme") in THEMES:
        remember_theme(response, form["theme"])
    return response


def end(request: Request) -> Response:
    """End the visitor's session, and the process that it holds."""
    studio_of(request).sessions.end(session_of(request).id)
    return error_page(request, 200, "Your session has ended. Any page opens a new one.")


routes = [
    Route("/", home),
    Route("/jobs", jobs),
    Route("/jobs/{job}", job),
    Route("/jobs/{job}/cancel", cancel, methods=["POST"]),
    Route("/health", health),
    Route("/theme", theme, methods=["POST"]),
    Route("/end", end, methods=["POST"]),
]
