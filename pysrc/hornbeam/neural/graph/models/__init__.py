"""Models that relate two nodes of a labelled graph. Each takes a :class:`NetworkBatch` and gives a score a relation."""
