"""Perceivers of pictures."""
