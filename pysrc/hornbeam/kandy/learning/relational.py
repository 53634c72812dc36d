"""The relational encoding: plain ground facts over the names of nodes and lists, under the predicates of the knowledge.

A rule of the natural encoding holds here as it stands as long as it takes no term apart. Only predicates that Prolog
has built in get another name, their type before it: ``list_length/2``.

The true rule of a task is given in the language of its encoding, where it can be said there. In the natural and the
pointer encoding that is the rule itself, with the helpers that the background knowledge lacks. Over the tables of the
relational encoding it is unfolded, and the lists that it takes apart are named; a rule that builds lists, compares
numbers or quantifies cannot be said. The folded encoding renames so much that no truth is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hornbeam.kandy.curriculum import NamedRule
from hornbeam.kandy.learning.definitions import Definitions, renamed
from hornbeam.kandy.learning.engine import Knowledge, KnowledgeTables, facts_text, opened, with_negation
from hornbeam.kandy.learning.options import Sizes
from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.tasks.bias import Bias, Mode, Place
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, arguments, indicator
from hornbeam.theory.unfolding import unfolded

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


@dataclass(frozen=True, slots=True)
class RelationalLanguage:
    """The language of the encoding."""

    bias: Bias
    modes: tuple[Mode, ...]  # those of the knowledge
    names: Mapping[str, str]  # names of the knowledge to names of the facts

    def text(self, tables: KnowledgeTables) -> str:
        """The facts of some pictures."""
        facts = {self.names[name]: rows for name, rows in tables.cut(self.modes).rows.items() if name in self.names}
        return facts_text(facts, [mode.indicator for mode in self.bias.body])

    @property
    def definitions(self) -> Definitions:
        """What the predicates mean that have another name than in the knowledge."""
        return {
            (self.names[mode.name], len(mode.places)): (renamed(mode, self.names[mode.name]),)
            for mode in self.modes
            if self.names.get(mode.name, mode.name) != mode.name
        }


def relational(knowledge: Knowledge, tables: KnowledgeTables, sizes: Sizes) -> RelationalLanguage:
    """The language over the tables of the training pictures."""
    head, modes = knowledge.modes("natural")
    tables = tables.cut(modes)
    built_in = knowledge.built_in([mode.indicator for mode in modes])
    names = {mode.name: _name(mode, built_in) for mode in modes if tables.rows.get(mode.name)}
    body = with_negation(opened([replace(mode, name=names[mode.name]) for mode in modes if mode.name in names]))
    constants = {**knowledge.constants(body), "int": _integers(modes, tables)}
    bias = Bias((head,), body, constants, sizes.max_body, sizes.max_vars, depth=sizes.depth)
    return RelationalLanguage(bias, modes, names)


def _name(mode: Mode, built_in: frozenset[Indicator]) -> str:
    if mode.indicator not in built_in:
        return mode.name
    kind = next(place.type for place in mode.places if place.fill == "+")
    return f"{kind}_{mode.name}"


def _integers(modes: Sequence[Mode], tables: KnowledgeTables) -> tuple[Term, ...]:
    numbers = {
        row[at]
        for mode in modes
        for at, place in enumerate(mode.places)
        if place.type == "int"
        for row in tables.rows.get(mode.name, ())
    }
    return tuple(sorted(numbers, key=lambda value: int(str(value))))


_TARGET = ("valid", 1)


def truth_of(
    dataset: Dataset, task: str, knowledge: Knowledge, encoding: str, bias: Bias, names: Mapping[str, str]
) -> Theory | None:
    """The true rule of a published task; None if there is none, or the encoding cannot say it.

    `names` are the predicates that are called otherwise in the relational encoding.
    """
    rule = _rule_of(dataset, task)
    if rule is None or encoding == "folded":
        return None
    if encoding == "pointer":
        return _of_samples(Theory.parse(knowledge.truth(rule.name, "pointer")))
    theory = Theory.parse(knowledge.truth(rule.name, "natural"))
    return theory if encoding == "natural" else _over_tables(theory, bias, names)


def _rule_of(dataset: Dataset, task: str) -> NamedRule | None:
    rule = next((known.rule for known in dataset.config.tasks if known.id == task), None)
    return rule if isinstance(rule, NamedRule) else None


def stated(dataset: Dataset, task: str) -> tuple[Theory, str]:
    """The true rule of a task over terms, and the clauses of all background knowledge. No sample is read.

    Raises:
        NotComparable: if the task has no true rule.
    """
    knowledge = Knowledge(dataset.config.domain, "large")
    rule = _rule_of(dataset, task)
    truth = Theory.parse(knowledge.truth(rule.name, "natural")) if rule is not None else dataset.truth_of(task)
    return truth, knowledge.text("natural")


def _of_samples(theory: Theory) -> Theory:
    """A rule of nodes as a rule of the samples that they are the pictures of."""
    return Theory.of(_of_sample(clause) if indicator(clause.head) == _TARGET else clause for clause in theory.clauses)


def _of_sample(clause: Clause) -> Clause:
    sample = Var("Sample")
    picture = Compound("sample_is", (sample, *arguments(clause.head)))
    return Clause(Compound("valid", (sample,)), (picture, *clause.body))


# Over tables ----------------------------------------------------------------------------------------------------------


def _over_tables(theory: Theory, bias: Bias, names: Mapping[str, str]) -> Theory | None:
    named = [_with_named_lists(clause, bias.body, names) for clause in theory.clauses]
    clauses = [clause for clause in named if clause is not None]
    if len(clauses) < len(named):
        return None
    whole = unfolded(clauses, theory.defines - {_TARGET})
    known = {mode.indicator for mode in bias.body}
    if whole is None or not all(indicator(literal) in known for clause in whole for literal in clause.body):
        return None
    return Theory.of(whole)


def _with_named_lists(clause: Clause, modes: Sequence[Mode], names: Mapping[str, str]) -> Clause | None:
    """The clause with a variable for each list of variables that a call gives, and what is in it said by calls."""
    lists: dict[str, Var] = {}
    body: list[Term] = []
    for literal in clause.body:
        renamed, new = _named(literal, lists, names)
        if new and not _gives_a_list(indicator(renamed), modes):
            return None  # it builds a list
        body.append(renamed)
        for variable, members in new:
            body.extend(_membership(variable, members, names))
    return Clause(clause.head, tuple(body))


def _named(literal: Term, lists: dict[str, Var], names: Mapping[str, str]) -> tuple[Term, list[tuple[Var, list[Term]]]]:
    places: list[Term] = []
    new: list[tuple[Var, list[Term]]] = []
    for place in arguments(literal):
        if isinstance(place, list):
            key = str(place)
            if key not in lists:
                lists[key] = Var(f"List{len(lists) + 1}")
                new.append((lists[key], place))
            place = lists[key]
        places.append(place)
    name = indicator(literal)[0]
    return (Compound(names.get(name, name), tuple(places)) if places else literal), new


def _membership(variable: Var, members: Sequence[Term], names: Mapping[str, str]) -> Iterator[Term]:
    yield Compound(names.get("length", "length"), (variable, len(members)))
    for at, member in enumerate(members):
        yield Compound(names.get("nth0", "nth0"), (at, variable, member))


def _gives_a_list(predicate: Indicator, modes: Sequence[Mode]) -> bool:
    return any(mode.indicator == predicate and Place("-", "list") in mode.places for mode in modes)
