"""A family from another package: is one person of a random tree an ancestor of another?

Small, but whole: the label is proven by a Prolog theory, confirmed by clingo, and the dataset opens in plain `swipl`.
"""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hornbeam import config as configuration
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Check, Family, PrologSide, Shard
from hornbeam.logic import Compound, Prolog
from hornbeam.logic.asp import Facts, Program
from hornbeam.progress import Progress, no_progress
from hornbeam.report.page import Section
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.court import Court
from hornbeam.tasks.problem import ExampleTask, Held, Problem
from hornbeam.theory import Theory
from hornbeam_ancestors.judging import court, definitions
from hornbeam_ancestors.knowledge import BACKGROUND, GENERATIONS, PERSONS, REACHES, THEORY


class Config(BaseModel):
    """How much to make."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    people: int = Field(6, ge=2, description="persons of a tree")
    samples: int = Field(40, ge=1)
    shard_size: int = Field(10, ge=1)
    seconds_a_shard: float = Field(0.0, ge=0, description="for tests that interrupt a run")
    fail_on: int | None = None


class Ancestors(Family):
    name = "ancestors"
    title = "Ancestors"
    paper = "An example of a family in another package."
    config_type = Config
    learning_views = ("examples",)

    def configure(self, source: str | Path, overrides: Mapping[str, str] | None = None) -> Config:
        if str(source) == "small":
            return configuration.parse("", Config, file="small", overrides=overrides)
        return configuration.load(Path(source), Config, overrides)

    def plan(self, config: Config, seed: int) -> Sequence[Shard]:
        starts = range(0, config.samples, config.shard_size)
        return [
            Shard(index, f"from {start}", {"start": start, "stop": min(start + config.shard_size, config.samples)})
            for index, start in enumerate(starts)
        ]

    def make(self, config: Config, seed: int, shard: Shard) -> Batch:
        time.sleep(config.seconds_a_shard)
        if config.fail_on == shard.index:
            raise UsageError(f"told to fail on shard {shard.index}")
        drawn = [_draw(config, seed, index) for index in range(shard.work["start"], shard.work["stop"])]
        prolog = Prolog()
        prolog.load_text(":- use_module(library(lists)).\n" + REACHES, "ancestors")
        rows = [([Compound("-", edge) for edge in edges], x, y) for edges, x, y in drawn]
        labels = prolog.ask_many("once(reaches(E, X, Y))", over=("E", "X", "Y"), rows=rows, module="ancestors")
        samples = [
            Sample(
                id=f"s{shard.work['start'] + offset:06d}",
                task="ancestor",
                split=("train", "train", "valid", "test")[(shard.work["start"] + offset) % 4],
                label=bool(label),
                input={"edges": [[a, "parent", b] for a, b in edges], "query": [x, y]},
                symbolic={"prolog": f"ancestor({x}, {y})"},
            )
            for offset, ((edges, x, y), label) in enumerate(zip(drawn, labels, strict=True))
        ]
        files = {f"trees/{sample.id}.txt": str(sample.input).encode() for sample in samples}
        return Batch(samples, files, {"rejected": {"none": 0}, "positive": sum(map(bool, labels))})

    def prolog_side(self, config: Config) -> PrologSide:
        return PrologSide(THEORY, BACKGROUND, (("truth:ancestor(s000000, X, Y)", "who is whose ancestor"),))

    def facts(self, sample: Sample) -> str:
        content: Any = sample.input
        label = "true" if sample.label else "false"
        x, y = content["query"]
        lines = [f"sample({sample.id}, {sample.task}, {sample.split}, {label}, ancestor({x}, {y})).\n"]
        lines += [f"parent({sample.id}, {a}, {b}).\n" for a, _, b in content["edges"]]
        return "".join(lines)

    def fact_predicates(self) -> Sequence[str]:
        return ("sample/5", "parent/3")

    def original_files(self, config: Config, samples: Iterable[Sample]) -> Iterator[tuple[str, str]]:
        for sample in samples:
            yield f"{sample.split}.csv", f"{sample.id},{sample.label}\n"

    def check(self, dataset: Dataset, progress: Progress = no_progress) -> Check:
        program = Program.parse("anc(X,Y) :- par(X,Y). anc(X,Z) :- par(X,Y), anc(Y,Z).")
        failures, total = [], len(dataset.samples)
        for done, sample in enumerate(dataset.samples, start=1):
            content: Any = sample.input
            model = program.model(Facts.rows("par", [(a, b) for a, _, b in content["edges"]]))
            if (tuple(content["query"]) in set(model.rows("anc"))) != sample.label:
                failures.append(sample.id)
            progress(done, total)
        return Check(total, total - len(failures), len(failures), 0, "clingo", tuple(failures))

    def explain(self, dataset: Dataset, sample: Sample) -> str:
        known: Any = sample.symbolic
        return f"{known['prolog']} is {sample.label}"

    def learning_problem(
        self, dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
    ) -> Problem:
        """Who is whose ancestor, from the trees of the training samples; `encoding` is parents or generations."""
        encoding = (options or {}).get("encoding", "parents")
        known, text = definitions(encoding), GENERATIONS if encoding == "generations" else PERSONS
        positive, negative, background = _examples(self, dataset.train, text)
        bias = Bias(
            head=(Mode.parse("ancestor(+tree, +person, +person)"),),
            body=tuple(map(Mode.parse, _MODES[encoding])),
            recursion=True,
        )
        name = dataset.one_task(task)
        held = {split: Held(*_examples(self, dataset.split(split), text)) for split in ("valid", "test")}
        truth = Theory.parse(THEORY) if encoding == "parents" else None
        task_of = ExampleTask(name, positive, negative, background, bias, encoding=encoding)
        return Problem(task_of, held, truth, known)

    def court(self, dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
        return court(dataset, task, options)

    def groups(self, sample: Sample) -> Mapping[str, Json]:
        content: Any = sample.input
        parents = {child: parent for parent, _, child in content["edges"]}
        person, level = content["query"][1], 0
        while person in parents:
            person, level = parents[person], level + 1
        return {"level": level}

    def show(self, dataset: Dataset) -> list[Section]:
        return [Section("A tree", f"<pre>{html.escape(str(dataset.samples[0].input))}</pre>")]


_MODES = {
    "parents": ("parent(+tree, +person, -person)", "person(+tree, +person)"),
    "generations": ("one_generation(+tree, +person, -person)", "two_generations(+tree, +person, -person)"),
}


def _examples(
    family: Ancestors, samples: Iterable[Sample], knowledge: str
) -> tuple[tuple[Compound, ...], tuple[Compound, ...], str]:
    found: dict[bool, list[Compound]] = {True: [], False: []}
    clauses = [":- discontiguous(sample/5).\n:- discontiguous(parent/3).\n:- dynamic(parent/3).\n", knowledge]
    for sample in samples:
        content: Any = sample.input
        found[bool(sample.label)].append(Compound("ancestor", (sample.id, *content["query"])))
        clauses.append(family.facts(sample))
    return tuple(found[True]), tuple(found[False]), "".join(clauses)


def _draw(config: Config, seed: int, index: int) -> tuple[list[tuple[str, str]], str, str]:
    rng = fast_rng(seed, "ancestors", index)
    people = [f"p{number}" for number in range(config.people)]
    edges = [(people[rng.randrange(number)], people[number]) for number in range(1, config.people)]
    return edges, rng.choice(people), rng.choice(people)
