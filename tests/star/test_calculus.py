"""Calculi: compiled from their files, refused when they are wrong, closed and distributive."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.errors import UsageError
from hornbeam.logic import Prolog
from hornbeam.star.knowledge import load_calculus, read_calculus, shipped


@pytest.mark.parametrize("name", shipped())
def test_masks_are_the_table_of_the_prolog_file(name: str) -> None:
    calculus = load_calculus(name)
    prolog = Prolog()
    module = prolog.load(resources.kb("star", f"{name}.pl"), module=f"star_test_{name}")
    rows = [(a, b) for a in calculus.relations for b in calculus.relations]
    cells = prolog.once_many("composition(A, B, Rs)", over=("A", "B"), rows=rows, get="Rs", module=module)
    for (a, b), names in zip(rows, cells, strict=True):
        assert calculus.names(calculus.compose(calculus.parse(a), calculus.parse(b))) == tuple(names)


@pytest.mark.parametrize(("name", "closed"), [("rcc8", 37), ("allen", 29), ("rcc5", 12), ("point", 4)])
def test_closed_relations_are_distributive(name: str, closed: int) -> None:
    calculus = load_calculus(name)
    assert len(calculus.closed_relations) == closed
    assert calculus.distributive


def test_texts_of_a_file_come_as_they_are(tmp_path: Path) -> None:
    assert load_calculus("rcc8").title == "RCC-8: eight relations of two regions"
    file = tmp_path / "empty.pl"
    file.write_text("")
    with pytest.raises(UsageError) as caught:
        read_calculus(file)
    assert str(caught.value) == f'{file}: there is no calculus(Name, "Title")'


def test_composition_of_sets_is_the_union_over_their_members() -> None:
    allen = load_calculus("interval")
    first, second = allen.parse("o|s|di"), allen.parse("m|f")
    union = 0
    for a in bits(first):
        for b in bits(second):
            union |= allen.cells[a][b]
    assert allen.compose(first, second) == union


def test_a_calculus_of_ones_own_is_one_file(tmp_path: Path) -> None:
    file = tmp_path / "parity.pl"
    file.write_text(
        'calculus(parity, "Same or other").\nrelation(same). relation(other).\nidentity(same).\n'
        "converse(same, same). converse(other, other).\n"
        "composition(same, same, [same]). composition(same, other, [other]).\n"
        "composition(other, same, [other]). composition(other, other, [same]).\n"
    )
    parity = load_calculus(str(file))
    assert parity.name == "parity"
    assert parity.text(parity.compose(parity.parse("other"), parity.parse("other"))) == "same"


@pytest.mark.parametrize(
    ("change", "message", "placed"),
    [
        (("composition('<', '<', ['<']).", "composition('<', '<', ['>'])."), "Peircean law|converse|associat", False),
        (("composition('<', '=', ['<']).", "composition('<', '=', [before])."), "before is not one of", True),
        (("converse('<', '>').\n", ""), "relation < has 0 converses", False),
        (("relation('>').", "relation('>') :- halt."), "^[^ ]*wrong.pl:25: .* is no fact of a calculus", True),
        (("relation('>').", "relation('>|<')."), r"a relation cannot be called '>\|<'", True),
        (("relation('>').", "relation(inconsistent)."), "a relation cannot be called 'inconsistent'", True),
        (("converse('>', '<').", "converse('>', '<'). converse(x, y)."), "x is not one of the relations", True),
    ],
)
def test_a_wrong_calculus_is_refused(tmp_path: Path, change: tuple[str, str], message: str, placed: bool) -> None:
    text = resources.kb("star", "point.pl").read_text()
    assert change[0] in text
    file = tmp_path / "wrong.pl"
    file.write_text(text.replace(*change))
    with pytest.raises(UsageError, match=message) as caught:
        read_calculus(file)
    line = text[: text.index(change[0])].count("\n") + 1
    assert (caught.value.file, caught.value.line) == (str(file), line if placed else None)


def test_an_unknown_calculus_or_relation_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean 'rcc8'"):
        load_calculus("rcc9")
    with pytest.raises(UsageError, match="did you mean 'NTPP'"):
        load_calculus("rcc8").parse("NTP")
