"""What SWI-Prolog derives by the shipped theory is what clingo finds, for any network and any calculus."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.star.cells import label_of
from hornbeam.star.knowledge import load_calculus
from hornbeam.star.proving import derived_labels, possible, prove

# Not distributive: a network of single relations can be closed and still leave what is impossible.
COLOURS = """\
calculus(colours, "Two colours of edges, no triangle of one colour").
relation(eq). relation(a). relation(b).
identity(eq).
converse(eq, eq). converse(a, a). converse(b, b).
composition(eq, eq, [eq]). composition(eq, a, [a]). composition(eq, b, [b]).
composition(a, eq, [a]). composition(a, a, [eq, b]). composition(a, b, [a, b]).
composition(b, eq, [b]). composition(b, a, [a, b]). composition(b, b, [eq, a]).
"""


def networks(size: int, *, wide: bool, count: int) -> list[ConstraintNetwork]:
    """Random networks of four to six nodes, most of whose pairs are joined."""
    rng = random.Random(f"{size} {wide}")
    drawn = []
    for _ in range(count):
        nodes = rng.randint(4, 6)
        pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in combinations(range(nodes), 2)]
        edges = tuple(rng.sample(pairs, max(nodes, int(len(pairs) * 0.7))))
        most = (1 << size) - 1
        labels = tuple(rng.randint(1, most) if wide else 1 << rng.randrange(size) for _ in edges)
        drawn.append(ConstraintNetwork(nodes, edges, labels, edges[0][::-1] if rng.random() < 0.5 else (0, nodes - 1)))
    return drawn


@pytest.mark.parametrize("wide", [False, True], ids=["single relations", "sets of relations"])
@pytest.mark.parametrize("name", ["rcc8", "allen", "point", "rcc5", "colours"])
def test_prolog_derives_what_clingo_finds(tmp_path: Path, name: str, wide: bool) -> None:
    if name == "colours":
        (tmp_path / "colours.pl").write_text(COLOURS)
        name = str(tmp_path / "colours.pl")
    calculus = load_calculus(name)
    drawn = networks(calculus.size, wide=wide, count=60)
    samples = [
        Sample(
            id=str(number),
            task="t",
            split="test",
            label="",
            input={
                "edges": [
                    [u, calculus.text(label), v] for (u, v), label in zip(network.edges, network.labels, strict=True)
                ],
                "query": list(network.query),
            },
        )
        for number, network in enumerate(drawn)
    ]
    expected = [label_of(calculus, mask) for mask in possible(calculus, drawn, complete=True)]
    assert derived_labels(name, samples) == expected
    assert len(set(expected)) > 1


def test_a_calculus_of_ones_own_is_proven_too(tmp_path: Path) -> None:
    calculus = tmp_path / "before.pl"
    calculus.write_text(
        'calculus(before, "Partially ordered time").\nrelation(lt). relation(gt). relation(eq). relation(un).\n'
        "identity(eq).\nconverse(lt, gt). converse(gt, lt). converse(eq, eq). converse(un, un).\n"
        + "".join(
            f"composition({a}, {b}, [{', '.join(cell.split())}]).\n"
            for a, row in {
                "lt": ("lt", "lt gt eq un", "lt", "lt un"),
                "gt": ("lt gt eq un", "gt", "gt", "gt un"),
                "eq": ("lt", "gt", "eq", "un"),
                "un": ("lt un", "gt un", "un", "lt gt eq un"),
            }.items()
            for b, cell in zip(("lt", "gt", "eq", "un"), row, strict=True)
        )
    )
    config = tmp_path / "before.yml"
    config.write_text(f"calculus: {calculus}\ntest: {{cells: [{{k: [2, 3], b: [1], rows: 5}}]}}\n")
    dataset = hornbeam.generate("star", str(config), out=tmp_path / "data", seed=1)
    assert dataset.manifest.proven is not None
    assert dataset.manifest.proven["labels"] == len(dataset.samples) > 0
    answers = dataset.query("judged(Id, Label), true_answer(Id, Label)")
    assert len(answers) == len(dataset.samples)


def test_a_label_that_does_not_follow_is_named() -> None:
    given = {"edges": [[0, "NTPP", 1], [1, "NTPP", 2]], "query": [0, 2]}
    with pytest.raises(DatasetError, match=r"sample s is labelled TPP, but SWI-Prolog derives NTPP from theory\.pl"):
        prove("rcc8", [Sample("s", "t", "test", "TPP", input=given)])
