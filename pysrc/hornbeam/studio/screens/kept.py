"""What Home lists beside datasets: a theory file, a training run, a comparison of learners."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.errors import DatasetError
from hornbeam.neural.run_page import sections
from hornbeam.studio import kept
from hornbeam.studio.pages import page, studio_of
from hornbeam.theory.files import read_header
from hornbeam.theory.reading import file_text

_MOST = 400  # rows of a comparison that are shown


def theory(request: Request) -> Response:
    """The text of a theory file, and what its header says."""
    place = studio_of(request).workplace.place("theory", request.path_params["name"])
    text = file_text(place.path)
    return page(request, "theory.html", title=place.shown, tab="home", place=place, text=text, header=read_header(text))


def run(request: Request) -> Response:
    """The page of a training run."""
    workplace = studio_of(request).workplace
    row = kept.run_row(workplace.place("run", request.path_params["name"]))
    if row.run is None:
        raise DatasetError(row.error)
    place = kept.dataset_of(row.run, workplace)
    dataset = workplace.dataset(place.name) if place is not None else None
    parts = sections(row.run, dataset, f"/d/{place.name}/s/" if place is not None else "")
    return page(request, "run.html", title=row.place.shown, tab="home", row=row, sections=parts)


def comparison(request: Request) -> Response:
    """The rows of a comparison, each with its theory."""
    row = kept.comparison_row(studio_of(request).workplace.place("comparison", request.path_params["name"]))
    if row.error:
        raise DatasetError(row.error)
    return page(request, "comparison.html", title=row.place.shown, tab="home", row=row, results=row.results[:_MOST])


routes = [
    Route("/t/{name}", theory),
    Route("/r/{name}", run),
    Route("/c/{name}", comparison),
]
