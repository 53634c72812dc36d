"""Why a row has its label, for a person to read."""

from __future__ import annotations

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.graphlog import suite
from hornbeam.graphlog.logic import Question, Theory
from hornbeam.graphlog.records import Read, read
from hornbeam.graphlog.world import World

_WHY = {
    "unique": "It follows from the path, and nothing else does.",
    "ambiguous": "It follows from the path, but so does another relation.",
    "wrong": "It does not follow from the path; another relation does.",
    "no": "Nothing follows from the path with the rules of this world.",
}


def explain(dataset: Dataset, sample: Sample) -> str:
    """The path, the proof as a tree, and the rules that it uses."""
    row = read(sample)
    world = suite.known(dataset, sample.task).world
    asked = f"{sample.id}: which relation has node {row.source} to node {row.sink} in the world {world.name}?"
    theory = Theory(world)
    if not row.chain:
        return "\n".join([asked, *_without_path(theory, row)])
    head = [
        asked,
        f"It is {row.label}. {_WHY[row.proof['derivable']]}",
        "",
        f"The path, among {len(row.edges)} edges: {_path(row)}",
    ]
    certificate = theory.certificates([(row.chain, row.label)])[0]
    if certificate is None:
        found = ", ".join(theory.verdicts([row.chain])[0].by_rules)
        return "\n".join([*head, f"The rules derive from it: {found or 'nothing'}"])
    lines = _Tree(world, row).lines(certificate.text)
    return "\n".join([*head, "", *lines])


def _without_path(theory: Theory, row: Read) -> list[str]:
    edges = tuple((source, sink, label) for source, sink, label in row.edges)
    (found,) = theory.relations([Question(edges, row.source, row.sink)])
    return [
        f"It is {row.label}, says the row, and names no path along its edges.",
        f"From all its {len(edges)} edges the world derives: {', '.join(found) or 'nothing'}",
    ]


def _path(row: Read) -> str:
    parts = [str(row.path[0])]
    for node, label in zip(row.path[1:], row.chain, strict=True):
        parts.append(f"--{label}--> {node}")
    return " ".join(parts)


class _Tree:
    """Prints a proof text such as ``h(a,h2(b,c))``, whose leaves are the labels of the path in order."""

    def __init__(self, world: World, row: Read) -> None:
        self._numbers = {(rule.first, rule.second, rule.head): number for number, rule in enumerate(world.rules)}
        self._path = row.path
        self._place = 0

    def lines(self, text: str) -> list[str]:
        lines, _, rest = self._node(text, "")
        assert not rest
        return lines

    def _node(self, text: str, indent: str) -> tuple[list[str], str, str]:
        end = next((place for place, letter in enumerate(text) if letter in "(),"), len(text))
        label, rest = text[:end], text[end:]
        start = self._place
        if not rest.startswith("("):
            self._place += 1
            return [f"{indent}{label}({self._path[start]},{self._path[start + 1]}): an edge"], label, rest
        left, first, rest = self._node(rest[1:], indent + "  ")
        right, second, rest = self._node(rest[1:], indent + "  ")
        number = self._numbers[first, second, label]
        line = (
            f"{indent}{label}({self._path[start]},{self._path[self._place]}): "
            f"rule {number}, {label}(X,Z) if {first}(X,Y) and {second}(Y,Z)"
        )
        return [line, *left, *right], label, rest[1:]
