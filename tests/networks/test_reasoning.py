"""Answers by closure: known cases, and agreement of the arrays with plain swipl on networks of every kind."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from random import Random
from typing import Any

import pytest

from hornbeam import resources
from hornbeam.errors import UsageError
from hornbeam.logic import Compound, Prolog
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.reasoning import Answer, answers, reason
from hornbeam.networks.table import ENDS, Table
from hornbeam.theory import Theory
from tests.networks.planted import composed, intervals, points, random_function

BY = {
    "closure": "closure",
    "hints": "hints",
    "first of several": "first_of_several",
    "most votes": "most_votes",
    "first of all": "first_of_all",
}


def in_swipl(table: Table, networks: list[Network]) -> list[Answer]:
    """The answers of prolog/networks/reasoning.pl in this process' Prolog."""
    prolog = Prolog()
    module = prolog.load(resources.prolog("networks", "reasoning.pl"))
    facts = list(table.theory().heads)
    asked: list[Any] = [
        (
            facts,
            [Compound("edge", (edge.source, list(edge.relations), edge.target)) for edge in network.edges],
            Compound("-", network.query),
        )
        for network in networks
    ]
    found = prolog.once_many(
        "facts_table(F, T), network_answer(T, E, Q, R, B)",
        over=("F", "E", "Q"), get=("R", "B"), rows=asked, module=module,
    )  # fmt: skip
    names = {plain: ours for ours, plain in BY.items()}
    return [Answer(tuple(relations), names[by]) for relations, by in found]  # type: ignore[arg-type]


def random_network(table: Table, rng: Random, nodes: int, edges: int, width: int) -> Network:
    """Any graph: cycles, dead ends, pieces apart, edges that exclude each other."""
    made = []
    for _ in range(edges):
        source, target = rng.sample(range(nodes), 2)
        count = rng.randint(1, width)
        made.append(Edge(source, tuple(sorted(rng.sample(table.relations, count))), target))
    first, second = rng.sample(range(nodes), 2)
    return Network("n", tuple(made), (first, second), ())


class TestKnownCases:
    def test_all_bracketings_count(self) -> None:
        # a(bc) is known, (ab)c is not.
        theory = Theory.parse("compose(b,c,d). compose(a,d,e).")
        edges = (Edge(0, ("a",), 1), Edge(1, ("b",), 2), Edge(2, ("c",), 3))
        assert answers(theory, [Network("n", edges, (0, 3), ())]) == [("e",)]

    def test_alternatives_are_intersected_over_paths(self) -> None:
        theory = Theory.parse("relation(a). compose(a,a,a). compose(a,a,b). compose(b,b,b). compose(b,b,c).")
        edges = (Edge(0, ("a",), 1), Edge(1, ("a",), 2), Edge(0, ("b",), 3), Edge(3, ("b",), 2))
        assert answers(theory, [Network("n", edges, (0, 2), ())]) == [("b",)]

    def test_contradictions_are_no_answer_where_there_may_be_none(self) -> None:
        text = "reading(sets). answers(one). {}relation(a). relation(b). compose(a,a,a). compose(b,b,b)."
        edges = (Edge(0, ("a",), 1), Edge(1, ("a",), 2), Edge(0, ("b",), 3), Edge(3, ("b",), 2))
        asked = [Network("n", edges, (0, 2), ())]
        assert answers(Theory.parse(text.format("answers(none). ")), asked) == [()]
        assert reason(Table.of(Theory.parse(text.format(""))), asked) == [Answer(("a",), "most votes")]

    def test_an_unknown_relation_is_refused(self) -> None:
        with pytest.raises(UsageError, match="no relation 'z'"):
            answers(Theory.parse("compose(a,a,a)."), [Network("n", (Edge(0, ("z",), 1),), (0, 1), ())])

    def test_edges_are_read_backwards_where_converses_are_unique(self) -> None:
        laws = "converse(up,down). converse(down,up). converse(over,under). converse(under,over)."
        theory = Theory.parse(f"{laws} compose(up,up,over).")
        edges = (Edge(1, ("down",), 0), Edge(1, ("up",), 2))
        assert answers(theory, [Network("n", edges, (0, 2), ())]) == [("over",)]

    @pytest.mark.parametrize("reading", ["function", "sets"])
    def test_of_a_node_and_itself_nothing_follows(self, reading: str) -> None:
        table = Table.of(Theory.parse(f"reading({reading}). relation(b). compose(a,a,a). compose(a,a,b)."))
        edges = (Edge(0, ("a",), 1), Edge(1, ("a",), 0))
        assert reason(table, [Network("n", edges, (0, 0), ())]) == [Answer(("b",), "first of all")]

    def test_no_networks_no_answers(self) -> None:
        assert answers(points().theory(), []) == []

    @pytest.mark.parametrize("length", [2, 5, 9])
    def test_chains_of_intervals(self, length: int) -> None:
        table = intervals(6)
        rng = Random(length)
        chains = [[rng.randrange(13) for _ in range(length)] for _ in range(40)]
        networks = [
            Network("n", tuple(Edge(at, (table.relations[r],), at + 1) for at, r in enumerate(chain)), (0, length), ())
            for chain in chains
        ]
        several = Table.of(Theory.parse(str(table.theory()) + "answers(several).\n"))
        said = [set(one.relations) for one in reason(several, networks)]
        assert said == [set(table.names(composed(table, chain))) for chain in chains]


class TestAgreement:
    @pytest.mark.parametrize("width", [1, 3])
    def test_alternatives(self, width: int) -> None:
        rng = Random(width)
        for table in (points(), intervals(6)):
            wide = min(width, len(table.relations))
            networks = [random_network(table, rng, rng.randint(2, 7), rng.randint(1, 10), wide) for _ in range(60)]
            assert in_swipl(table, networks) == reason(table, networks)

    def test_functions(self) -> None:
        rng = Random(5)
        for count in (3, 6, 13):
            table = random_function(rng, count, 0.4)
            networks = [random_network(table, rng, rng.randint(2, 7), rng.randint(1, 10), 1) for _ in range(60)]
            assert in_swipl(table, networks) == reason(table, networks)

    def test_functions_with_unique_converses(self) -> None:
        rng = Random(6)
        made = random_function(rng, 4, 0.3)
        table = Table(made.relations, made.cells, (0b0010, 0b0001, 0b0100, 0b1000), 0, "function")
        networks = [random_network(table, rng, 6, 7, 1) for _ in range(60)]
        assert in_swipl(table, networks) == reason(table, networks)

    def test_tables_with_holes_and_without_laws(self) -> None:
        rng = Random(9)
        cells = tuple(tuple(rng.choice((0, 1, 3, 5, 6)) for _ in range(3)) for _ in range(3))
        table = Table(("a", "b", "c"), cells, (0b010, 0b001, 0), 0, "sets", frozenset({"one", "none"}))
        networks = [random_network(table, rng, 6, 9, 2) for _ in range(80)]
        assert in_swipl(table, networks) == reason(table, networks)


class TestHints:
    TEXT = (
        "relation(p). relation(g). relation(h). compose(p,p,g). compose(p,g,p). "
        "hint(leaves_first,p,h,50). hint(enters_second,p,g,30). hint(leaves_second,g,g,30). hint(enters_first,h,p,200)."
    )

    def test_they_speak_only_where_nothing_follows(self) -> None:
        table = Table.of(Theory.parse(self.TEXT))
        chain = (Edge(0, ("p",), 1), Edge(1, ("p",), 2))
        assert reason(table, [Network("n", chain, (0, 2), ())]) == [Answer(("g",), "closure")]
        broken = (Edge(0, ("p",), 1), Edge(2, ("p",), 3))
        [answer] = reason(table, [Network("n", broken, (0, 3), ())])
        assert (answer.relations, answer.by) == (("h",), "hints")
        assert answer.confidence == pytest.approx(exp(0.5) / (exp(0.5) + exp(0.3) + 1))

    @pytest.mark.parametrize("reading", ["function", "sets"])
    def test_swipl_takes_the_same_hints(self, reading: str) -> None:
        rng = Random(reading)
        table = replace(random_function(rng, 4, 0.5), reading=reading)
        hints = tuple(
            (end, one, other, rng.randint(-150, 150))
            for end in ENDS
            for one in table.relations
            for other in table.relations
        )
        table = replace(table, hints=hints)
        networks = [random_network(table, rng, 5, 4, 1) for _ in range(60)]
        found = reason(table, networks)
        assert found == in_swipl(table, networks)
        assert sum(one.by == "hints" for one in found) > 10

    def test_a_theory_with_hints_is_read_again(self) -> None:
        table = Table.of(Theory.parse(self.TEXT))
        assert Table.of(table.theory()) == table
        assert len(table.hints) == 4

    @pytest.mark.parametrize("fact", ["hint(beside,p,g,1).", "hint(leaves_first,p,g,heavy)."])
    def test_bad_hints_are_refused(self, fact: str) -> None:
        with pytest.raises(UsageError, match="expected hint"):
            Table.of(Theory.parse(f"compose(p,p,g). {fact}"))
