"""Compare: two theories, a theory and the truth of a dataset, or two training runs; the diff page, live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.errors import UsageError
from hornbeam.neural.run_reading import stored_run
from hornbeam.neural.run_tables import figure_rows
from hornbeam.studio import diffing, saving
from hornbeam.studio.jobs import Job, Order
from hornbeam.studio.pages import form_of, go, page, studio_of, wants_part
from hornbeam.studio.workplace import NotFound, Workplace
from hornbeam.tasks.court import FRESH
from hornbeam.theory.files import read_header

TRUTH = "truth of "  # a dataset's, in the list of theories
_KINDS = ("diff",)


def choose(request: Request) -> Response:
    """The form; with two runs in the query, their figures side by side."""
    workplace = studio_of(request).workplace
    walk = workplace.walk()
    runs = walk.of("run")
    one, other = request.query_params.get("run", ""), request.query_params.get("other", "")
    pair = [stored_run(workplace.place("run", name).path) for name in (one, other)] if one and other else []
    return page(
        request,
        "compare.html",
        title="Compare",
        tab="compare",
        theories=walk.of("theory"),
        datasets=walk.of("dataset"),
        runs=runs,
        chosen=request.query_params,
        pair=pair,
        figures=figure_rows(pair),
        jobs=studio_of(request).jobs.all(kind="diff")[:10],
    )


async def start(request: Request) -> Response:
    """Start the diff of two theories."""
    form = await form_of(request)
    return await run_in_threadpool(_start, request, form)


def _start(request: Request, form: Mapping[str, str]) -> Response:
    studio = studio_of(request)
    true, learned = form.get("true", ""), form.get("learned", "")
    if not learned:
        raise UsageError("choose a learned theory")
    back = f"/compare?{urlencode({'true': true, 'learned': learned})}"
    order = _order(studio.workplace, true, learned, form.get("task", "").strip() or None)
    return go(f"/compare/{studio.jobs.start(replace(order, back=back)).id}")


def _order(workplace: Workplace, true: str, learned: str, task: str | None) -> Order:
    place = workplace.place("theory", learned)
    text = saving.text_of(place)
    saving.checked(text)
    if true.startswith(TRUTH):
        name = true.removeprefix(TRUTH)
        dataset = workplace.dataset(name)
        wanted = task or read_header(text).get("task")
        known = wanted if wanted in dataset.tasks else None
        arguments = (dataset.path, text, known, None, FRESH)
        return Order("diff", f"{place.shown} against the truth of {name}", diffing.against_truth, arguments, about=name)
    other = workplace.place("theory", true)
    first = saving.text_of(other)
    saving.checked(first)
    names = (other.shown, place.shown)
    return Order("diff", f"{other.shown} and {place.shown}", diffing.of_two, (first, text, names))


def show(request: Request) -> Response:
    """A diff: how far it is, and what came out."""
    job = _job(request)
    if wants_part(request):
        return page(request, "diff-part.html", job=job, told=job.told())
    return page(request, "diff.html", title=job.order.title, tab="compare", job=job, told=job.told())


def _job(request: Request) -> Job:
    job = studio_of(request).jobs.get(request.path_params["job"])
    if job is None or job.order.kind not in _KINDS:
        raise NotFound("there is no such diff; the studio remembers its last jobs only")
    return job


routes = [
    Route("/compare", choose),
    Route("/compare", start, methods=["POST"]),
    Route("/compare/{job}", show),
]
