"""Models that read a story and relate two of its persons."""
