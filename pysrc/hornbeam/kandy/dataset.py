"""From a task to the samples and pictures of a dataset: what a worker makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch
from hornbeam.kandy.annotate import annotated
from hornbeam.kandy.curriculum import Curriculum, NamedRule, RuleText, Task
from hornbeam.kandy.logic import KandyLogic
from hornbeam.kandy.model import KandyConfig
from hornbeam.kandy.proving import Proven, prove
from hornbeam.kandy.render import Renderer
from hornbeam.kandy.sample import Judge, SearchResult, find_symbols
from hornbeam.kandy.splits import PlannedRow, rows, sizes
from hornbeam.kandy.tree import Domain, Tree, as_json, prolog_text

ORIGINAL_SPLIT = {"train": "train", "valid": "val", "test": "test"}
"""The names of the splits in the original's folders."""
_ENOUGH_TRIES = 20


@dataclass(frozen=True)
class TaskPlan:
    """What a task's dataset will be: its rows, and how they were found."""

    task: Task
    found: SearchResult
    rows: list[PlannedRow]


def rule_key(rule: NamedRule | RuleText, logic: KandyLogic) -> str:
    """The name under which Prolog knows a rule; a rule from text is read first, and refused with its place."""
    if isinstance(rule, NamedRule):
        known = [task.rule for task in logic.task_table()]
        if rule.name not in known:
            where = asdict(rule.place) if rule.place else {}
            raise unknown_name("rule", rule.name, known, **where)
        return rule.name
    try:
        return logic.load_rule(rule.text)
    except UsageError as error:
        line = rule.line + (error.line or 1) - 1
        raise UsageError(error.message, file=rule.file, line=line, column=error.column) from None


def check_rules(curriculum: Curriculum, logic: KandyLogic) -> None:
    """Refuses a curriculum with a rule that Prolog cannot use."""
    for task in curriculum.tasks:
        if task.rule is not None:
            try:
                rule_key(task.rule, logic)
            except UsageError as error:
                message = f"task {task.index} '{task.name}': {error.message}"
                raise UsageError(message, file=error.file, line=error.line, column=error.column) from None


def judge_of(task: Task, logic: KandyLogic) -> Judge | None:
    """Asks a task's rule about trees, in bulk; None where the task has none."""
    if task.rule is None:
        return None
    rule = task.rule
    key = rule_key(rule, logic)

    def judge(trees: Sequence[Tree]) -> list[bool | None]:
        try:
            labels = logic.labels(key, trees)
        except UsageError as error:
            if isinstance(rule, NamedRule):
                raise
            message = f"task {task.index} '{task.name}': {error.message}"
            raise UsageError(message, file=rule.file, line=rule.line) from None
        return [None if label < 0 else bool(label) for label in labels]

    return judge


def make_plan(task: Task, curriculum: Curriculum, seed: int) -> TaskPlan:
    """Draws the symbols of a task and lays out its rows."""
    config = curriculum.config
    with reasoner(task, config.domain) as logic:
        found = find_symbols(task, config, seed, judge_of(task, logic))
    _refuse_one_sided(task, found)
    return TaskPlan(task, found, rows(task, config, seed, found))


@contextmanager
def reasoner(task: Task, domain: Domain) -> Iterator[KandyLogic]:
    """The reasoner for a task. Rules of kb/kandy run in this process, where it is kept; a text has its own process."""
    if isinstance(task.rule, RuleText):
        with KandyLogic(domain) as logic:
            yield logic
    else:
        yield _own_logic(domain)


@lru_cache(maxsize=4)
def _own_logic(domain: Domain) -> KandyLogic:
    return KandyLogic(domain)


def _refuse_one_sided(task: Task, found: SearchResult) -> None:
    """A set of which nothing at all could be used is a mistake in the file, not a task."""
    for label, tally in found.tallies.items():
        if not tally.taken and (tally.tried >= _ENOUGH_TRIES or not found.symbols):
            side = "positive" if label else "negative"
            raise task.side(label)[0].place.error(
                f"task {task.index} '{task.name}': none of {tally.tried} samples of the {side} set could be used: "
                f"the rule did not confirm {tally.refused}, {tally.twins} looked like others, "
                f"{tally.repeated} were repetitions"
            )


@lru_cache(maxsize=2)
def plan_of(config_text: str, index: int, seed: int) -> TaskPlan:
    """The plan of a task. Kept, because the parts of a large task are made one after the other."""
    curriculum = KandyConfig.model_validate_json(config_text).curriculum
    return make_plan(curriculum.tasks[index], curriculum, seed)


def make_batch(config: KandyConfig, seed: int, index: int, start: int, stop: int) -> Batch:
    """The samples and pictures of rows `start` to `stop` of a task; the report comes with its first row."""
    plan = plan_of(config.model_dump_json(), index, seed)
    curriculum = config.curriculum
    artist = Artist(curriculum, plan.task, seed)
    batch = Batch(report=report(plan, curriculum) if start == 0 else {})
    chosen = plan.rows[start:stop]
    proofs, proven = proofs_of(plan.task, chosen, curriculum.config.domain)
    batch.report |= {"proven": proven.labels, "confirmed": proven.confirmed}
    for row in chosen:
        sample, path, png = artist.sample(row, proofs.get(row.symbol))
        batch.samples.append(sample)
        batch.files[path] = png
    return batch


def proofs_of(task: Task, chosen: Sequence[PlannedRow], domain: Domain) -> tuple[dict[int, Json], Proven]:
    """Why the rule holds of each symbol or does not, by its number, and what was proven; nothing without a rule."""
    if task.rule is None or not chosen:
        return {}, Proven(0, 0)
    trees = {row.symbol: row.tree for row in chosen}
    with reasoner(task, domain) as logic:
        key = rule_key(task.rule, logic)
        proven = prove(task, key, chosen, logic)
        found = logic.certificates(key, list(trees.values()))
    name = _rule_name(task)
    return {symbol: {"rule": name, **proof} for symbol, proof in zip(trees, found, strict=True)}, proven


class Artist:
    """Draws the rows of one task."""

    def __init__(self, curriculum: Curriculum, task: Task, seed: int) -> None:
        self._task = task
        self._seed = seed
        self._domain: Domain = curriculum.config.domain
        self._renderer = Renderer(curriculum.config)

    def sample(self, row: PlannedRow, proof: Json = None) -> tuple[Sample, str, bytes]:
        """A row's sample, and the path and bytes of its picture."""
        task = self._task
        scene = self._renderer.scene(
            row.tree,
            row.rng(task, self._seed),
            noisy_color=task.noisy_color,
            noisy_size=task.noisy_size,
            laid=row.laid,
        )
        path = image_path(row.split, task.index, row.index)
        objects, groups = annotated(scene)
        sample = Sample(
            id=row.sample_id(task),
            task=task.id,
            split=row.split,
            label=row.label,
            supervised=row.supervised,
            input={"image": path, "objects": objects, "groups": groups},  # type: ignore[dict-item]
            symbolic={
                "prolog": prolog_text(row.tree),
                "tree": as_json(row.tree, self._domain),
                "symbol": row.symbol,
            },
            proof={} if proof is None else proof,
        )
        return sample, path, scene.png()


def image_path(split: str, task: int, index: int) -> str:
    """Where a picture lies in the dataset: the original's layout, below `sets`."""
    return f"sets/{ORIGINAL_SPLIT[split]}/{task}/{index:04d}.png"


def _rule_name(task: Task) -> str | None:
    return task.rule.name if isinstance(task.rule, NamedRule) else "positive_rule" if task.rule else None


def report(plan: TaskPlan, curriculum: Curriculum) -> dict[str, Json]:
    """How a task's samples were found, for people and for the manifest."""
    task, found = plan.task, plan.found
    tallies = {"positive": found.tallies[True], "negative": found.tallies[False]}
    wanted = sizes(task, task.samples)
    labels = Counter((row.split, row.label) for row in plan.rows)
    summary: dict[str, Any] = {
        "rule": _rule_name(task),
        **{name: asdict(tally) for name, tally in tallies.items()},
        "distinct": len(found.symbols),
        "repeats": len(plan.rows) - len({row.symbol for row in plan.rows}),
        "exhausted": {"positive": found.exhausted[True], "negative": found.exhausted[False]},
        "positives": {split: labels[split, True] for split in wanted},
        "rows": {split: labels[split, True] + labels[split, False] for split in wanted},
        "missing": task.samples - len(plan.rows),
        "supervised": sum(row.supervised for row in plan.rows),
    }
    rejected = {
        "repetition": sum(tally.repeated for tally in tallies.values()),
        "picture": sum(tally.twins for tally in tallies.values()),
        "rule": sum(tally.refused for tally in tallies.values()),
    }
    return {"rejected": rejected, "tasks": {task.id: summary}}  # type: ignore[dict-item]
