"""The columns of a story in tables."""

from __future__ import annotations

from hornbeam.data.columns import EDGES, INTEGER, TEXT, Column

COLUMNS = (
    Column("story", TEXT, "input.story", "the story, names in square brackets"),
    Column("question", TEXT, "input.question", "the question in words"),
    Column("names", [TEXT], "input.names", "the names of the persons, by node"),
    Column("genders", [TEXT], "input.genders", "male or female, by node"),
    Column("edges", EDGES, "input.edges", "what the story says: the target is the source's relation, e.g. its father"),
    Column("query", [INTEGER], "input.query", "the two nodes asked about: what is the second to the first?"),
    Column("k", INTEGER, "symbolic.k", "the facts of the chain from the first to the second, without noise"),
    Column("noise", [TEXT], "symbolic.noise", "the kinds of noise in the story"),
    Column("clause", TEXT, "symbolic.clause", "the clause of the chain, in Prolog"),
    Column(
        "proof",
        [[{"source": TEXT, "relation": TEXT, "target": TEXT}]],
        "proof.steps",
        "the steps of the proof: each a conclusion and the two facts that it follows from",
    ),
)
