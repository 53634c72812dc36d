"""The judge of theories as text: verdicts a second of CPU time, against one `swipl` started for each verdict."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import psutil

import hornbeam as hb
from hornbeam.data.dataset import Dataset
from hornbeam.language.judging import Judge
from hornbeam.logic import swipl
from hornbeam.logic.terms import Clause, Compound, Var, quote, to_text
from hornbeam.processes import printed_by
from hornbeam.tasks.networks_court import TABLE, NetworkCourt
from hornbeam.theory.theory import indicator

_PRESETS = {"kandy": "tour", "rudas": "demo", "clutrr": "tiny", "graphlog": "tiny", "star": "rcc8-small"}
_TEXTS = 512
_ANSWERS = 20_000
_TABLES = 256  # of each kind
_CHANGED = (1, 3, 10, 1000)  # compositions that are others in a wrong table; the last: all
_PROCESSES = 5  # of the baseline


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for family, preset in _PRESETS.items():
            dataset = hb.generate(family, preset, out=Path(folder, family), seed=9)
            _theories(dataset)
            _tables(dataset)
        _answers(dataset)


def _theories(dataset: Dataset) -> None:
    """Different rules of the kind that models write, most of them wrong; none is asked twice."""
    task = dataset.family.learning_tasks(dataset)[0]
    texts = list(dict.fromkeys(islice(_rules(dataset, task), _TEXTS)))
    with Judge(dataset, prove=False) as judge:
        judge.theories(texts[:1], task=task)  # draws the samples
        start = _cpu()
        rulings = judge.theories(texts, task=task)
        ours = len(texts) / (_cpu() - start)
    each = _one_process_each(dataset, texts[:_PROCESSES])
    right = sum(ruling.right for ruling in rulings)
    print(
        f"{dataset.manifest.family:9} {len(texts)} rule texts ({right} right, {rulings[0].asked} fresh samples each)  "
        f"{ours:8,.0f} verdicts/s   a swipl each {each:6,.1f}/s   ratio {ours / each:6,.0f}"
    )


def _tables(dataset: Dataset) -> None:
    """Complete tables: the true one in other orders, and tables in which some compositions are others."""
    task = dataset.family.learning_tasks(dataset)[0]
    court = dataset.family.court(dataset, task)
    if not isinstance(court, NetworkCourt):
        return
    with Judge(dataset, prove=False) as judge:
        judge.theories([next(_changed(court, 1))], task=task)
        compositions = sum(predicate == TABLE for predicate in map(indicator, court.truth.heads))
        for changed in sorted({0, *(min(count, compositions) for count in _CHANGED)}):
            texts = list(dict.fromkeys(islice(_changed(court, changed), _TABLES)))
            start = _cpu()
            rulings = judge.theories(texts, task=task)
            ours = len(texts) / (_cpu() - start)
            each = _one_process_each(dataset, texts[:_PROCESSES])
            right = sum(ruling.right for ruling in rulings)
            what = f"{len(court.truth)} facts, {changed} of {compositions} compositions changed"
            print(
                f"{dataset.manifest.family:9} {len(texts)} tables of {what} ({right} right)  "
                f"{ours:8,.0f} verdicts/s   a swipl each {each:6,.1f}/s   ratio {ours / each:6,.0f}"
            )


def _changed(court: NetworkCourt, count: int) -> Iterator[str]:
    """The true table with other results of `count` compositions; in another order if there are none."""
    rng = Random(count)
    facts = list(court.truth.heads)
    places = [at for at, fact in enumerate(facts) if isinstance(fact, Compound) and fact.functor == "compose"]
    while True:
        own = facts.copy()
        for at in rng.sample(places, min(count, len(places))):
            fact = own[at]
            assert isinstance(fact, Compound)
            own[at] = Compound("compose", (*fact.args[:2], rng.choice(court.table.relations)))
        if not count:
            rng.shuffle(own)
        yield "\n".join(to_text(Clause(fact)) for fact in own)


def _rules(dataset: Dataset, task: str | None) -> Iterator[str]:
    rng = Random(4)
    court = dataset.family.court(dataset, task)
    words = court.vocabulary()
    if dataset.manifest.family == "kandy":
        while True:
            yield _kandy(rng)
    edges = sorted(words.bodies) or sorted(words.heads)
    heads = [one for one, kind in words.heads.items() if kind == "rule"]
    if isinstance(court, NetworkCourt):
        edges = [(name, arity) for name, arity in edges if arity == 2]
    while True:
        x, y, z = Var("X"), Var("Y"), Var("Z")
        clauses = []
        for _ in range(rng.randint(1, 4)):
            first, second = rng.choice(edges), rng.choice(edges)
            places = {1: (x,), 2: (x, y), 3: (x, y, z)}
            head = rng.choice([one for one in heads if one[1] in places])
            body = [_atom(first, (x, z)), _atom(second, (z, y))]
            clauses.append(Clause(Compound(head[0], places[head[1]]), tuple(body)))
        yield "\n".join(map(to_text, clauses))


def _atom(predicate: tuple[str, int], ends: tuple[Var, Var]) -> Compound:
    name, arity = predicate
    return Compound(name, ends[:arity] if arity <= 2 else (*ends, *(Var(f"W{at}") for at in range(arity - 2))))


def _kandy(rng: Random) -> str:
    tests = [f"extract_color(Y, {c})" for c in ("red", "green", "blue", "cyan", "magenta", "yellow")]
    tests += [f"extract_shape(Y, {s})" for s in ("triangle", "square", "circle")]
    tests += ["extract_size(Y, small)", "extract_size(Y, large)", "\\+ extract_color(Y, red)"]
    bodies = [", ".join(["contains(X, Y)", *rng.sample(tests, rng.randint(1, 3))]) for _ in range(rng.randint(1, 3))]
    return "\n".join(f"valid(X) :- {body}." for body in bodies)


def _one_process_each(dataset: Dataset, texts: list[str]) -> float:
    """The usual design: a process loads the dataset and the theory, asks all held-out samples, and ends."""
    goal = "forall(sample(Id, _, test, _, _), ignore(catch(mine_answer(Id, _), _, true)))"
    start = _cpu()
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            file = Path(folder, f"{number}.pl")
            file.write_text(f":- module(mine, []).\n{text}\n")
            program = [swipl.find().executable, "-q", "-f", "none", "-g", goal, "-t", "halt"]
            printed_by([*program, str(dataset.path / "load.pl"), str(file)])
    return len(texts) / (_cpu() - start)


def _answers(dataset: Dataset) -> None:
    with Judge(dataset) as judge:
        names = [str(item.meta["sample"]) for item in hb.prompts(dataset, split="test")[:50]]
        replies = [f"<think>Is it {quote(name)}?</think>\nSo <answer>DC</answer>" for name in names]
        judge.answers(list(zip(names, replies, strict=True)))
        start = time.process_time()
        for _ in range(_ANSWERS // len(names)):
            judge.answers(list(zip(names, replies, strict=True)))
        print(f"answers in words  {_ANSWERS / (time.process_time() - start):10,.0f} verdicts/s")


def _cpu() -> float:
    """CPU seconds of this process and of all that it started, ended ones among them."""
    times = os.times()
    children = psutil.Process().children(recursive=True)
    return sum(times[:4]) + sum(sum(child.cpu_times()[:2]) for child in children)
