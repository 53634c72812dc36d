"""Tables as theories and back, and beside each other."""

from __future__ import annotations

import pytest

from hornbeam.errors import UsageError
from hornbeam.networks.table import Table
from hornbeam.theory import Theory
from tests.networks.comparison import compare_tables
from tests.networks.planted import intervals, points


@pytest.mark.parametrize("table", [points(), intervals(6)], ids=["points", "intervals"])
def test_a_table_survives_its_text(table: Table) -> None:
    assert Table.of(Theory.parse(str(table.theory()))) == table


def test_the_reading_is_told_by_the_cells_where_it_is_not_said() -> None:
    assert Table.of(Theory.parse("compose(a,a,b).")).reading == "function"
    assert Table.of(Theory.parse("compose(a,a,b). compose(a,a,a).")).reading == "sets"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("compose(a,X,b).", "facts over atoms only"),
        ("compose(a,b,c) :- d.", "facts over atoms only"),
        ("reading(bags).", "expected function or sets"),
        ("answers(many).", "expected one or several or none"),
    ],
)
def test_what_is_no_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Table.of(Theory.parse(text))


class TestComparison:
    TRUTH = "identity(a). converse(b,b). compose(a,b,b). compose(b,b,a). compose(b,b,b). compose(a,a,a)."

    def test_the_same(self) -> None:
        report = compare_tables(Theory.parse(self.TRUTH), Theory.parse(self.TRUTH))
        assert report.same
        assert report.cells == report.right == 3

    def test_order_does_not_matter(self) -> None:
        other = "compose(b,b,b). compose(b,b,a). compose(a,a,a). compose(a,b,b). converse(b,b). identity(a)."
        assert compare_tables(Theory.parse(other), Theory.parse(self.TRUTH)).same

    def test_each_kind_of_difference(self) -> None:
        learned = "compose(b,b,a). compose(a,a,a). compose(b,a,b). converse(a,b)."
        report = compare_tables(Theory.parse(learned), Theory.parse(self.TRUTH))
        assert [one.cell for one in report.missing] == [("a", "b")]
        assert [one.cell for one in report.extra] == [("b", "a")]
        assert [(one.cell, one.true, one.learned) for one in report.wrong] == [(("b", "b"), ("a", "b"), ("a",))]
        assert report.laws_missing == ("converse(b,b).", "identity(a).")
        assert report.laws_extra == ("converse(a,b).",)
        assert str(report).splitlines() == [
            "of 3 cells 1 are right, 1 missing, 1 wrong; 1 more that are not in the truth",
            "- compose(b,b,b).",
            "- compose(a,b,b).",
            "+ compose(b,a,b).",
            "- converse(b,b).",
            "- identity(a).",
            "+ converse(a,b).",
        ]
