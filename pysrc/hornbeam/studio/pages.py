"""How a screen answers: a page in the frame, a part of a page for htmx, a redirect, an error in words."""

from __future__ import annotations

import hashlib
import sys
import traceback
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.report.page import environment
from hornbeam.studio import security
from hornbeam.studio.browsing import Browsers
from hornbeam.studio.jobs import Jobs
from hornbeam.studio.sessions import Session, Sessions
from hornbeam.studio.workplace import NotFound, Workplace
from hornbeam.version import __version__

_HERE = Path(__file__).parent
TEMPLATES, STATIC = _HERE / "templates", _HERE / "static"
THEMES = ("auto", "light", "dark")
_THEME_COOKIE = "hornbeam-theme"


@dataclass(frozen=True, slots=True)
class Studio:
    """What the screens share.

    Attributes:
        workplace: The folders, and what is in them.
        sessions: The visitors.
        jobs: What runs in the background.
        browsers: What is known of the samples of open datasets.
    """

    workplace: Workplace
    sessions: Sessions
    jobs: Jobs
    browsers: Browsers = field(default_factory=Browsers)


def studio_of(request: Request) -> Studio:
    """The studio that a request is for."""
    studio: Studio = request.app.state.studio
    return studio


def session_of(request: Request) -> Session:
    """The visitor who asks."""
    session: Session = request.scope["session"]
    return session


def wants_part(request: Request) -> bool:
    """Whether htmx asks, which puts the answer into a page that is there."""
    return "hx-request" in request.headers and "hx-boosted" not in request.headers


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """A template, with all that the frame needs. A template that does not extend the frame is a part of a page."""
    return HTMLResponse(render(request, template, **values), status_code=status)


def dataset_page(request: Request, template: str, **values: Any) -> Response:
    """As :func:`page`, for a screen below /d/DATASET: with the dataset, its name, and its tabs in the frame."""
    dataset = dataset_of(request)
    first = dataset.tasks[0] if dataset.tasks else None
    known = {"dataset": dataset, "dataset_name": request.path_params["dataset"], "first_task": first}
    return page(request, template, **{**known, **values})


def dataset_of(request: Request) -> Dataset:
    """The dataset of a URL below /d/DATASET; NotFound if there is none."""
    return studio_of(request).workplace.dataset(request.path_params["dataset"])


def render(request: Request, template: str, **values: Any) -> str:
    """The text of a template."""
    frame = {
        "version": __version__,
        "form_token": request.scope.get("form_token", ""),
        "theme": theme_of(request),
        "static": static_url,
        "here": request.url.path,
        "tab": "",
        "dataset_name": None,
    }
    return environment(TEMPLATES).get_template(template).render({**frame, **values})


@cache
def static_url(name: str) -> str:
    """The URL of a static file; it changes with the file, so that browsers may keep it."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:8]
    return f"/static/{name}?v={digest}"


def theme_of(request: Request) -> str:
    """Dark, light, or what the system prefers."""
    theme = request.cookies.get(_THEME_COOKIE, THEMES[0])
    return theme if theme in THEMES else THEMES[0]


def remember_theme(response: Response, theme: str) -> None:
    """Keep what a visitor chose."""
    response.set_cookie(_THEME_COOKIE, theme, httponly=True, samesite="strict", path="/", max_age=365 * 86400)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, the last of each name."""
    return {name: values[-1] for name, values in security.fields(await request.body()).items()}


def go(url: str, **query: str) -> Response:
    """Send the browser on after a form."""
    return RedirectResponse(f"{url}?{urlencode(query)}" if query else url, status_code=303)


# Errors -----------------------------------------------------------------------------------------------------------


def error_page(request: Request, status: int, message: str) -> Response:
    """An error in words: a page, or a line where htmx asked for a part of one."""
    template = "error-part.html" if wants_part(request) else "error.html"
    return page(request, template, status=status, title=_TITLES.get(status, "Error"), message=message)


_TITLES = {403: "Not allowed", 404: "Not found", 413: "Too large", 500: "Internal error", 503: "Full"}


def on_error(request: Request, error: Exception) -> Response:
    """The page for an error that a screen raised."""
    if isinstance(error, HTTPException):
        return error_page(request, error.status_code, str(error.detail))
    if isinstance(error, NotFound):
        return error_page(request, 404, str(error))
    if isinstance(error, HornbeamError):
        return error_page(request, 400 if isinstance(error, UsageError) else 500, str(error))
    traceback.print_exception(error, file=sys.stderr)
    return error_page(request, 500, f"{type(error).__name__}: {error}")
