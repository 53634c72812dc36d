"""Learners of theories: our own, and wrappers for Aleph and Popper."""

from hornbeam.ilp.learned import Learned
from hornbeam.ilp.runner import fit

__all__ = ["Learned", "fit"]
