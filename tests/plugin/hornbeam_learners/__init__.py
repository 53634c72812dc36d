"""Learners of another package, found through the entry point group ``hornbeam.learners``."""
