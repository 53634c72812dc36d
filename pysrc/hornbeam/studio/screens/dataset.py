"""Dataset: its samples, a page after the other, by what a visitor wants to see; and what an audit finds."""

from __future__ import annotations

from functools import partial
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.data.dataset import Dataset
from hornbeam.data.manifest import proven_text
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.studio import views, work
from hornbeam.studio.browsing import Browser, Filter, Rows
from hornbeam.studio.jobs import Job, Order
from hornbeam.studio.pages import dataset_of, dataset_page, go, page, studio_of
from hornbeam.studio.workplace import NotFound

SIZE = 48  # samples of a page
_KEPT = {"cache-control": "private, max-age=600"}
_AT_ONCE = 3_000  # samples whose labels and groups are looked up while the page is made


def show(request: Request) -> Response:
    """The page of a dataset, with the first samples."""
    dataset, browser = _opened(request)
    wanted = Filter.of(request.query_params)
    if wanted.needs_facets or len(dataset.samples) <= _AT_ONCE or "facets" in request.query_params:
        browser.look_up()
    manifest = dataset.manifest
    job = _audit_job(request)
    return dataset_page(
        request,
        "dataset.html",
        title=request.path_params["dataset"],
        tab="samples",
        manifest=manifest,
        family=dataset.family,
        proven=proven_text(manifest.proven),
        facets=browser.facets if browser.known else None,
        audit_job=job,
        findings=_findings(job),
        **_window(request, dataset, browser, wanted),
    )


def samples(request: Request) -> Response:
    """The samples from a place on, as a part of a page; without a script, as a page of its own."""
    dataset, browser = _opened(request)
    wanted = Filter.of(request.query_params)
    if "hx-request" not in request.headers:
        return go(f"/d/{request.path_params['dataset']}?{wanted.query(start=_start(request))}")
    window = _window(request, dataset, browser, wanted)
    return page(request, "samples.html", dataset_name=request.path_params["dataset"], **window)


def filters(request: Request) -> Response:
    """The filters by label and group, once they are known."""
    _, browser = _opened(request)
    facets = browser.look_up()
    wanted = Filter.of(request.query_params)
    return page(request, "filters.html", facets=facets, wanted=wanted, dataset_name=request.path_params["dataset"])


def _opened(request: Request) -> tuple[Dataset, Browser]:
    dataset = dataset_of(request)
    return dataset, studio_of(request).browsers.of(dataset)


def _start(request: Request) -> int:
    text = request.query_params.get("start", "0")
    return min(int(text), 1 << 40) if text.isascii() and text.isdigit() else 0


def _window(request: Request, dataset: Dataset, browser: Browser, wanted: Filter) -> dict[str, Any]:
    """The samples to show, and where the next ones are."""
    rows: Rows = browser.rows(wanted, _finding_ids(request, wanted))
    start = _start(request)
    shown = list(browser.page(rows, start, SIZE))
    after = start + SIZE
    return {
        "wanted": wanted,
        "count": len(rows),
        "start": start,
        "cards": list(zip(shown, _drawn(request, dataset, shown), strict=True)),
        "partners": _partners(browser, shown) if wanted.near else {},
        "next_query": wanted.query(start=after) if after < len(rows) else "",
        "previous_query": wanted.query(start=max(0, start - SIZE) or None) if start else None,
    }


def _drawn(request: Request, dataset: Dataset, shown: list[Sample]) -> list[Markup]:
    return views.small(f"/d/{request.path_params['dataset']}", dataset, shown)


def _partners(browser: Browser, shown: list[Sample]) -> dict[str, list[str]]:
    """The names of the near misses of each sample."""
    names: dict[str, list[str]] = {}
    for sample in shown:
        names[sample.id] = [browser.dataset.samples[other].id for other in browser.near_of(sample)]
    return names


# The audit ------------------------------------------------------------------------------------------------------------


def _audit_job(request: Request) -> Job | None:
    """The last audit of this dataset as it is now; one of an earlier state of the folder is of no use."""
    mark = str(dataset_of(request).path)
    return next(iter(studio_of(request).jobs.all(kind="audit", about=mark)), None)


def _findings(job: Job | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = job.result["findings"] if job is not None and job.state == "done" else []
    return found


def _finding_ids(request: Request, wanted: Filter) -> list[str] | None:
    if not wanted.finding:
        return None
    name, _, number = wanted.finding.partition(".")
    job = studio_of(request).jobs.get(name)
    found = _findings(job)
    if not number.isascii() or not number.isdigit() or int(number) >= len(found):
        raise NotFound("this finding is of an audit that is no longer known; start the audit again")
    ids: list[str] = found[int(number)]["samples"]
    return ids


def audit(request: Request) -> Response:
    """Start an audit."""
    dataset = dataset_of(request)
    name = request.path_params["dataset"]
    order = Order(
        "audit",
        f"Audit {name}",
        work.audit,
        (dataset.path,),
        after=partial(_dataset_url, name),
        about=str(dataset.path),
    )
    return go(f"/jobs/{studio_of(request).jobs.start(order).id}")


def _dataset_url(name: str, result: object) -> str:
    return f"/d/{name}#audit"


# Pictures -------------------------------------------------------------------------------------------------------------


def picture(request: Request) -> Response:
    """The picture of a sample, cropped to its objects."""
    dataset = dataset_of(request)
    if dataset.family.name != "kandy":
        raise NotFound("the samples of this dataset are no pictures")
    try:
        data = views.picture(dataset, dataset.sample(request.path_params["sample"]))
    except DatasetError as error:
        raise NotFound(str(error)) from None
    return Response(data, media_type="image/png", headers=_KEPT)


def drawing(request: Request) -> Response:
    """A drawing of a sample, for pages of many."""
    dataset = dataset_of(request)
    drawn = views.drawings(dataset, dataset.sample(request.path_params["sample"]))
    number = request.path_params["number"]
    if number >= len(drawn):
        raise NotFound("the sample has no such drawing")
    return Response(str(drawn[number][0]), media_type="image/svg+xml", headers=_KEPT)


routes = [
    Route("/d/{dataset}", show),
    Route("/d/{dataset}/samples", samples),
    Route("/d/{dataset}/filters", filters),
    Route("/d/{dataset}/audit", audit, methods=["POST"]),
    Route("/d/{dataset}/s/{sample}/picture.png", picture),
    Route("/d/{dataset}/s/{sample}/drawing-{number:int}.svg", drawing),
]
