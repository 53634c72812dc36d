"""RuDaS, reproduced: learners of rules by category, size, noise and open world, beside the paper's figures.

The settings are profiles of the data: `sound` (ours), `compat` (as the original's code makes it). With the option
``--set data=DIR`` the learners run on any RuDaS dataset instead, e.g. on published files that were imported. The
presets are `quick`: our defaults on a few sets of each cell; and `paper`: the ten sets of each cell and the grid over
noise and open world, Neural-LP, DRUM and NTP trained and read as the paper did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError, unknown_name
from hornbeam.ilp import compare
from hornbeam.ilp import learner as learners
from hornbeam.report.tables import mean
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan

PROFILES = {"sound": "v0", "compat": "v0-compat"}
PRESETS = ("quick", "paper")
LEARNERS = ("foil", "amie", "neural-lp", "ntp", "drum")
MEASURES = {"h": "H-score", "r": "R-score", "f1": "F1"}
# A few dozen steps of training, bodies of two atoms, and all rules with .6 of the best weight, whatever the facts say.
_AS_PUBLISHED = {"steps": "20", "max_body": "2", "check": "none", "threshold": "0.6"}
# All rules of the soft templates, whatever their confidence; the paper cuts its templates from the true rules.
_ALL_RULES = {"epochs": "100", "copies": "20", "check": "none", "threshold": "0"}
_PAPER = {"neural-lp": _AS_PUBLISHED, "drum": _AS_PUBLISHED, "ntp": _ALL_RULES}
_FRESH = 2000
_TASK = re.compile(r"(CHAIN|RDG|DRDG)-(XS|S|M|L|XL)-(\d)-\d+")


@dataclass(frozen=True)
class _Options:
    """What ``--set`` changes: the number of sets of a cell, the time of a learner, the data, settings of learners."""

    count: int
    timeout: float
    data: str | None
    learners: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, plan: ReproductionPlan) -> _Options:
        values = dict(plan.overrides)
        count, timeout, data = values.pop("count", ""), values.pop("timeout", "60"), values.pop("data", None)
        own: dict[str, dict[str, str]] = {name: dict(_PAPER[name]) for name in _PAPER if plan.preset == "paper"}
        for key, value in values.items():
            learner, dot, name = key.partition(".")
            if not dot:
                raise unknown_name("setting", key, ["count", "timeout", "data", "LEARNER.KEY"])
            own.setdefault(learner, {})[name] = value
        number = count or ("10" if plan.preset == "paper" else "2")
        if not number.isdecimal() or not 1 <= int(number) <= 1000:
            raise UsageError(f"--set count: expected a whole number from 1 to 1000, found {number}")
        if not re.fullmatch(r"\d+(\.\d+)?", timeout):
            raise UsageError(f"--set timeout: expected seconds, found {timeout}")
        return cls(int(number), float(timeout), data, own)


class RudasReproduction(Reproduction):
    """The systems that the paper compares, as learners here."""

    name: ClassVar[str] = "rudas"

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        options = _Options.of(plan)
        if plan.preset not in PRESETS:
            raise unknown_name("preset", plan.preset, PRESETS)
        for profile in plan.settings:
            if profile not in PROFILES:
                raise unknown_name("setting", profile, [*PROFILES])
        chosen = plan.models or LEARNERS
        entrants = [compare.Entrant.parse(name, {}, options.learners) for name in chosen]
        tables: dict[str, dict[str, Any]] = {}
        profiles = ["data"] if options.data else list(plan.settings or ("sound",))
        for profile in profiles:
            dataset = Dataset(Path(options.data)) if options.data else self._data(plan, profile, options)
            if dataset.family.name != self.name:
                raise UsageError(f"expected a dataset of rudas, found one of {dataset.family.name}", file=options.data)
            contest = compare.Contest([dataset], entrants, timeout=options.timeout, fresh=_FRESH)
            rows = compare.run(contest, plan.out / profile / "rows", progress=plan.progress)
            tables[profile] = {name: _means(rows, name, _groups(dataset)) for name in chosen}
        comparison = _comparison(tables, options, plan)
        comparison.save(plan.out)
        return comparison

    def _data(self, plan: ReproductionPlan, profile: str, options: _Options) -> Dataset:
        import hornbeam

        cells = {"category": ["chain", "rdg", "drdg"], "size": ["xs", "s"], "depth": [2, 3], "count": options.count}
        noise = {"open_world": 0.3, "noise": 0.1, "missing": 0.2}
        # The paper's preset has the grid over noise and open world, too.
        changes = (
            {} if plan.preset == "paper" and options.count == 10 else {"datasets": json.dumps([{**cells, **noise}])}
        )
        out = plan.out / profile / "data"
        return hornbeam.generate(self.name, PROFILES[profile], out=out, seed=plan.data_seed, overrides=changes)


def _groups(dataset: Dataset) -> dict[str, list[str]]:
    """The groups of each task: all, its category, its size and depth, and its shares of open world and noise."""
    specs = dataset.config.specs_by_name() if hasattr(dataset.config, "specs_by_name") else {}
    groups: dict[str, list[str]] = {}
    for task in dataset.tasks:
        named = _TASK.fullmatch(task)
        own = ["all"]
        if named:
            own += [named[1].lower(), f"{named[2]}-{named[3]}".lower()]
        if task in specs:
            own += [f"open world {specs[task].open_world:g}", f"noise {specs[task].noise:g}"]
        groups[task] = own
    return groups


def _means(rows: Iterable[Mapping[str, Any]], learner: str, groups: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The mean figures of a learner in each group; a set without a result counts 0, as the paper counts it."""
    found: dict[str, dict[str, list[float]]] = {measure: {} for measure in MEASURES}
    seconds: list[float] = []
    for row in rows:
        if row["learner"] != learner:
            continue
        h = float(row["h_score"] or 0.0)
        figures = {"h": h, "r": float(row["r_score"] or 0.0), "f1": 2 * h / (1 + h)}
        seconds.append(float(row["seconds"] or 0.0))
        for group in groups[row["task"]]:
            for measure, value in figures.items():
                found[measure].setdefault(group, []).append(value)
    means: dict[str, Any] = {
        measure: {group: mean(values) for group, values in cells.items()} for measure, cells in found.items()
    }
    return {**means, "sets": len(seconds), "seconds": mean(seconds) if seconds else 0.0}


def _comparison(tables: Mapping[str, Mapping[str, Any]], options: _Options, plan: ReproductionPlan) -> PaperComparison:
    paper = resources.published(RudasReproduction.name)
    columns = list(dict.fromkeys(
        group for learned in tables.values() for one in learned.values() for group in one["h"]
    ))  # fmt: skip
    columns.sort(key=_order)
    rows: list[list[str]] = []
    for measure, title in MEASURES.items():
        for profile, learned in tables.items():
            rows += [[title, name, profile, *_cells(one[measure], columns)] for name, one in learned.items()]
        rows += [[title, entry["label"], "published", *_cells(entry[measure], columns)] for entry in paper["results"]]
    sets = {profile: next(iter(learned.values()))["sets"] for profile, learned in tables.items()}
    notes = [
        f"Sets: {', '.join(f'{count} {profile}' for profile, count in sets.items())}; preset {plan.preset}, "
        f"{options.timeout:g} CPU s for a set at most; mean seconds: "
        + ", ".join(f"{name} {one['seconds']:.1f}" for name, one in next(iter(tables.values())).items()) + ".",
        f"Published: {paper['source']}.",
    ]  # fmt: skip
    known = [name for name in LEARNERS if learners.get(name).available()]
    notes += [f"{name} could not run: {learners.get(name).available()}." for name in known]
    header = ["score", "learner", "data", *columns]
    figures = {"tables": tables, "published": paper["results"]}
    return PaperComparison("RuDaS: means over the sets of each group", header, rows, figures, notes)


def _order(group: str) -> tuple[int, str]:
    fixed = ("all", "chain", "rdg", "drdg", "xs-2", "xs-3", "s-2", "s-3")
    return (fixed.index(group), "") if group in fixed else (len(fixed), group)


def _cells(values: Mapping[str, float], columns: Sequence[str]) -> list[str]:
    return [f"{values[column]:.2f}" if column in values else "-" for column in columns]
