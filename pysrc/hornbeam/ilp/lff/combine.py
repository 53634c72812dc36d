"""The best theory of the rules that were found: greedy at once, exact by clingo's optimisation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import clingo

from hornbeam.bitsets import bits
from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.objective import Rule, Score, score
from hornbeam.ilp.watch import Watch
from hornbeam.resources import prolog

_LOOK_UP = 0.1  # seconds between looks at the clock


@dataclass(frozen=True, slots=True)
class Combined:
    """A theory of found rules. `proved` says that no other choice of these rules is better."""

    rules: tuple[Rule, ...]
    score: Score
    proved: bool


def worth(noise: bool) -> Callable[[Score], tuple[int, ...]]:
    """What is to be small: first errors and then size, or under noise their sum."""
    return (lambda found: (found.length, found.missed + found.wrong)) if noise else (lambda found: found.exact)


def undominated(rules: Sequence[Rule]) -> list[Rule]:
    """The rules without those that another one replaces at no cost: covers as much, breaks no more, is no larger."""
    kept: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (each.size, each.negative.bit_count(), -each.positive.bit_count())):
        if not any(not rule.positive & ~other.positive and not other.negative & ~rule.negative for other in kept):
            kept.append(rule)
    return kept


def greedy(rules: Sequence[Rule], positive: Bits, *, noise: bool, most: int | None = None) -> tuple[Rule, ...]:
    """A good theory soon: the rule that gains most for its size, again and again, then what became idle taken out."""
    chosen: list[Rule] = []
    covered = wrong = 0
    while most is None or len(chosen) < most:
        best, gain = None, 0.0
        for rule in rules:
            new = (rule.positive & ~covered).bit_count()
            if noise:
                value = float(new - (rule.negative & ~wrong).bit_count() - rule.size)
            else:
                value = new / rule.size if most is None else float(new)
            if value > gain:
                best, gain = rule, value
        if best is None:
            break
        chosen.append(best)
        covered |= best.positive
        wrong |= best.negative
    measure = worth(noise)
    for rule in list(reversed(chosen)):
        rest = [other for other in chosen if other is not rule]
        if measure(score(rest, positive)) < measure(score(chosen, positive)):
            chosen = rest
    return tuple(chosen)


def exact(
    rules: Sequence[Rule],
    positive: Bits,
    watch: Watch,
    *,
    noise: bool,
    most: int | None = None,
    conflicts: int = 30_000,
) -> Combined:
    """The best theory, or the best found within so many conflicts: a limit that is the same on every machine."""
    control = clingo.Control(
        ["--models=0", "--opt-strategy=usc", f"--solve-limit={conflicts}", "--warn=none"], logger=lambda *_: None
    )
    control.load(str(prolog("lff", "combine.lp")))
    control.add("base", [], "\n".join(_facts(rules, positive, noise, most)))
    control.ground([("base", [])])
    chosen: list[int] = []

    def keep(model: clingo.Model) -> None:
        chosen[:] = sorted(symbol.arguments[0].number for symbol in model.symbols(shown=True))

    with control.solve(on_model=keep, async_=True) as handle:
        while not handle.wait(_LOOK_UP):
            if watch.time_is_up():
                handle.cancel()
                break
        proved = bool(handle.get().exhausted)
    picked = tuple(rules[number] for number in chosen)
    return Combined(picked, score(picked, positive), proved)


def _facts(rules: Sequence[Rule], positive: Bits, noise: bool, most: int | None) -> Iterator[str]:
    yield f"level({1 if noise else 2})."
    if most is not None:
        yield f"at_most({most})."
    for number, rule in enumerate(rules):
        yield f"rule({number},{rule.size})."
    coverable = 0
    for rule in rules:
        coverable |= rule.positive
    yield from _groups([rule.positive & positive for rule in rules], "wanted", "covers")
    yield from _groups([rule.negative for rule in rules], "unwanted", "breaks")


def _groups(covers: Sequence[Bits], group: str, relation: str) -> Iterator[str]:
    """Examples that the same rules cover are one group with their number as weight."""
    members: dict[int, list[int]] = {}
    for number, covered in enumerate(covers):
        for example in bits(covered):
            members.setdefault(example, []).append(number)
    weights: dict[tuple[int, ...], int] = {}
    for example in sorted(members):
        key = tuple(members[example])
        weights[key] = weights.get(key, 0) + 1
    for index, (numbers, weight) in enumerate(weights.items()):
        yield f"{group}({index},{weight})."
        yield from (f"{relation}({number},{index})." for number in numbers)


def union(rules: Iterable[Rule]) -> Bits:
    """All positive examples that some rule covers."""
    covered = 0
    for rule in rules:
        covered |= rule.positive
    return covered
