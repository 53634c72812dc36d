"""What Home lists beside datasets: a theory file, a training run, a comparison of learners."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.errors import DatasetError
from hornbeam.studio import kept
from hornbeam.studio.pages import page, studio_of
from hornbeam.theory.files import read_header
from hornbeam.theory.reading import file_text

_MOST = 400  # figures of a run, and rows of a comparison, that are shown


def theory(request: Request) -> Response:
    """The text of a theory file, and what its header says."""
    place = studio_of(request).workplace.place("theory", request.path_params["name"])
    text = file_text(place.path)
    return page(request, "theory.html", title=place.shown, tab="home", place=place, text=text, header=read_header(text))


def run(request: Request) -> Response:
    """The figures of a training run."""
    row = kept.run_row(studio_of(request).workplace.place("run", request.path_params["name"]))
    if row.error:
        raise DatasetError(row.error)
    figures = list(islice(kept.figures(row.summary), _MOST))
    return page(request, "run.html", title=row.place.shown, tab="home", row=row, figures=figures)


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
