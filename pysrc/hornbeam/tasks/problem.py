"""What a learner is given, in three views of a dataset, and what its result is judged on.

`examples`: true and false atoms over background knowledge. `facts`: the facts of a world, from which rules are mined.
`networks`: labelled graphs with a pair to relate. A learner says which view it takes; a family says which it offers.
What a result is judged on is kept apart in a :class:`Problem`: no learner sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hornbeam.logic.terms import Clause, Term
from hornbeam.networks.network import Network
from hornbeam.tasks.bias import Bias
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator

EXAMPLES, FACTS, NETWORKS = "examples", "facts", "networks"
VIEWS = (EXAMPLES, FACTS, NETWORKS)


@dataclass(frozen=True, slots=True)
class ExampleTask:
    """Ground atoms that must follow and atoms that must not, and the Prolog that they are proved with.

    `background` is a whole program: it loads nothing but libraries that the sandbox allows. Negatives may be few or
    none. `facts` says that it is ground facts only, which allows a learner to look at them as tables.
    """

    name: str
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]
    background: str
    bias: Bias
    facts: bool = False
    encoding: str = ""  # how the samples were made into terms, where a family has several ways

    view = EXAMPLES


@dataclass(frozen=True, slots=True)
class FactTask:
    """The facts of a world, open and noisy: rules between its predicates are wanted. No head is told apart."""

    name: str
    facts: tuple[Term, ...]
    bias: Bias

    view = FACTS


@dataclass(frozen=True, slots=True)
class NetworkTask:
    """Labelled graphs over a set of relations."""

    name: str
    relations: tuple[str, ...]
    networks: tuple[Network, ...]

    view = NETWORKS


Task = ExampleTask | FactTask | NetworkTask


@dataclass(frozen=True, slots=True)
class Held:
    """What was held out, and the truth: of each view the part that it needs.

    `positive` and `negative` are judged over `background`. `support` are the facts that a theory is applied to, and
    `expected` those that must follow. `networks` are answered by reasoning with the theory.
    """

    positive: tuple[Term, ...] = ()
    negative: tuple[Term, ...] = ()
    background: str = ""
    support: tuple[Term, ...] = ()
    expected: tuple[Term, ...] = ()
    networks: tuple[Network, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A task, and by split what its result is judged on. Only `task` goes to the learner.

    `definitions` say what predicates that an encoding made mean, in Prolog over the dataset's own files: a learned
    theory carries those that it uses.
    """

    task: Task
    held: Mapping[str, Held]  # "valid", "test"
    truth: Theory | None = None  # in the language of the task, where the family can say it
    definitions: Mapping[Indicator, tuple[Clause, ...]] = field(default_factory=dict)
