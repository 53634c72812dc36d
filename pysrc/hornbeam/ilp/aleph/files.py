"""Writing a task as Aleph reads it: three files for the original, one for the port to SWI-Prolog."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal

from hornbeam.errors import UsageError
from hornbeam.ilp.aleph.settings import AlephSettings
from hornbeam.logic.terms import quote, to_text
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory.theory import Indicator

Kind = Literal["original", "port"]


def write_task(
    task: ExampleTask, folder: str | Path, settings: AlephSettings | None = None, *, kind: Kind = "original",
    stem: str = "task",
) -> list[Path]:  # fmt: skip
    """Write the files of a task; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, text in aleph_files(task, settings or AlephSettings(), kind).items():
        path = folder / f"{stem}{ending}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def aleph_files(task: ExampleTask, settings: AlephSettings, kind: Kind = "original") -> dict[str, str]:
    """The texts of a task by the ending of their file.

    >>> from hornbeam.tasks.bias import Bias
    >>> bias = Bias((Mode.parse("f(+t)"),), (Mode.parse("has(+t,#colour)"),))
    >>> made = aleph_files(ExampleTask("x", ("f(a)",), (), "has(a,red).", bias), AlephSettings())
    >>> made[".b"].splitlines()[0], [line for line in made[".b"].splitlines() if "mode" in line]
    (':- set(clauselength,6).', [':- modeh(1,f(+t)).', ':- modeb(*,has(+t,#colour)).'])
    """
    if len(task.bias.targets) != 1:
        raise UsageError(f"Aleph learns one predicate, the task {task.name} has {len(task.bias.targets)}")
    settle = "set" if kind == "original" else "aleph_set"
    lines = [f":- {settle}({name},{value}).\n" for name, value in settings.directives(task.bias).items()]
    language = "".join([*lines, *(f":- {line}.\n" for line in _language(task.bias, settings.negation))])
    positive, negative = ("".join(f"{to_text(atom)}.\n" for atom in atoms) for atoms in (task.positive, task.negative))
    background = task.background.rstrip() + "\n"
    if kind == "original":
        return {".b": f"{language}\n{background}", ".f": positive, ".n": negative}
    parts = [(":- aleph.\n", language), *_port_part("bg", background), *_port_part("in_pos", positive)]
    return {".pl": "".join(map("".join, [*parts, *_port_part("in_neg", negative)]))}


def _port_part(name: str, text: str) -> Iterator[tuple[str, ...]]:
    yield (f":- begin_{name}.\n", text, f":- end_{name}.\n")


def _language(bias: Bias, negation: bool) -> Iterator[str]:
    (target,) = bias.targets
    head = bias.head[0]
    yield f"modeh(1,{_mode(head)})"
    used: dict[Indicator, None] = {}
    for mode in bias.body:
        if mode.indicator == target and not bias.recursion:
            continue
        for version in _directed(mode):
            yield f"modeb({_recall(mode)},{version})"
            if negation and mode.negated:
                yield f"modeb(1,not({version}))"
                used["not", 1] = None
        used[mode.indicator] = None
    if bias.recursion:
        yield f"modeb(*,{_mode(head)})"
        used[target] = None
    for name, arity in used:
        shown = f"({name})" if name == "not" else quote(name)
        yield f"determination({quote(target[0])}/{target[1]},{shown}/{arity})"


def _recall(mode: Mode) -> str:
    return "*" if mode.recall is None else str(mode.recall)


def _mode(mode: Mode) -> str:
    return next(_directed(mode))


def _directed(mode: Mode) -> Iterator[str]:
    """Aleph has no place that is in or out as it comes: each way is a mode of its own, one place at least being in."""
    fills = [("+", "-") if place.fill == "?" else (place.fill,) for place in mode.places]
    open_places = any(place.fill == "?" for place in mode.places)
    for chosen in product(*fills):
        if open_places and "+" not in chosen:
            continue
        places = ",".join(f"{fill}{place.type}" for fill, place in zip(chosen, mode.places, strict=True))
        yield f"{quote(mode.name)}({places})" if places else quote(mode.name)
