"""Pairs of opposite examples that no rule of the space can tell apart.

Each rule that covers an example subsumes its bottom clause. So where the bottom clause of a positive example also
covers a negative one, every rule that covers the first covers the second. With negation in the language that is not
enough: then both bottom clauses must be the same up to names.

The bottom clause of an example is all that can be said of it in the language of a bias, up to a depth. Calls are asked
in bulk, one crossing for each mode and layer, in a contained Prolog with a limit on inferences for each call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from hornbeam.errors import HornbeamError, UnknownPredicate
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Term, quote, to_text
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory.theory import arguments, indicator

_CALL = Limits(inferences=100_000, seconds=5.0, answers=40)
_MOST_TERMS = 150  # of one example
_MOST_CALLS = 60_000  # of one mode and layer, all examples together
_MOST_STEPS = 30_000  # of the search for one pair
_MOST_PAIRS = 4000

Node = tuple[str, str]  # the text of a term, and its type
# A literal: the number of its mode, and for each place a node, or the text of a constant.
Ground = tuple[int, tuple[Node | str, ...]]
Answers = list[tuple[Term, ...]]  # of a call: the values of the places that are no inputs

# Bottom clauses -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Bottom:
    """What holds of one example. `cut` says that there is more than was looked at."""

    head: tuple[Node | str, ...]
    nodes: dict[Node, Term] = field(default_factory=dict)
    literals: set[Ground] = field(default_factory=set)
    cut: bool = False


def _bottoms(examples: Sequence[Term], background: str, bias: Bias) -> list[Bottom]:
    """The bottom clause of each example."""
    bottoms = [_start(example, bias) for example in examples]
    with Prolog.contained(memory=2 << 30) as prolog:
        prolog.load_text(background, "user", name="background", strict=False)
        asked = _Asked(prolog)
        for _ in range(bias.depth):
            _layer(bottoms, bias, asked, grow=True)
        # A variable may be as far from the head as the bias allows, and still be tested.
        _layer(bottoms, bias, asked, grow=False)
    return bottoms


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


def _layer(bottoms: Sequence[Bottom], bias: Bias, asked: _Asked, *, grow: bool) -> None:
    """One call further from the head: all modes with the terms that are known before, and unless `grow` no others."""
    known = [list(bottom.nodes) for bottom in bottoms]
    for number, mode in enumerate(bias.body):
        calls = [list(_calls(mode, bottom, nodes)) for bottom, nodes in zip(bottoms, known, strict=True)]
        if sum(map(len, calls)) > _MOST_CALLS:
            share = max(1, _MOST_CALLS // len(bottoms))
            for bottom, own in zip(bottoms, calls, strict=True):
                bottom.cut = bottom.cut or len(own) > share
                del own[share:]
        answers = asked.answers(mode, [call for own in calls for call in own], bottoms)
        for bottom, own in zip(bottoms, calls, strict=True):
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
        reply = _literal(mode, bias, call, answer)
        if reply is None:
            continue
        literal, new = reply
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
    """The ground literal and its new terms; None if a constant is not one that may be written."""
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
        self, mode: Mode, calls: Iterable[tuple[Node, ...]], bottoms: Sequence[Bottom]
    ) -> dict[tuple[Node, ...], Answers | None]:
        """For each call the values of the other places; None if a limit or an error came first."""
        known = self._known.setdefault(mode, {})
        new = [call for call in dict.fromkeys(calls) if call not in known]
        if new:
            terms = {node: term for bottom in bottoms for node, term in bottom.nodes.items()}
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


# Pairs ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AlikePair:
    """A positive and a negative example that no rule tells apart."""

    positive: Term
    negative: Term


@dataclass(frozen=True, slots=True)
class Inseparable:
    """The pairs that were found; `undecided` counts those that were too large to decide."""

    pairs: tuple[AlikePair, ...]
    undecided: int
    depth: int
    note: str = ""


def inseparable(task: ExampleTask, *, examples: int = 200) -> Inseparable:
    """The pairs among the first `examples` of each side."""
    positive, negative = task.positive[:examples], task.negative[:examples]
    bottoms = _bottoms([*positive, *negative], task.background, task.bias)
    strict = any(mode.negated for mode in task.bias.body)
    right = [_Index(bottom) for bottom in bottoms[: len(positive)]]
    wrong = [_Index(bottom) for bottom in bottoms[len(positive) :]]
    # Where a literal of the first has no like in the second there is nothing to search for.
    likely = [(p, n) for p, n in product(range(len(right)), range(len(wrong))) if right[p].shapes <= wrong[n].shapes]
    answers = [_maps(right[p].bottom, wrong[n], strict=strict) for p, n in likely[:_MOST_PAIRS]]
    pairs = [AlikePair(positive[p], negative[n]) for (p, n), answer in zip(likely, answers, strict=False) if answer]
    undecided = answers.count(None) + max(0, len(likely) - _MOST_PAIRS)
    return Inseparable(tuple(pairs), undecided, task.bias.depth, _note(task.bias))


def _note(bias: Bias) -> str:
    return "rules that call the learned predicate itself are not looked at" if bias.recursion else ""


class _Index:
    """The literals of a bottom clause by mode and constants."""

    def __init__(self, bottom: Bottom) -> None:
        self.bottom = bottom
        self.literals: dict[object, list[tuple[Node, ...]]] = defaultdict(list)
        for literal in sorted(bottom.literals, key=repr):
            self.literals[_shape(literal)].append(_nodes(literal))
        self.shapes = frozenset(self.literals)


def _shape(literal: Ground) -> object:
    """What a renaming keeps: the mode and the constants."""
    return literal[0], tuple(part if isinstance(part, str) else None for part in literal[1])


def _nodes(literal: Ground) -> tuple[Node, ...]:
    return tuple(part for part in literal[1] if not isinstance(part, str))


def errors_at_least(pairs: Sequence[AlikePair]) -> int:
    """How many examples every theory of the space gets wrong: of each pair one, so as many as can be paired off."""
    partners: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        partners[to_text(pair.positive)].append(to_text(pair.negative))
    taken: dict[str, str] = {}

    def pair_off(positive: str, seen: set[str]) -> bool:
        for negative in partners[positive]:
            if negative not in seen:
                seen.add(negative)
                if negative not in taken or pair_off(taken[negative], seen):
                    taken[negative] = positive
                    return True
        return False

    return sum(pair_off(positive, set()) for positive in list(partners))


def _maps(one: Bottom, other: _Index, *, strict: bool) -> bool | None:
    """Whether the first bottom clause covers the second's example; None if that was too much work.

    `strict`: whether it is the same clause but for names.
    """
    if one.cut or (strict and other.bottom.cut):
        return None
    if strict and (len(one.literals), len(one.nodes)) != (len(other.bottom.literals), len(other.bottom.nodes)):
        return False
    start = _head_mapping(one, other.bottom)
    if start is None:
        return False
    return _Search(one, other, strict).run(start)


def _head_mapping(one: Bottom, other: Bottom) -> dict[Node, Node] | None:
    mapping: dict[Node, Node] = {}
    for left, right in zip(one.head, other.head, strict=True):
        if isinstance(left, str) or isinstance(right, str):
            if left != right:
                return None
        elif mapping.setdefault(left, right) != right:
            return None
    return mapping


def _within(nodes: tuple[Node, ...], image: tuple[Node, ...], domains: Mapping[Node, set[Node]]) -> bool:
    return all(node not in domains or other in domains[node] for node, other in zip(nodes, image, strict=True))


class _Search:
    """Assigns terms of one bottom clause to terms of another so that every literal has its image."""

    def __init__(self, one: Bottom, other: _Index, strict: bool) -> None:
        self._strict = strict
        self._steps = 0
        self._wanted = [
            (_nodes(literal), other.literals[_shape(literal)]) for literal in sorted(one.literals, key=repr)
        ]

    def run(self, mapping: Mapping[Node, Node]) -> bool | None:
        domains = self._domains(mapping)
        if domains is None:
            return False
        answer = self._assign(dict(mapping), domains, list(range(len(self._wanted))))
        return answer if answer or self._steps <= _MOST_STEPS else None

    def _domains(self, mapping: Mapping[Node, Node]) -> dict[Node, set[Node]] | None:
        """What each term may become, narrowed literal by literal until nothing changes; None if one has nothing."""
        domains: dict[Node, set[Node]] = {node: {image} for node, image in mapping.items()}
        changed = True
        while changed:
            changed = False
            for nodes, images in self._wanted:
                fitting = [image for image in images if _within(nodes, image, domains)]
                if not fitting:
                    return None
                for place, node in enumerate(nodes):
                    allowed = {image[place] for image in fitting}
                    narrowed = domains[node] & allowed if node in domains else allowed
                    if len(narrowed) != len(domains.get(node, ())) or node not in domains:
                        domains[node] = narrowed
                        changed = True
                    if not narrowed:
                        return None
        return domains

    def _assign(self, mapping: dict[Node, Node], domains: Mapping[Node, set[Node]], left: Sequence[int]) -> bool:
        """Literal by literal, the one with the fewest images first."""
        open_ = [number for number in left if any(node not in mapping for node in self._wanted[number][0])]
        closed = [number for number in left if number not in set(open_)]
        for number in closed:
            nodes, images = self._wanted[number]
            if tuple(mapping[node] for node in nodes) not in images:
                return False
        if not open_:
            return not self._strict or len(set(mapping.values())) == len(mapping)
        choices = {number: self._images(number, mapping, domains) for number in open_}
        first = min(open_, key=lambda number: len(choices[number]))
        rest = [number for number in open_ if number != first]
        for image in choices[first]:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                return False
            grown = {**mapping, **dict(zip(self._wanted[first][0], image, strict=True))}
            if self._assign(grown, domains, rest):
                return True
        return False

    def _images(
        self, number: int, mapping: Mapping[Node, Node], domains: Mapping[Node, set[Node]]
    ) -> list[tuple[Node, ...]]:
        nodes, images = self._wanted[number]
        return [
            image
            for image in images
            if all(mapping.get(a, b) == b and b in domains[a] for a, b in zip(nodes, image, strict=True))
            and len({(a, b) for a, b in zip(nodes, image, strict=True)}) == len(set(nodes))
        ]
