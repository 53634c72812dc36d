"""Explains a label: the result of each path, and a smallest set of edges from which the answer follows."""

from __future__ import annotations

from itertools import islice

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.bundles import paths
from hornbeam.star.knowledge import Calculus
from hornbeam.star.proving import minimal_conflict
from hornbeam.star.record import answer_of, calculus_of, network_of
from hornbeam.star.solving import decide

_SHOWN = 20


def entailing_edges(calculus: Calculus, network: ConstraintNetwork) -> list[int]:
    """The numbers of edges from which the answer follows, none of which can be left out."""
    answer = decide(calculus, network).mask
    if answer == 0:
        return minimal_conflict(calculus, network)
    dropped: set[int] = set()
    for number in range(len(network.edges)):
        if decide(calculus, network.without(dropped | {number})).mask == answer:
            dropped.add(number)
    return [number for number in range(len(network.edges)) if number not in dropped]


def path_mask(calculus: Calculus, network: ConstraintNetwork, path: list[int]) -> int:
    mask = calculus.identity
    for number in path:
        mask = calculus.compose(mask, network.labels[number])
    return mask


def edge_text(calculus: Calculus, network: ConstraintNetwork, number: int) -> str:
    u, v = network.edges[number]
    return f"{u} {calculus.text(network.labels[number])} {v}"


def explain(dataset: Dataset, sample: Sample) -> str:
    calculus = calculus_of(dataset)
    network = network_of(calculus, sample)
    source, sink = network.query
    lines = [f"{sample.id}: what holds from {source} to {sink}?  {sample.label}", ""]
    shown = list(islice(paths(network), _SHOWN + 1))
    together = calculus.universal
    for path in shown[:_SHOWN]:
        mask = path_mask(calculus, network, path)
        together &= mask
        steps = ", ".join(edge_text(calculus, network, number) for number in path)
        lines.append(f"  {steps}  gives  {_disjunction(calculus, mask)}")
    if len(shown) > _SHOWN:
        lines.append(f"  and further paths, not shown after {_SHOWN}")
    elif shown:
        lines.append(f"  all paths together: {_disjunction(calculus, together)}")
    solution = decide(calculus, network)
    follows = solution.mask == answer_of(calculus, sample)
    if not follows and solution.exact:
        lines += ["", f"The label does not follow. The edges leave: {_disjunction(calculus, solution.mask)}"]
    needed = entailing_edges(calculus, network)
    what = "It follows from these edges" if follows else "That follows from these edges"
    if not solution.mask:
        what = "These edges cannot hold together"
    lines += ["", f"{what}, and none of the {len(needed)} can be left out:"] if needed else []
    lines += [f"  {edge_text(calculus, network, number)}" for number in needed]
    return "\n".join(lines)


def _disjunction(calculus: Calculus, mask: int) -> str:
    if mask == calculus.universal:
        return "nothing (every relation is possible)"
    return " or ".join(calculus.names(mask)) or "a contradiction"
