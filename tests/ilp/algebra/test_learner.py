"""What was planted is found: tables, laws, also in spite of wrong answers, and the same in every run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.clutrr import knowledge
from hornbeam.clutrr.config import FamilySettings
from hornbeam.clutrr.learning import truth
from hornbeam.errors import UsageError
from hornbeam.ilp import learner as registry
from hornbeam.ilp.algebra.functions import chains
from hornbeam.ilp.algebra.learner import Algebra, AlgebraSettings
from hornbeam.ilp.algebra.paths import gather
from hornbeam.ilp.algebra.refining import doubtful_pairs
from hornbeam.ilp.watch import Watch
from hornbeam.networks.network import Edge, Network
from hornbeam.networks.reasoning import answers, reason
from hornbeam.networks.table import Table
from hornbeam.tasks.noise import wrong_answers, wrong_edges
from hornbeam.tasks.problem import NetworkTask
from hornbeam.theory import Theory
from tests.networks.comparison import compare_tables
from tests.networks.planted import intervals, points, random_function, sample, task

SHAPES = ((2,), (2, 2), (3,), (3, 2), (3, 3))


def learn(asked: NetworkTask, watch: Watch | None = None, **options: object) -> Theory:
    return Algebra().fit(asked, AlgebraSettings(**options), watch or Watch())  # type: ignore[arg-type]


def spoiled(networks: list[Network], relations: tuple[str, ...], share: float, rng: Random) -> list[Network]:
    """The same networks, some with another answer."""
    return wrong_answers(networks, relations, share, rng.randrange(1000))


def accuracy(theory: Theory, networks: list[Network]) -> float:
    said = answers(theory, networks)
    return sum(set(one) == set(network.answer) for one, network in zip(said, networks, strict=True)) / len(networks)


def test_it_is_found_by_its_name() -> None:
    assert isinstance(registry.get("algebra"), Algebra)


class TestAlternatives:
    def test_the_order_of_points_is_found_whole(self) -> None:
        truth = points()
        theory = learn(task(truth, sample(truth, Random(1), SHAPES, 30)))
        assert compare_tables(theory, truth.theory()).same
        assert Table.of(theory).reading == "sets"

    def test_the_thirteen_relations_of_intervals_are_found_whole(self) -> None:
        truth = intervals(6)
        assert len(truth.relations) == 13
        theory = learn(task(truth, sample(truth, Random(2), SHAPES, 250)))
        assert compare_tables(theory, truth.theory()).same

    def test_what_no_example_shows_stays_possible(self) -> None:
        truth = points()
        seen = [one for one in sample(truth, Random(3), ((2,),), 100) if one.answer == ("before",)]
        table = Table.of(learn(task(truth, seen), reading="sets"))
        before = table.place["before"]
        after = table.place["after"]
        assert table.cells[before][before] == 1 << before
        assert table.cells[before][after] == table.universal

    @pytest.mark.parametrize("seed", range(3))
    def test_wrong_answers_are_put_aside(self, seed: int) -> None:
        truth = points()
        rng = Random(seed)
        networks = sample(truth, rng, SHAPES, 60)
        theory = learn(task(truth, spoiled(networks, truth.relations, 0.1, rng)))
        assert compare_tables(theory, truth.theory()).same

    def test_wrong_answers_about_intervals_are_put_aside(self) -> None:
        truth = intervals(6)
        rng = Random(7)
        networks = sample(truth, rng, SHAPES, 200)
        theory = learn(task(truth, spoiled(networks, truth.relations, 0.05, rng)))
        test = sample(truth, Random(8), ((5, 5), (6,), (4, 6)), 100, tries=3000)
        assert accuracy(theory, test) >= 0.99

    def test_laws_that_do_not_hold_are_given_up(self) -> None:
        # Two relations, each pair of which leaves two alternatives or one: no identity fits.
        cells = ((0b10, 0b01), (0b01, 0b11))
        truth = Table(("a", "b"), cells, reading="sets")
        theory = learn(task(truth, sample(truth, Random(4), ((2,), (2, 2), (3, 2)), 40)), reading="sets")
        table = Table.of(theory)
        assert accuracy(theory, sample(truth, Random(5), ((2,), (2, 2)), 30)) == 1.0
        assert not table.identity

    def test_answers_may_be_sets(self) -> None:
        truth = points()
        universal = Network("n", (Edge(0, ("before",), 2), Edge(2, ("after",), 1)), (0, 1), truth.relations)
        networks = [*sample(truth, Random(6), SHAPES, 20), universal]
        theory = learn(task(truth, networks))
        assert set(answers(theory, [universal])[0]) == set(truth.relations)


class TestFunctions:
    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 10**6), st.integers(3, 8), st.floats(0.2, 0.9))
    def test_a_planted_function_is_found(self, seed: int, count: int, filled: float) -> None:
        rng = Random(seed)
        truth = random_function(rng, count, filled)
        networks = [
            Network("n", (Edge(0, (r,), 2), Edge(2, (s,), 1)), (0, 1), truth.names(truth.cells[i][j]))
            for i, r in enumerate(truth.relations)
            for j, s in enumerate(truth.relations)
            if truth.cells[i][j]
        ]
        theory = learn(task(truth, networks), reading="function")
        report = compare_tables(theory, truth.theory())
        assert report.right == report.cells
        assert not report.extra

    @pytest.mark.parametrize("seed", range(5))
    def test_cells_that_only_longer_chains_show_are_found(self, seed: int) -> None:
        rng = Random(seed)
        truth = kinship()
        whole = sample(truth, rng, ((2,), (3,), (4,)), 400)
        hidden = rng.sample(sorted({pair(one) for one in whole if len(one.edges) == 2}), 4)
        networks = [one for one in whole if len(one.edges) > 2 or pair(one) not in hidden]
        theory = learn(task(truth, networks))
        report = compare_tables(theory, truth.theory())
        wanted = {tuple(one) for one in hidden if shown(truth, networks, one)}
        assert wanted, "no hidden cell is inside a longer chain: the test would say nothing"
        assert not wanted & {one.cell for one in (*report.missing, *report.wrong)}
        assert not report.extra

    @pytest.mark.parametrize("share", [0.05, 0.15])
    def test_the_majority_wins(self, share: float) -> None:
        truth = kinship()
        rng = Random(11)
        networks = sample(truth, rng, ((2,), (3,)), 600)
        theory = learn(task(truth, spoiled(networks, truth.relations, share, rng)))
        report = compare_tables(theory, truth.theory())
        assert (len(report.missing), len(report.wrong)) == (0, 0)
        assert Table.of(theory).reading == "function"

    def test_the_identity_is_read_off_the_cells(self) -> None:
        truth = kinship()
        table = Table.of(learn(task(truth, sample(truth, Random(12), ((2,),), 400))))
        assert table.names(table.identity) == ("self",)

    def test_converses_are_read_off_the_cells(self) -> None:
        truth = kinship(identity=False)
        table = Table.of(learn(task(truth, sample(truth, Random(12), ((2,),), 400))))
        assert table.names(table.converses[table.place["parent"]]) == ("child",)
        assert table.names(table.converses[table.place["sibling"]]) == ("sibling",)

    def test_a_relation_may_have_two_converses(self) -> None:
        cells = {("father", "son"): "brother", ("father", "daughter"): "sister"}
        cells |= {(child, "brother"): "son" for child in ("son", "daughter")}
        cells |= {(child, "sister"): "daughter" for child in ("son", "daughter")}
        cells |= {(one, "father"): "father" for one in ("brother", "sister")}
        networks = [Network("n", (Edge(0, (r,), 2), Edge(2, (s,), 1)), (0, 1), (t,)) for (r, s), t in cells.items()]
        names = ("father", "son", "daughter", "brother", "sister")
        table = Table.of(learn(NetworkTask("words", names, tuple(networks))))
        assert set(table.names(table.converses[table.place["father"]])) == {"son", "daughter"}


class TestRuns:
    def test_two_runs_tell_the_same(self) -> None:
        truth = intervals(6)
        asked = task(truth, sample(truth, Random(2), SHAPES, 60))
        told = []
        for _ in range(2):
            watch = Watch()
            learn(asked, watch)
            told.append([{**event.to_json(), "seconds": 0} for event in watch.events])
        assert told[0] == told[1]
        assert told[0][-1]["kind"] == "finished"

    def test_the_hash_seed_changes_nothing(self) -> None:
        program = (
            "from random import Random\n"
            "from tests.networks.planted import *\n"
            "from tests.ilp.algebra.test_learner import SHAPES, kinship, learn\n"
            "for truth in (points(), kinship()):\n"
            "    print(learn(task(truth, sample(truth, Random(2), SHAPES[:3], 40))))\n"
        )
        said = {
            subprocess.run(
                [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True,
                text=True, check=True,
            ).stdout
            for seed in ("1", "2")
        }  # fmt: skip
        assert len(said) == 1

    def test_no_time_gives_the_best_so_far(self) -> None:
        truth = intervals(6)
        asked = task(truth, sample(truth, Random(2), SHAPES, 60))
        theory = learn(asked, Watch(seconds=0.0))
        assert len(answers(theory, asked.networks)) == len(asked.networks)

    def test_settings_are_checked(self) -> None:
        with pytest.raises(ValueError, match="reading"):
            AlgebraSettings(reading="bags")  # type: ignore[arg-type]

    def test_too_many_relations_are_refused(self) -> None:
        with pytest.raises(UsageError, match="at most 63"):
            learn(NetworkTask("large", tuple(f"r{number}" for number in range(64)), ()))

    def test_nothing_to_learn_from_gives_an_empty_table(self) -> None:
        theory = learn(NetworkTask("empty", ("a", "b"), ()))
        assert not any(any(row) for row in Table.of(theory).cells)

    def test_how_often_ties_were_broken_is_told(self) -> None:
        table = Table(("a", "b"), ((0b11, 0), (0, 0)), reading="sets")
        found = reason(table, [Network("n", (Edge(0, ("a",), 2), Edge(2, ("a",), 1)), (0, 1), ("b",))])
        assert [(one.relations, one.by) for one in found] == [(("a",), "first of all")]


def kinship(*, identity: bool = True) -> Table:
    """A partial function with holes; nobody's sibling is oneself."""
    names = ("parent", "child", "sibling", "grandparent", "grandchild", *(("self",) if identity else ()))
    rules = {
        ("parent", "parent"): "grandparent", ("child", "child"): "grandchild", ("parent", "child"): "sibling",
        ("child", "sibling"): "child", ("sibling", "parent"): "parent", ("sibling", "sibling"): "sibling",
        ("sibling", "grandparent"): "grandparent", ("grandchild", "sibling"): "grandchild",
    }  # fmt: skip
    if identity:
        rules |= {(name, "self"): name for name in names} | {("self", name): name for name in names}
    place = {name: number for number, name in enumerate(names)}
    cells = [[0] * len(names) for _ in names]
    for (first, second), whole in rules.items():
        cells[place[first]][place[second]] = 1 << place[whole]
    return Table(names, tuple(map(tuple, cells)), reading="function")


def pair(network: Network) -> tuple[str, str]:
    return (network.edges[0].relations[0], network.edges[1].relations[0])


def shown(truth: Table, networks: list[Network], hidden: tuple[str, str]) -> bool:
    """Whether some training chain has an answer only because of the hidden cell."""
    rows = [list(row) for row in truth.cells]
    rows[truth.place[hidden[0]]][truth.place[hidden[1]]] = 0
    without = Table(truth.relations, tuple(map(tuple, rows)), reading="function")
    return any(found.by != "closure" for found in reason(without, networks))


class TestNoise:
    """On chains of kinship, which leave many pairs out: no wife follows on a mother."""

    @staticmethod
    def chains(count: int, lengths: Sequence[int], seed: int) -> tuple[Table, list[Network]]:
        truth_table = Table.of(truth(knowledge.load(), FamilySettings()))
        rng = Random(seed)
        found: list[Network] = []
        while len(found) < count:
            labels = [rng.choice(truth_table.relations)]
            mask = truth_table.mask(labels)
            for _ in range(rng.choice(lengths) - 1):
                fitting = [
                    name for name in truth_table.relations if truth_table.compose(mask, truth_table.mask([name]))
                ]
                if fitting:
                    labels.append(rng.choice(fitting))
                    mask = truth_table.compose(mask, truth_table.mask(labels[-1:]))
            edges = tuple(Edge(at, (label,), at + 1) for at, label in enumerate(labels))
            network = Network("n", edges, (0, len(labels)), truth_table.names(mask))
            if len(labels) in lengths and len(network.answer) == 1:
                found.append(network)
        return truth_table, found

    @pytest.mark.parametrize("share", [0.05, 0.1])
    def test_wrong_answers_cost_next_to_nothing(self, share: float) -> None:
        table, train = self.chains(2500, (2, 3), seed=1)
        _, test = self.chains(300, (6, 10), seed=2)
        theory = learn(task(table, wrong_answers(train, table.relations, share, seed=3)))
        assert accuracy(theory, test) >= 0.98

    @pytest.mark.slow
    @pytest.mark.parametrize("share", [0.05, 0.1])
    def test_misread_edges_make_no_cells(self, share: float) -> None:
        table, train = self.chains(6000, (2, 3), seed=1)
        _, test = self.chains(300, (6, 10), seed=2)
        theory = learn(task(table, wrong_edges(train, table.relations, share, seed=3)))
        assert accuracy(theory, test) >= 0.95

    def test_where_there_are_too_few_rows_no_pair_is_doubted(self) -> None:
        table, train = self.chains(400, (2, 3), seed=1)
        known = chains(gather(table.relations, train, 64))
        assert known is not None
        assert doubtful_pairs(known, len(table.relations)) == set()


class TestHints:
    """Worlds in which a part of the answers does not follow, but goes with an edge at one end."""

    @staticmethod
    def worlds(count: int, seed: int, open_share: float) -> tuple[Table, list[Network]]:
        rng = Random(seed)
        table = random_function(Random(9), 6, 0.4)
        found = [network for network in sample(table, rng, ((2,), (3,)), count) if network is not None]
        for at, network in enumerate(found):
            if rng.random() < open_share:
                known = rng.randrange(6)
                edges = (Edge(0, (rng.choice(table.relations),), 2), Edge(3, (table.relations[known],), 1))
                found[at] = replace(network, edges=edges, answer=(table.relations[(known + 2) % 6],))
        rng.shuffle(found)
        return table, found

    def test_they_answer_what_does_not_follow(self) -> None:
        table, train = self.worlds(300, 1, 0.4)
        _, test = self.worlds(150, 2, 0.4)
        theory = learn(task(table, train))
        without = learn(task(table, train), hints=False)
        assert Table.of(theory).hints
        assert accuracy(theory, test) >= 0.95 > 0.75 > accuracy(without, test)

    def test_there_are_none_where_everything_follows(self) -> None:
        table, train = self.worlds(300, 1, 0.0)
        assert Table.of(learn(task(table, train))).hints == ()
