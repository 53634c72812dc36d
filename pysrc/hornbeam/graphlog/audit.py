"""How good a dataset is: derivable and unique labels, duplicates, leaking descriptors, classes without a rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from hornbeam.data.audit import Copies, balance, majority
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json
from hornbeam.family import Audit
from hornbeam.graphlog import figures
from hornbeam.graphlog.check import judged
from hornbeam.graphlog.figures import Known
from hornbeam.graphlog.knowledge import Chain
from hornbeam.graphlog.record import DERIVABLE, Read
from hornbeam.graphlog.world import links
from hornbeam.progress import Progress, no_progress


@dataclass(slots=True)
class _WorldCount:
    """What is counted of one world."""

    by_graph: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_path: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    chains: dict[str, Counter[Chain]] = field(default_factory=lambda: defaultdict(Counter))
    classes: Counter[str] = field(default_factory=Counter)
    with_path: int = 0
    shortest: int = 0  # rows whose path no other undercuts

    def add(self, split: str, verdict: str, row: Read) -> None:
        self.by_graph[split][verdict] += 1
        self.by_path[split][row.proof["derivable"]] += 1
        self.classes[row.label] += 1
        if row.chain:
            self.chains[split][row.chain] += 1
            self.with_path += 1
            self.shortest += _distance(row) == len(row.chain)

    def overlap(self, earlier: str, later: str) -> int:
        """Rows of the later split whose descriptor the earlier has, too."""
        known = self.chains[earlier]
        return sum(count for chain, count in self.chains[later].items() if chain in known)


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """Derive all labels, and compare rows and descriptors between splits."""
    known = figures.worlds(dataset)
    counts: dict[str, _WorldCount] = {name: _WorldCount() for name in known}
    for each in judged(dataset, progress):
        counts[each.world].add(each.split, each.verdict, each.row)
    graph = sum((verdicts for count in counts.values() for verdicts in count.by_graph.values()), Counter[str]())
    samples = graph.total()
    copies = Copies(dataset.samples)
    leaks: dict[str, Json] = {f"copies {pair}": count for pair, count in copies.leaks().items()}
    for earlier, later in (("train", "valid"), ("train", "test"), ("valid", "test")):
        leaks[f"descriptors {earlier}/{later}"] = sum(count.overlap(earlier, later) for count in counts.values())
    trained, tested = (
        {chain for count in counts.values() for chain in count.chains[name]} for name in ("train", "test")
    )
    leaks["descriptors trained on here and tested there"] = len(trained & tested)
    return Audit(
        samples=samples,
        derivable=_share(graph["unique"] + graph["ambiguous"], samples),
        unique=_share(graph["unique"], samples),
        duplicates=copies.duplicates,
        leaks=leaks,
        shortcuts=_shortcuts(dataset, known, counts),
        balance=balance(dataset.samples),
        details={"worlds": {name: _details(known[name], count) for name, count in counts.items()}},
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _shortcuts(dataset: Dataset, known: dict[str, Known], counts: dict[str, _WorldCount]) -> dict[str, Json]:
    best = [world.figures.shortcut for world in known.values() if world.figures.shortcut is not None]
    with_path = sum(count.with_path for count in counts.values())
    return {
        "majority": majority(dataset),
        "ends of the path": round(sum(best) / len(best), 4) if best else None,
        "shortest path is the resolution path": _share(sum(count.shortest for count in counts.values()), with_path),
    }


def _details(known: Known, count: _WorldCount) -> dict[str, Json]:
    heads = {rule.head for rule in known.world.rules}
    clash = known.confluence
    return {
        "from the path": _by_split(count.by_path),
        "from the graph": _by_split(count.by_graph),
        "classes that are no head of a rule": [label for label in sorted(count.classes) if label not in heads],
        "descriptors": {split: len(chains) for split, chains in sorted(count.chains.items())},
        "chain with two relations": {key: clash[key] for key in ("chain", "relations")} if clash["chain"] else None,
    }


def _by_split(counts: dict[str, Counter[str]]) -> dict[str, Json]:
    return {
        split: {name: verdicts[name] for name in (*DERIVABLE, *(["disputed"] if verdicts["disputed"] else []))}
        for split, verdicts in sorted(counts.items())
    }


def _distance(row: Read) -> int | None:
    """The number of edges of a shortest path from source to sink."""
    targets = links((source, sink) for source, sink, _ in row.edges)
    seen, frontier, steps = {row.source}, {row.source}, 0
    while frontier and row.sink not in frontier:
        frontier = {node for here in frontier for node in targets.get(here, ())} - seen
        seen |= frontier
        steps += 1
    return steps if frontier else None
