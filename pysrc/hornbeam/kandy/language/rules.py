"""Reads generation rules: from located YAML to nodes. What cannot be read is noted as a problem, with its place."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.language.nodes import After, AnyOf, Before, Compose, Node, ObjectNode, Recall, SetOf, Store
from hornbeam.kandy.language.operators import (
    LIST_OPERATORS,
    SET_OPERATORS,
    SORT_KEYS,
    Anything,
    Arguments,
    CannotExpand,
    ListOperator,
    Parameter,
    all_names,
    combine,
)
from hornbeam.kandy.language.settings import flag, whole
from hornbeam.kandy.tree import ATTRIBUTES, Domain, Tree, groups, operators
from hornbeam.yaml_reader import Fields, Items, Located, Position, Scalar, describe

_Note = Callable[[UsageError], None]
_LIST = "list"


class _Broken(Exception):
    """Something inside could not be read, and was noted where it was found."""


class RuleReader:
    """Reads the elements of positive and negative sets over one domain; `sizes` maps the size names to pixels."""

    def __init__(self, domain: Domain, pixels: dict[str, float], note: _Note) -> None:
        self._domain = domain
        self._pixels = pixels
        self._note = note
        self._done: dict[int, Node | None] = {}

    def element(self, value: Located) -> Node | None:
        """The node of one element; a block that is aliased many times is read once."""
        if id(value) not in self._done:
            self._done[id(value)] = None
            try:
                self._done[id(value)] = self._element(value)
            except UsageError as problem:
                self._note(problem)
            except _Broken:
                pass
        return self._done[id(value)]

    def _element(self, value: Located) -> Node:
        if not isinstance(value, Fields) or not value.fields:
            hint = "; a list inside a list is written without its own dash" if isinstance(value, Items) else ""
            raise value.place.error(f"expected an object or an operator, got {describe(value)}{hint}")
        if any(key in ATTRIBUTES for key in value) and not any(key in all_names() for key in value):
            return self._atom(value)
        if len(value.fields) > 1:
            raise self._several(value)
        name = next(iter(value))
        return self._operator(name, value.key_places[name], value.fields[name])

    def _several(self, value: Fields) -> UsageError:
        known = [key for key in value if key in all_names()]
        keys = ", ".join(value)
        if len(known) == 1 and known[0] in LIST_OPERATORS:
            rest = ", ".join(key for key in value if key != known[0])
            return value.place.error(f"{rest} must be indented under {known[0]}")
        return value.place.error(f"expected one operator, or the keys shape, color and size; got {keys}")

    def _operator(self, name: str, place: Position, body: Located) -> Node:
        if name in operators() or name in groups():
            children = self._children(name, body)
            group = groups().get(name)
            return AnyOf(name, group, children, place) if group else Compose(name, children, place)
        if name in SET_OPERATORS:
            return self._set(name, place, body)
        if name in LIST_OPERATORS:
            return self._list_operator(name, place, body)
        near = difflib.get_close_matches(name, [*all_names(), *ATTRIBUTES], n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise place.error(f"unknown operator '{name}'{hint}")

    def _children(self, name: str, body: Located) -> list[Node]:
        if not isinstance(body, Items):
            raise body.place.error(f"expected a list under {name}, got {describe(body)}")
        if not body.items:
            raise body.place.error(f"expected at least one element under {name}, got an empty list")
        children = [child for item in body.items if (child := self.element(item)) is not None]
        if len(children) < len(body.items):
            raise _Broken
        return children

    # Atoms

    def _atom(self, value: Fields) -> ObjectNode:
        for key in value:
            if key not in ATTRIBUTES:
                raise value.key_places[key].error(f"an object has shape, color and size, not '{key}'")
        for attribute in ATTRIBUTES:
            if attribute not in value.fields:
                raise value.place.error(f"this object has no {attribute}; write '{attribute}: ~' for any")
        choices = tuple(
            self._values(attribute, names, value.fields[attribute])
            for attribute, names in zip(ATTRIBUTES, self._domain.values, strict=True)
        )
        return ObjectNode(choices, value.place)

    def _values(self, attribute: str, names: tuple[str, ...], value: Located) -> tuple[str, ...]:
        if not isinstance(value, Scalar) or not isinstance(value.value, str | None):
            hint = "; put the name in quotes" if isinstance(value, Scalar) else ""
            raise value.place.error(f"expected a {attribute}, got {describe(value)}{hint}")
        if value.value is None:
            return Anything(names)
        text = value.value.strip()
        if text in names:
            return (text,)
        if text.startswith("not_"):
            return self._negation(attribute, names, text.removeprefix("not_"), value.place)
        wanted = [part.strip() for part in text.split("|")]
        for part in wanted:
            if part not in names:
                raise unknown_name(attribute, part, names, **asdict(value.place))
        return tuple(name for name in names if name in wanted)

    def _negation(self, attribute: str, names: tuple[str, ...], name: str, place: Position) -> tuple[str, ...]:
        if "|" in name:
            raise place.error(f"not_ takes one {attribute}; write the others out as a|b")
        if name not in names:
            raise unknown_name(attribute, name, names, **asdict(place))
        if len(names) == 1:
            raise place.error(f"'{name}' is the only {attribute}, so not_{name} is empty")
        return tuple(other for other in names if other != name)

    # Set operators

    def _set(self, name: str, place: Position, body: Located) -> Node:
        members = self._children(name, body)
        for member in members:
            if not isinstance(member, ObjectNode | SetOf | Recall):
                raise member.place.error(f"{name} takes objects, set operators and recall, nothing else")
        return self._folded(SetOf(name, members, self._domain, place))

    def _folded(self, node: SetOf) -> Node:
        """A set without recall is the same in every sample: evaluated now, so that an empty one is refused."""
        if not all(isinstance(member, ObjectNode) for member in node.members):
            return node
        try:
            values = combine(node.name, [m.values for m in node.members if isinstance(m, ObjectNode)], self._domain)
        except CannotExpand as error:
            raise node.place.error(str(error)) from None
        return ObjectNode(values, node.place)

    # List operators

    def _list_operator(self, name: str, place: Position, body: Located) -> Node:
        operator = LIST_OPERATORS[name]
        if operator.parameters:
            arguments, children = self._with_parameters(name, operator, body)
        else:
            arguments, children = {}, self._children(name, body)
        before = name != operator.name
        if operator.name == "recall":
            return Recall(arguments["alias"], place)
        if operator.name == "store" and not before:
            return Store(arguments["alias"], children, place)
        return (Before if before else After)(operator.name, arguments, children, place)

    def _with_parameters(self, name: str, operator: ListOperator, body: Located) -> tuple[Arguments, list[Node]]:
        wanted = [p.name for p in operator.parameters if p.required] + [_LIST] * operator.takes_list
        if not isinstance(body, Fields):
            raise body.place.error(f"expected {' and '.join(wanted)} under {name}, got {describe(body)}")
        known = [*(p.name for p in operator.parameters), *[_LIST] * operator.takes_list]
        for key in body:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else f" Known: {', '.join(known)}"
                raise body.key_places[key].error(f"{name} has no parameter '{key}'{hint}")
        for key in wanted:
            if key not in body.fields:
                raise body.place.error(f"expected '{key}' under {name}")
        arguments = {
            parameter.name: self._argument(name, parameter, body.fields[parameter.name])
            for parameter in operator.parameters
            if parameter.name in body.fields
        }
        children = self._children(name, body.fields[_LIST]) if operator.takes_list else []
        return self._together(operator, arguments, body), children

    def _together(self, operator: ListOperator, arguments: Arguments, body: Fields) -> Arguments:
        if operator.name == "random_repeat" and arguments["min"] > arguments["max"]:
            wrong = f"expected min <= max, got {arguments['min']} > {arguments['max']}"
            raise body.fields["min"].place.error(wrong)
        if operator.name == "sort":
            return {**arguments, "key": self._sort_key(arguments["keys"]), "reverse": arguments["order"] == "desc"}
        return arguments

    def _argument(self, name: str, parameter: Parameter, value: Located) -> Any:
        key = f"{parameter.name} of {name}"
        if parameter.kind in ("natural", "integer"):
            return whole(0 if parameter.kind == "natural" else -1_000_000, 1_000_000)(key, value)
        if parameter.kind == "flag":
            return flag(key, value)
        read = self._word if parameter.kind in ("name", "order") else self._list_argument
        return read(parameter, value, f"{key}: expected")

    def _word(self, parameter: Parameter, value: Located, got: str) -> str:
        text = value.value if isinstance(value, Scalar) else None
        if not isinstance(text, str) or not text:
            raise value.place.error(f"{got} a name, got {describe(value)}")
        if parameter.kind == "order" and text.lower() not in ("asc", "desc"):
            raise value.place.error(f"{got} asc or desc, got '{text}'")
        return text

    def _list_argument(self, parameter: Parameter, value: Located, got: str) -> list[Any]:
        if not isinstance(value, Items) or not value.items:
            raise value.place.error(f"{got} a list, got {describe(value)}")
        entries = [item.value if isinstance(item, Scalar) else None for item in value.items]
        for entry, item in zip(entries, value.items, strict=True):
            if parameter.kind == "keys" and entry not in SORT_KEYS:
                raise item.place.error(f"{got} keys of {', '.join(SORT_KEYS)}, got {describe(item)}")
            if parameter.kind == "indexes" and (type(entry) is not int or entry not in range(len(entries))):
                raise item.place.error(f"{got} positions from 0 to {len(entries) - 1}, got {describe(item)}")
        return entries

    def _sort_key(self, keys: Sequence[str]) -> Callable[[Tree], tuple[float, ...]]:
        props, shapes, colors = self._domain.props, self._domain.shapes, self._domain.colors
        pixels = self._pixels

        def key(tree: Tree) -> tuple[float, ...]:
            if not isinstance(tree, str):
                if list(keys) != ["n"]:
                    raise CannotExpand("a list with compositions can only be sorted by n")
                return (len(tree[1]),)
            shape, color, size = props[tree]
            rank = {"n": 1, "shape": shapes.index(shape), "color": colors.index(color), "size": pixels[size]}
            return tuple(rank[name] for name in keys)

        return key
