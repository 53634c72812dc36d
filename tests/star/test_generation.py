"""Generation: what is made is needed, distinct, balanced and certified; what cannot be made is proven impossible."""

from __future__ import annotations

import random
from itertools import combinations, product
from pathlib import Path

import pytest

from hornbeam.errors import UsageError
from hornbeam.networks.closing import possible_mask
from hornbeam.networks.network import ConstraintNetwork, canonical_form
from hornbeam.seeds import fast_rng
from hornbeam.star.bundles import PathSpace, assemble, atomic_labels, canonical, path_masks, wide_labels
from hornbeam.star.cells import all_needed, deciding_bundles, needed, one_deciding_bundle, plan, space
from hornbeam.star.compat import published
from hornbeam.star.config import Cells, Split, StarConfig, Tangle
from hornbeam.star.explain import entailing_edges
from hornbeam.star.family import Star
from hornbeam.star.generate import draw, graphs
from hornbeam.star.knowledge import load_calculus
from hornbeam.star.proving import certify, minimal_conflict
from hornbeam.star.tangles import tangled, treewidth_above_two


def _cells(k: tuple[int, ...], b: tuple[int, ...], rows: int) -> Split:
    return Split(cells=(Cells(k=k, b=b, rows=rows),))


def _relabelled(network: ConstraintNetwork, rng: random.Random) -> ConstraintNetwork:
    """The same network under other node numbers, edges in another order, some turned around."""
    calculus = load_calculus("rcc8")
    name = rng.sample(range(network.nodes), network.nodes)
    edges = []
    for (u, v), label in zip(network.edges, network.labels, strict=True):
        turned = rng.random() < 0.5
        edges.append(((name[v], name[u]), calculus.converse(label)) if turned else ((name[u], name[v]), label))
    rng.shuffle(edges)
    source, sink = network.query
    return ConstraintNetwork(
        network.nodes, tuple(e for e, _ in edges), tuple(m for _, m in edges), (name[source], name[sink])
    )


# Paths and families -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rcc8", "allen"])
def test_paths_are_counted_and_drawn_exactly(name: str) -> None:
    calculus = load_calculus(name)
    paths = PathSpace(calculus, atomic_labels(calculus))
    said: dict[int, int] = {}
    for labels in product(paths.alphabet, repeat=3):
        mask = calculus.compose(calculus.compose(labels[0], labels[1]), labels[2])
        said[mask] = said.get(mask, 0) + 1
    assert {mask: paths.count(3, mask) for mask in paths.masks(3)} == said
    mask = min(said, key=lambda m: (said[m] < 10, said[m]))
    rng = random.Random(1)
    drawn = {paths.draw(3, mask, rng) for _ in range(40 * said[mask])}
    assert drawn == set(paths.all(3, mask))


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("rcc8", {"DC": 1, "EC": 2, "PO": 3, "TPP": 2, "NTPP": 1, "TPPI": 2, "NTPPI": 1, "EQ": 0}),
        (
            "allen",
            {"<": 1, ">": 1, "m": 1, "mi": 1, "=": 2, "d": 2, "di": 2, "s": 2, "si": 2, "f": 2, "fi": 2}
            | {"o": 3, "oi": 3},
        ),
    ],
)
def test_how_many_paths_an_answer_can_need(name: str, most: dict[str, int]) -> None:
    """The limits of base relations: by clingo, by search, and by trying all sets."""
    calculus = load_calculus(name)
    masks = PathSpace(calculus, atomic_labels(calculus)).masks(4)
    for label, limit in most.items():
        answer = calculus.parse(label)
        possible = []
        for b in range(1, 5):
            found = deciding_bundles(calculus, masks, answer, b, random.Random(0))
            one = one_deciding_bundle(calculus, [m for m in masks if m & answer == answer], answer, b)
            assert (one is not None) == bool(found)
            tried = [
                family
                for family in combinations([m for m in masks if m & answer == answer], b)
                if all_needed(family, calculus.universal) and _together(family) == answer
            ]
            assert found == sorted(tried)
            possible += [b] if found else []
        assert max(possible, default=0) == limit


def _together(masks: tuple[int, ...]) -> int:
    left = masks[0]
    for mask in masks:
        left &= mask
    return left


@pytest.mark.parametrize(("k", "b"), [(2, 4), (4, 3), (9, 2)])
def test_sets_on_edges_let_every_label_but_the_identity_need_more_paths(k: int, b: int) -> None:
    rcc8 = load_calculus("rcc8")
    masks = PathSpace(rcc8, wide_labels(rcc8, 2)).masks(k)
    for r in range(rcc8.size):
        found = deciding_bundles(rcc8, masks, 1 << r, b, random.Random(0))
        assert bool(found) == (1 << r != rcc8.identity)
        assert all(all_needed(f, rcc8.universal) and needed(f) == b and _together(f) == 1 << r for f in found)


def test_impossible_cells_are_named_with_a_reason() -> None:
    made = plan(StarConfig(calculus="rcc8", test=_cells((4,), (1, 3), 5)))
    assert "no 1 path of 4 non-identity edges" in made.impossible["k=4 b=1 PO"]
    assert "k=4 b=3 DC" in made.impossible
    assert "k=4 b=3 PO" not in made.impossible
    assert {load_calculus("rcc8").text(d.cell.answer) for d in made.demands if d.cell.b == 1} == {"DC", "NTPP", "NTPPI"}


def test_scarce_labels_are_told_or_the_cell_is_trimmed() -> None:
    told = plan(StarConfig(calculus="rcc8", test=_cells((2,), (1,), 50)))
    assert told.short["test k=2 b=1 NTPP"] == "3 of 50 rows: this label has only 3 distinct graphs for all splits"
    assert sorted(d.rows for d in told.demands) == [3, 3, 6]
    trimmed = plan(StarConfig(calculus="rcc8", scarce="trim", test=_cells((2,), (1,), 50)))
    assert [d.rows for d in trimmed.demands] == [3, 3, 3]


# The sound profile --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "k", "b"), [("rcc8", 4, 3), ("rcc8", 6, 2), ("allen", 7, 3), ("allen", 3, 2)])
@pytest.mark.parametrize("shape", ["chains", "nested"])
def test_every_path_and_every_edge_is_needed(name: str, k: int, b: int, shape: str) -> None:
    where = space(name, "all", 1)
    rng = random.Random(5)
    seen = 0
    for r in range(where.calculus.size):
        cell = where.cell(k, b, 1 << r)
        for _ in range(6 if cell.deciding else 0):
            graph = draw(where, cell, rng, shape)
            network = assemble(graph)
            masks = path_masks(where.calculus, graph)
            assert len(masks) == b
            assert needed(masks) == b
            assert all(label != where.calculus.identity for label in network.labels)
            assert possible_mask(where.calculus, network) == 1 << r
            assert entailing_edges(where.calculus, network) == list(range(len(network.edges)))
            seen += 1
    assert seen >= 6


def test_nested_graphs_are_nested() -> None:
    where = space("allen", "all", 1)
    cell = where.cell(7, 2, where.calculus.parse("d"))
    rng = random.Random(0)
    drawn = [draw(where, cell, rng, "nested") for _ in range(30)]
    assert sum(any(not isinstance(part, int) for chain in graph for part in chain) for graph in drawn) > 10


def test_splits_and_chunks_share_no_graph() -> None:
    config = StarConfig(calculus="allen", train=_cells((3,), (2,), 60), test=_cells((3,), (2,), 40))
    where = space("allen", "all", 1)
    forms: list[str] = []
    for demand in plan(config).demands:
        for chunk in range(2):
            rows = demand.rows // 2
            made = graphs(where, demand, shape="mixed", seed=3, start=chunk * rows, rows=rows, chunk=(chunk, 2))
            forms += [canonical(graph) for graph in made]
    assert len(forms) > 500
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize("needed_", ["all", "most"])
def test_idle_paths_only_where_they_are_asked_for(needed_: str) -> None:
    where = space("rcc8", needed_, 1)
    cell = where.cell(4, 3, where.calculus.parse("TPP"))
    if needed_ == "all":
        assert not cell.deciding
        return
    rng = random.Random(2)
    for _ in range(30):
        masks = path_masks(where.calculus, draw(where, cell, rng, "chains"))
        assert (len(masks), needed(masks)) == (3, 2)


def test_wide_labels_are_wide_and_still_decided() -> None:
    where = space("rcc8", "all", 2)
    rng = random.Random(3)
    networks = []
    for r in range(7):
        graph = draw(where, where.cell(4, 3, 1 << r), rng, "chains")
        assert needed(path_masks(where.calculus, graph)) == 3
        networks.append(assemble(graph))
    assert certify(where.calculus, networks) == [1 << r for r in range(7)]
    assert any(label.bit_count() > 1 for network in networks for label in network.labels)


def test_inconsistent_graphs_contradict_themselves_by_two_paths() -> None:
    config = StarConfig(calculus="rcc8", inconsistent=True, test=_cells((4,), (1, 2, 3), 3))
    made = plan(config)
    assert {"k=4 b=1 inconsistent", "k=4 b=3 inconsistent"} <= set(made.impossible)
    where = space("rcc8", "all", 1)
    graph = draw(where, where.cell(4, 2, 0), random.Random(1), "chains")
    assert certify(where.calculus, [assemble(graph)]) == [0]
    assert minimal_conflict(where.calculus, assemble(graph)) == list(range(8))


def test_answers_can_be_sets() -> None:
    where = space("rcc8", "all", 1)
    config = StarConfig(calculus="rcc8", answers="sets", test=_cells((4,), (1, 2), 3))
    cells = [demand.cell for demand in plan(config).demands]
    assert {cell.b for cell in cells} == {1, 2}
    assert all(cell.answer & (cell.answer - 1) for cell in cells)
    networks = [assemble(draw(where, cell, random.Random(1), "chains")) for cell in cells]
    assert certify(where.calculus, networks) == [cell.answer for cell in cells]


@pytest.mark.parametrize("name", ["rcc8", "allen"])
@pytest.mark.parametrize("width", [1, 2])
def test_tangles_have_treewidth_above_two_and_their_answer(name: str, width: int) -> None:
    calculus = load_calculus(name)
    answers = [1 << r for r in (1, 2, 3)] + [0]
    networks = [tangled(calculus, 7, answer, width, random.Random(answer)) for answer in answers]
    assert certify(calculus, networks) == answers
    assert all(treewidth_above_two(net.nodes, net.edges) for net in networks)
    assert all(frozenset(net.query) not in {frozenset(edge) for edge in net.edges} for net in networks)


def test_treewidth_of_known_graphs() -> None:
    complete = tuple(combinations(range(4), 2))
    assert treewidth_above_two(4, complete)
    assert not treewidth_above_two(4, complete[:-1])
    assert treewidth_above_two(
        9,
        tuple((3 * r + c, 3 * r + c + 1) for r in range(3) for c in range(2))
        + tuple((3 * r + c, 3 * r + 3 + c) for r in range(2) for c in range(3)),
    )


# Canonical forms ----------------------------------------------------------------------------------------------------


def test_canonical_forms_know_renamed_networks_and_tell_others_apart() -> None:
    rcc8 = load_calculus("rcc8")
    where = space("rcc8", "most", 1)
    rng = random.Random(8)
    by_graph: dict[str, set[object]] = {}
    forms = set()
    for _ in range(300):
        graph = draw(where, where.cell(2, 2, rcc8.parse("PO")), rng, "chains")
        form = canonical_form(rcc8, assemble(graph))
        assert canonical_form(rcc8, _relabelled(assemble(graph), rng)) == form
        by_graph.setdefault(canonical(graph), set()).add(form)
        forms.add(form)
    assert all(len(found) == 1 for found in by_graph.values())
    assert len(forms) == len(by_graph) > 20


def test_canonical_forms_of_symmetric_graphs() -> None:
    rcc8 = load_calculus("rcc8")
    inner = ((1, 2), (1, 2), (1, 2))
    network = assemble((*((1, 2, 4) for _ in range(9)), (inner, 2, inner), (inner, 2, inner)))
    rng = random.Random(0)
    assert canonical_form(rcc8, _relabelled(network, rng)) == canonical_form(rcc8, network)
    other = assemble((*((1, 2, 4) for _ in range(9)), (inner, 2, inner), (inner, 2, (*inner[:2], (2, 1)))))
    assert canonical_form(rcc8, other) != canonical_form(rcc8, network)


# The published profile ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "identity", "distinct"), [("rcc8", 0.44, 27), ("allen", 0.26, 97)])
def test_compat_has_the_published_figures(name: str, identity: float, distinct: int) -> None:
    """All singleton cells of the table, and as many identity edges as the published test files."""
    source = published(name, 1)
    n = source.calculus.size
    made = [source.graph(2, 1, r, fast_rng(1, "t", r, i)) for r in range(n) for i in range(400)]
    assert distinct - 1 <= len(set(made)) <= distinct
    labels = [label for graph in made for chain in graph for label in chain]
    share = sum(label == source.calculus.identity for label in labels) / len(labels)
    assert abs(share - identity) < 0.03
    big = [assemble(source.graph(9, 1, r, fast_rng(1, "t", r, i))) for r in range(n) for i in range(10)]
    assert 17 < sum(net.nodes for net in big) / len(big) < 23
    assert certify(source.calculus, big) == [1 << r for r in range(n) for _ in range(10)]


# Configurations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"calculus": "rcc9", "test": _cells((2,), (1,), 1)}, "unknown calculus"),
        ({"calculus": "rcc5", "witness": True, "test": _cells((2,), (1,), 1)}, "need regions or intervals"),
        ({"profile": "compat", "width": 2, "test": _cells((2,), (1,), 1)}, "no harder kinds"),
        ({}, "no split"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        StarConfig.model_validate(settings)


def test_a_preset_with_a_wrong_k_names_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yml"
    file.write_text("calculus: rcc8\ntest: {cells: [{k: [1], b: [1], rows: 3}]}\n")
    with pytest.raises(UsageError, match=r"test.cells.0.k.0: expected greater than or equal to 2, found 1") as caught:
        Star().configure(file)
    assert caught.value.line == 2


def test_tangles_of_all_splits_are_different() -> None:
    config = StarConfig(
        calculus="allen",
        train=Split(tangles=(Tangle(nodes=(6,), rows=2),)),
        test=Split(tangles=(Tangle(nodes=(6,), rows=2),)),
    )
    family = Star()
    made = [sample for shard in family.plan(config, 1) for sample in family.make(config, 1, shard).samples]
    assert len(made) == 52
    assert len({str(sample.input) for sample in made}) == 52
