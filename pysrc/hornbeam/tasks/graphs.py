"""Labelled graphs as learning tasks: as networks, and as true and false atoms over the edges of all graphs.

The families of graphs hand over their samples as networks and say what is true; the rest is the same for all of them.
In the view of examples every relation is a target of its own, named ``is_`` and the relation, so that it is not
taken for an edge; nodes are constants of their own in each sample. Options of that view: `target` (one relation
only; else all of them), `others` (how many wrong relations stand against each query where all are targets).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic.terms import Clause, Compound, Term, quote
from hornbeam.networks.network import Network
from hornbeam.networks.table import Table
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import Bias, Mode, Place
from hornbeam.tasks.network_files import TARGET, EdgeGoal, edge_definition, edge_name, edge_predicate, rules_of
from hornbeam.tasks.problem import EXAMPLES, NETWORKS, ExampleTask, Held, NetworkTask, Problem
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

SPLITS = ("train", "valid", "test")
NODE = "node"
OTHERS = 2
_LONGEST_BODY = 5


@dataclass(frozen=True)
class GraphTask:
    """The networks of a task by split, its relations in the order of its theory, and the true table."""

    name: str
    relations: tuple[str, ...]
    networks: Mapping[str, Sequence[Network]]
    edge_goal: EdgeGoal  # what an edge is over the facts of the dataset
    truth: Theory | None = None
    longest: int = 3  # edges on the paths that training shows
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_cells(
        cls,
        dataset: Dataset,
        task: str | None,
        network: Callable[[Sample], Network],
        *,
        name: str,
        relations: tuple[str, ...],
        truth: Theory,
        edge_goal: EdgeGoal,
        options: Mapping[str, str] | None,
    ) -> GraphTask:
        """The task of a dataset whose own tasks are cells of one theory, such as paths of one length.

        All training samples are learned from. What is learned is judged on all others, or on those of one cell.
        """
        cell = None if task is None else dataset.one_task(task)
        networks: dict[str, list[Network]] = {}
        for split in SPLITS:
            samples = dataset.split(split)
            judged = samples if split == "train" or cell is None else samples.task(cell)
            networks[split] = [network(sample) for sample in judged]
        return cls(
            name=name if cell is None else f"{name}-{cell}",
            relations=relations,
            networks=networks,
            edge_goal=edge_goal,
            truth=truth,
            longest=max((int(str(one.group.get("k", 2))) for one in networks["train"]), default=2),
            seed=dataset.manifest.seed or 0,
            options=options or {},
        )

    def problem(self, view: str) -> Problem:
        """The task in one of the two views."""
        if view == NETWORKS:
            self._only(())
            return self._networks()
        if view == EXAMPLES:
            self._only(("target", "others"))
            return self._examples()
        raise unknown_name("view", view, (NETWORKS, EXAMPLES))

    def _only(self, known: Sequence[str]) -> None:
        for name in self.options:
            if name not in known:
                raise unknown_name("option", name, known) if known else UsageError(f"this view has no option '{name}'")

    def _networks(self) -> Problem:
        task = NetworkTask(self.name, self.relations, tuple(self.networks["train"]))
        held = {split: Held(networks=tuple(self.networks[split])) for split in self._held()}
        return Problem(task, held, self.truth)

    def _held(self) -> list[str]:
        return [split for split in SPLITS if split != "train" and self.networks.get(split)]

    # Examples -------------------------------------------------------------------------------------------------------

    def _examples(self) -> Problem:
        targets = self._targets()
        train = self._atoms("train", targets)
        length = min(self.longest, _LONGEST_BODY)
        edges = {edge_predicate(edge.relations) for one in self.networks["train"] for edge in one.edges}
        bias = Bias(
            head=tuple(Mode(TARGET + name, (Place("+", NODE), Place("+", NODE))) for name in targets),
            body=tuple(Mode(name, (Place("+", NODE), Place("-", NODE))) for name in sorted(edges)),
            max_body=length,
            max_vars=length + 1,
        )
        task = ExampleTask(self.name, train.positive, train.negative, train.background, bias, facts=True)
        held = {split: self._atoms(split, targets) for split in self._held()}
        return Problem(task, held, self._rules(), self._definitions())

    def _rules(self) -> Theory | None:
        """The truth as rules; None for a table with alternatives, which Horn clauses cannot express."""
        table = Table.of(self.truth) if self.truth is not None else None
        return rules_of(table, self.name) if table is not None and table.reading == "function" else None

    def _definitions(self) -> dict[Indicator, tuple[Clause, ...]]:
        seen = {edge.relations for networks in self.networks.values() for one in networks for edge in one.edges}
        labels = sorted(seen | {(name,) for name in self.relations})
        return {(edge_predicate(label), 2): (edge_definition(label, self.edge_goal),) for label in labels}

    def _targets(self) -> list[str]:
        known = dict.fromkeys(edge_name(network.answer) for network in self.networks["train"])
        chosen = self.options.get("target")
        if chosen is not None and chosen not in known:
            raise unknown_name("target", chosen, list(known))
        return [chosen] if chosen is not None else sorted(known)

    def _atoms(self, split: str, targets: Sequence[str]) -> Held:
        positive: list[Term] = []
        negative: list[Term] = []
        others = _number(self.options.get("others"), OTHERS)
        for number, network in enumerate(self.networks[split]):
            source, sink = (node_name(split, number, node) for node in network.query)
            label = edge_name(network.answer)
            false = [name for name in targets if name != label]
            if len(targets) > 1:
                rng = fast_rng(self.seed, "examples", self.name, split, number)
                false = rng.sample(false, min(others, len(false)))
            if label in targets:
                positive.append(Compound(TARGET + label, (source, sink)))
            negative += [Compound(TARGET + name, (source, sink)) for name in false]
        return Held(tuple(positive), tuple(negative), edges_program(split, self.networks[split]))


def node_name(split: str, number: int, node: int) -> str:
    """A node of a sample as a constant that no other sample has."""
    return f"{split}_{number}_{node}"


def edges_program(split: str, networks: Sequence[Network]) -> str:
    """The edges of networks as Prolog facts over nodes of :func:`node_name`."""
    return _program(line for number, network in enumerate(networks) for line in _facts(network, split, number))


def _facts(network: Network, split: str, number: int) -> Iterable[tuple[str, str]]:
    for edge in network.edges:
        name = edge_predicate(edge.relations)
        source, target = (node_name(split, number, node) for node in (edge.source, edge.target))
        yield name, f"{quote(name)}({source},{target}).\n"


def _program(lines: Iterable[tuple[str, str]]) -> str:
    """The facts, those of one predicate together; the same edge twice is one fact."""
    return "".join(text for _, text in sorted(dict.fromkeys(lines)))


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isdecimal():
        raise UsageError(f"others={text}: expected a number of wrong relations for each query, e.g. {default}")
    return int(text)
