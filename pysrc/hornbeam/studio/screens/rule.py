"""Rule: an editor whose text is judged on the samples of a task while it is typed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.studio import diffing, saving, views
from hornbeam.studio.drafts import Drafts, Edit, drafts_of
from hornbeam.studio.engine.judge import LiveJudge
from hornbeam.studio.engine.knowledge import documented
from hornbeam.studio.engine.processes import processes_of
from hornbeam.studio.engine.verdicts import Answer, Judgement, in_words
from hornbeam.studio.jobs import Order
from hornbeam.studio.pages import dataset_of, dataset_page, form_of, go, page, session_of, studio_of, wants_part
from hornbeam.studio.workplace import NotFound
from hornbeam.tasks.court import FRESH

ALL = "all"  # in URLs, where one theory is true of all tasks
SHOWN = 24  # wrong samples of the contact sheet
_PATIENCE = 60.0  # seconds, where a visitor asks for all samples
_FEW_LABELS = 4  # of which all confusions are shown
_CONFUSIONS = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request is: the dataset, the task, and what the visitor tried there."""

    dataset: Dataset
    name: str
    task: str | None
    judge: LiveJudge
    drafts: Drafts

    @property
    def url(self) -> str:
        return f"/d/{self.name}/rule/{quote(self.task or ALL, safe='')}"

    def words(self, answer: str) -> str:
        """A label or an answer as people read it."""
        first = next(iter(self.judge.samples.values()), None)
        return in_words(answer, valid=first is not None and isinstance(first.label, bool))


def _place(request: Request) -> Place:
    dataset, name, called = dataset_of(request), request.path_params["dataset"], request.path_params["task"]
    task = None if called == ALL and called not in dataset.tasks else called
    if task is not None and task not in dataset.tasks:
        raise NotFound(f"the dataset has no task '{task}'")
    if task is None and None not in dataset.family.learning_tasks(dataset):
        raise NotFound("each task of this dataset has a rule of its own: name one")
    session = session_of(request)
    with session.lock:
        judge = processes_of(session).judge(dataset, task)
    return Place(dataset, name, task, judge, drafts_of(session, name, called))


def begin(request: Request) -> Response:
    """The rule of the first task, or of all tasks if they share one; another task if the query names it."""
    dataset = dataset_of(request)
    task = request.query_params.get("task") or (dataset.family.learning_tasks(dataset)[0] or ALL)
    return go(f"/d/{request.path_params['dataset']}/rule/{quote(task, safe='')}")


def show(request: Request) -> Response:
    """The page: with the text of the visitor's last edit, of an earlier one, or of a theory file."""
    place = _place(request)
    text = _text(request, place)
    edit = next((one for one in place.drafts.edits if one.text == text), None)
    return _page(request, place, text, edit.judged if edit else None, edit)


def _text(request: Request, place: Place) -> str:
    theory, number = request.query_params.get("theory"), request.query_params.get("edit", "")
    if theory:
        return saving.text_of(studio_of(request).workplace.place("theory", theory))
    edit = place.drafts.get(int(number)) if number.isascii() and number.isdigit() else None
    if edit is not None:
        return edit.text
    return place.drafts.text if place.drafts.text is not None else place.judge.court.starter()


def _page(
    request: Request,
    place: Place,
    text: str,
    judged: Judgement | None,
    edit: Edit | None,
    status: int = 200,
    **more: Any,
) -> Response:
    query = request.query_params
    find = query.get("find", "").strip().lower()
    entries = [one for one in documented(place.dataset) if find in f"{one.head} {one.text}".lower()]
    values = {
        "place": place,
        "task": place.task,
        "count": len(place.dataset.samples if place.task is None else place.dataset.task(place.task)),
        "tasks": _tasks(place.dataset),
        "text": text,
        "entries": entries,
        "find": find,
        "vocabulary": [f"{name}/{arity}" for name, arity in place.judge.court.sample_predicates()],
        "theories": studio_of(request).workplace.walk().of("theory"),
        "truth": _truth(place) if query.get("truth") else None,
        "file": f"{place.name}-{place.task or ALL}.pl",
        "saved": "",
        **_verdict(request, place, judged, edit, whole=True),
        **more,
    }
    title = f"Rule of {place.task or 'all tasks'}"
    return dataset_page(request, "rule.html", status=status, title=title, tab="rule", **values)


def _tasks(dataset: Dataset) -> list[tuple[str, str]]:
    """The tasks to choose from, as in URLs and in words."""
    shared = [(ALL, "all tasks")] if None in dataset.family.learning_tasks(dataset) else []
    return [*shared, *((task, task) for task in dataset.tasks)]


# Verdicts -------------------------------------------------------------------------------------------------------------


async def judge(request: Request) -> Response:
    """Judge the text of the form."""
    form = await form_of(request)
    return await run_in_threadpool(_judge, request, form)


def _judge(request: Request, form: Mapping[str, str]) -> Response:
    place = _place(request)
    text = _newlines(form.get("text", ""))
    patience = {"patience": _PATIENCE} if "all" in form else {}
    judged = place.judge.judge(text, page=form.get("page", "")[:40], **patience)
    if judged.superseded:
        return Response(status_code=204)
    edit = place.drafts.add(text, judged) if judged.problem is None else None
    if edit is None:
        place.drafts.text = text
    if not wants_part(request):
        return _page(request, place, text, judged, edit)
    values = _verdict(request, place, judged, edit, whole=False)
    answer = page(request, "verdict-part.html", place=place, dataset_name=place.name, **values)
    answer.headers["x-edit"] = form.get("edit", "0")[:12]
    return answer


def _newlines(text: str) -> str:
    """Browsers send the line ends of the network."""
    return text.replace("\r\n", "\n")


def _verdict(
    request: Request, place: Place, judged: Judgement | None, edit: Edit | None, *, whole: bool
) -> dict[str, Any]:
    """What is shown of a verdict. On a whole page, what htmx would load later is there at once."""
    if judged is None or judged.problem is not None or edit is None:
        return {"judged": judged, "edit": None, "marks": _marks(judged), "drafts": place.drafts}
    before = place.drafts.before(edit)
    smallest = place.judge.smallest(judged.wrong)
    chosen = _chosen(request, judged) or smallest
    shown = judged.wrong[:SHOWN]
    return {
        "judged": judged,
        "edit": edit,
        "marks": _marks(judged),
        "drafts": place.drafts,
        "turned": judged.turned(before.judged) if before and before.judged else ((), ()),
        "before": before,
        "smallest": smallest,
        "chosen": chosen,
        "chosen_card": _cards(place, [chosen])[0] if chosen else None,
        "why": place.judge.why(edit.text, chosen) if whole and chosen else None,
        "whole": whole,
        "cards": _cards(place, shown),
        "matrix": _matrix(judged),
    }


def _chosen(request: Request, judged: Judgement) -> Answer | None:
    """The sample that the visitor asks about."""
    name = request.query_params.get("sample")
    return next((one for one in judged.answers if one.sample == name), None)


def _cards(place: Place, answers: Sequence[Answer]) -> list[tuple[Answer, Markup]]:
    samples = [place.judge.samples[one.sample] for one in answers]
    return list(zip(answers, views.small(f"/d/{place.name}", place.dataset, samples), strict=True))


def _marks(judged: Judgement | None) -> str:
    """What the editor marks, as JSON."""
    if judged is None:
        return "[]"
    problem = [{**asdict(judged.problem), "style": "bad"}] if judged.problem and judged.problem.line else []
    notes = [{**asdict(note), "style": "warn"} for note in judged.notes if note.line]
    return json.dumps([*problem, *notes])


@dataclass(frozen=True, slots=True)
class Matrix:
    """Confusions: a whole table of few labels, or a list of the most frequent."""

    labels: tuple[str, ...]
    answers: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]
    frequent: tuple[tuple[str, str, int], ...]


def _matrix(judged: Judgement) -> Matrix:
    labels = tuple(sorted({one.expected for one in judged.answers}, reverse=True))
    answers = tuple(dict.fromkeys([*labels, *sorted({one.said for one in judged.answers})]))
    wrong = [(label, said, count) for (label, said), count in judged.confusion.most_common() if label != said]
    whole = len(answers) <= _FEW_LABELS
    return Matrix(labels if whole else (), answers if whole else (), judged.confusion, tuple(wrong[:_CONFUSIONS]))


def why(request: Request) -> Response:
    """The literal that fails on a sample, or the rule that holds of it wrongly."""
    place = _place(request)
    number = request.query_params.get("edit", "")
    edit = place.drafts.get(int(number)) if number.isascii() and number.isdigit() else None
    judged = edit.judged if edit else None
    answer = _chosen(request, judged) if judged else None
    if edit is None or judged is None or answer is None:
        raise NotFound("this edit is no longer known; judge the rule again")
    if not wants_part(request):
        return go(place.url, edit=number, sample=answer.sample)
    told = place.judge.why(edit.text, answer)
    (card,) = _cards(place, [answer])
    values: dict[str, Any] = {
        "chosen": answer,
        "chosen_card": card,
        "why": told,
        "smallest": place.judge.smallest(judged.wrong),
    }
    return page(request, "why-part.html", place=place, dataset_name=place.name, edit=edit, whole=True, **values)


# The truth ------------------------------------------------------------------------------------------------------------


def truth(request: Request) -> Response:
    """The true rule, which nobody sees who does not ask."""
    place = _place(request)
    if not wants_part(request):
        return go(place.url, truth="1")
    return page(request, "truth-part.html", truth=_truth(place), place=place)


def _truth(place: Place) -> str:
    try:
        return str(place.judge.court.truth).strip()
    except HornbeamError as error:
        return f"% {error.message}"


async def diff(request: Request) -> Response:
    """Compare the text with the truth, in the background."""
    form = await form_of(request)
    return await run_in_threadpool(_diff, request, form)


def _diff(request: Request, form: Mapping[str, str]) -> Response:
    place = _place(request)
    text = _newlines(form.get("text", ""))
    saving.checked(text)
    order = Order(
        "diff",
        f"A rule of {place.task or 'all tasks'}, {place.name}, against the truth",
        diffing.against_truth,
        (place.dataset.path, text, place.task, None, FRESH),
        back=place.url,
        about=place.name,
    )
    job = studio_of(request).jobs.start(order)
    return (
        page(request, "diff-part.html", job=job, told=job.told()) if wants_part(request) else go(f"/compare/{job.id}")
    )


# Files ----------------------------------------------------------------------------------------------------------------


async def save(request: Request) -> Response:
    """Write the text as a theory file."""
    form = await form_of(request)
    return await run_in_threadpool(_save, request, form)


def _save(request: Request, form: Mapping[str, str]) -> Response:
    place = _place(request)
    text, name = _newlines(form.get("text", "")), form.get("file", "")
    workplace = studio_of(request).workplace
    try:
        target = saving.target(workplace, name)
        if target.exists() and "overwrite" not in form:
            told, kind = f"{workplace.shown(target)} exists. Tick 'replace it' to write over it.", "warn"
        else:
            saving.save(place.judge.court, text, target, {"dataset": place.name, "task": place.task or ALL})
            workplace.walk(again=True)
            told, kind = f"Saved as {workplace.shown(target)}.", "good"
    except UsageError as error:
        told, kind = str(error), "bad"
    if wants_part(request):
        return page(request, "saved-part.html", told=told, kind=kind)
    place.drafts.text = text
    edit = next((one for one in place.drafts.edits if one.text == text), None)
    more = {"saved": told, "saved_kind": kind, "file": name}
    return _page(request, place, text, edit.judged if edit else None, edit, 200 if kind == "good" else 400, **more)


_RULE = "/d/{dataset}/rule/{task}"
_posted = partial(Route, methods=["POST"])
routes = [
    Route("/d/{dataset}/rule", begin),
    Route(_RULE, show),
    _posted(_RULE, judge),
    Route(f"{_RULE}/why", why),
    Route(f"{_RULE}/truth", truth),
    _posted(f"{_RULE}/diff", diff),
    _posted(f"{_RULE}/save", save),
]
