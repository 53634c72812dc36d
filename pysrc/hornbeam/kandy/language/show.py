"""A sample's three stages as YAML, for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from hornbeam.kandy.language.nodes import After, AnyOf, Before, Compose, Node, ObjectNode, Pending, Recall, SetOf, Store
from hornbeam.kandy.language.operators import Anything
from hornbeam.kandy.tree import ATTRIBUTES, Domain, Tree, as_json

_INTERNAL = ("key", "reverse")


class _Object(dict[str, Any]):
    """An object, written on one line."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    _Object, lambda dumper, value: dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)
)


def yaml_text(pieces: Iterable[Any], domain: Domain) -> str:
    """Nodes, grounded pieces or trees as a YAML list."""
    return yaml.dump(
        [_plain(piece, domain) for piece in pieces], Dumper=_Dumper, sort_keys=False, width=1000, allow_unicode=True
    )


def _plain(piece: Any, domain: Domain) -> Any:
    if isinstance(piece, str):
        return _Object(as_json(piece, domain))
    if isinstance(piece, tuple):
        return {piece[0]: _all(piece[1], domain)}
    if isinstance(piece, Pending):
        if isinstance(piece.node, str):
            return {piece.node: _all(piece.pieces, domain)}
        return _operator(piece.node.name, piece.node.arguments, piece.pieces, domain)
    return _node(piece, domain)


def _node(node: Node, domain: Domain) -> Any:
    if isinstance(node, ObjectNode):
        values = [None if isinstance(choice, Anything) else "|".join(choice) for choice in node.values]
        return _Object(zip(ATTRIBUTES, values, strict=True))
    if isinstance(node, Compose):
        return {node.op: _all(node.children, domain)}
    if isinstance(node, AnyOf):
        return {node.group: _all(node.children, domain)}
    if isinstance(node, SetOf):
        return {node.name: _all(node.members, domain)}
    if isinstance(node, Recall):
        return {"recall": _Object({"alias": node.alias})}
    if isinstance(node, Store):
        return {"store": {"alias": node.alias, "list": _all(node.children, domain)}}
    if isinstance(node, Before):
        return _operator(f"{node.name}_before", node.arguments, node.children, domain)
    if isinstance(node, After):
        return _operator(node.name, node.arguments, node.children, domain)
    raise TypeError(f"{type(node).__name__} is not a part of a rule")


def _operator(name: str, arguments: dict[str, Any], pieces: Iterable[Any], domain: Domain) -> Any:
    inner = _all(pieces, domain)
    given = {key: value for key, value in arguments.items() if key not in _INTERNAL}
    return {name: {**given, "list": inner} if given else inner}


def _all(pieces: Iterable[Any], domain: Domain) -> list[Any]:
    return [_plain(piece, domain) for piece in pieces]


def tree_text(tree: Tree, domain: Domain) -> str:
    """A final tree as YAML."""
    return yaml_text([tree], domain)
