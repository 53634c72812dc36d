"""Explains in words why a row has its label."""

from __future__ import annotations

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.graphlog import figures
from hornbeam.graphlog.knowledge import Question, WorldTheory
from hornbeam.graphlog.record import Read, read

_WHY = {
    "unique": "It follows from the path, and nothing else does.",
    "ambiguous": "It follows from the path, but so does another relation.",
    "wrong": "It does not follow from the path; another relation does.",
    "no": "Nothing follows from the path with the rules of this world.",
}


def explain(dataset: Dataset, sample: Sample) -> str:
    """The path, the proof as a tree, and the rules that it uses."""
    row = read(sample)
    world = figures.known(dataset, sample.task).world
    asked = f"{sample.id}: which relation has node {row.source} to node {row.sink} in the world {world.name}?"
    theory = WorldTheory(world)
    if not row.chain:
        return "\n".join([asked, *_without_path(theory, row)])
    head = [
        asked,
        f"It is {row.label}. {_WHY[row.proof['derivable']]}",
        "",
        f"The path, among {len(row.edges)} edges: {_path(row)}",
    ]
    lines = theory.proof_lines(row.chain, row.label, row.path)
    if not lines:
        relations = ", ".join(theory.verdicts([row.chain])[0].by_rules)
        return "\n".join([*head, f"The rules derive from it: {relations or 'nothing'}"])
    return "\n".join([*head, "", *lines])


def _without_path(theory: WorldTheory, row: Read) -> list[str]:
    edges = tuple((source, sink, label) for source, sink, label in row.edges)
    (relations,) = theory.relations([Question(edges, row.source, row.sink)])
    return [
        f"It is {row.label}, says the row, and names no path along its edges.",
        f"From all its {len(edges)} edges the world derives: {', '.join(relations) or 'nothing'}",
    ]


def _path(row: Read) -> str:
    parts = [str(row.path[0])]
    for node, label in zip(row.path[1:], row.chain, strict=True):
        parts.append(f"--{label}--> {node}")
    return " ".join(parts)
