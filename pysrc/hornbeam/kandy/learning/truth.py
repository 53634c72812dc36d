"""The true rule of a task in the language of an encoding, where it can be said there.

In the natural and the pointer encoding that is the rule itself, with the helpers that the background knowledge lacks.
Over the tables of the relational encoding it is unfolded, and the lists that it takes apart are named; a rule that
builds lists, compares numbers or quantifies cannot be said. The folded encoding renames so much that no truth is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hornbeam.kandy.curriculum import NamedRule
from hornbeam.kandy.learning.engine import Knowledge
from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, arguments, indicator
from hornbeam.theory.unfolding import unfolded

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_TARGET = ("valid", 1)


def truth_of(
    dataset: Dataset, task: str, knowledge: Knowledge, encoding: str, bias: Bias, names: Mapping[str, str]
) -> Theory | None:
    """The true rule of a published task; None where there is none, or the encoding cannot say it.

    `names` are the predicates that are called otherwise in the relational encoding.
    """
    rule = next((known.rule for known in dataset.config.tasks if known.id == task), None)
    if not isinstance(rule, NamedRule) or encoding == "folded":
        return None
    if encoding == "pointer":
        return _of_samples(Theory.parse(knowledge.truth(rule.name, "pointer")))
    theory = Theory.parse(knowledge.truth(rule.name, "natural"))
    return theory if encoding == "natural" else _over_tables(theory, bias, names)


def _of_samples(theory: Theory) -> Theory:
    """A rule of nodes as a rule of the samples that they are the pictures of."""
    return Theory.of(_of_sample(clause) if indicator(clause.head) == _TARGET else clause for clause in theory.clauses)


def _of_sample(clause: Clause) -> Clause:
    sample = Var("Sample")
    picture = Compound("sample_is", (sample, *arguments(clause.head)))
    return Clause(Compound("valid", (sample,)), (picture, *clause.body))


# Over tables ----------------------------------------------------------------------------------------------------------


def _over_tables(theory: Theory, bias: Bias, names: Mapping[str, str]) -> Theory | None:
    clauses: list[Clause] = []
    for clause in theory.clauses:
        named = _with_named_lists(clause, bias.body, names)
        if named is None:
            return None
        clauses.append(named)
    whole = unfolded(clauses, theory.defines - {_TARGET})
    known = {mode.indicator for mode in bias.body}
    if whole is None or not all(indicator(literal) in known for clause in whole for literal in clause.body):
        return None
    return Theory.of(whole)


def _with_named_lists(clause: Clause, modes: Sequence[Mode], names: Mapping[str, str]) -> Clause | None:
    """The clause with a variable for each list of variables that a call gives, and what is in it said by calls."""
    found: dict[str, Var] = {}
    body: list[Term] = []
    for literal in clause.body:
        renamed, new = _named(literal, found, names)
        if new and not _gives_a_list(indicator(renamed), modes):
            return None  # it builds a list
        body.append(renamed)
        for variable, members in new:
            body.extend(_membership(variable, members, names))
    return Clause(clause.head, tuple(body))


def _named(literal: Term, found: dict[str, Var], names: Mapping[str, str]) -> tuple[Term, list[tuple[Var, list[Term]]]]:
    places: list[Term] = []
    new: list[tuple[Var, list[Term]]] = []
    for place in arguments(literal):
        if isinstance(place, list):
            key = str(place)
            if key not in found:
                found[key] = Var(f"List{len(found) + 1}")
                new.append((found[key], place))
            place = found[key]
        places.append(place)
    name = indicator(literal)[0]
    return (Compound(names.get(name, name), tuple(places)) if places else literal), new


def _membership(variable: Var, members: Sequence[Term], names: Mapping[str, str]) -> Iterator[Term]:
    yield Compound(names.get("length", "length"), (variable, len(members)))
    for at, member in enumerate(members):
        yield Compound(names.get("nth0", "nth0"), (at, variable, member))


def _gives_a_list(predicate: Indicator, modes: Sequence[Mode]) -> bool:
    return any(
        mode.indicator == predicate and any(place.fill == "-" and place.type == "list" for place in mode.places)
        for mode in modes
    )
