"""Learners of theories: our own, and the harnesses of Aleph and Popper."""
