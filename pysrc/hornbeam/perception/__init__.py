"""Perception: what learners see (pictures, stories) becomes the symbols that theories speak of."""
