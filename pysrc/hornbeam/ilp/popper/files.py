"""A task as the directory that Popper reads (exs.pl, bk.pl and bias.pl), and the way back from its theories.

Popper knows a predicate by its name alone, with one direction for each of its places, and no constants. So a predicate
with several modes, a name with several arities and a name that ASP cannot read get a name of their own, defined in the
background knowledge, and each constant becomes a predicate that holds of it alone. Theories that Popper finds are
translated back into the words of the task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause, Compound, Term, Var, literal, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode, Place
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.theory import arguments, indicator
from hornbeam.theory.unfolding import resolved

EXAMPLES, BACKGROUND, BIAS = "exs.pl", "bk.pl", "bias.pl"
_DIRECTIONS = {"+": "in", "-": "out"}
# Popper looks for laws among the facts of every two and three predicates, without end where there are many.
ANALYSED = 60
# It leaves that out where the background is no ASP program, which a clause that only Prolog reads makes sure of.
_NO_ASP = "% Keeps Popper from grounding this file: with so many predicates it would not end.\nis_prolog :- \\+ fail.\n"


def write_task(task: ExampleTask, folder: str | Path, *, room: int = 2, analysed: int = ANALYSED) -> Plain:
    """Write a task as a directory that Popper reads; returns what became of its names (see :func:`plain_task`).

    With more than `analysed` predicates Popper is kept from looking for laws among their facts.
    """
    plain = plain_task(task, room)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files(plain.task, analysed).items():
        (folder / name).write_text(text, encoding="utf-8")
    return plain


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


# Names and constants -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plain:
    """A task without constants, and what its new names stand for."""

    task: ExampleTask
    names: Mapping[str, str]  # to those of the original task
    constants: Mapping[str, Term]  # by the predicate that holds of it alone

    def original(self, theory: Theory) -> Theory:
        """A theory in the words of the original task."""
        return Theory.of(self._clause(clause) for clause in theory.clauses)

    def _clause(self, clause: Clause) -> Clause:
        bound: dict[str, Term] = {}
        body: list[Term] = []
        for goal in clause.body:
            name, arity = indicator(goal)
            if arity != 1 or name not in self.constants:
                body.append(goal)
                continue
            place = resolved(arguments(goal)[0], bound)
            if isinstance(place, Var):
                bound[place.name] = self.constants[name]
            elif place != self.constants[name]:
                body.append("fail")  # two constants in one place
        head, *goals = (self._renamed(resolved(goal, bound)) for goal in (clause.head, *body))
        return Clause(head, tuple(goals))

    def _renamed(self, goal: Term) -> Term:
        name, _ = indicator(goal)
        return literal(self.names[name], *arguments(goal)) if name in self.names else goal


def plain_task(task: ExampleTask, room: int = 2) -> Plain:
    """The task as Popper can take it. Where it has constants, a clause may name `room` of them beyond its sizes.

    >>> from hornbeam.tasks.bias import Bias
    >>> bias = Bias((Mode.parse("f(+t)"),), (Mode.parse("has(+t,#colour)"),), {"colour": ("red", "Blue")})
    >>> plain = plain_task(ExampleTask("x", (), (), "has(a,red).", bias))
    >>> [str(mode) for mode in plain.task.bias.body]
    ['has(+t,-colour)', 'colour_red(+colour)', 'colour_blue(+colour)']
    >>> print(plain.original(Theory.parse("f(A) :- has(A,B), colour_blue(B).")), end="")
    f(A) :- has(A,'Blue').
    """
    if len(task.bias.targets) != 1:
        raise UsageError(f"Popper learns one predicate, the task {task.name} has {len(task.bias.targets)}")
    head = task.bias.head[0]
    fresh = _PopperNames(task.background)
    target = fresh.like(head.name)
    # A call of the head's predicate is Popper's own affair.
    modes = list(dict.fromkeys(opened(mode) for mode in task.bias.body if mode.indicator != head.indicator))
    names = {} if target == head.name else {target: head.name}
    body: list[Mode] = []
    for mode in modes:
        name = fresh.like(mode.name)
        if name != mode.name:
            names[name] = mode.name
        body.append(replace(mode, name=name))
    constants: dict[str, Term] = {}
    tests: list[Mode] = []
    for kind in constant_types(task.bias.body):
        for value in task.bias.constants.get(kind, ()):
            name = fresh.new(f"{kind}_{value if isinstance(value, str) else to_text(value)}")
            constants[name] = value
            tests.append(Mode(name, (Place("+", kind),)))
    more = room if constants else 0
    bias = replace(
        task.bias,
        head=(replace(head, name=target),),
        body=(*body, *tests),
        constants={},
        max_body=task.bias.max_body + more,
        max_vars=task.bias.max_vars + more,
    )
    extra = _definitions(names, body, constants)
    background = task.background if not extra else f"{task.background.rstrip()}\n{extra}"
    positive, negative = (_called(target, atoms) for atoms in (task.positive, task.negative))
    plain = replace(task, positive=positive, negative=negative, bias=bias, background=background)
    return Plain(replace(plain, facts=task.facts and all(mode.name not in names for mode in body)), names, constants)


def _called(name: str, atoms: Iterable[Term]) -> tuple[Term, ...]:
    """Atoms with another name."""
    return tuple(literal(name, *arguments(atom)) for atom in atoms)


def opened(mode: Mode) -> Mode:
    """The mode with variables for constants. There is no negation in Popper."""
    places = tuple(Place("-", place.type) if place.fill == "#" else place for place in mode.places)
    return replace(mode, places=places, negated=False, recall=None)


def constant_types(modes: Iterable[Mode]) -> list[str]:
    """The types of the places that take constants."""
    return list(dict.fromkeys(place.type for mode in modes for place in mode.places if place.fill == "#"))


def _plain(name: str) -> str:
    """A name that ASP and Prolog read without quotes."""
    letters = "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in name).lower()
    return letters if letters[:1].isalpha() else f"p_{letters}"


class _PopperNames:
    """Names that Popper can read, each given once; new ones are none that the background defines."""

    def __init__(self, background: str) -> None:
        self._taken: set[str] = set()
        self._defined = frozenset(re.findall(r"^\s*([a-z]\w*)", background, re.MULTILINE))

    def like(self, name: str) -> str:
        """The name itself, where that can be."""
        if _plain(name) != name or name in self._taken:
            return self.new(name)
        self._taken.add(name)
        return name

    def new(self, name: str) -> str:
        """A name made from another."""
        plain = _plain(name)
        unused, number = plain, 2
        while unused in self._taken or unused in self._defined:
            unused, number = f"{plain}_{number}", number + 1
        self._taken.add(unused)
        return unused


def _definitions(names: Mapping[str, str], modes: Iterable[Mode], constants: Mapping[str, Term]) -> str:
    lines = []
    for mode in modes:
        if mode.name in names:
            variables: tuple[Term, ...] = tuple(Var(f"A{number}") for number in range(len(mode.places)))
            new, old = (literal(name, *variables) for name in (mode.name, names[mode.name]))
            lines.append(to_text(Clause(new, (old,))) + "\n")
    lines.extend(to_text(Clause(Compound(name, (value,)))) + "\n" for name, value in constants.items())
    return "".join(lines)
