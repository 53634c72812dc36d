"""The symbol of a picture: a tree of compositions over named objects.

A leaf is the name of an object (``"circle_red_small"``), an inner node an operator and its children
(``("stack", ["triangle_red_small", "square_blue_small"])``): the shape in which a tree crosses to Prolog, so that
nothing is converted on the way. A tree is never changed after it is made; ``repr(tree)`` is its identity.

>>> tree = ("in", [("grid", ["circle_red_small", "square_red_large"])])
>>> prolog_text(tree)
'in([grid([circle_red_small,square_red_large])])'
>>> as_json(tree, DEFAULT_DOMAIN)["in"][0]["grid"][1]
{'shape': 'square', 'color': 'red', 'size': 'large'}
>>> from_json(as_json(tree, DEFAULT_DOMAIN), DEFAULT_DOMAIN) == tree
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any, TypeAlias

from hornbeam import resources
from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic import Prolog
from hornbeam.logic.terms import quote

_MODULE = "hornbeam_kandy"


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """The random groups of the curriculum language, and the operators that each draws from, in the order of the kb.

    They are those of kb/kandy/compositions.pl, asked of Prolog once.

    >>> len(operators()), groups()["any_diag"]
    (13, ('diag_ul_lr', 'diag_ll_ur'))
    """
    prolog = Prolog()
    prolog.load(resources.prolog("kandy", "service.pl"), module=_MODULE)
    answer: Any = prolog.once("kandy_service:operator_classes(Rows)", module=_MODULE)
    return {str(name): tuple(map(str, members)) for name, members in answer["Rows"]}


def operators() -> tuple[str, ...]:
    """All compositional operators."""
    return groups()["any_composition"]


Tree: TypeAlias = "str | tuple[str, list[Tree]]"

ATTRIBUTES = ("shape", "color", "size")


@dataclass(frozen=True)
class Domain:
    """The names an object is made of; their order is the order of `sort`."""

    shapes: tuple[str, ...]
    colors: tuple[str, ...]
    sizes: tuple[str, ...]

    def __post_init__(self) -> None:
        for attribute, names in zip(ATTRIBUTES, self.values, strict=True):
            refuse_bad_names(attribute, names)
        if len(self.props) != len(self.shapes) * len(self.colors) * len(self.sizes):
            raise UsageError(
                f"two different objects would both be called '{self._shared_name()}'; rename a shape, color or size"
            )

    @property
    def values(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The names by attribute, in the order of :data:`ATTRIBUTES`."""
        return self.shapes, self.colors, self.sizes

    @cached_property
    def props(self) -> dict[str, tuple[str, str, str]]:
        """What the name of an object means; a name is looked up here and never split, so it may hold `_`."""
        return {self.name(*triple): triple for triple in product(*self.values)}

    @staticmethod
    def name(shape: str, color: str, size: str) -> str:
        """The name of an object."""
        return f"{shape}_{color}_{size}"

    def _shared_name(self) -> str:
        names = [self.name(*triple) for triple in product(*self.values)]
        return next(name for name in names if names.count(name) > 1)


def refuse_bad_names(attribute: str, names: tuple[str, ...]) -> None:
    """A :class:`UsageError` where names of an attribute are missing, double, or mean something else in a curriculum."""
    if not names:
        raise UsageError(f"expected at least one {attribute}")
    for name in names:
        if not name or name.startswith("not_") or "|" in name:
            raise UsageError(f"'{name}' cannot be the name of a {attribute}: it is empty, starts with not_ or holds |")
        if names.count(name) > 1:
            raise UsageError(f"{attribute} '{name}' is defined twice")


def _known_domain() -> Domain:
    """The domain of kb/kandy/domain.pl: its facts read as text, so that an import need not start Prolog."""
    text = resources.kb("kandy", "domain.pl").read_text(encoding="utf-8")
    return Domain(*(tuple(re.findall(rf"^{name}\((\w+)\)\.$", text, re.MULTILINE)) for name in ATTRIBUTES))


DEFAULT_DOMAIN = _known_domain()


def operator(tree: Tree) -> str | None:
    """The operator of a composition, None for an object."""
    return None if isinstance(tree, str) else tree[0]


def children(tree: Tree) -> list[Tree]:
    """The children of a composition, none for an object."""
    return [] if isinstance(tree, str) else tree[1]


def nodes(tree: Tree) -> Iterator[Tree]:
    """The tree and all its subtrees, each before its children."""
    yield tree
    for child in children(tree):
        yield from nodes(child)


def leaves(tree: Tree) -> Iterator[str]:
    """The objects from left to right."""
    if isinstance(tree, str):
        yield tree
    else:
        for child in tree[1]:
            yield from leaves(child)


def depth(tree: Tree) -> int:
    """The number of compositions on the longest way down: 0 for an object."""
    return 0 if isinstance(tree, str) else 1 + max(map(depth, tree[1]), default=0)


def prolog_text(tree: Tree) -> str:
    """The tree in the natural encoding: compositions are unary functors over lists."""
    if isinstance(tree, str):
        return quote(tree)
    return f"{quote(tree[0])}([{','.join(map(prolog_text, tree[1]))}])"


def as_json(tree: Tree, domain: Domain) -> dict[str, Any]:
    """The tree as nested dictionaries, the form of the original's files."""
    if isinstance(tree, str):
        return dict(zip(ATTRIBUTES, domain.props[tree], strict=True))
    return {tree[0]: [as_json(child, domain) for child in tree[1]]}


def from_json(value: object, domain: Domain) -> Tree:
    """The tree of nested dictionaries; a :class:`UsageError` says what does not fit."""
    if not isinstance(value, dict):
        raise UsageError(f"expected an object or a composition, got {value!r}")
    if set(value) == set(ATTRIBUTES):
        return _object(value, domain)
    if len(value) != 1:
        raise UsageError(f"expected one operator or the keys shape, color and size, got {', '.join(map(str, value))}")
    ((name, members),) = value.items()
    if name not in operators():
        raise unknown_name("operator", str(name), operators())
    if not isinstance(members, list):
        raise UsageError(f"expected a list of children under {name}, got {members!r}")
    return name, [from_json(member, domain) for member in members]


def _object(value: dict[str, object], domain: Domain) -> str:
    for attribute, names in zip(ATTRIBUTES, domain.values, strict=True):
        if value[attribute] not in names:
            raise unknown_name(attribute, str(value[attribute]), names)
    return domain.name(*(str(value[attribute]) for attribute in ATTRIBUTES))
