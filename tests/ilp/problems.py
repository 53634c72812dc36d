"""Problems made by hand, small enough to know every answer."""

from __future__ import annotations

from hornbeam.logic.terms import Compound
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import ExampleTask, Held, Problem
from hornbeam.theory import Theory

# Cards are red or blue, and squares or circles. The red squares are the good ones.
CARDS = """\
colour(c1, red). colour(c2, red). colour(c3, red). colour(c4, blue). colour(c5, blue). colour(c6, red).
shape(c1, square). shape(c2, square). shape(c3, circle). shape(c4, square). shape(c5, circle). shape(c6, square).
red(X) :- colour(X, red).
near(c1, c4). near(c3, c5).
"""
COLOURS, SHAPES = ("red", "blue"), ("square", "circle")


def good(*cards: str) -> tuple[Compound, ...]:
    return tuple(Compound("good", (card,)) for card in cards)


def cards(
    positive: tuple[str, ...] = ("c1", "c2"),
    negative: tuple[str, ...] = ("c3", "c4", "c5"),
    *,
    body: tuple[str, ...] = ("red(+card)", "colour(+card, #colour)", "shape(+card, #shape)", "near(+card, -card)"),
    truth: str = "good(X) :- red(X), shape(X, square).",
    held: bool = True,
) -> Problem:
    bias = Bias(
        head=(Mode.parse("good(+card)"),),
        body=tuple(map(Mode.parse, body)),
        constants={"colour": COLOURS, "shape": SHAPES},
        max_body=3,
    )
    task = ExampleTask("cards", good(*positive), good(*negative), CARDS, bias)
    test = {"test": Held(good("c6"), good("c3", "c4"))} if held else {}
    return Problem(task, test, Theory.parse(truth))
