"""All that can be said of an example in the language of a bias: its ground bottom clause, up to a depth.

Calls are asked in bulk, one crossing for each mode and layer, in a contained Prolog with a limit on inferences for each
call. Equal calls of different examples are asked once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from hornbeam.errors import HornbeamError, UnknownPredicate
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Term, quote, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode
from hornbeam.theory.theory import arguments, indicator

_CALL = Limits(inferences=100_000, seconds=5.0, answers=40)
_MOST_TERMS = 150  # of one example
_MOST_CALLS = 60_000  # of one mode and layer, all examples together

Node = tuple[str, str]  # the text of a term, and its type
# A literal: the number of its mode, and for each place a node, or the text of a constant.
Ground = tuple[int, tuple[Node | str, ...]]
Answers = list[tuple[Term, ...]]  # of a call: the values of the places that are no inputs


@dataclass(slots=True)
class Bottom:
    """What holds of one example. `cut` says that there is more than was looked at."""

    head: tuple[Node | str, ...]
    nodes: dict[Node, Term] = field(default_factory=dict)
    literals: set[Ground] = field(default_factory=set)
    cut: bool = False


def bottoms(examples: Sequence[Term], background: str, bias: Bias) -> list[Bottom]:
    """The bottom clause of each example."""
    made = [_start(example, bias) for example in examples]
    with Prolog.contained(memory=2 << 30) as prolog:
        prolog.load_text(background, "user", name="background", strict=False)
        asked = _Asked(prolog)
        for _ in range(bias.depth):
            _layer(made, bias, asked, grow=True)
        # A variable may be as far from the head as the bias allows, and still be tested.
        _layer(made, bias, asked, grow=False)
    return made


def _start(example: Term, bias: Bias) -> Bottom:
    mode = next((mode for mode in bias.head if mode.indicator == indicator(example)), None)
    if mode is None:
        return Bottom(tuple(map(to_text, arguments(example))), cut=True)
    bottom = Bottom(())
    head: list[Node | str] = []
    for argument, place in zip(arguments(example), mode.places, strict=True):
        text = to_text(argument)
        if place.fill == "#":
            head.append(text)
            continue
        head.append((text, place.type))
        # An output of the head is what a clause has to find; it starts from the inputs.
        if place.fill != "-":
            bottom.nodes[(text, place.type)] = argument
    bottom.head = tuple(head)
    return bottom


def _layer(made: Sequence[Bottom], bias: Bias, asked: _Asked, *, grow: bool) -> None:
    """One call further from the head: all modes with the terms that are known before, and unless `grow` no others."""
    known = [list(bottom.nodes) for bottom in made]
    for number, mode in enumerate(bias.body):
        calls = [list(_calls(mode, bottom, nodes)) for bottom, nodes in zip(made, known, strict=True)]
        if sum(map(len, calls)) > _MOST_CALLS:
            share = max(1, _MOST_CALLS // len(made))
            for bottom, own in zip(made, calls, strict=True):
                bottom.cut = bottom.cut or len(own) > share
                del own[share:]
        answers = asked.answers(mode, [call for own in calls for call in own], made)
        for bottom, own in zip(made, calls, strict=True):
            for call in own:
                _add(bottom, number, mode, bias, call, answers[call], grow=grow)


def _calls(mode: Mode, bottom: Bottom, nodes: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """The ways to fill the inputs."""
    inputs = [place.type for place in mode.places if place.fill == "+"]
    choices = [[node for node in nodes if ANY_TYPE in (kind, node[1]) or node[1] == kind] for kind in inputs]
    for count, call in enumerate(product(*choices)):
        if count >= _MOST_CALLS:
            bottom.cut = True
            return
        yield call


def _add(
    bottom: Bottom, number: int, mode: Mode, bias: Bias, call: tuple[Node, ...], answers: Answers | None, *, grow: bool
) -> None:
    if answers is None or len(answers) == _CALL.answers:
        bottom.cut = True
    # A recall bounds what a learner looks at, not what its rules may use.
    for answer in answers or ():
        made = _literal(mode, bias, call, answer)
        if made is None:
            continue
        literal, new = made
        if not grow and not new.keys() <= bottom.nodes.keys():
            continue
        if len(bottom.nodes.keys() | new.keys()) > _MOST_TERMS:
            bottom.cut = True
            continue
        bottom.nodes = {**new, **bottom.nodes}
        bottom.literals.add((number, literal))


def _literal(
    mode: Mode, bias: Bias, call: tuple[Node, ...], answer: Sequence[Term]
) -> tuple[tuple[Node | str, ...], dict[Node, Term]] | None:
    """The ground literal and its new terms; None where a constant is not one that may be written."""
    inputs, outputs = iter(call), iter(answer)
    literal: list[Node | str] = []
    new: dict[Node, Term] = {}
    for place in mode.places:
        if place.fill == "+":
            literal.append(next(inputs))
            continue
        value = next(outputs)
        if place.fill == "#":
            known = bias.constants.get(place.type)
            if known is not None and value not in known:
                return None
            literal.append(to_text(value))
        else:
            node = (to_text(value), place.type)
            new[node] = value
            literal.append(node)
    return tuple(literal), new


class _Asked:
    """Calls that were asked, so that none is asked twice."""

    def __init__(self, prolog: Prolog) -> None:
        self._prolog = prolog
        self._known: dict[Mode, dict[tuple[Node, ...], Answers | None]] = {}

    def answers(
        self, mode: Mode, calls: Iterable[tuple[Node, ...]], made: Sequence[Bottom]
    ) -> dict[tuple[Node, ...], Answers | None]:
        """For each call the values of the other places; None where a limit or an error came first."""
        known = self._known.setdefault(mode, {})
        new = [call for call in dict.fromkeys(calls) if call not in known]
        if new:
            terms = {node: term for bottom in made for node, term in bottom.nodes.items()}
            rows = [[terms[node] for node in call] for call in new]
            known.update(zip(new, self._ask(mode, rows), strict=True))
        return known

    def _ask(self, mode: Mode, rows: list[list[Term]]) -> list[Answers | None]:
        names = [f"X{number}" for number in range(len(mode.places))]
        inputs = [name for name, place in zip(names, mode.places, strict=True) if place.fill == "+"]
        others = [name for name, place in zip(names, mode.places, strict=True) if place.fill != "+"]
        goal = f"{quote(mode.name)}({','.join(names)})" if names else quote(mode.name)
        # A row is a list, and so is what is got: modes without inputs, or without outputs, are no special case.
        program = f"In = [{','.join(inputs)}], {goal}, Got = [{','.join(others)}]"
        try:
            answers = self._prolog.all_many(program, over="In", rows=rows, get="Got", limits=_CALL)
        except UnknownPredicate:
            return [[] for _ in rows]
        except HornbeamError:
            return [None] * len(rows)
        return [[tuple(got) for got in answer] if isinstance(answer, list) else None for answer in answers]
