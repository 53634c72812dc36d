"""The tour of `make demo`: a small dataset of each family, checked, asked, shown, in one report."""

from __future__ import annotations

import html
import time
from dataclasses import dataclass
from pathlib import Path

import hornbeam
from hornbeam import family as families
from hornbeam.data.dataset import Dataset
from hornbeam.data.page import page, table
from hornbeam.errors import HornbeamError
from hornbeam.family import Check, Family, Section
from hornbeam.logic import Limits, to_text


@dataclass(frozen=True, slots=True)
class Stop:
    """One family of the tour."""

    family: Family
    dataset: Dataset
    check: Check
    seconds: float


def tour(out: Path, seed: int) -> Path:
    """Generate, check, ask and show each family's demonstration preset; returns the report's path."""
    out.mkdir(parents=True, exist_ok=True)
    stops = [_visit(families.get(name), out, seed) for name in families.names() if families.get(name).demo_preset]
    report = out / "report.html"
    report.write_text(_report(stops, seed), encoding="utf-8")
    print(f"\nThe report: {report}")
    return report


def _visit(family: Family, out: Path, seed: int) -> Stop:
    start = time.monotonic()
    folder = out / family.name
    print(f"\n== {family.title}")
    print(f"$ hornbeam generate {family.name} {family.demo_preset} --out {folder} --seed {seed}", flush=True)
    dataset = hornbeam.generate(family.name, family.demo_preset, out=folder, seed=seed)
    print(f"  {len(dataset.samples)} samples: {dataset.manifest.counts['splits']}")
    print(f"$ hornbeam check {folder}", flush=True)
    check = hornbeam.check(dataset)
    print(f"  {check.confirmed} of {check.samples} labels confirmed by {check.reasoner}")
    if not check.ok:
        raise HornbeamError(f"{check.refuted} labels of {folder} are refuted, {check.undecided} undecided")
    goal, meaning = family.prolog_side(dataset.config).queries[0]
    print(f'$ hornbeam query {folder} "{goal}" --limit 3      # {meaning}', flush=True)
    for line in _answers(dataset, goal):
        print(f"  {line}")
    return Stop(family, dataset, check, time.monotonic() - start)


def _answers(dataset: Dataset, goal: str) -> list[str]:
    answers = dataset.query(goal, limits=Limits(seconds=60, answers=3))
    return [", ".join(f"{name} = {to_text(value)}" for name, value in answer.items()) or "true" for answer in answers]


def _report(stops: list[Stop], seed: int) -> str:
    rows = [
        (
            stop.family.title,
            len(stop.dataset.samples),
            f"{stop.check.confirmed} of {stop.check.samples} by {stop.check.reasoner}",
            f"{stop.seconds:.1f} s",
        )
        for stop in stops
    ]
    lead = (
        "<p>Every sample below was drawn from a written theory, its label proven by SWI-Prolog and confirmed by a "
        f"second reasoner. All of it comes from the seed {seed}.</p>"
        + table(("family", "samples", "labels confirmed", "time"), rows)
    )
    sections = [section for stop in stops for section in _sections(stop, seed)]
    return page("Hornbeam: a tour", lead, sections)


def _sections(stop: Stop, seed: int) -> list[Section]:
    family, folder = stop.family, stop.dataset.path
    goal, meaning = family.prolog_side(stop.dataset.config).queries[0]
    commands = (
        f"hornbeam generate {family.name} {family.demo_preset} --out {folder} --seed {seed}\n"
        f"hornbeam check {folder}\n"
        f'hornbeam query {folder} "{goal}" --limit 3      # {meaning}\n'
        f"hornbeam show {folder}"
    )
    answers = "\n".join(_answers(stop.dataset, goal))
    lead = (
        f"<p>{html.escape(family.paper)}</p><pre>{html.escape(commands)}</pre>"
        f"<p>The answers to the query:</p><pre>{html.escape(answers)}</pre>"
    )
    return [Section(family.title, lead), *family.show(stop.dataset)]
