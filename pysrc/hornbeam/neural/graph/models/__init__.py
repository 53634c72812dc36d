"""Models that relate two nodes of a labelled graph. Each takes a :class:`GraphBatch` and gives a score a relation."""
