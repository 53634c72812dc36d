"""New datasets: from a preset with changed settings, or from published files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbeam.config import key_values
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import BUILT_IN
from hornbeam.studio import presets, work
from hornbeam.studio.forms import Field, changed
from hornbeam.studio.jobs import Order
from hornbeam.studio.pages import form_of, go, page, studio_of
from hornbeam.studio.security import FORM_FIELD

_SEEDS = 2**63
_MOST_WORKERS = 64


def choose(request: Request) -> Response:
    """The presets of all families."""
    return page(request, "make.html", title="New dataset", tab="make", families=presets.catalogue())


def settings(request: Request) -> Response:
    """The form of a preset; what a visitor entered before comes back in the query."""
    return _form(request, request.query_params)


def _form(request: Request, entered: Mapping[str, str], error: str = "", status: int = 200) -> Response:
    family, preset = request.path_params["family"], request.path_params["preset"]
    shown = _filled(presets.settings(family, preset), entered)
    groups: dict[str, list[Field]] = {}
    for field in shown:
        groups.setdefault(field.group, []).append(field)
    return page(
        request,
        "preset.html",
        status=status,
        title=f"{family} {preset}",
        tab="make",
        family=family,
        preset=preset,
        about=presets.description(family, preset),
        groups=groups,
        out=entered.get("out", f"{family}-{preset}"),
        seed=entered.get("seed", "0"),
        workers=entered.get("workers", str(os.cpu_count() or 1)),
        root=studio_of(request).workplace.roots[0],
        error=error,
    )


def _filled(shown: list[Field], entered: Mapping[str, str]) -> list[Field]:
    """The fields with what was entered. A box that is not ticked is not sent, so that others tell of a sent form."""
    if not any(name.startswith("set.") for name in entered):
        return shown
    blank = {"boolean": "false"}
    return [
        replace(field, value=entered.get(f"set.{field.key}", blank.get(field.widget, field.value))) for field in shown
    ]


async def make(request: Request) -> Response:
    """Start to generate."""
    form = await form_of(request)
    return await run_in_threadpool(_make, request, form)


def _make(request: Request, form: dict[str, str]) -> Response:
    studio = studio_of(request)
    family, preset = request.path_params["family"], request.path_params["preset"]
    shown = presets.settings(family, preset)
    try:
        out = studio.workplace.new_folder(form.get("out", ""))
        seed = _whole(form.get("seed", ""), "seed", 0, _SEEDS)
        workers = _whole(form.get("workers", "1"), "workers", 1, _MOST_WORKERS)
    except UsageError as error:
        return _form(request, form, str(error), 400)
    entered = {name: value for name, value in form.items() if name != FORM_FIELD}
    order = Order(
        "generate",
        f"Generate {studio.workplace.shown(out)}: {family} {preset}",
        work.generate,
        (family, preset, out, seed, workers, changed(shown, form)),
        after=partial(_opened, request, out),
        undo=partial(work.remove_partial, out),
        back=f"/make/{family}/{preset}?{urlencode(entered)}",
        makes=out,
    )
    return go(f"/jobs/{studio.jobs.start(order).id}")


def _opened(request: Request, out: Path, result: object) -> str:
    """The URL of a dataset that was made; Home if it is gone."""
    workplace = studio_of(request).workplace
    for again in (False, True):  # the last look may be from before the dataset was there
        for place in workplace.walk(again=again).of("dataset"):
            if place.path == out:
                return f"/d/{place.name}"
    return "/"


def _whole(text: str, what: str, low: int, high: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if not low <= number < high:
        raise UsageError(f"{what}: expected a whole number from {low}, found '{text}'")
    return number


async def import_files(request: Request) -> Response:
    """Start to import published files."""
    form = await form_of(request)
    studio = studio_of(request)
    family = form.get("family", "")
    if family not in BUILT_IN:
        raise unknown_name("family", family, BUILT_IN)
    files = [studio.workplace.inside(line) for line in form.get("files", "").splitlines() if line.strip()]
    for file in files:
        if not file.exists():
            raise UsageError("there is no such file or folder", file=str(file))
    if not files:
        raise UsageError("name the published files, one on each line")
    options = key_values([line for line in form.get("options", "").splitlines() if line.strip()], "Options:")
    out = studio.workplace.new_folder(form.get("out", ""))
    order = Order(
        "import",
        f"Import {studio.workplace.shown(out)}: {family}",
        work.import_files,
        (family, tuple(files), out, options),
        after=partial(_opened, request, out),
        undo=partial(work.remove_partial, out),
        back="/#import",
    )
    return go(f"/jobs/{studio.jobs.start(order).id}")


routes = [
    Route("/make", choose),
    Route("/make/{family}/{preset}", settings),
    Route("/make/{family}/{preset}", make, methods=["POST"]),
    Route("/import", import_files, methods=["POST"]),
]
