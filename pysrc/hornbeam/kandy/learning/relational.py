"""The relational encoding: plain ground facts over the names of nodes and lists, under the predicates of the knowledge.

A rule of the natural encoding holds here as it stands as long as it takes no term apart. Only predicates that Prolog
has built in get another name, their type before it: ``list_length/2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hornbeam.kandy.learning.definitions import Definitions, renamed
from hornbeam.kandy.learning.engine import Knowledge, KnowledgeTables
from hornbeam.kandy.learning.facts import facts_text
from hornbeam.kandy.learning.modes import opened, with_negation
from hornbeam.kandy.learning.options import Sizes
from hornbeam.logic.terms import Term
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.theory.theory import Indicator


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
    found = {
        row[at]
        for mode in modes
        for at, place in enumerate(mode.places)
        if place.type == "int"
        for row in tables.rows.get(mode.name, ())
    }
    return tuple(sorted(found, key=lambda value: int(str(value))))
