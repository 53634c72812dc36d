"""What the predicates of an encoding mean: on every picture Prolog derives from a definition what the tables say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

import hornbeam
from hornbeam import resources
from hornbeam.data.dataset import Dataset
from hornbeam.kandy.learning.engine import Knowledge, KnowledgeTables
from hornbeam.kandy.learning.folded import FoldedLanguage, folded
from hornbeam.kandy.learning.options import SIZES
from hornbeam.kandy.learning.relational import RelationalLanguage, relational
from hornbeam.kandy.tree import Tree, from_json
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Compound, Term, to_text
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, arguments, indicator

MODULE = "test_kandy_definitions"
CASES = [("tour", "t01"), ("tour", "t04"), ("easy", "t03"), ("easy", "t15"), ("hard", "t00"), ("hard", "t13")]
LONG_CASES = [("tour", "t02"), ("easy", "t12"), ("easy", "t13"), ("hard", "t04"), ("hard", "t11"), ("hard", "t16")]


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    folder = tmp_path_factory.mktemp("kandy")
    return {
        name: hornbeam.generate("kandy", name, out=folder / name, seed=7, overrides={"samples": "40"})
        for name in ("tour", "easy", "hard")
    }


def pictures(dataset: Dataset, start: str) -> list[Tree]:
    task = next(name for name in dataset.tasks if name.startswith(start))
    samples: list[Any] = list(dataset.samples.task(task).split("train"))
    return [from_json(sample.symbolic["tree"], dataset.config.domain) for sample in samples]


class Terms:
    """The terms that the names of a table stand for."""

    def __init__(self, tables: KnowledgeTables) -> None:
        self._compositions = {row[0]: (row[1], row[2]) for row in tables.rows.get("extract_op_and_chld", ())}
        self._members: defaultdict[Term, dict[int, Term]] = defaultdict(dict)
        for place, one, member in tables.rows.get("nth0", ()):
            self._members[one][int(str(place))] = member

    def __getitem__(self, name: Term) -> Term:
        if name in self._compositions:
            operator, children = self._compositions[name]
            return Compound(str(operator), (self[children],))
        if is_list(name):
            members = self._members[name]
            return [self[members[place]] for place in sorted(members)]
        return name


def is_list(name: Term) -> bool:
    return isinstance(name, str) and name[0] == "l" and name[1:].isdigit()


def facts_of(text: str) -> dict[Indicator, set[tuple[Term, ...]]]:
    found: defaultdict[Indicator, set[tuple[Term, ...]]] = defaultdict(set)
    for fact in Theory.parse(text).heads:
        found[indicator(fact)].add(arguments(fact))
    return found


def answers(definitions: str, calls: Sequence[tuple[str, list[Term]]]) -> list[bool]:
    """Whether each call holds by the definitions over the knowledge, in one call of Prolog."""
    prolog = Prolog()
    full = resources.kb("kandy", "natural", "full.pl")
    prolog.load_text(f":- use_module({to_text(str(full))}).\n:- use_module(library(lists)).\n{definitions}", MODULE)
    goal = "_Goal =.. [Name|Arguments], call(_Goal)"
    found = prolog.ask_many(goal, over=("Name", "Arguments"), rows=calls, module=MODULE)
    prolog.unload(MODULE)
    assert all(isinstance(one, bool) for one in found)
    return [one is True for one in found]


def disagreements(
    language: FoldedLanguage | RelationalLanguage, tables: KnowledgeTables, rows: Iterator[tuple[str, tuple[Term, ...]]]
) -> list:  # type: ignore[type-arg]
    said = facts_of(language.text(tables))
    terms = Terms(tables)
    asked = list(rows)
    text = "\n".join(to_text(clause) for clauses in language.definitions.values() for clause in clauses)
    derived = answers(text, [(name, [terms[one] for one in row]) for name, row in asked])
    return [
        (name, [to_text(terms[one]) for one in row], holds)
        for (name, row), holds in zip(asked, derived, strict=True)
        if (row in said[name, len(row)]) != holds
    ]


def folded_rows(language: FoldedLanguage, tables: KnowledgeTables) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """All that the language can ask of one picture: nodes, and lists that some function gives."""
    given = {made for (_, arity), rows in facts_of(language.text(tables)).items() if arity == 2 for _, made in rows}
    things = sorted((one for one in tables.inside if not is_list(one) or one in given), key=str)
    for mode in language.bias.body:
        for row in product(things, repeat=len(mode.places)):
            yield mode.name, row


def relational_rows(language: RelationalLanguage, tables: KnowledgeTables) -> Iterator[tuple[str, tuple[Term, ...]]]:
    inside = sorted(tables.inside, key=str)
    values: dict[str, list[Term]] = {
        "node": [one for one in inside if not is_list(one)],
        "list": [one for one in inside if is_list(one)],
    }
    values.update({kind: list(constants) for kind, constants in language.bias.constants.items()})
    # The integers of one picture are those that its lists have as lengths or places, and smaller ones.
    longest = max((int(str(row[1])) for row in tables.rows.get("length", ())), default=0)
    values["int"] = [one for one in values["int"] if int(str(one)) <= longest]
    modes = {mode.indicator: mode for mode in language.bias.body}
    for mode in modes.values():
        choices = [values[place.type] for place in mode.places]
        if len(choices) < 3 or "list" not in {place.type for place in mode.places[:2]}:
            for row in product(*choices):
                yield mode.name, row


def check_folded(dataset: Dataset, start: str, count: int) -> None:
    knowledge = Knowledge(dataset.config.domain, "mid")
    trees = pictures(dataset, start)
    language = folded(knowledge, knowledge.tables(trees, 2), SIZES["folded"])
    for tree in trees[:count]:
        tables = knowledge.tables([tree], 2)
        rows = list(folded_rows(language, tables))
        assert len(rows) > 100
        assert disagreements(language, tables, iter(rows)) == []


@pytest.mark.parametrize(("preset", "task"), CASES)
def test_folded_predicates_mean_on_every_picture_what_the_tables_say(
    datasets: dict[str, Dataset], preset: str, task: str
) -> None:
    check_folded(datasets[preset], task, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "task"), CASES + LONG_CASES)
def test_folded_predicates_mean_on_many_pictures_what_the_tables_say(
    datasets: dict[str, Dataset], preset: str, task: str
) -> None:
    check_folded(datasets[preset], task, 10)


@pytest.mark.parametrize(("preset", "task"), [("tour", "t01"), ("easy", "t15"), ("hard", "t00")])
def test_relational_predicates_mean_on_every_picture_what_the_tables_say(
    datasets: dict[str, Dataset], preset: str, task: str
) -> None:
    dataset = datasets[preset]
    knowledge = Knowledge(dataset.config.domain, "mid")
    trees = pictures(dataset, task)
    language = relational(knowledge, knowledge.tables(trees, 2), SIZES["relational"])
    for tree in trees[:1]:
        tables = knowledge.tables([tree], 2)
        assert disagreements(language, tables, relational_rows(language, tables)) == []
