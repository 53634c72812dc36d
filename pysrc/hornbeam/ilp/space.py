"""What a learner can express of a bias: its own restrictions beside those that the bias states for all.

A learner that cannot say all that a bias allows overrides :meth:`Learner.space`; the bias auditor asks it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbeam.tasks.bias import Bias


@dataclass(frozen=True, slots=True)
class Space:
    """The bias as the learner searches it, with sizes of its own settings put in, and what it cannot write at all."""

    bias: Bias
    constants: bool = True  # in # places
    counted_constants: bool = False  # whether each constant is a body literal and a variable more
    negation: bool = True
    recursion: bool = True
    invention: bool = True
    repeated_variables: bool = True  # the same variable twice in one literal
    repeated_head_variables: bool = True  # and in the head
    unused_head_variables: bool = True  # head variables that no body literal has
    unconnected: bool = True  # body literals that share no variable, by any way, with the head
    note: str = ""  # what else a person should know of it
