"""The court of the family: proofs by containment, small chains built to tell theories apart, and blame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause
from hornbeam.tasks.court import Court, Difference
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.theory import Theory, decide
from hornbeam.theory.theory import Indicator, indicator
from hornbeam_ancestors.knowledge import GENERATIONS, THEORY

ENCODINGS = ("parents", "generations")
_LONGEST = 5  # persons of the longest chain


def definitions(encoding: str) -> dict[Indicator, tuple[Clause, ...]]:
    """What the predicates of an encoding mean over the dataset's facts."""
    if encoding not in ENCODINGS:
        raise UsageError(f"there is no encoding '{encoding}': expected one of {', '.join(ENCODINGS)}")
    if encoding == "parents":
        return {}
    return {indicator(clause.head): (clause,) for clause in Theory.parse(GENERATIONS).clauses}


class AncestorCourt(Court):
    """Judges theories of ancestor/3."""

    kind = "graph"
    silent = "false"

    @property
    def truth(self) -> Theory:
        return Theory.parse(THEORY)

    def defined(self, theory: Theory) -> Theory:
        return theory.using(definitions("generations"))

    def prove(self, theory: Theory) -> str | None:
        verdict = decide(self.truth, theory.program, given=[("parent", 3), ("person", 2)])
        return "by containment" if verdict.verdict else None

    def suspects(self, theory: Theory) -> Sequence[Sample]:
        """Chains of parents, the shortest first, asked for each pair of their persons."""
        built = []
        for count in range(2, _LONGEST + 1):
            people = [f"p{number}" for number in range(count)]
            edges = [[parent, "parent", child] for parent, child in pairwise(people)]
            for x, y in product(people, repeat=2):
                name = f"chain_{count}_{x}_{y}"
                built.append(Sample(name, "ancestor", "test", False, input={"edges": edges, "query": [x, y]}))
        return built

    def describe(self, sample: Sample) -> str:
        content: Any = sample.input
        edges = ", ".join(f"{a} is a parent of {b}" for a, _, b in content["edges"])
        return f"{edges}; is {content['query'][0]} an ancestor of {content['query'][1]}?"

    def blame(self, theory: Theory, difference: Difference) -> str | None:
        """A rule without which the wrong answer goes away; where an answer is missing, no rule can be named."""
        if difference.learned != "true":
            return None
        name = difference.sample.id
        with Courtroom(self.dataset, [difference.sample]) as room:
            for number, text in enumerate(theory.texts):
                rest = theory.without(number)
                if not len(rest):
                    return text
                room.hear(rest)
                if room.mine([name]) == [difference.true]:
                    return text
        return None


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
    """Who judges theories of the dataset; there is one task."""
    definitions((options or {}).get("encoding", "parents"))
    return AncestorCourt(dataset, dataset.one_task(task))
