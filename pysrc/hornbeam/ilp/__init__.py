"""Learners of theories: our own, and the harnesses of Aleph and Popper."""

from hornbeam.ilp.runner import Learned, Limit, fit

__all__ = ["Learned", "Limit", "fit"]
