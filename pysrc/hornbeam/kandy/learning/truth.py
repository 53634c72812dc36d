"""The true rule of a task in the language of an encoding, where it can be said there.

In the natural and the pointer encoding that is the rule itself, with the helpers that the background knowledge lacks. For
the tables it is unfolded, lists that it takes apart are named, and each literal is looked up; a rule that builds lists,
compares numbers or quantifies over a conjunction cannot be said, and there is no truth then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hornbeam.ilp.bias import Bias
from hornbeam.kandy.curriculum import NamedRule
from hornbeam.kandy.learning.engine import Knowledge
from hornbeam.logic.terms import Clause, Compound, Term, Var, variables
from hornbeam.theory import Theory
from hornbeam.theory.theory import arguments, indicator
from hornbeam.theory.unfolding import unfolded

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_TARGET = ("valid", 1)
Names = Mapping[str, str]


def truth_of(dataset: Dataset, task: str, knowledge: Knowledge, encoding: str, bias: Bias) -> Theory | None:
    """The true rule of a published task; None where there is none, or the encoding cannot say it."""
    rule = next((known.rule for known in dataset.config.tasks if known.id == task), None)
    if not isinstance(rule, NamedRule):
        return None
    if encoding == "natural":
        return Theory.parse(knowledge.truth(rule.name, "natural"))
    if encoding == "pointer":
        return _of_samples(Theory.parse(knowledge.truth(rule.name, "pointer")))
    return None


def _of_samples(theory: Theory) -> Theory:
    """A rule of nodes as a rule of the samples that they are the pictures of."""
    return Theory.of(_of_sample(clause) if indicator(clause.head) == _TARGET else clause for clause in theory.clauses)


def _of_sample(clause: Clause) -> Clause:
    sample = Var("Sample")
    return Clause(Compound("valid", (sample,)), (Compound("sample_is", (sample, *arguments(clause.head))), *clause.body))
