"""The columns of a graph in tables."""

from __future__ import annotations

from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column

COLUMNS = (
    Column("edges", EDGES, "input.edges", "the graph"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about"),
    Column("path", [INTEGER], "proof.path", "the nodes of the path that the label follows from"),
    Column("descriptor", TEXT, "proof.descriptor", "the relations along this path"),
    Column("derivable", TEXT, "proof.derivable", "unique, ambiguous, wrong or no: what the world's rules derive"),
    Column("derivation", TEXT, "proof.derivation", "how the rules fold the path to the label"),
    Column("rules", [INTEGER], "proof.rules", "the numbers of these rules in the world"),
    Column("depth", INTEGER, "proof.depth", "the depth of the derivation"),
)
