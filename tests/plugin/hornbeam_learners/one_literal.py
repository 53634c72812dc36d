"""A whole learner in one page: the best clause with one literal in its body, by trying them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pydantic import Field

from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Limits, Prolog
from hornbeam.logic.terms import Clause, Term, Var, literal, to_text
from hornbeam.tasks.bias import Bias, Mode, Place
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.theory import arguments

LIMITS = Limits(inferences=100_000)


class OneLiteralSettings(Settings):
    min_pos: int = Field(1, ge=1, description="positives that the clause must cover")


class OneLiteral(Learner):
    name = "one-literal"
    title = "the best clause with one body literal"
    views = ("examples",)
    settings_type = OneLiteralSettings

    def space(self, bias: Bias, settings: OneLiteralSettings) -> Space:
        return Space(bias.with_limits(max_body=1, max_clauses=1), recursion=False, note="one literal, one clause")

    def fit(self, task: ExampleTask, settings: OneLiteralSettings, watch: Watch) -> Theory:
        prolog = Prolog()
        prolog.load_text(task.background, "one_literal", strict=False)
        best, best_score = Theory(()), 0
        for head in task.bias.head:
            variables = [Var(f"V{number}") for number in range(len(head.places))]
            for body in candidates(head, variables, task):
                if watch.time_is_up():
                    return best
                watch.count()
                covered = [covers(prolog, variables, body, side) for side in (task.positive, task.negative)]
                score = covered[0] - covered[1]
                if covered[0] >= settings.min_pos and score > best_score:
                    best, best_score = Theory.of([Clause(literal(head.name, *variables), (body,))]), score
                    tn = len(task.negative) - covered[1]
                    watch.best(best, tp=covered[0], fp=covered[1], fn=len(task.positive) - covered[0], tn=tn)
        watch.finished()
        return best


def candidates(head: Mode, variables: list[Var], task: ExampleTask) -> Iterator[Term]:
    types = [place.type for place in head.places]
    for mode in task.bias.body:
        fillings = [list(fill(place, at, variables, types, task)) for at, place in enumerate(mode.places)]
        for args in product(*fillings):
            yield literal(mode.name, *args)


def fill(place: Place, at: int, variables: list[Var], types: list[str], task: ExampleTask) -> Iterator[Term]:
    if place.fill == "#":
        yield from task.bias.constants.get(place.type, ())
        return
    yield from (var for var, kind in zip(variables, types, strict=True) if kind == place.type)
    if place.fill != "+":
        yield Var(f"N{at}")


def covers(prolog: Prolog, variables: list[Var], body: Term, examples: tuple[Term, ...]) -> int:
    names = [var.name for var in variables]
    rows = [arguments(example) if len(names) > 1 else arguments(example)[0] for example in examples]
    over = names if len(names) > 1 else names[0]
    goal = f"{to_text(body)}, _ = [{','.join(names)}]"
    answers = prolog.ask_many(goal, over=over, rows=rows, module="one_literal", limits=LIMITS)
    return sum(answer is True for answer in answers)
