"""Home: what is under the folders, what runs, and whether the reasoners are well."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam import doctor
from hornbeam.data.manifest import Manifest, proven_text
from hornbeam.errors import HornbeamError
from hornbeam.family import BUILT_IN
from hornbeam.studio import kept
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

_SHOWN_JOBS = 6
_MOST_THEORIES, _SHOWN_THEORIES = 1000, 40  # files whose headers are read, and that are listed
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
        theories=_theories(walk.of("theory")),
        theory_count=len(walk.of("theory")),
        runs=[kept.run_row(place) for place in walk.of("run")],
        comparisons=[kept.comparison_row(place) for place in walk.of("comparison")],
        families=BUILT_IN,
        jobs=studio.jobs.all(),
        limit=_SHOWN_JOBS,
    )


def _theories(places: list[Place]) -> list[tuple[Place, dict[str, str]]]:
    """Theory files with their headers: learned ones first, and not more than one looks through."""
    headed = [(place, kept.header_of(place.path)) for place in places[:_MOST_THEORIES]]
    return sorted(headed, key=lambda one: "learner" not in one[1])[:_SHOWN_THEORIES]


def _dataset(workplace: Workplace, place: Place) -> DatasetRow:
    try:
        return DatasetRow(place, workplace.manifest(place))
    except HornbeamError as error:
        return DatasetRow(place, None, str(error))


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
