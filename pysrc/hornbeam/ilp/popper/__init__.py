"""Popper: its task directories, and the harness that runs it.

Popper (A. Cropper and R. Morel, "Learning programs by learning from failures", Machine Learning 2021) is a separate
program. We write the directory that it reads, start it in its own process, and read its result back.
"""
