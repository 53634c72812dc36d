"""Learning tasks in three views of a dataset, and the data that their results are judged on.

`examples`: true and false atoms over background knowledge. `facts`: the facts of a world, from which rules are mined.
`networks`: labelled graphs with a pair of nodes to relate. A learner declares the views that it supports, a family
those that it offers. A :class:`Problem` keeps the task and the evaluation data apart: a learner sees the task only.
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
    """Learning from positive and negative examples over background knowledge.

    Attributes:
        name: The name of the task.
        positive: Ground atoms that must follow from the theory.
        negative: Ground atoms that must not follow; may be empty.
        background: A complete Prolog program; it loads only libraries that the sandbox allows.
        bias: The hypothesis space.
        facts: Whether the background has ground facts only, so that a learner can use them as tables.
        encoding: The encoding of the samples as terms, if the family has several.

    >>> from hornbeam.logic import Compound
    >>> from hornbeam.tasks.bias import Bias, Mode
    >>> bias = Bias(head=(Mode.parse("even(+int)"),), body=(Mode.parse("next(-int, +int)"),), recursion=True)
    >>> even = [Compound("even", (number,)) for number in range(4)]
    >>> ExampleTask("even", tuple(even[::2]), tuple(even[1::2]), "next(0, 1). next(1, 2). next(2, 3).", bias).view
    'examples'
    """

    name: str
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]
    background: str
    bias: Bias
    facts: bool = False
    encoding: str = ""

    view = EXAMPLES


@dataclass(frozen=True, slots=True)
class FactTask:
    """Learning rules from the facts of a world, which may be incomplete and noisy. Any predicate may be a head.

    Attributes:
        name: The name of the task.
        facts: The facts.
        bias: The hypothesis space.
    """

    name: str
    facts: tuple[Term, ...]
    bias: Bias

    view = FACTS


@dataclass(frozen=True, slots=True)
class NetworkTask:
    """Learning to answer queries on labelled graphs.

    Attributes:
        name: The name of the task.
        relations: The relations of the edges and answers.
        networks: The training graphs with their queries and answers.
    """

    name: str
    relations: tuple[str, ...]
    networks: tuple[Network, ...]

    view = NETWORKS


Task = ExampleTask | FactTask | NetworkTask


@dataclass(frozen=True, slots=True)
class Held:
    """Evaluation data of a split. Each view uses only some of the attributes.

    Attributes:
        positive: Examples that must be covered.
        negative: Examples that must not be covered.
        background: The background knowledge for these examples.
        support: Facts that a theory is applied to.
        expected: Facts that must follow from them.
        networks: Graphs with queries and answers.
        unread: How many further positive and negative examples a perceiver could not read; they count as wrong.
    """

    positive: tuple[Term, ...] = ()
    negative: tuple[Term, ...] = ()
    background: str = ""
    support: tuple[Term, ...] = ()
    expected: tuple[Term, ...] = ()
    networks: tuple[Network, ...] = ()
    unread: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """A task with its evaluation data. Only `task` goes to the learner.

    Attributes:
        task: The task.
        held: The evaluation data of ``valid`` and ``test``.
        truth: The true theory in the encoding of the task; None if the family cannot express it.
        definitions: Prolog definitions of the predicates that the encoding added, over the dataset's files. A learned
            theory contains those that it uses.
    """

    task: Task
    held: Mapping[str, Held]
    truth: Theory | None = None
    definitions: Mapping[Indicator, tuple[Clause, ...]] = field(default_factory=dict)
