"""Small tasks of our own, and the search for the best theory by trying all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from hornbeam.ilp.lff.language import Canonical, RuleLanguage
from hornbeam.ilp.lff.learner import LFF, LFFSettings
from hornbeam.ilp.lff.vocabulary import TargetHead, heads
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Prolog, Term
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory


def atoms(text: str) -> tuple[Term, ...]:
    """The atoms of a comma-free list such as "p(a). p(b)."."""
    return tuple(clause.head for clause in Theory.parse(text))


def task(
    positive: str,
    negative: str,
    background: str,
    head: str,
    body: Sequence[str | Mode],
    name: str = "small",
    **limits: object,
) -> ExampleTask:
    modes = tuple(mode if isinstance(mode, Mode) else Mode.parse(mode) for mode in body)
    bias = Bias((Mode.parse(head),), modes, **limits)  # type: ignore[arg-type]
    return ExampleTask(name, atoms(positive), atoms(negative), background, bias)


def learn(given: ExampleTask, seconds: float | None = None, **settings: object) -> tuple[Theory, Watch]:
    watch = Watch(seconds)
    theory = LFF().fit(given, LFFSettings(**settings), watch)  # type: ignore[arg-type]
    return theory, watch


def is_finished(watch: Watch) -> bool:
    return watch.events[-1].kind == "finished"


def covered(theory: Theory, background: str, examples: Iterable[Term]) -> list[bool]:
    """Which examples follow, asked of Prolog by another way than the learner's."""
    pl = Prolog()
    pl.load_text(f"{background}\n{theory}", "lff_verdict", strict=False)
    try:
        return [
            pl.ask("call(G)", given={"G": example}, module="lff_verdict") if len(theory) else False
            for example in examples
        ]
    finally:
        pl.unload("lff_verdict")


def solves(theory: Theory, given: ExampleTask) -> bool:
    return all(covered(theory, given.background, given.positive)) and not any(
        covered(theory, given.background, given.negative)
    )


# Trying all ---------------------------------------------------------------------------------------------------------


def all_rules(language: RuleLanguage) -> list[frozenset[int]]:
    """Every rule of a language up to the names of its variables, without any of the learner's constraints."""
    canonical, found = Canonical(language), dict[object, frozenset[int]]()
    for size in range(1, language.max_body + 1):
        for chosen in combinations(range(len(language.literals)), size):
            body = frozenset(chosen)
            if language.valid(body) and _well_typed(language, body):
                found.setdefault(canonical.key(body), body)
    return list(found.values())


def _well_typed(language: RuleLanguage, body: frozenset[int]) -> bool:
    types: dict[int, set[str]] = {number: {place.type} for number, place in enumerate(language.head.places)}
    for number in body:
        each = language.literals[number]
        for variable, kind in zip(each.variables, language.symbols[each.symbol].types, strict=True):
            types.setdefault(variable, set()).add(kind)
    return all(len(kinds - {"any"}) <= 1 for kinds in types.values())


def head_of(given: ExampleTask) -> TargetHead:
    return heads(given.bias, given.positive)[0]
