"""Verdicts on theories of kinship. A story counts only if it is possible in a family of the dataset's shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from random import Random
from typing import Any, ClassVar

from hornbeam.clutrr import knowledge as kinship
from hornbeam.clutrr import learning
from hornbeam.clutrr.clauses import KinClause, PuzzleRules, of_length
from hornbeam.clutrr.config import ClutrrConfig
from hornbeam.clutrr.generate import ATTEMPTS, Drawer, Namer
from hornbeam.clutrr.kin import FEMALE, MALE, Kin, grow, largest
from hornbeam.clutrr.knowledge import edge_goal
from hornbeam.clutrr.puzzle import embed
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.networks.differing import Cell, Differing, bundle, chain
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.seeds import fast_rng
from hornbeam.tasks.network_files import EdgeGoal
from hornbeam.tasks.networks_court import HIDDEN, NetworkCourt

_FAMILIES = 60  # in which pairs of words are looked for
_LONGER = 3  # facts of the stories in which a difference is looked for after those of two
_TELLING = 60  # longer stories that are tried for a theory of rules


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> ClutrrCourt:
    """The court for theories of a dataset; a task, such as 1.10, selects stories, the theory is the same for all."""
    return ClutrrCourt(dataset, task)


class ClutrrCourt(NetworkCourt):
    """Samples are stories about families of the dataset's shape."""

    kind: ClassVar[str] = "story"

    @cached_property
    def kin(self) -> kinship.KinTheory:
        return kinship.load(tuple(self.dataset.config.packs))

    @cached_property
    def table(self) -> Table:
        return Table.of(learning.truth(self.kin, self.dataset.config.family))

    @property
    def edge_goal(self) -> EdgeGoal:
        return edge_goal

    def network(self, sample: Sample) -> Network:
        return learning.network(sample)

    def harmless(self, cell: Cell, learned: frozenset[str]) -> bool:
        """No family of this shape has three different persons who are linked by these two words."""
        return cell not in self._linked

    @cached_property
    def _linked(self) -> frozenset[Cell]:
        """The pairs of words that link three persons of a family, whether or not they compose.

        The largest family of the shape says which relations can; which genders go with them is seen in many families.
        """
        shape, words = self.dataset.config.family, self.kin.words
        first = Kin(self.kin, largest(shape))
        rng = Random(0)
        places = range(len(words))
        pairs = [pair for pair in product(places, repeat=2) if embed(first, pair, None, rng) is not None]
        waiting = {(pair, genders) for pair in pairs for genders in product((MALE, FEMALE), repeat=2)}
        for kin in (first, *(Kin(self.kin, grow(shape, rng)) for _ in range(_FAMILIES))):
            waiting = {one for one in waiting if embed(kin, *one, rng) is None}
        linked = {(pair, genders) for pair in pairs for genders in product((MALE, FEMALE), repeat=2)} - waiting
        return frozenset((words[one][his], words[other][hers]) for (one, other), (his, hers) in linked)

    def fresh_config(self, count: int) -> ClutrrConfig:
        """As many stories of each kind, in proportion, as make `count` together."""
        config: ClutrrConfig = self.dataset.config
        if self.task is not None or config.story.entities == "anonymous":  # placeholders may be few
            return config
        rows = dict(config.splits())
        share = count / sum(sum(tasks.values()) for tasks in rows.values())
        scaled = {split: {task: max(1, round(n * share)) for task, n in tasks.items()} for split, tasks in rows.items()}
        return config.model_copy(update=scaled)

    # Stories ----------------------------------------------------------------------------------------------------------

    def _clauses(self, length: int) -> Sequence[KinClause]:
        return of_length(self.kin, self.dataset.config.family, length)

    def rounds(self, differing: Differing, rng: Random) -> Iterator[Sequence[Network]]:
        """Stories of two facts for the differing cells, then longer ones in which such a cell is used."""
        cells = set(differing.cells)
        unknown = set(differing.unknown)
        short = [one for one in self._clauses(2) if one.body in cells or unknown & set(one.body)]
        yield [_network(clause) for clause in short]
        longer = self._clauses(_LONGER)
        if cells and not differing.others:
            longer = [one for one in longer if self._uses(one, cells)]
        yield [_network(clause) for clause in longer]

    def _uses(self, clause: KinClause, cells: set[Cell]) -> bool:
        first, second, third = clause.body
        left, right = self._composed(first, second), self._composed(second, third)
        pairs = {(first, second), (second, third), *((one, third) for one in left), *((first, one) for one in right)}
        return bool(pairs & cells)

    def _composed(self, first: str, second: str) -> tuple[str, ...]:
        table = self.table
        return table.names(table.cells[table.place[first]][table.place[second]])

    def general(self, rng: Random) -> Sequence[Network]:
        return [_network(clause) for clause in self._clauses(2)]

    def near_misses(self, rng: Random) -> Sequence[Network]:
        """Chains of three facts: each differs in one word from others that families have."""
        longer = self._clauses(_LONGER)
        return [_network(clause) for clause in rng.sample(longer, min(_TELLING, len(longer)))]

    def sample(self, network: Network, number: int) -> Sample | None:
        """A story with names about a family that has such a chain."""
        config, seed = self.dataset.config, self.dataset.manifest.seed or 0
        body = tuple(edge.relations[0] for edge in network.edges)
        rules = PuzzleRules(network.answer, only=(KinClause(network.answer[0], body),))
        task = f"1.{len(body)}"
        drawer = Drawer(config.model_copy(update={"targets": "uniform"}), seed, "test", task, rules)
        namer = Namer(config, seed, self.kin, "test")
        rng = fast_rng(seed, "clutrr", "built", *body)
        for _ in range(ATTEMPTS):
            try:
                puzzle = drawer.draw(0, rng)
            except UsageError:  # no family that was grown has such a chain
                return None
            told = namer.sample(puzzle, task, number, number, rng)
            if told is not None:
                return told
        return None

    def renamed(self, sample: Sample, rng: Random) -> Sample:
        """Persons have other names; the story and the family, which have the old ones, are left out."""
        given: Any = sample.input
        known: Any = sample.symbolic
        names = [f"n{number}" for number in rng.sample(range(10**4, 10**5), len(given["names"]))]
        told = {**given, "names": names, "story": "", "question": ""}
        return replace(sample, label=HIDDEN, input=told, symbolic={**known, "family": ""}, proof={})

    def describe(self, sample: Sample) -> str:
        given: Any = sample.input
        return f"{given['story']} {given['question']}" if given["story"] else super().describe(sample)


def _network(clause: KinClause) -> Network:
    story = bundle([chain(clause.body)])
    return Network("", story.edges, story.query, (clause.label,))
