"""Cheap features of a tree: what a learner could go by that has not found the rule.

`structure` looks at operators and numbers alone and is blind to shapes, colours and sizes; `bag` counts the objects of
each shape, colour and size and is blind to where they are.

>>> structure(("grid", [("stack", ["circle_red_small"]), "circle_red_small"]))["leaves"]
2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hornbeam.kandy.compositions import operators
from hornbeam.kandy.tree import (
    ATTRIBUTES,
    DEFAULT_DOMAIN,
    Domain,
    Tree,
    children,
    depth,
    leaves,
    nodes,
    operator,
)

Features = dict[str, int]


def structure(tree: Tree) -> Features:
    """Features of the operators and numbers of children; none of what the objects are."""
    direct = children(tree)
    inner = [node for node in nodes(tree) if not isinstance(node, str)]
    groups = [child for child in direct if not isinstance(child, str)]
    arities = [len(children(group)) for group in groups]
    found: Features = {
        "leaves": sum(1 for _ in leaves(tree)),
        "depth": depth(tree),
        "compositions": len(inner),
        "children": len(direct),
        "children is odd": len(direct) % 2,
        "groups": len(groups),
        "objects among the children": len(direct) - len(groups),
        "groups differ in operator": int(len({operator(group) for group in groups}) > 1),
        "groups differ in size": int(len(set(arities)) > 1),
        "groups differ in operator or size": int(len({(operator(g), len(children(g))) for g in groups}) > 1),
        "largest group": max(arities, default=0),
        "smallest group": min(arities, default=0),
        "distinct operators": len({operator(node) for node in inner}),
    }
    used = Counter(operator(node) for node in inner)
    for name in operators():
        found[f"is {name}"] = int(operator(tree) == name)
        found[f"first child is {name}"] = int(bool(direct) and operator(direct[0]) == name)
        found[f"last child is {name}"] = int(bool(direct) and operator(direct[-1]) == name)
        found[f"number of {name}"] = used[name]
    return found


def bag(tree: Tree, domain: Domain = DEFAULT_DOMAIN) -> Features:
    """How many objects there are of each shape, colour and size, and how many different ones."""
    objects = list(leaves(tree))
    found: Features = {"leaves": len(objects), "distinct objects": len(set(objects))}
    for place, (attribute, names) in enumerate(zip(ATTRIBUTES, domain.values, strict=True)):
        count = Counter(domain.props[name][place] for name in objects)
        found[f"distinct {attribute}s"] = len(count)
        found[f"most of one {attribute}"] = max(count.values(), default=0)
        found |= {f"number of {name} {attribute}": count[name] for name in names}
    return found


def kinds(domain: Domain) -> dict[str, Callable[[Tree], Features]]:
    """The kinds of features by name."""
    return {"structure": structure, "bag": lambda tree: bag(tree, domain)}
