"""Verdicts on theories of networks: a table of compositions is compared cell by cell, rules by what they answer.

A table answers every network: where nothing follows it takes the relation that it lists first. So a network tells
two tables apart only if the truth decides it. Which those are, and how one becomes a sample, a family says.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, ClassVar

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.logic.terms import Clause, Compound, Var, to_text
from hornbeam.networks.blaming import blamed_cells, cell_text, fact_text, known_answers, repairs
from hornbeam.networks.differing import Cell, Differing, differing, everything, members, near_misses, probes, tellers
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import Answer, reason
from hornbeam.networks.repeating import Relations
from hornbeam.networks.table import Table
from hornbeam.seeds import fast_rng
from hornbeam.tasks.court import Court, Difference, NotComparable
from hornbeam.tasks.courtroom import NOTHING, Courtroom
from hornbeam.tasks.network_files import TARGET, EdgeGoal, edge_definition, edge_name, edge_predicate, rules_of
from hornbeam.tasks.vocabulary import FACTS, LEAST_CLAUSES, RULES, Vocabulary
from hornbeam.theory import Theory
from hornbeam.theory.coverage import failing_literal
from hornbeam.theory.distance import canonical
from hornbeam.theory.theory import Indicator, arguments, indicator

METHOD = "over the whole table"
TABLE: Indicator = ("compose", 3)
_MOST_SUSPECTS = 12  # that differ by a cell; the smallest is shown
_AT_ONCE = 400  # networks that both tables are asked
_NEAR_MISSES = 150
HIDDEN = "hidden"  # in place of a label
_MOST_PROBES = 400  # networks that are tried quickly
_MOST_BLAMED = 60  # cells or rules that are tried


class NetworkCourt(Court):
    """Judges tables of compositions and rules over edges."""

    kind: ClassVar[str] = "graph"
    form: ClassVar[str] = (
        "Rules for is_R(X, Y): the relation R holds from node X to node Y; bodies name edges of the sample. Or a table "
        "of facts compose(R, S, T), if needed with converse/2, identity/1 and relation/1."
    )

    # What a family says -----------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def table(self) -> Table:
        """The true compositions."""

    @property
    @abstractmethod
    def edge_goal(self) -> EdgeGoal:
        """What an edge is over the facts of the dataset."""

    @abstractmethod
    def network(self, sample: Sample) -> Network:
        """A sample as a network."""

    @abstractmethod
    def sample(self, network: Network, number: int) -> Sample | None:
        """A network as a sample, with its answer as label; None if the family has no such sample."""

    def harmless(self, cell: Cell, learned: frozenset[str]) -> bool:
        """Whether a cell that the truth does not have may hold these relations: no sample of the family uses it."""
        return False

    def rounds(self, parts: Differing, rng: Random) -> Iterator[Sequence[Network]]:
        """Networks in which a difference may show, the smallest first."""
        return probes(self.table, parts, rng)

    def general(self, rng: Random) -> Sequence[Network]:
        """Small networks of all kinds, for theories that are not tables."""
        return everything(self.table, rng, 2 * _NEAR_MISSES)

    # The court --------------------------------------------------------------------------------------------------------

    @cached_property
    def truth(self) -> Theory:
        return self.table.theory(self.dataset.family.title)

    def defined(self, theory: Theory) -> Theory:
        """Edges are defined over the facts of the dataset."""
        missing = theory.predicates - theory.program.defines
        known = [label for label in self._labels if (edge_predicate(label), 2) in missing]
        own = [statement.clause for statement in theory.definitions]
        return theory.with_definitions([*own, *(edge_definition(label, self.edge_goal) for label in known)])

    @cached_property
    def _labels(self) -> list[tuple[str, ...]]:
        edges = {edge.relations for sample in self.dataset.samples for edge in self.network(sample).edges}
        return sorted(edges | {(name,) for name in self.table.relations})

    def aligned(self, theory: Theory) -> tuple[Theory, Theory]:
        if TABLE in theory.defines:
            return self.truth, theory
        if self.table.reading == "sets":
            raise NotComparable(
                "compositions with alternatives cannot be expressed as Horn rules, so there are no true rules to align"
            )
        return rules_of(self.table, self.truth.name), theory

    def prove(self, theory: Theory) -> str | None:
        if TABLE in theory.defines:
            own = _table(theory)
            return METHOD if own is not None and not self._differing(own) else None
        if self.table.reading == "sets":
            return None
        same = Counter(map(canonical, theory.clauses)) == Counter(map(canonical, self.aligned(theory)[0].clauses))
        return "clause by clause" if same else None

    def _differing(self, own: Table) -> Differing:
        return differing(own, self.table, self.harmless)

    def suspects(self, theory: Theory) -> Sequence[Sample]:
        rng = fast_rng(self.dataset.manifest.seed or 0, "suspects", self.dataset.family.name)
        own = _table(theory) if TABLE in theory.defines else None
        if own is not None:
            chosen = list(islice(self._telling_of(own, self.rounds(self._differing(own), rng)), _MOST_SUSPECTS))
        else:
            chosen = self._decided(self.general(rng))
        return [*self._samples("built", chosen), *self._near]

    @cached_property
    def _near(self) -> list[Sample]:
        rng = fast_rng(self.dataset.manifest.seed or 0, "near misses", self.dataset.family.name)
        return list(self._samples("near", self._decided(self.near_misses(rng))))

    def near_misses(self, rng: Random) -> Sequence[Network]:
        """Samples of the dataset with one edge changed."""
        networks = [self.network(sample) for sample in self._own_samples()]
        return near_misses(networks, self.table.relations, rng, _NEAR_MISSES)

    def _own_samples(self) -> Sequence[Sample]:
        return [*(self.dataset.samples if self.task is None else self.dataset.task(self.task))]

    def _samples(self, prefix: str, networks: Iterable[Network]) -> Iterator[Sample]:
        for number, network in enumerate(networks):
            sample = self.sample(network, number)
            if sample is not None:
                yield replace(sample, id=f"{prefix}_{number:06d}")

    def _decided(self, networks: Sequence[Network]) -> list[Network]:
        """The networks that the true table decides, with their answers."""
        pairs = zip(networks, reason(self.table, networks), strict=True)
        return [replace(network, answer=answer.relations) for network, answer in pairs if self._is_label(answer)]

    def _is_label(self, answer: Answer) -> bool:
        count = len(answer.relations)
        return answer.by == "closure" and (count == 1 or count < len(self.table.relations))

    def _telling_of(self, own: Table, rounds: Iterable[Sequence[Network]]) -> Iterator[Network]:
        """Networks that the truth decides and a table answers otherwise, all of the first round that has some."""
        for networks in rounds:
            told = False
            for start in range(0, len(networks), _AT_ONCE):
                decided = self._decided(networks[start : start + _AT_ONCE])
                for network, said in zip(decided, known_answers(own, decided), strict=True):
                    if said is None or set(said.relations) != set(network.answer):
                        told = True
                        yield network
            if told:
                return

    def telling(self, own: Table) -> Iterator[tuple[Network, Relations | None]]:
        """Networks that the truth decides and a table answers otherwise, with what it answers.

        They are looked for where that takes no time, so there may be none for a table that is not the true one.
        """
        parts = self._differing(own)
        if not parts:
            return
        sets = self.table.reading == "sets"
        for network in islice(tellers(own, self.table, parts) if sets else self._using(parts), _MOST_PROBES):
            for one in self._decided([network]):
                said = known_answers(own, [one])[0]
                if said is None or set(said.relations) != set(one.answer):
                    yield one, said.relations if said else None

    def _using(self, parts: Differing) -> Iterator[Network]:
        rng = fast_rng(self.dataset.manifest.seed or 0, "telling", self.dataset.family.name)
        return (network for networks in self.rounds(parts, rng) for network in networks)

    def built(self, network: Network) -> Sample | None:
        """A network with its answer as a sample that is new; None if the family has no such sample."""
        sample = self.sample(network, 0)
        return None if sample is None else replace(sample, id="built")

    def differences(self, theory: Theory, samples: Sequence[Sample]) -> list[Difference]:
        """As in :class:`Court`; a table is asked only what the true table decides, as the true theory does."""
        differences = super().differences(theory, samples)
        if TABLE not in theory.defines or not differences:
            return differences
        answers = reason(self.table, [self.network(difference.sample) for difference in differences])
        pairs = zip(differences, answers, strict=True)
        return [difference for difference, answer in pairs if self._text(answer.relations) == difference.true]

    def _text(self, relations: Sequence[str]) -> str:
        """An answer as the courtroom has it: relations in the order of the truth."""
        return to_text(edge_name([name for name in self.table.relations if name in relations]))

    # Many theories ----------------------------------------------------------------------------------------------------

    def vocabulary(self) -> Vocabulary:
        """Rules for the answers over the edges, or a table as facts."""
        answers = {edge_name(label) for label in self._labels} if self.table.reading == "sets" else set()
        rules = {(TARGET + name, 2): RULES for name in sorted(answers | set(self.table.relations))}
        parts = {indicator(head): FACTS for head in self.truth.heads}
        names = {value for head in self.truth.heads for value in arguments(head) if isinstance(value, str)}
        edges = frozenset((edge_predicate(label), 2) for label in self._labels)
        most = max(LEAST_CLAUSES, 2 * len(self.truth))
        return Vocabulary({**rules, **parts, TABLE: FACTS}, edges, constants=frozenset(names), clauses=most)

    def near(self) -> Sequence[Sample]:
        return self._near

    def renamed(self, sample: Sample, rng: Random) -> Sample:
        """The nodes have other numbers."""
        given: Any = sample.input
        nodes = sorted({node for source, _, target in given["edges"] for node in (source, target)} | {*given["query"]})
        other = dict(zip(nodes, rng.sample(range(100, 1000), len(nodes)), strict=True))
        edges: Any = [[other[source], relation, other[target]] for source, relation, target in given["edges"]]
        query: Any = [other[node] for node in given["query"]]
        return replace(sample, label=HIDDEN, input={**given, "edges": edges, "query": query}, proof={"path": query})

    # For people -------------------------------------------------------------------------------------------------------

    def size(self, sample: Sample) -> int:
        return len(self.network(sample).edges)

    def describe(self, sample: Sample) -> str:
        network = self.network(sample)
        source, sink = network.query
        parts: list[str] = []
        here: int | None = None
        for edge in network.edges:
            step = f" -{edge_name(edge.relations)}-> {edge.target}"
            if edge.source == here:
                parts[-1] += step
            else:
                parts.append(f"{edge.source}{step}")
            here = edge.target
        return f"{', '.join(parts)}: {source} to {sink}?"

    def starter(self) -> str:
        """A rule that composes the first relation with itself."""
        first, variables = self.table.relations[0], tuple(map(Var, "XZY"))
        body = [Compound(edge_predicate((first,)), (variables[at], variables[at + 1])) for at in (0, 1)]
        return f"{to_text(Clause(Compound(TARGET + first, (variables[0], variables[2])), tuple(body)))}\n"

    def sample_predicates(self) -> Sequence[Indicator]:
        """The edges, by their labels."""
        return [(edge_predicate(label), 2) for label in self._labels]

    def blame(self, theory: Theory, difference: Difference) -> str | None:
        if TABLE in theory.defines:
            own = _table(theory)
            return None if own is None else self._blamed_cell(own, self.network(difference.sample))
        with Courtroom(self.dataset, [difference.sample]) as room:
            return self.blame_in(room, theory, difference)

    def blame_in(self, room: Courtroom, theory: Theory, difference: Difference) -> str | None:
        if TABLE in theory.defines:
            return self.blame(theory, difference)
        if difference.learned == NOTHING:
            return self._silent_rule(theory, difference, room)
        return self._blamed_rule(theory, difference, room)

    def _blamed_cell(self, own: Table, network: Network) -> str | None:
        """The first cell that, corrected, gives the right answer."""
        right = replace(network, answer=reason(self.table, [network])[0].relations)
        changes = repairs(own, self.table, self.harmless)[:_MOST_BLAMED]
        cell = blamed_cells(own, [right], changes)[0]
        if cell is not None:
            return cell_text(cell, members(own, cell), members(self.table, cell), self.table.reading)
        return self._blamed_converse(own, network)

    def _blamed_converse(self, own: Table, network: Network) -> str | None:
        used = {name for edge in network.edges for name in edge.relations}
        lines = []
        for name in (name for name in self._differing(own).converses if name in used):
            learned, true = (_converse(table, name) for table in (own, self.table))
            lines += [f"{fact_text('converse', name, other)} is missing" for other in sorted(true - learned)]
            lines += [f"{fact_text('converse', name, other)} is wrong" for other in sorted(learned - true)]
        return "; ".join(lines) or None

    def _silent_rule(self, theory: Theory, difference: Difference, room: Courtroom) -> str:
        """The literal at which the rule fails that comes nearest to the right answer; or that there is no such rule."""
        nodes = room.once("query_nodes(Id, X, Y)", Id=difference.sample.id)
        name = TARGET + difference.true.strip("'")
        rules = [number for number, clause in enumerate(theory.clauses) if indicator(clause.head) == (name, 2)]
        if nodes is None or not rules:
            return f"no rule gives {difference.true} here"
        reached = room.furthest(theory.program, [Compound(name, (nodes["X"], nodes["Y"]))])[0]
        return failing_literal(theory, {number: reached[number] for number in rules if number in reached}) or (
            f"no rule gives {difference.true} here"
        )

    def _blamed_rule(self, theory: Theory, difference: Difference, room: Courtroom) -> str | None:
        """The rule that by itself gives the wrong answer."""
        wrong = set(difference.learned.split(" + ")) - {difference.true}
        heads = {(TARGET + name.strip("'"), 2) for name in wrong}
        rules = [number for number, clause in enumerate(theory.clauses) if indicator(clause.head) in heads]
        others = [one for one in theory.statements if indicator(one.clause.head) not in heads]
        for number in rules[:_MOST_BLAMED]:
            room.hear(replace(theory, statements=(theory.statements[number], *others)))
            if wrong & set(room.mine([difference.sample.id])[0].split(" + ")):
                return theory.texts[number]
        return None


def _table(theory: Theory) -> Table | None:
    """The table of a theory; None if it is not a list of facts, so that only Prolog can read it."""
    try:
        return Table.of(theory)
    except UsageError:
        return None


def _converse(table: Table, name: str) -> frozenset[str]:
    return frozenset(table.names(table.converses[table.place[name]])) if name in table.place else frozenset()
