"""The ground truth once more, by clingo: rules of kb/kandy/asp over pictures as facts.

The facts are made here and the rules are written apart from those in Prolog, so that a slip in one reasoner, in one
encoding or in one text of a rule shows as a difference.

>>> house = ("in", [("stack", ["triangle_red_small", "square_blue_small"])])
>>> AspRules().labels("easy_15_house", [house, ("in", ["circle_red_small"])])
[1, 0]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from hornbeam import resources
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain, Tree
from hornbeam.logic.asp import Facts, Program

_FILES = ("pictures.lp", "easy.lp", "hard.lp")
# Pictures in one program: grounding grows with them, not with their square.
_BATCH = 1_000

Node = str | int


class AspRules:
    """clingo's view of one domain."""

    def __init__(self, domain: Domain = DEFAULT_DOMAIN) -> None:
        self.domain = domain

    def labels(self, rule: str, trees: Sequence[Tree]) -> list[int]:
        """1 where the rule holds of a tree, else 0."""
        return self.all_labels([rule], trees)[rule]

    def all_labels(self, rules: Sequence[str], trees: Sequence[Tree]) -> dict[str, list[int]]:
        """The labels of the same trees by several rules."""
        found: dict[str, list[int]] = {rule: [] for rule in rules}
        for start in range(0, len(trees), _BATCH):
            for rule, labels in self._batch(rules, trees[start : start + _BATCH]):
                found[rule].extend(labels)
        return found

    def _batch(self, rules: Sequence[str], trees: Sequence[Tree]) -> Iterator[tuple[str, list[int]]]:
        pictures = _Pictures()
        roots = [pictures.node(tree) for tree in trees]
        asked = Facts.rows("ask", [(rule, root) for rule in rules for root in dict.fromkeys(roots)])
        facts = asked | pictures.facts() | self._domain_facts(pictures.objects)
        model = _program().model(facts, only="valid")
        valid = set(model.rows("valid"))
        for rule in rules:
            yield rule, [int((rule, root) in valid) for root in roots]

    def _domain_facts(self, objects: Sequence[str]) -> Facts:
        facts = Facts.rows("shape_name", [(name,) for name in self.domain.shapes])
        facts |= Facts.rows("color_name", [(name,) for name in self.domain.colors])
        for place, attribute in enumerate(("shape", "color", "size")):
            facts |= Facts.rows(attribute, [(name, self.domain.props[name][place]) for name in objects])
        return facts


class _Pictures:
    """Trees as facts; equal compositions are one node, numbered in the order of their first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[Node, ...]], int] = {}
        self._objects: dict[str, None] = {}

    @property
    def objects(self) -> list[str]:
        return list(self._objects)

    def node(self, tree: Tree) -> Node:
        if isinstance(tree, str):
            self._objects.setdefault(tree)
            return tree
        key = (tree[0], tuple(map(self.node, tree[1])))
        return self._numbers.setdefault(key, len(self._numbers))

    def facts(self) -> Facts:
        by = [(number, operator) for (operator, _), number in self._numbers.items()]
        count = [(number, len(children)) for (_, children), number in self._numbers.items()]
        return Facts.rows("by", by) | Facts.rows("count", count) | Facts.rows("child", list(self._children()))

    def _children(self) -> Iterator[tuple[int, int, Node]]:
        for (_, children), number in self._numbers.items():
            for position, child in enumerate(children):
                yield number, position, child


@cache
def _program() -> Program:
    return Program.read(*(resources.kb("kandy", "asp", name) for name in _FILES))
