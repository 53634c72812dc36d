"""The stored proof of a sample as steps, and the check in Prolog that each step follows.

The steps are in the dataset's own terms: node numbers, relations, constants, goals.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.language.steps.claims import Claim, Step
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Clause, Compound
from hornbeam.networks.closing import triangulate
from hornbeam.networks.table import Table
from hornbeam.rudas.record import fact_row, theories
from hornbeam.star.record import calculus_of, network_of

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_MODULE = "hornbeam_language_claims"
_TREE = re.compile(r"[^(),]+|[(),]")


@cache
def _prolog() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog("language", "claims.pl"), module=_MODULE)
    return prolog


class Prover(ABC):
    """Proofs of one dataset's samples."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    @abstractmethod
    def steps(self, sample: Sample) -> list[Step] | None:
        """The proof of a sample, premises first; None if the dataset stores none that ends in the label."""

    @abstractmethod
    def goal(self, sample: Sample) -> Claim:
        """What the last step must claim."""

    @abstractmethod
    def verdicts(self, rows: Sequence[tuple[Sample, Sequence[Claim]]]) -> list[list[str]]:
        """For each claim of each sample whether it is given, follows, or is unsupported, in one call of Prolog."""


class GraphProver(Prover):
    """CLUTRR, GraphLog and STaR: claims about two nodes, by composition."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(dataset)
        self._tables: dict[str | None, Table] = {}

    def table(self, task: str) -> Table:
        """The true table of a task."""
        key = task if self.dataset.family.tasks_are_worlds else None
        if key not in self._tables:
            self._tables[key] = Table.of(self.dataset.truth_of(key))
        return self._tables[key]

    def goal(self, sample: Sample) -> Claim:
        given: Any = sample.input
        return Claim(str(sample.label), tuple(map(str, given["query"])))

    def facts(self, sample: Sample) -> list[Claim]:
        """The edges of a sample."""
        given: Any = sample.input
        return [Claim(str(label), (str(source), str(target))) for source, label, target in given["edges"]]

    def verdicts(self, rows: Sequence[tuple[Sample, Sequence[Claim]]]) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in rows]
        keys = {sample.task if self.dataset.family.tasks_are_worlds else "" for sample, _ in rows}
        for key in keys:
            numbers = [n for n, (sample, _) in enumerate(rows) if not key or sample.task == key]
            asked = [[_terms(self.facts(rows[n][0])), _terms(rows[n][1])] for n in numbers]
            given = {"Table": self._table_term(rows[numbers[0]][0].task), "Rows": asked}
            goal = "language_claims:network_claims(Table, Rows, Verdicts)"
            answer: Any = _prolog().once(goal, given=given, module=_MODULE)
            for n, verdicts in zip(numbers, answer["Verdicts"], strict=True):
                found[n] = [str(verdict) for verdict in verdicts]
        return found

    def _table_term(self, task: str) -> list[Any]:
        table = self.table(task)
        names = list(table.relations)
        composed = [
            [first, second, whole]
            for first, row in zip(names, table.cells, strict=True)
            for second, mask in zip(names, row, strict=True)
            for whole in table.names(mask)
        ]
        turned = [
            [name, other] for name, mask in zip(names, table.converses, strict=True) for other in table.names(mask)
        ]
        return [names, composed, turned]


def _terms(claims: Sequence[Claim]) -> list[Any]:
    return [[claim.args[0], claim.relations, claim.args[1]] for claim in claims]


class ClutrrProver(GraphProver):
    """The proof of a story is stored from the goal down, with names."""

    def steps(self, sample: Sample) -> list[Step] | None:
        given: Any = sample.input
        proof: Any = sample.proof
        numbers = {name: str(number) for number, name in enumerate(given["names"])}

        def claim(said: Sequence[str]) -> Claim:
            return Claim(said[1], (numbers[said[0]], numbers[said[2]]))

        steps = [Step(claim(one), (claim(first), claim(second))) for one, first, second in proof.get("steps", ())]
        return steps[::-1] or None


class GraphlogProver(GraphProver):
    """The derivation is a term over the relations along the path."""

    def steps(self, sample: Sample) -> list[Step] | None:
        proof: Any = sample.proof
        if proof.get("derivable") != "unique":
            return None
        path = [str(node) for node in proof["path"]]
        tokens = iter(_TREE.findall(proof["derivation"]))
        steps: list[Step] = []
        at = 0

        def fold(name: str) -> tuple[Claim, str]:
            """The claim of a part of the term, and the token after it."""
            nonlocal at
            after = next(tokens, ")")
            if after != "(":
                claim = Claim(name, (path[at], path[at + 1]))
                at += 1
                return claim, after
            first, _ = fold(next(tokens))
            second, _ = fold(next(tokens))
            claim = Claim(name, (first.args[0], second.args[1]))
            steps.append(Step(claim, (first, second)))
            return claim, next(tokens, ")")

        fold(next(tokens))
        return steps


class StarProver(GraphProver):
    """Nodes are eliminated one after the other: what two others say of each other through a node stays."""

    def steps(self, sample: Sample) -> list[Step] | None:
        calculus = calculus_of(self.dataset)
        network = network_of(calculus, sample)
        known: dict[tuple[int, int], int] = {}
        for (u, v), mask in zip(network.edges, network.labels, strict=True):
            known[u, v] = known.get((u, v), calculus.universal) & mask
            known[v, u] = calculus.converse(known[u, v])
        steps = []
        for a, v, c in triangulate(network.nodes, network.edges, network.query).triangles:
            before = known.get((a, c), calculus.universal)
            after = before & calculus.compose(known[a, v], known[v, c])
            if after == before:
                known[a, c], known[c, a] = before, calculus.converse(before)
                continue
            pairs = [(a, v), (v, c), *([(a, c)] if (a, c) in known else [])]
            premises = tuple(Claim(calculus.text(known[pair]), (str(pair[0]), str(pair[1]))) for pair in pairs)
            known[a, c], known[c, a] = after, calculus.converse(after)
            if not after:
                return None
            steps.append(Step(Claim(calculus.text(after), (str(a), str(c))), premises))
        goal = self.goal(sample)
        wanted = frozenset(goal.relations)
        reached = known.get(network.query)
        return steps if reached is not None and frozenset(calculus.names(reached)) == wanted else None


class RudasProver(Prover):
    """A consequence rests on the facts that its rule needs."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(dataset)
        self._theories = theories(dataset)
        self._support: dict[tuple[str, bool], list[Any]] = {}

    def goal(self, sample: Sample) -> Claim:
        name, *args = fact_row(sample)
        return Claim(name, tuple(args))

    def steps(self, sample: Sample) -> list[Step] | None:
        proof: Any = sample.proof
        if "premises" not in proof:
            return None
        done: dict[str, Step] = {}

        def prove(one: Sample) -> Claim:
            claim = self.goal(one)
            known: Any = one.proof
            if known.get("premises") and one.id not in done:
                premises = tuple(prove(self.dataset.sample(name)) for name in known["premises"])
                done[one.id] = Step(claim, premises)
            return claim

        prove(sample)
        return list(done.values())

    def verdicts(self, rows: Sequence[tuple[Sample, Sequence[Claim]]]) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in rows]
        for task in {sample.task for sample, _ in rows}:
            numbers = [n for n, (sample, _) in enumerate(rows) if sample.task == task]
            asked = [
                [self._facts(rows[n][0]), [Compound(claim.name, claim.args) for claim in rows[n][1]]] for n in numbers
            ]
            rules = [_rule(clause) for clause in self._theories[task].clauses]
            goal = "language_claims:rule_claims(Rules, Rows, Verdicts)"
            given: dict[str, Any] = {"Rules": rules, "Rows": asked}
            answer: Any = _prolog().once(goal, given=given, module=_MODULE)
            for n, verdicts in zip(numbers, answer["Verdicts"], strict=True):
                found[n] = [str(verdict) for verdict in verdicts]
        return found

    def _facts(self, sample: Sample) -> list[Any]:
        key = (sample.task, sample.split == "test")
        if key not in self._support:
            chosen = (one for one in self.dataset.task(sample.task) if (one.split == "test") is key[1])
            rows = [fact_row(one) for one in chosen if one.label in ("support", "missing")]
            self._support[key] = [Compound(row[0], tuple(row[1:])) for row in rows]
        return self._support[key]


def _rule(clause: Clause) -> Compound:
    return Compound("-", (clause.head, list(clause.body)))


PROVERS = {"clutrr": ClutrrProver, "graphlog": GraphlogProver, "star": StarProver, "rudas": RudasProver}


def prover_of(dataset: Dataset) -> Prover:
    """The prover of a dataset's family.

    Raises:
        UsageError: if the family has no solutions in words.
    """
    from hornbeam.language.steps.scenes import KandyProver

    known: dict[str, type[Prover]] = {**PROVERS, "kandy": KandyProver}
    name = dataset.manifest.family
    if name not in known:
        raise UsageError(f"the family {name} has no solutions in words; those that have: {', '.join(sorted(known))}")
    return known[name](dataset)


def claims_of(steps: Sequence[Step]) -> Iterator[Claim]:
    """The claims of a proof, in order."""
    return (step.claim for step in steps)
