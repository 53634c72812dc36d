"""Aleph: its task files, and the harness that runs it.

Aleph (A. Srinivasan, "The Aleph Manual") is a separate Prolog program, free for academic use only: it is located where
the user has it, never copied, and runs in a `swipl` process of its own.
"""
