"""Writing the task directory of Popper: exs.pl, bk.pl and bias.pl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from hornbeam.ilp.popper.plain import Plain, plain_task
from hornbeam.ilp.popper.reader import BACKGROUND, BIAS, EXAMPLES
from hornbeam.logic.terms import Compound, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode
from hornbeam.tasks.problem import ExampleTask

_DIRECTIONS = {"+": "in", "-": "out"}
# Popper looks for laws among the facts of every two and three predicates, without end where there are many.
ANALYSED = 60
# It leaves that out where the background is no ASP program, which a clause that only Prolog reads makes sure of.
_NO_ASP = "% Keeps Popper from grounding this file: with so many predicates it would not end.\nis_prolog :- \\+ fail.\n"


def write_task(task: ExampleTask, folder: str | Path, *, room: int = 2, analysed: int = ANALYSED) -> Plain:
    """Write a task as a directory that Popper reads; returns what became of its names (see :func:`plain_task`).

    With more than `analysed` predicates Popper is kept from looking for laws among their facts.
    """
    made = plain_task(task, room)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files(made.task, analysed).items():
        (folder / name).write_text(text, encoding="utf-8")
    return made


def files(task: ExampleTask, analysed: int = ANALYSED) -> dict[str, str]:
    """The files of a task that Popper can take, by name."""
    signs = (("pos", task.positive), ("neg", task.negative))
    examples = "".join(f"{to_text(Compound(sign, (atom,)))}.\n" for sign, atoms in signs for atom in atoms)
    background = task.background if len(task.bias.body) <= analysed else _NO_ASP + task.background
    return {EXAMPLES: examples, BACKGROUND: background, BIAS: "".join(f"{line}\n" for line in _bias(task.bias))}


def _bias(bias: Bias) -> Iterator[str]:
    modes = (*bias.head, *bias.body)
    yield f"head_pred({bias.head[0].name},{len(bias.head[0].places)})."
    for mode in bias.body:
        yield f"body_pred({mode.name},{len(mode.places)})."
    # Popper takes types for all predicates or for none.
    if any(place.type != ANY_TYPE for mode in modes for place in mode.places):
        yield ""
        yield from (f"type({mode.name},{_tuple([place.type for place in mode.places])})." for mode in modes)
    if has_directions(modes):
        yield ""
        yield from (f"direction({mode.name},{_directions(mode)})." for mode in modes)
    yield ""
    yield f"max_vars({bias.max_vars})."
    yield f"max_body({bias.max_body})."
    if bias.max_clauses is not None:
        yield f"max_clauses({bias.max_clauses})."
    if bias.recursion:
        yield "enable_recursion."
    if bias.invention:
        yield "enable_pi."


def has_directions(modes: Iterable[Mode]) -> bool:
    """Whether every place has one: Popper takes directions for all predicates or for none."""
    return all(place.fill in _DIRECTIONS for mode in modes for place in mode.places)


def _directions(mode: Mode) -> str:
    return _tuple([_DIRECTIONS[place.fill] for place in mode.places])


def _tuple(parts: list[str]) -> str:
    """An ASP tuple: one of one element needs its comma."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({','.join(parts)})"
