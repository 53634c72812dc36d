"""Sample: what it shows, why it has its label, and what a learned theory says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.data.audit import label_text
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.studio import proofs, views
from hornbeam.studio.browsing import Filter
from hornbeam.studio.kept import header_of
from hornbeam.studio.pages import dataset_of, dataset_page, page, studio_of
from hornbeam.studio.proofs import Proof
from hornbeam.studio.workplace import NotFound

_MOST_NEAR = 5_000  # samples of a task among which near misses are looked for while a page is made


@dataclass(frozen=True, slots=True)
class Reason:
    """A proof, or why there is none."""

    proof: Proof | None
    error: str = ""


def show(request: Request) -> Response:
    """The page of a sample."""
    dataset = dataset_of(request)
    sample = _sample(request, dataset)
    name = request.path_params["dataset"]
    wanted = Filter.of(request.query_params)
    chosen = request.query_params.get("theory", "")
    return dataset_page(
        request,
        "sample.html",
        title=sample.id,
        tab="samples",
        sample=sample,
        label=label_text(sample.label),
        groups=dataset.family.groups(sample),
        drawing=_drawing(request, dataset, sample),
        reason=_reason(dataset, sample),
        theories=_theories(request, sample),
        chosen=chosen,
        under=_under(request, dataset, sample, chosen) if chosen else None,
        near=_near(request, dataset, sample),
        rule_url=_rule_url(name, dataset, sample),
        wanted=wanted,
        **_neighbours(request, dataset, sample, wanted),
        url=f"/d/{name}/s/{sample.id}",
    )


def under(request: Request) -> Response:
    """What a learned theory says of a sample, as a part of its page."""
    dataset = dataset_of(request)
    sample = _sample(request, dataset)
    chosen = request.query_params.get("theory", "")
    reason = _under(request, dataset, sample, chosen) if chosen else None
    return page(request, "under.html", under=reason, sample=sample)


def _sample(request: Request, dataset: Dataset) -> Sample:
    try:
        return dataset.sample(request.path_params["sample"])
    except UsageError as error:
        raise NotFound(error.message) from None


def _drawing(request: Request, dataset: Dataset, sample: Sample) -> Any:
    try:
        return views.large(f"/d/{request.path_params['dataset']}", dataset, sample)
    except HornbeamError as error:
        return str(error)


def _reason(dataset: Dataset, sample: Sample) -> Reason:
    try:
        return Reason(proofs.proof_of(dataset, sample))
    except HornbeamError as error:
        return Reason(None, str(error))


def _under(request: Request, dataset: Dataset, sample: Sample, chosen: str) -> Reason:
    place = studio_of(request).workplace.place("theory", chosen)
    try:
        return Reason(proofs.under(dataset, sample, place.path))
    except HornbeamError as error:
        return Reason(None, str(error))


def _theories(request: Request, sample: Sample) -> list[tuple[str, str]]:
    """The theory files, those first that were learned for this task; each with what to call it."""
    found = []
    for place in studio_of(request).workplace.walk().of("theory"):
        header = header_of(place.path)
        known = ", ".join(header[key] for key in ("learner", "task") if header.get(key))
        found.append(
            (header.get("task") != sample.task, place.name, f"{place.shown} ({known})" if known else place.shown)
        )
    return [(name, called) for _, name, called in sorted(found)]


def _rule_url(name: str, dataset: Dataset, sample: Sample) -> str:
    """The editor of the rule that the sample is about; tasks may share one theory."""
    own = sample.task in dataset.family.learning_tasks(dataset)
    return f"/d/{name}/rule/{quote(sample.task, safe='')}" if own else f"/d/{name}/rule"


def _near(request: Request, dataset: Dataset, sample: Sample) -> list[Sample]:
    """Samples that differ in one thing and have another label; not looked for among very many."""
    if sum(dataset.manifest.counts["tasks"][sample.task].values()) > _MOST_NEAR:
        return []
    browser = studio_of(request).browsers.of(dataset)
    return [dataset.samples[row] for row in browser.near_of(sample)]


def _neighbours(request: Request, dataset: Dataset, sample: Sample, wanted: Filter) -> dict[str, str]:
    """The samples before and after this one, in what the visitor looks through."""
    browser = studio_of(request).browsers.of(dataset)
    rows = browser.rows(wanted.with_(finding=""))
    place = (rows == browser.number(sample.id)).nonzero()[0]
    if not len(place):
        return {"previous": "", "following": ""}
    at = int(place[0])
    return {
        "previous": dataset.samples[int(rows[at - 1])].id if at else "",
        "following": dataset.samples[int(rows[at + 1])].id if at + 1 < len(rows) else "",
    }


routes = [
    Route("/d/{dataset}/s/{sample}", show),
    Route("/d/{dataset}/s/{sample}/under", under),
]
