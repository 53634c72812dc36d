"""Learn: start learners and models, follow them side by side, go from what they found to the diff."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.config import key_values
from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError, UsageError, unknown_name
from hornbeam.neural.run_reading import trained_curves
from hornbeam.report.curves import Line, curve
from hornbeam.studio import saving, work
from hornbeam.studio.forms import changed
from hornbeam.studio.jobs import Job, Order
from hornbeam.studio.learners import Choice, learned_points, learners, models
from hornbeam.studio.pages import dataset_of, dataset_page, form_of, go, page, studio_of, wants_part
from hornbeam.studio.security import FORM_FIELD
from hornbeam.studio.workplace import NotFound, Workplace

ALL = "all"
KINDS = ("learn", "train")
_SHOWN = 12  # jobs side by side
_LONGEST = 86_400.0  # seconds of a learner
_MOST_SEEDS = 50


def show(request: Request) -> Response:
    """The form of a learner or a model, and what learns or has learned on this dataset."""
    return _form(request, request.query_params)


def _form(request: Request, entered: Mapping[str, str], error: str = "", status: int = 200) -> Response:
    dataset = dataset_of(request)
    kind = "train" if entered.get("model") is not None else "learn"
    choices, trouble = _choices(dataset, kind)
    wanted = entered.get("model" if kind == "train" else "learner", "")
    chosen = next((one for one in choices if one.name == wanted), choices[0] if choices else None)
    return dataset_page(
        request,
        "learn.html",
        status=status,
        title="Learn",
        tab="learn",
        kind=kind,
        choices=choices,
        chosen=chosen,
        entered=entered,
        tasks=_tasks(dataset),
        options=_options_hint(dataset),
        error=error or trouble,
        cards=[_card(request, job) for job in _jobs(request)],
    )


def _choices(dataset: Dataset, kind: str) -> tuple[list[Choice], str]:
    try:
        return (models(dataset.manifest.family) if kind == "train" else learners(dataset)), ""
    except HornbeamError as error:
        return [], error.message


def _tasks(dataset: Dataset) -> list[tuple[str, str]]:
    tasks = dataset.family.learning_tasks(dataset)
    return [(ALL, "all tasks") if task is None else (task, task) for task in tasks]


def _options_hint(dataset: Dataset) -> str:
    return "encoding=folded\nbackground=mid" if dataset.family.name == "kandy" else ""


# Starting -------------------------------------------------------------------------------------------------------------


async def start(request: Request) -> Response:
    """Start the learner or the model of the form."""
    form = await form_of(request)
    return await run_in_threadpool(_start, request, form)


def _start(request: Request, form: Mapping[str, str]) -> Response:
    dataset = dataset_of(request)
    try:
        make = _train_order if form.get("kind") == "train" else _learn_order
        order = make(request, dataset, form)
    except UsageError as error:
        entered = {name: value for name, value in form.items() if name != FORM_FIELD}
        return _form(
            request, {**entered, **({"model": form["name"]} if form.get("kind") == "train" else {})}, str(error), 400
        )
    studio_of(request).jobs.start(order)
    return go(f"{_url(request)}#jobs")


def _url(request: Request) -> str:
    return f"/d/{request.path_params['dataset']}/learn"


def _learn_order(request: Request, dataset: Dataset, form: Mapping[str, str]) -> Order:
    chosen = _named(learners(dataset), "learner", form.get("name", ""))
    task = form.get("task", "")
    if task not in dict(_tasks(dataset)):
        raise unknown_name("task", task, [name for name, _ in _tasks(dataset)])
    timeout = _number(form.get("timeout", "60"), "the time", 0.1, _LONGEST)
    file = form.get("file", "").strip()
    out = _new_file(studio_of(request).workplace, file) if file else None
    settings = changed(chosen.fields, form)
    arguments = (
        dataset.path,
        chosen.name,
        None if task == ALL else task,
        timeout,
        _options(form.get("options", "")),
        settings,
        out,
    )
    name = request.path_params["dataset"]
    told = ", ".join(f"{key}={value}" for key, value in settings.items())
    title = f"{chosen.name} on {name}, {'all tasks' if task == ALL else task}" + (f" ({told})" if told else "")
    back = f"{_url(request)}?{urlencode({'learner': chosen.name, 'task': task})}"
    return Order("learn", title, work.learn, arguments, after=lambda _: _url(request), back=back, about=name)


def _train_order(request: Request, dataset: Dataset, form: Mapping[str, str]) -> Order:
    chosen = _named(models(dataset.manifest.family), "model", form.get("name", ""))
    setting = form.get("setting", "")
    if setting not in chosen.cases:
        raise unknown_name("setting", setting, chosen.cases)
    seeds = int(_number(form.get("seeds", "1"), "seeds", 1, _MOST_SEEDS))
    name = request.path_params["dataset"]
    out = studio_of(request).workplace.new_folder(form.get("out", "") or f"runs-{name}-{chosen.name}-{setting}")
    arguments = (dataset.path, chosen.name, setting, seeds, out, changed(chosen.fields, form))
    title = f"{chosen.name} {setting} on {name}, {seeds} seed{'s' if seeds > 1 else ''}"
    back = f"{_url(request)}?{urlencode({'model': chosen.name})}"
    return Order("train", title, work.train, arguments, after=lambda _: _url(request), back=back, about=name)


def _named(choices: list[Choice], what: str, name: str) -> Choice:
    chosen = next((one for one in choices if one.name == name), None)
    if chosen is None:
        raise unknown_name(what, name, [one.name for one in choices])
    if chosen.missing:
        raise UsageError(chosen.missing)
    return chosen


def _number(text: str, what: str, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise UsageError(f"{what}: expected a number from {low:g} to {high:g}, found '{text}'")
    return number


def _options(text: str) -> dict[str, str]:
    """The options of a family's tasks, one on each line; none of them may name a file."""
    options = key_values([line.strip() for line in text.splitlines() if line.strip()], "options")
    for name, value in options.items():
        if name == "earlier" or "/" in value or "\\" in value:
            raise UsageError(f"the option {name} would name a folder, which the studio does not allow")
    return options


def _new_file(workplace: Workplace, name: str) -> Path:
    target = saving.target(workplace, name)
    if target.exists():
        raise UsageError(f"{workplace.shown(target)} exists already; choose another name")
    return target


# Following ------------------------------------------------------------------------------------------------------------


def _jobs(request: Request) -> list[Job]:
    name = request.path_params["dataset"]
    return [job for job in studio_of(request).jobs.all(about=name) if job.order.kind in KINDS][:_SHOWN]


def _card(request: Request, job: Job) -> dict[str, Any]:
    told = job.told()
    result = job.result if job.state == "done" else None
    task = job.order.arguments[2] if job.order.kind == "learn" else None
    return {
        "job": job,
        "told": told,
        "result": result,
        "source": result["file"] if result is not None and job.order.kind == "learn" else told.theory,
        "curve": _curve(job, result),
        "rule_url": f"/d/{request.path_params['dataset']}/rule/{quote(task or ALL, safe='')}",
    }


def _curve(job: Job, result: Any) -> Markup:
    if job.order.kind == "train":
        losses, accuracies = trained_curves(job.order.arguments[4])
        return curve(losses, "steps") + curve(accuracies, "steps", top=1.0)
    lines = [Line("train, as the learner counts", tuple(learned_points(job.told().events)))]
    if result is not None:
        lines.append(Line("test", tuple((float(at), float(value)) for at, value in result.get("curve") or ())))
    return curve(lines, "s of CPU", top=1.0)


def follow(request: Request) -> Response:
    """How far one is, as a part of the page."""
    job = _job(request)
    if not wants_part(request):
        return go(f"{_url(request)}#job-{job.id}")
    return page(request, "learn-card.html", card=_card(request, job), dataset_name=request.path_params["dataset"])


def stop(request: Request) -> Response:
    """Stop a learner: its best theory so far is judged. A model, or a learner that waits, is ended."""
    job = _job(request)
    if job.order.kind == "learn" and job.state == "running":
        job.stop()
    else:
        job.cancel()
    if not wants_part(request):
        return go(f"{_url(request)}#job-{job.id}")
    return page(request, "learn-card.html", card=_card(request, job), dataset_name=request.path_params["dataset"])


def _job(request: Request) -> Job:
    job = studio_of(request).jobs.get(request.path_params["job"])
    if job is None or job.order.kind not in KINDS or job.order.about != request.path_params["dataset"]:
        raise NotFound("there is no such job on this dataset; the studio remembers its last jobs only")
    return job


routes = [
    Route("/d/{dataset}/learn", show),
    Route("/d/{dataset}/learn", start, methods=["POST"]),
    Route("/d/{dataset}/learn/{job}", follow),
    Route("/d/{dataset}/learn/{job}/stop", stop, methods=["POST"]),
]
