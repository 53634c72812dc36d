"""The columns of a fact in tables."""

from __future__ import annotations

from hornbeam.data.columns import INTEGER, TEXT, Column

COLUMNS = (
    Column("predicate", TEXT, "input.predicate", "the predicate of the fact"),
    Column("arguments", [TEXT], "input.arguments", "its constants"),
    Column("prolog", TEXT, "symbolic.prolog", "the fact in Prolog"),
    Column("depth", INTEGER, "proof.depth", "of a consequence: the depth of its smallest proof"),
    Column("rule", INTEGER, "proof.rule", "of a consequence: the number of the rule that derives it"),
    Column("premises", [TEXT], "proof.premises", "of a consequence: the ids of the facts that the rule needs"),
)
