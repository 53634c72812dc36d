"""Perceivers that are found by their entry points."""
