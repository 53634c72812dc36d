"""Story readers. Each takes a :class:`TextBatch` and gives a score a relation."""
