r"""The folded encoding: everything that has one value is folded into the names of predicates.

A composition stands for the list of its children as well, and what is left are tests of one node and few relations.
Each comes from the published modes by a general step, computed on the tables:

- a test with its constants in its name, and once for `some constant`: ``color_red(X)``, ``same_color_red(X)``,
  ``same_color(X)``, ``length_2(X)``;
- a function that gives nodes or lists stays a relation (``middle_of(X, Y)``), and is also folded into the tests of its
  value (``last_shape_triangle(X)``), into whether there is one (``has_getmiddle(X)``) and into whether it gives back
  what it took (``reverse_itself(X)``);
- a test of a list is a relation of two nodes, that of their pair (``pair_same_color(X, Y)``), also of the values of two
  functions (``first_last_same_color(X)``);
- what all members of a list are, one after the other, is a test of it: ``shape_triangle_square(X)``;
- a relation with many answers gives ``every_contains_exists_shape_square(X)``: each answer passes the test, and there
  is one. This is what ``\+ (contains(X, Y), \+ ...)`` says, which clauses without helpers cannot.

Each has a definition over the knowledge (:mod:`hornbeam.kandy.learning.definitions`), and none has the name of a
predicate that means something else there.

Tests that hold of nothing or of everything in the training pictures are left out, and of those that hold of the same
nodes only the first is kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.kandy.learning import definitions as meaning
from hornbeam.kandy.learning.definitions import Definitions
from hornbeam.kandy.learning.engine import Knowledge, KnowledgeTables, TableRow, facts_text
from hornbeam.kandy.learning.folds import Fold, FoldingContext, FoldPlan, Folds, fold, plan_of
from hornbeam.kandy.learning.options import Sizes
from hornbeam.logic.terms import Term
from hornbeam.tasks.bias import Bias, Mode, Place
from hornbeam.theory.theory import Indicator

_NODE = "node"
_COMMON = 0.1  # of the pictures must have something that a test of a whole list holds of


@dataclass(frozen=True, slots=True)
class FoldedLanguage:
    """The language of the encoding."""

    bias: Bias
    language: FoldingContext
    plan: FoldPlan
    definitions: Definitions  # of all that was folded, also of what was left out

    def text(self, tables: KnowledgeTables) -> str:
        """The facts of some pictures."""
        folds = fold(self.language, tables, self.plan)
        facts = {indicator: _facts(indicator, one) for indicator, one in folds.every}
        wanted = [mode.indicator for mode in self.bias.body]
        return "".join(facts_text({name: facts.get((name, arity), ())}, [(name, arity)]) for name, arity in wanted)


def _facts(indicator: Indicator, one: Fold) -> Sequence[TableRow]:
    return [(thing,) for thing in one.holds] if indicator[1] == 1 else list(one.holds)


def folded(knowledge: Knowledge, tables: KnowledgeTables, sizes: Sizes) -> FoldedLanguage:
    """The language over the tables of the training pictures."""
    head, _ = knowledge.modes("natural")
    language = FoldingContext.of(knowledge)
    plan = plan_of(language, tables)
    folds = fold(language, tables, plan)
    tested = frozenset(thing for test in folds.tests.values() for thing in test.holds)
    things = tested.union(*(row for relation in folds.relations.values() for row in relation.holds))
    rare = _rare(folds, tables.roots)
    telling = {name: test for name, test in folds.tests.items() if test.holds < things and name not in rare}
    given, other = Place("+", _NODE), Place("-", _NODE)
    body = [
        *(Mode(name, (given, other)) for name in _distinct(folds.relations)),
        *(Mode(name, (given, given), negated=True) for name in _distinct(folds.pairs)),
        *(Mode(name, (given,), negated=True) for name in _distinct(telling)),
    ]
    built_in = knowledge.built_in([mode.indicator for mode in body])
    free = tuple(mode for mode in body if mode.indicator not in built_in)
    bias = Bias((head,), free, {}, sizes.max_body, sizes.max_vars, depth=sizes.depth)
    return FoldedLanguage(bias, language, plan, _definitions(folds))


def _definitions(folds: Folds) -> Definitions:
    definitions = dict(meaning.shared())
    for (name, arity), one in folds.every:
        clauses = meaning.define(name, arity, one.bodies)
        if not all(clause.body == (clause.head,) for clause in clauses):  # it is the knowledge's own predicate
            definitions[name, arity] = clauses
    return definitions


def _rare(folds: Folds, roots: Sequence[str]) -> set[str]:
    """The tests of whole lists that few pictures pass anywhere."""
    steps: defaultdict[Term, set[Term]] = defaultdict(set)
    for relation in folds.relations.values():
        for one, other in relation.holds:
            steps[one].add(other)
    pictures: Counter[str] = Counter()
    for root in roots:
        seen: set[Term] = {root}
        new: set[Term] = {root}
        while new:
            new = {other for one in new for other in steps[one]} - seen
            seen |= new
        pictures.update(name for name in folds.rows if not seen.isdisjoint(folds.tests[name].holds))
    return {name for name in folds.rows if pictures[name] < _COMMON * len(roots)}


def _distinct(named: Mapping[str, Fold]) -> list[str]:
    """Of those that hold of the same the first name; none of those that hold of nothing."""
    first: dict[frozenset[Any], str] = {}
    for name, one in named.items():
        if one.holds:
            first.setdefault(one.holds, name)
    return list(first.values())
