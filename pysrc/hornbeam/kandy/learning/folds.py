"""Folding: the tests and relations of the folded encoding over some pictures, each with what it means in all.

See :mod:`hornbeam.kandy.learning.folded` for the steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product, starmap
from typing import Any

from hornbeam.kandy.learning import definitions as meaning
from hornbeam.kandy.learning.definitions import Body
from hornbeam.kandy.learning.engine import THINGS, Knowledge, KnowledgeTables, TableRow, plain_name
from hornbeam.logic.terms import Term
from hornbeam.tasks.bias import Mode, Place
from hornbeam.theory.theory import Indicator

_LONGEST_ROW = 3  # members of a list that one test tells: there are as many tests as combinations

Relation = frozenset[tuple[Term, Term]]
_Owners = Mapping[Term, tuple[Term, ...]]  # the nodes that a list stands for


@dataclass(frozen=True, slots=True)
class Fold:
    """A test or a relation: what it holds of in some pictures, and what it means in all, a body for each case."""

    holds: frozenset[Any]
    bodies: tuple[Body, ...]

    def within(self, inside: frozenset[Term], arity: int) -> Fold:
        """The same for the nodes and lists that the tables describe in full."""
        if arity == 1:
            return Fold(self.holds & inside, self.bodies)
        return Fold(frozenset(row for row in self.holds if inside.issuperset(row)), self.bodies)

    def joined(self, other: Fold) -> Fold:
        return Fold(self.holds | other.holds, tuple(dict.fromkeys((*self.bodies, *other.bodies))))


_Named = dict[str, Fold]


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """What the training pictures show of the relations."""

    relations: frozenset[str]  # those, of lists as well, that tell one thing from another
    pairs: frozenset[str]
    merged: Mapping[str, str]  # relations that say the same as another, and more: their rows become its
    functions: tuple[str, ...]  # relations with one answer at most
    valued: tuple[str, ...]  # functions that give nodes, those left out that agree with another


@dataclass(frozen=True, slots=True)
class Folds:
    """All tests and relations of some pictures, by name, the plainest first."""

    tests: Mapping[str, Fold]
    relations: Mapping[str, Fold]  # from a given node to one that is found
    pairs: Mapping[str, Fold]  # between two given nodes
    rows: frozenset[str]  # the tests that tell a whole list: many, and each holds of few

    @property
    def every(self) -> Iterator[tuple[Indicator, Fold]]:
        yield from (((name, 1), fold) for name, fold in self.tests.items())
        yield from (((name, 2), fold) for part in (self.relations, self.pairs) for name, fold in part.items())


@dataclass(frozen=True, slots=True)
class FoldingContext:
    """What folding needs to know of the knowledge."""

    modes: tuple[Mode, ...]
    taken: frozenset[Indicator]  # names that mean something else already
    beyond: frozenset[str]  # predicates of nodes that hold of lists, too

    @classmethod
    def of(cls, knowledge: Knowledge) -> FoldingContext:
        _, modes = knowledge.modes("natural")
        short = [*dict.fromkeys((_short(mode.name), arity) for mode in modes for arity in (1, 2))]
        return cls(modes, knowledge.taken(short), knowledge.beyond_nodes([mode for mode in modes if _is_test(mode)]))

    def free(self, name: str, arity: int, other: str) -> str:
        """The name, or the other one where the first is taken."""
        return other if (name, arity) in self.taken else name


def plan_of(language: FoldingContext, tables: KnowledgeTables) -> FoldPlan:
    """What these tables show of the relations."""
    modes = language.modes
    known = _telling(_relations(modes, tables, _owners(modes, tables), {}))
    relations = {name: one.holds for name, one in known.items()}
    merged: dict[str, str] = {}
    for name, rows in relations.items():
        for larger, more in relations.items():
            if rows < more and rows == _restricted(more, {one for one, _ in rows}) and not _is_function(rows):
                merged.setdefault(larger, name)
    functions = tuple(name for name, rows in relations.items() if _is_function(rows))
    valued = [mode.name for mode in modes if mode.name in functions and Place("-", "node") in mode.places]
    apart = [name for name in valued if not any(relations[name] < relations[other] for other in valued)]
    return FoldPlan(frozenset(relations), frozenset(_telling(_pairs(modes, tables))), merged, functions, tuple(apart))


def _telling(named: _Named) -> _Named:
    """Those that hold of two different things."""
    return {name: one for name, one in named.items() if any(left != right for left, right in one.holds)}


def _restricted(rows: Relation, domain: set[Term]) -> Relation:
    return frozenset(row for row in rows if row[0] in domain)


def _is_function(rows: Relation) -> bool:
    return len(dict(rows)) == len(rows)


def fold(language: FoldingContext, tables: KnowledgeTables, plan: FoldPlan) -> Folds:
    """All tests and relations that the modes give over the tables."""
    modes = language.modes
    owners = _owners(modes, tables)
    simple, of_nodes = _tests(language, tables, owners)
    relations = _relations([mode for mode in modes if mode.name in plan.relations], tables, owners, plan.merged)
    names = {name: _relation_name(name, one, language, plan) for name, one in relations.items()}
    # Where two relations were made one, what is built on it calls it by its name.
    steps = {
        name: Fold(one.holds, (meaning.call(names[name]),)) if len(one.bodies) > 1 else one
        for name, one in relations.items()
    }
    pairs = {name: one for name, one in _pairs(modes, tables).items() if name in plan.pairs}
    tests = dict(simple)
    rows_told = _rows(modes, tables, owners)
    tests.update(rows_told)
    tests.update(_own(modes, tables, owners))
    tests.update({f"has_{name}": _some(steps[name]) for name in plan.functions if name in steps})
    for name in plan.valued:
        if name in steps:
            tests.update(_through(name, steps[name], of_nodes))
    for one, other in combinations(plan.valued, 2):
        if one in steps and other in steps:
            tests.update({f"{one}_{other}_{pair}": test for pair, test in _between(steps[one], steps[other], pairs)})
    for name, relation in steps.items():
        if name not in plan.functions:
            tests.update(_every(name, relation, simple))
    free_pairs = {language.free(name, 2, f"pair_{name}"): pair for name, pair in pairs.items()}
    return Folds(
        {_test_name(name, language): one.within(tables.inside, 1) for name, one in tests.items()},
        {names[name]: one.within(tables.inside, 2) for name, one in relations.items()},
        {name: one.within(tables.inside, 2) for name, one in free_pairs.items()},
        frozenset(rows_told),
    )


def _relation_name(name: str, one: Fold, language: FoldingContext, plan: FoldPlan) -> str:
    """The name in the knowledge if it means the same there."""
    more = [larger for larger, smaller in plan.merged.items() if smaller == name]
    if more:
        return "_or_".join([name, *more])
    return name if one.bodies == (meaning.call(name),) else language.free(name, 2, f"{name}_of")


def _test_name(name: str, language: FoldingContext) -> str:
    if (name, 1) not in language.taken:
        return name
    whole = [mode for mode in language.modes if _short(mode.name) == name and len(mode.places) == 1]
    if not whole:
        return f"some_{name}"
    return f"items_{name}" if whole[0].places[0].type == "list" else f"node_{name}"


def _relations(modes: Sequence[Mode], tables: KnowledgeTables, owners: _Owners, merged: Mapping[str, str]) -> _Named:
    relations: _Named = {}
    for mode in filter(_is_relation, modes):
        one = Fold(_relation(mode, tables, owners), (meaning.relation(mode),))
        _join(relations, merged.get(mode.name, mode.name), one)
    return relations


def _join(named: _Named, name: str, one: Fold) -> None:
    named[name] = named[name].joined(one) if name in named else one


def _short(name: str) -> str:
    return name.removeprefix("extract_")


def _inputs(mode: Mode) -> list[int]:
    return [at for at, place in enumerate(mode.places) if place.fill == "+"]


def _outputs(mode: Mode) -> list[int]:
    return [at for at, place in enumerate(mode.places) if place.fill == "-" and place.type in THINGS]


def _is_test(mode: Mode) -> bool:
    return [mode.places[at].type in THINGS for at in _inputs(mode)] == [True] and not _outputs(mode)


def _is_relation(mode: Mode) -> bool:
    takes = [mode.places[at].type in THINGS for at in _inputs(mode)]
    return takes == [True] and len(mode.places) == 2 and len(_outputs(mode)) == 1 and not _gives_children(mode)


def _is_attribute(mode: Mode) -> bool:
    return len(mode.places) == 2 and str(mode.places[0]) == "+node" and mode.places[1].fill == "#"


def _gives_children(mode: Mode) -> bool:
    return [str(place) for place in mode.places] == ["+node", "-list"]


def _owners(modes: Sequence[Mode], tables: KnowledgeTables) -> _Owners:
    """The nodes that a list stands for: those whose children it lists, and itself where a function gives it."""
    owners: defaultdict[Term, dict[Term, None]] = defaultdict(dict)
    for mode in modes:
        for row in tables.rows.get(mode.name, ()):
            if _gives_children(mode):
                owners[row[1]][row[0]] = None
            elif _is_relation(mode) and mode.places[_outputs(mode)[0]].type == "list":
                given = row[_outputs(mode)[0]]
                owners[given][given] = None
    return {one: tuple(nodes) for one, nodes in owners.items()}


def _stands(place: Place, term: Term, owners: _Owners) -> tuple[Term, ...]:
    return owners.get(term, ()) if place.type == "list" else (term,)


def _tests(language: FoldingContext, tables: KnowledgeTables, owners: _Owners) -> tuple[_Named, _Named]:
    """The tests of one node, by constant, then for some constant; and those of them that take a node, not a list."""
    holds: defaultdict[str, set[Term]] = defaultdict(set)
    bodies: defaultdict[str, dict[Body, None]] = defaultdict(dict)
    of_nodes: set[str] = set()
    modes = [mode for mode in language.modes if _is_test(mode)]
    for named in (True, False):
        for mode in modes:
            at = _inputs(mode)[0]
            guard = meaning.no_list(meaning.X) if mode.name in language.beyond else ()
            seen: set[TableRow] = set()
            for row in tables.rows.get(mode.name, ()):
                values = tuple(value for here, value in enumerate(row) if here != at) if named else ()
                name = plain_name(_short(mode.name), *values)
                holds[name].update(_stands(mode.places[at], row[at], owners))
                if values not in seen:
                    seen.add(values)
                    constants = {here: row[here] for here in range(len(row)) if here != at} if named else {}
                    bodies[name][(*guard, *meaning.calling(mode, constants))] = None
                    if mode.places[at].type == "node":
                        of_nodes.add(name)
    ordered = {name: Fold(frozenset(holds[name]), tuple(bodies[name])) for name in sorted(holds, key=_by_mode(modes))}
    return ordered, {name: one for name, one in ordered.items() if name in of_nodes}


def _by_mode(modes: Sequence[Mode]) -> Callable[[str], tuple[int, str]]:
    """Tests in the order of their modes."""
    order = {_short(mode.name): at for at, mode in enumerate(modes)}

    def key(name: str) -> tuple[int, str]:
        prefixes = [known for known in order if name == known or name.startswith(known + "_")]
        return order[max(prefixes, key=len)], name

    return key


def _relation(mode: Mode, tables: KnowledgeTables, owners: _Owners) -> Relation:
    given, value = _inputs(mode)[0], _outputs(mode)[0]
    return frozenset(
        (one, row[value])
        for row in tables.rows.get(mode.name, ())
        for one in _stands(mode.places[given], row[given], owners)
        if one in tables.inside
    )


def _pairs(modes: Sequence[Mode], tables: KnowledgeTables) -> _Named:
    """Relations between two given nodes: tests of the list of both, and those that take two nodes."""
    pairs: _Named = {}
    for mode in modes:
        if tables.pairs.get(mode.name):
            pairs[_short(mode.name)] = Fold(frozenset(tables.pairs[mode.name]), (meaning.pair(mode),))
        if [str(place) for place in mode.places] == ["+node", "+node"]:
            pairs[mode.name] = Fold(frozenset(tables.rows.get(mode.name, ())), (meaning.both_nodes(mode),))
    return pairs


def _own(modes: Sequence[Mode], tables: KnowledgeTables, owners: _Owners) -> Iterator[tuple[str, Fold]]:
    """Where a function from lists to lists gives back what it took."""
    for mode in modes:
        if _is_relation(mode) and len({place.type for place in mode.places}) == 1:
            given, value = _inputs(mode)[0], _outputs(mode)[0]
            fixed = [row[given] for row in tables.rows.get(mode.name, ()) if row[given] == row[value]]
            holds = frozenset(one for term in fixed for one in _stands(mode.places[given], term, owners))
            yield f"{mode.name}_itself", Fold(holds, (meaning.itself(mode),))


def _rows(modes: Sequence[Mode], tables: KnowledgeTables, owners: _Owners) -> _Named:
    """What the members of a list are, in order: for each attribute that a node has one value of."""
    members = _members(modes, tables)
    rows: _Named = {}
    for mode in filter(_is_attribute, modes):
        values = {row[0]: row[1] for row in tables.rows.get(mode.name, ())}
        if len(values) != len(tables.rows.get(mode.name, ())):
            continue
        told: defaultdict[tuple[Term, ...], set[Term]] = defaultdict(set)
        for one, parts in members.items():
            if 2 <= len(parts) <= _LONGEST_ROW and all(part in values for part in parts):
                told[tuple(values[part] for part in parts)].update(owners.get(one, ()))
        for row, holds in told.items():
            _join(rows, plain_name(_short(mode.name), *row), Fold(frozenset(holds), (meaning.members(mode, row),)))
    return dict(sorted(rows.items()))


def _members(modes: Sequence[Mode], tables: KnowledgeTables) -> dict[Term, list[Term]]:
    """The members of each list, in order, by the predicate that takes a place and a list."""
    members: defaultdict[Term, dict[int, Term]] = defaultdict(dict)
    for mode in modes:
        if [str(place) for place in mode.places] == ["+int", "+list", "-node"]:
            for place, one, member in tables.rows.get(mode.name, ()):
                members[one][int(str(place))] = member
    return {one: [places[at] for at in sorted(places)] for one, places in members.items()}


def _some(relation: Fold) -> Fold:
    return Fold(frozenset(one for one, _ in relation.holds), tuple(map(meaning.some, relation.bodies)))


def _through(name: str, function: Fold, tests: Mapping[str, Fold]) -> Iterator[tuple[str, Fold]]:
    for test, one in tests.items():
        holds = frozenset(given for given, value in function.holds if value in one.holds)
        bodies = tuple(meaning.through(step, body) for step in function.bodies for body in one.bodies)
        yield f"{name}_{test}", Fold(holds, bodies)


def _between(left: Fold, right: Fold, pairs: Mapping[str, Fold]) -> Iterator[tuple[str, Fold]]:
    second: defaultdict[Term, list[Term]] = defaultdict(list)
    for one, value in right.holds:
        second[one].append(value)
    for pair, fold_of_pair in pairs.items():
        rows = fold_of_pair.holds
        holds = frozenset(one for one, value in left.holds if any((value, other) in rows for other in second[one]))
        bodies = tuple(starmap(meaning.between, product(left.bodies, right.bodies, fold_of_pair.bodies)))
        yield pair, Fold(holds, bodies)


def _every(name: str, relation: Fold, tests: Mapping[str, Fold]) -> Iterator[tuple[str, Fold]]:
    answers: defaultdict[Term, set[Term]] = defaultdict(set)
    for one, other in relation.holds:
        answers[one].add(other)
    for test, passed in tests.items():
        holds = frozenset(one for one, answer in answers.items() if answer <= passed.holds)
        yield f"every_{name}_{test}", Fold(holds, tuple(meaning.every(relation.bodies[0], b) for b in passed.bodies))
