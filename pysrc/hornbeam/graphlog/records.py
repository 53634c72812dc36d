"""A row as a sample, and back: the one place that knows the keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.graphlog.logic import Certificate, Chain, Edge
from hornbeam.graphlog.rows import Row
from hornbeam.logic import quote

DERIVABLE = ("unique", "ambiguous", "wrong", "no")


def derivable(found: Collection[str], label: str) -> str:
    """Whether a label is among the relations that follow: alone, beside others, not but others do, or none does."""
    if label in found:
        return "unique" if len(found) == 1 else "ambiguous"
    return "wrong" if found else "no"


# Labels are few and rows are many.
_quoted = cache(quote)


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a descriptor gives its class: shared by all rows that have it."""

    derivable: str
    certificate: Certificate | None

    def to_json(self, row: Row) -> dict[str, Any]:
        proof: dict[str, Any] = {"path": list(row.path), "descriptor": ",".join(row.chain), "derivable": self.derivable}
        if self.certificate is not None:
            known = self.certificate
            proof |= {"derivation": known.text, "rules": list(known.rules), "depth": known.depth}
        return proof


def to_sample(row: Row, number: int, world: str, split: str, grounds: Grounds) -> Sample:
    """The sample of a row."""
    source, sink = row.path[0], row.path[-1]
    return Sample(
        id=f"{world}-{split}-{number:05d}",
        task=world,
        split=split,
        label=row.label,
        input={"edges": [[u, label, v] for u, v, label in row.edges], "query": [source, sink]},
        symbolic={"prolog": f"{_quoted(row.label)}({source},{sink})"},
        proof=grounds.to_json(row),
    )


@dataclass(frozen=True, slots=True)
class Read:
    """A sample's content, as it is used.

    An imported row may not say how it is resolved: then its chain is empty, and its path has only the two ends.
    """

    edges: Sequence[Edge]
    source: int
    sink: int
    label: str
    path: tuple[int, ...]
    chain: Chain
    proof: dict[str, Any]

    @property
    def nodes(self) -> int:
        return len({node for u, v, _ in self.edges for node in (u, v)} | {self.source, self.sink})

    @property
    def length(self) -> int:
        return len(self.chain)


def read(sample: Sample) -> Read:
    """The content of a sample."""
    content: Any = sample.input
    proof: Any = sample.proof
    source, sink = content["query"]
    text = proof["descriptor"]
    return Read(
        edges=[(u, v, label) for u, label, v in content["edges"]],
        source=source,
        sink=sink,
        label=str(sample.label),
        path=tuple(proof["path"]),
        chain=tuple(text.split(",")) if text else (),
        proof=proof,
    )


def fact(sample: Sample) -> str:
    """The sample as one Prolog clause: compact, for a suite has hundreds of thousands."""
    content: Any = sample.input
    proof: Any = sample.proof
    source, sink = content["query"]
    edges = ",".join([f"e({u},{_quoted(label)},{v})" for u, label, v in content["edges"]])
    path = ",".join(map(str, proof["path"]))
    return (
        f"sample('{sample.id}',{_quoted(sample.task)},{sample.split},{_quoted(str(sample.label))},"
        f"graph({source},{sink},[{edges}],[{path}])).\n"
    )
