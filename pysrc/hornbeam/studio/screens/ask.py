"""Ask: a Prolog console on a dataset, with the queries that it suggests."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.errors import HornbeamError
from hornbeam.studio.engine import console as consoles
from hornbeam.studio.engine.console import Console, Page, Suggestion
from hornbeam.studio.engine.processes import processes_of
from hornbeam.studio.pages import dataset_of, dataset_page, form_of, go, page, session_of, wants_part

_LIMITS = (
    ("time", f"{consoles.SECONDS:g} s"),
    ("memory", f"{consoles.STACK >> 20} MB of stacks"),
    ("answers", f"{consoles.MOST_ANSWERS:,}, {consoles.PAGE} on a page"),
)
_REMEMBERED = 30


def _console(request: Request) -> Console:
    session = session_of(request)
    with session.lock:
        return processes_of(session).console(dataset_of(request))


def show(request: Request) -> Response:
    """The page; with a goal in the query, its answers."""
    goal, number = request.query_params.get("goal", ""), request.query_params.get("page", "0")
    if not goal:
        return _page(request, None)
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0
    answers = _console(request).ask(goal, number=wanted)
    _remember(request, answers)
    if wants_part(request):
        return page(request, "answers-part.html", answers=answers, url=_url(request), size=consoles.PAGE)
    return _page(request, answers)


def _page(request: Request, answers: Page | None) -> Response:
    suggestions, error = _suggestions(request)
    return dataset_page(
        request,
        "ask.html",
        title="Ask",
        tab="ask",
        answers=answers,
        goal=answers.goal if answers else "",
        suggestions=[one for one in suggestions if one.runs],
        others=[one for one in suggestions if not one.runs],
        error=error,
        limits=_LIMITS,
        size=consoles.PAGE,
        url=_url(request),
        asked=_asked(request),
    )


def _suggestions(request: Request) -> tuple[tuple[Suggestion, ...], str]:
    try:
        return _console(request).suggestions(), ""
    except HornbeamError as error:
        return (), error.message


def _url(request: Request) -> str:
    return f"/d/{request.path_params['dataset']}/ask"


def _asked(request: Request) -> list[str]:
    goals: list[str] = session_of(request).notes.setdefault(f"goals on {request.path_params['dataset']}", [])
    return goals


def _remember(request: Request, answers: Page) -> None:
    goals = _asked(request)
    if answers.goal in goals:
        goals.remove(answers.goal)
    goals.insert(0, answers.goal)
    del goals[_REMEMBERED:]


async def start_again(request: Request) -> Response:
    """A new process: without what goals asserted."""
    form: Mapping[str, str] = await form_of(request)
    await run_in_threadpool(_console(request).close)
    return go(_url(request), **({"goal": form["goal"]} if form.get("goal") else {}))


routes = [
    Route("/d/{dataset}/ask", show),
    Route("/d/{dataset}/ask/restart", start_again, methods=["POST"]),
]
