"""The application: the screens behind the guard.

>>> from starlette.testclient import TestClient
>>> client = TestClient(create_app([folder], token="secret"), base_url="http://127.0.0.1:8000")
>>> client.get("/").status_code, client.get("/?token=secret").status_code
(403, 200)
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hornbeam.errors import HornbeamError
from hornbeam.report.page import environment
from hornbeam.studio.jobs import Jobs
from hornbeam.studio.pages import STATIC, TEMPLATES, Studio, error_page, on_error
from hornbeam.studio.security import Guard, Keys
from hornbeam.studio.sessions import Sessions
from hornbeam.studio.workplace import Workplace
from hornbeam.theory.reading import engine

SCREENS = ("home", "making", "kept", "dataset", "sample", "rule", "learn", "ask", "compare")
_LOOK_EVERY = 15.0  # seconds between looks for idle processes


def create_app(
    roots: Sequence[Path], *, token: str, sessions: Sessions | None = None, jobs: Jobs | None = None
) -> Starlette:
    """The studio as an ASGI application.

    Args:
        roots: The folders to work in.
        token: What a browser must know.
        sessions: The visitors; by default up to 20.
        jobs: What runs in the background.

    Returns:
        The application. Its `state.studio` has what the screens share.

    Raises:
        UsageError: if a folder is not there.
    """
    # Not `or`: there are no visitors yet.
    visitors = Sessions() if sessions is None else sessions
    studio = Studio(Workplace(roots), visitors, Jobs() if jobs is None else jobs)
    routes: list[Route | Mount] = [Mount("/static", StaticFiles(directory=STATIC))]
    for name in SCREENS:
        routes += import_module(f"hornbeam.studio.screens.{name}").routes
    guard = Middleware(Guard, keys=Keys(token), sessions=studio.sessions, refuse=error_page, failed=on_error)
    app = Starlette(
        routes=routes,
        middleware=[guard],
        exception_handlers={HTTPException: on_error, HornbeamError: on_error},
        lifespan=_lifespan,
    )
    app.state.studio = studio
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    studio: Studio = app.state.studio
    engine()  # in the thread that lives as long as the server: requests come in others
    environment(TEMPLATES).get_template("home.html")  # the first visitor need not wait for the reading of templates
    freeing = asyncio.create_task(_free_idle(studio.sessions))
    try:
        yield
    finally:
        freeing.cancel()
        await asyncio.to_thread(close, studio)


async def _free_idle(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        await asyncio.to_thread(sessions.free_idle)


def close(studio: Studio) -> None:
    """End all processes of a studio."""
    studio.jobs.close()
    studio.sessions.close()
