"""The columns of a network in tables."""

from __future__ import annotations

from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column

COLUMNS = (
    Column("edges", EDGES, "input.edges", "the network; a relation such as DC|EC is one of several"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about"),
    Column("calculus", TEXT, "symbolic.calculus", "rcc8, allen or another calculus"),
    Column("k", INTEGER, "symbolic.k", "the edges of a path from the first node to the second"),
    Column("b", INTEGER, "symbolic.b", "the number of these paths"),
    Column("nodes", INTEGER, "symbolic.nodes", "the number of nodes of a tangle, which has no k and b"),
    Column("paths", [TEXT], "proof.paths", "what each path says by itself"),
    Column("conflict", [INTEGER], "proof.conflict", "the numbers of the edges that contradict each other"),
)
