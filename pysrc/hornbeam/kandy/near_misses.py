"""Pictures that tell theories apart: small ones, and those that differ in one thing from a picture that matters."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product

from hornbeam.kandy.tree import Domain, Tree, children, leaves, operators

_MOST_OBJECTS = 8  # that small pictures are made of


def changed(tree: Tree, domain: Domain) -> Iterator[Tree]:
    """The pictures with one thing changed: an attribute of an object, an object more or less, two that swap places, a
    composition by another operator, one more or one less around a part."""
    yield from _changed(tree, domain)
    yield from (("in", [tree]), ("stack", [tree]))
    for child in children(tree):
        if not isinstance(child, str):
            yield child


def _changed(tree: Tree, domain: Domain) -> Iterator[Tree]:
    if isinstance(tree, str):
        yield from _other_objects(tree, domain)
        return
    operator, parts = tree
    yield from ((other, parts) for other in operators() if other != operator)
    yield from ((operator, other) for other in _changed_list(parts, domain))


def _changed_list(parts: list[Tree], domain: Domain) -> Iterator[list[Tree]]:
    for at, part in enumerate(parts):
        before, after = parts[:at], parts[at + 1 :]
        if len(parts) > 1:
            yield [*before, *after]
        yield [*before, part, part, *after]
        yield [*before, ("stack", [part]), *after]
        if not isinstance(part, str):
            yield [*before, *part[1], *after]
        yield from ([*before, other, *after] for other in _changed(part, domain))
    for at in range(len(parts) - 1):
        yield [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]


def _other_objects(name: str, domain: Domain) -> Iterator[str]:
    shape, color, size = domain.props[name]
    yield from (domain.name(other, color, size) for other in domain.shapes if other != shape)
    yield from (domain.name(shape, other, size) for other in domain.colors if other != color)
    yield from (domain.name(shape, color, other) for other in domain.sizes if other != size)


def simpler(tree: Tree) -> Iterator[Tree]:
    """The pictures with a part less, or an object or the children of a composition in its place."""
    if isinstance(tree, str):
        return
    operator, parts = tree
    yield from (child for child in parts if not isinstance(child, str))
    for at, part in enumerate(parts):
        before, after = parts[:at], parts[at + 1 :]
        if len(parts) > 1:
            yield operator, [*before, *after]
        if not isinstance(part, str):
            yield operator, [*before, *part[1], *after]
            yield from ((operator, [*before, leaf, *after]) for leaf in dict.fromkeys(leaves(part)))
        yield from ((operator, [*before, other, *after]) for other in simpler(part))


def small(domain: Domain, mentioned: Iterable[str], most: int) -> list[Tree]:
    """Pictures of one, two and three objects under each composition, alone and in a group.

    Args:
        domain: The names that objects are made of.
        mentioned: Names that theories speak of: objects of these and of one other come first.
        most: How many pictures at most.
    """
    objects = _telling_objects(domain, set(mentioned))
    singles: list[list[Tree]] = [[one] for one in domain.props]
    pairs: list[list[Tree]] = [list(row) for row in product(objects, repeat=2)]
    triples: list[list[Tree]] = [list(row) for row in product(objects[:3], repeat=3)]
    grouped: list[list[Tree]] = [[(name, row)] for name in ("stack", "side_by_side") for row in pairs]
    apart: list[list[Tree]] = [[(name, [one]), (name, [other])] for name in ("stack", "grid") for one, other in pairs]
    plain: list[Tree] = [("in", row) for row in [*singles, *grouped, *apart, *triples]]
    pictures = [*plain, *((name, row) for name in operators() for row in [*pairs, *singles, *triples])]
    return [*{repr(tree): tree for tree in pictures[:most]}.values()]


def _telling_objects(domain: Domain, mentioned: set[str]) -> list[Tree]:
    chosen = []
    for names in domain.values:
        known = [name for name in names if name in mentioned]
        chosen.append([*known, *[name for name in names if name not in mentioned][:1]])
    objects = [domain.name(*triple) for triple in product(*chosen)]
    step = max(1, len(objects) // _MOST_OBJECTS)
    return [*objects[::step][:_MOST_OBJECTS]]


def sampled(trees: Iterable[Tree], most: int) -> list[Tree]:
    """At most so many of the trees, each once; always the same ones."""
    known = [*{repr(tree): tree for tree in trees}.values()]
    return known if len(known) <= most else random.Random(len(known)).sample(known, most)
