r"""The folded encoding: everything that has one value is folded into the names of predicates.

A composition stands for the list of its children as well, and what is left are tests of one node and few relations.
Each comes from the published modes by a general step, computed on the tables:

- a test with its constants in its name, and once for `some constant`: ``color_red(X)``, ``same_color_red(X)``,
  ``same_color(X)``, ``length_2(X)``;
- a function that gives nodes or lists stays a relation (``middle(X, Y)``), and is also folded into the tests of its
  value (``last_shape_triangle(X)``), into whether there is one (``has_getmiddle(X)``) and into whether it gives back
  what it took (``reverse_itself(X)``);
- a test of a list is a relation of two nodes, that of their pair (``same_color(X, Y)``), also of the values of two
  functions (``first_last_same_color(X)``);
- what all members of a list are, one after the other, is a test of it: ``shape_triangle_square(X)``;
- a relation with many answers gives ``every_contains_exists_shape_square(X)``: each answer passes the test, and there
  is one. This is what ``\+ (contains(X, Y), \+ ...)`` says, which clauses without helpers cannot.

Tests that hold of nothing or of everything in the training pictures are left out, and of those that hold of the same
nodes only the first is kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hornbeam.kandy.learning.engine import Knowledge, Row, Tables
from hornbeam.kandy.learning.facts import facts_text, plain_name
from hornbeam.kandy.learning.options import Sizes
from hornbeam.logic.terms import Term
from hornbeam.tasks.bias import Bias, Mode, Place
from hornbeam.theory.theory import Indicator

_NODE = "node"
_LONGEST_ROW = 3  # members of a list that one test tells: there are as many tests as combinations
_COMMON = 0.1  # of the pictures must have something that such a test holds of
_THINGS = ("node", "list")

Test = frozenset[Term]  # what it holds of
Relation = frozenset[tuple[Term, Term]]
Owners = Mapping[Term, tuple[Term, ...]]  # the nodes that a list stands for


@dataclass(frozen=True, slots=True)
class Plan:
    """What the training pictures show of the relations."""

    merged: Mapping[str, str]  # relations that say the same as another, and more: their rows become its
    functions: tuple[str, ...]  # relations with one answer at most
    valued: tuple[str, ...]  # functions that give nodes, those left out that agree with another


@dataclass(frozen=True, slots=True)
class Folds:
    """All tests and relations of some pictures, by name, the plainest first."""

    tests: Mapping[str, Test]
    relations: Mapping[str, Relation]  # from a given node to one that is found
    pairs: Mapping[str, Relation]  # between two given nodes
    rows: frozenset[str]  # the tests that tell a whole list: many, and each holds of few


@dataclass(frozen=True, slots=True)
class Folded:
    """The language of the encoding."""

    bias: Bias
    modes: tuple[Mode, ...]  # those of the knowledge
    plan: Plan
    same: Mapping[Indicator, str]  # predicates that were left out, and the one that holds of the same in their place

    def text(self, tables: Tables) -> str:
        """The facts of some pictures."""
        folds = fold(self.modes, tables, self.plan)
        facts: dict[Indicator, Sequence[Row]] = {}
        facts.update({(name, 1): [(one,) for one in test] for name, test in folds.tests.items()})
        facts.update({(name, 2): list(rows) for part in (folds.relations, folds.pairs) for name, rows in part.items()})
        wanted = [mode.indicator for mode in self.bias.body]
        return "".join(facts_text({name: facts.get((name, arity), ())}, [(name, arity)]) for name, arity in wanted)


def folded(knowledge: Knowledge, tables: Tables, sizes: Sizes) -> Folded:
    """The language over the tables of the training pictures."""
    head, modes = knowledge.modes("natural")
    built_in = knowledge.built_in([mode.indicator for mode in modes])
    plan = plan_of(modes, tables)
    folds = fold(modes, tables, plan)
    same: dict[Indicator, str] = {}
    things = frozenset(_things(folds))
    rare = _rare(folds, tables.roots)
    telling = {name: test for name, test in folds.tests.items() if test < things and name not in rare}
    tests = _distinct(telling, same, 1)
    relations = _distinct(folds.relations, same, 2)
    pairs = _distinct(folds.pairs, same, 2)
    node, found = Place("+", _NODE), Place("-", _NODE)
    body = [
        *(Mode(name, (node, found)) for name in relations),
        *(Mode(name, (node, node), negated=True) for name in pairs),
        *(Mode(name, (node,), negated=True) for name in tests),
    ]
    free = tuple(mode for mode in body if mode.indicator not in built_in)
    bias = Bias((head,), free, {}, sizes.max_body, sizes.max_vars, depth=sizes.depth)
    return Folded(bias, modes, plan, same)


def _rare(folds: Folds, roots: Sequence[str]) -> set[str]:
    """The tests of whole lists that few pictures pass anywhere."""
    steps: defaultdict[Term, set[Term]] = defaultdict(set)
    for rows in folds.relations.values():
        for one, other in rows:
            steps[one].add(other)
    pictures: Counter[str] = Counter()
    for root in roots:
        seen: set[Term] = {root}
        new: set[Term] = {root}
        while new:
            new = {other for one in new for other in steps[one]} - seen
            seen |= new
        pictures.update(name for name in folds.rows if not seen.isdisjoint(folds.tests[name]))
    return {name for name in folds.rows if pictures[name] < _COMMON * len(roots)}


def _distinct(named: Mapping[str, frozenset[Any]], same: dict[Indicator, str], arity: int) -> list[str]:
    first: dict[frozenset[Any], str] = {}
    for name, rows in named.items():
        if rows and first.setdefault(rows, name) != name:
            same[name, arity] = first[rows]
    return list(first.values())


# Folding ----------------------------------------------------------------------------------------------------------


def plan_of(modes: Sequence[Mode], tables: Tables) -> Plan:
    """What these tables show of the relations."""
    owners = _owners(modes, tables)
    relations = _relations(modes, tables, owners, {})
    merged = {
        larger: name
        for name, rows in relations.items()
        for larger, more in relations.items()
        if name != larger and rows < more and rows == _restricted(more, {one for one, _ in rows})
        if not _is_function(rows)
    }
    functions = tuple(name for name, rows in relations.items() if _is_function(rows))
    valued = [mode.name for mode in modes if mode.name in functions and Place("-", "node") in mode.places]
    apart = [name for name in valued if not any(relations[name] < relations[other] for other in valued)]
    return Plan(merged, functions, tuple(apart))


def _restricted(rows: Relation, domain: set[Term]) -> Relation:
    return frozenset(row for row in rows if row[0] in domain)


def _is_function(rows: Relation) -> bool:
    return len(dict(rows)) == len(rows)


def fold(modes: Sequence[Mode], tables: Tables, plan: Plan) -> Folds:
    """All tests and relations that the modes give over the tables."""
    owners = _owners(modes, tables)
    simple = _tests(modes, tables, owners)
    relations = _relations(modes, tables, owners, plan.merged)
    pairs = _pairs(modes, tables)
    tests = dict(simple)
    rows_told = _rows(modes, tables, owners)
    tests.update(rows_told)
    tests.update(_own(modes, tables, owners))
    tests.update({f"has_{name}": frozenset(one for one, _ in relations.get(name, ())) for name in plan.functions})
    values = {name: simple[name] for name in _node_tests(modes, simple)}
    for name in plan.valued:
        tests.update(_through(name, relations.get(name, frozenset()), values))
    for one, other in combinations(plan.valued, 2):
        left, right = (relations.get(name, frozenset()) for name in (one, other))
        tests.update({f"{one}_{other}_{pair}": test for pair, test in _between(left, right, pairs)})
    for name, rows in relations.items():
        if name not in plan.functions:
            tests.update(_every(name, rows, simple))
    return Folds(tests, relations, pairs, frozenset(rows_told))


def _relations(modes: Sequence[Mode], tables: Tables, owners: Owners, merged: Mapping[str, str]) -> dict[str, Relation]:
    found: dict[str, Relation] = {}
    for mode in filter(_is_relation, modes):
        name = merged.get(mode.name, mode.name)
        found[name] = found.get(name, frozenset()) | _relation(mode, tables, owners)
    return {name: rows for name, rows in found.items() if any(one != other for one, other in rows)}


def _short(name: str) -> str:
    return name.removeprefix("extract_")


def _inputs(mode: Mode) -> list[int]:
    return [at for at, place in enumerate(mode.places) if place.fill == "+"]


def _outputs(mode: Mode) -> list[int]:
    return [at for at, place in enumerate(mode.places) if place.fill == "-" and place.type in _THINGS]


def _is_test(mode: Mode) -> bool:
    return [mode.places[at].type in _THINGS for at in _inputs(mode)] == [True] and not _outputs(mode)


def _is_relation(mode: Mode) -> bool:
    takes = [mode.places[at].type in _THINGS for at in _inputs(mode)]
    return takes == [True] and len(mode.places) == 2 and len(_outputs(mode)) == 1


def _is_attribute(mode: Mode) -> bool:
    return len(mode.places) == 2 and str(mode.places[0]) == "+node" and mode.places[1].fill == "#"


def _gives_children(mode: Mode) -> bool:
    return [str(place) for place in mode.places] == ["+node", "-list"]


def _owners(modes: Sequence[Mode], tables: Tables) -> Owners:
    """The nodes that a list stands for: those whose children it lists, and itself where a function gives it."""
    found: defaultdict[Term, dict[Term, None]] = defaultdict(dict)
    for mode in modes:
        for row in tables.rows.get(mode.name, ()):
            if _gives_children(mode):
                found[row[1]][row[0]] = None
            elif _is_relation(mode) and mode.places[_outputs(mode)[0]].type == "list":
                made = row[_outputs(mode)[0]]
                found[made][made] = None
    return {one: tuple(owners) for one, owners in found.items()}


def _stands(place: Place, term: Term, owners: Owners) -> tuple[Term, ...]:
    return owners.get(term, ()) if place.type == "list" else (term,)


def _tests(modes: Sequence[Mode], tables: Tables, owners: Owners) -> dict[str, Test]:
    """The tests of one node: by constant, then for some constant."""
    found: defaultdict[str, set[Term]] = defaultdict(set)
    for mode in filter(_is_test, modes):
        at = _inputs(mode)[0]
        for row in tables.rows.get(mode.name, ()):
            values = [value for here, value in enumerate(row) if here != at]
            for one in _stands(mode.places[at], row[at], owners):
                found[plain_name(_short(mode.name), *values)].add(one)
    for mode in filter(_is_test, modes):
        at = _inputs(mode)[0]
        for row in tables.rows.get(mode.name, ()):
            found[_short(mode.name)].update(_stands(mode.places[at], row[at], owners))
    return {name: frozenset(test) for name, test in sorted(found.items(), key=_by_mode(modes))}


def _by_mode(modes: Sequence[Mode]) -> Callable[[tuple[str, set[Term]]], tuple[int, str]]:
    """Tests in the order of their modes."""
    order = {_short(mode.name): at for at, mode in enumerate(modes)}

    def key(item: tuple[str, set[Term]]) -> tuple[int, str]:
        name = item[0]
        prefixes = [known for known in order if name == known or name.startswith(known + "_")]
        return order[max(prefixes, key=len)], name

    return key


def _relation(mode: Mode, tables: Tables, owners: Owners) -> Relation:
    given, made = _inputs(mode)[0], _outputs(mode)[0]
    if _gives_children(mode):
        return frozenset()
    return frozenset(
        (one, row[made])
        for row in tables.rows.get(mode.name, ())
        for one in _stands(mode.places[given], row[given], owners)
    )


def _pairs(modes: Sequence[Mode], tables: Tables) -> dict[str, Relation]:
    """Relations between two given nodes: tests of the list of both, and those that take two nodes."""
    found = {_short(name): frozenset((one, other) for one, other in rows) for name, rows in tables.pairs.items()}
    for mode in modes:
        if [str(place) for place in mode.places] == ["+node", "+node"]:
            found[mode.name] = frozenset((one, other) for one, other in tables.rows.get(mode.name, ()))
    return {name: rows for name, rows in found.items() if any(one != other for one, other in rows)}


def _own(modes: Sequence[Mode], tables: Tables, owners: Owners) -> Iterator[tuple[str, Test]]:
    """Where a function from lists to lists gives back what it took."""
    for mode in modes:
        if _is_relation(mode) and len({place.type for place in mode.places}) == 1:
            given, made = _inputs(mode)[0], _outputs(mode)[0]
            fixed = [row[given] for row in tables.rows.get(mode.name, ()) if row[given] == row[made]]
            yield (
                f"{mode.name}_itself",
                frozenset(one for term in fixed for one in _stands(mode.places[given], term, owners)),
            )


def _rows(modes: Sequence[Mode], tables: Tables, owners: Owners) -> dict[str, Test]:
    """What the members of a list are, in order: for each attribute that a node has one value of."""
    members = _members(modes, tables)
    found: defaultdict[str, set[Term]] = defaultdict(set)
    for mode in filter(_is_attribute, modes):
        values = {row[0]: row[1] for row in tables.rows.get(mode.name, ())}
        if len(values) != len(tables.rows.get(mode.name, ())):
            continue
        for one, parts in members.items():
            if 2 <= len(parts) <= _LONGEST_ROW and all(part in values for part in parts):
                name = plain_name(_short(mode.name), *(values[part] for part in parts))
                found[name].update(owners.get(one, ()))
    return {name: frozenset(test) for name, test in sorted(found.items())}


def _members(modes: Sequence[Mode], tables: Tables) -> dict[Term, list[Term]]:
    """The members of each list, in order, by the predicate that takes a place and a list."""
    found: defaultdict[Term, dict[int, Term]] = defaultdict(dict)
    for mode in modes:
        if [str(place) for place in mode.places] == ["+int", "+list", "-node"]:
            for place, one, member in tables.rows.get(mode.name, ()):
                found[one][int(str(place))] = member
    return {one: [places[at] for at in sorted(places)] for one, places in found.items()}


def _node_tests(modes: Sequence[Mode], tests: Iterable[str]) -> list[str]:
    """The tests of modes that take a node, not a list."""
    short = [_short(mode.name) for mode in modes if _is_test(mode) and mode.places[_inputs(mode)[0]].type == "node"]
    return [name for name in tests if any(name == one or name.startswith(one + "_") for one in short)]


def _through(name: str, function: Relation, tests: Mapping[str, Test]) -> Iterator[tuple[str, Test]]:
    for test, members in tests.items():
        yield f"{name}_{test}", frozenset(one for one, value in function if value in members)


def _between(left: Relation, right: Relation, pairs: Mapping[str, Relation]) -> Iterator[tuple[str, Test]]:
    second = dict(right)
    for pair, rows in pairs.items():
        yield pair, frozenset(one for one, value in left if one in second and (value, second[one]) in rows)


def _every(name: str, rows: Relation, tests: Mapping[str, Test]) -> Iterator[tuple[str, Test]]:
    answers: defaultdict[Term, set[Term]] = defaultdict(set)
    for one, other in rows:
        answers[one].add(other)
    for test, members in tests.items():
        yield f"every_{name}_{test}", frozenset(one for one, found in answers.items() if found <= members)


def _things(folds: Folds) -> Iterator[Term]:
    for members in folds.tests.values():
        yield from members
    for rows in folds.relations.values():
        for row in rows:
            yield from row
