"""Models that relate two nodes of a labelled graph."""
