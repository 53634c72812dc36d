"""What Popper can express of a bias, in the task that we write for it (see `plain` and `writer`)."""

from __future__ import annotations

from dataclasses import replace

from hornbeam.ilp.popper.bias_file import MAX_CLAUSES
from hornbeam.ilp.popper.plain import constant_types, opened
from hornbeam.ilp.popper.writer import has_directions
from hornbeam.ilp.space import Space
from hornbeam.tasks.bias import Bias


def popper_space(bias: Bias, room: int) -> Space:
    """A constant is a predicate that holds of it alone: a literal and a variable, of which `room` more are allowed.

    Variables of a literal are different ones, the head's are all in the body, and all literals are linked to it. The
    number of clauses is bounded only where clauses call one another, and how far a variable is from the head never.
    """
    listed = {kind: bias.constants.get(kind, ()) for kind in constant_types(bias.body)}
    more = room if any(listed.values()) else 0
    directed = has_directions((*bias.head[:1], *map(opened, bias.body)))
    said = bias if directed else bias.undirected()
    return Space(
        replace(
            said,
            head=tuple(mode.filled({"#": "?"}) for mode in said.head[:1]),
            constants=listed,
            max_body=bias.max_body + more,
            max_vars=bias.max_vars + more,
            max_clauses=(bias.max_clauses or MAX_CLAUSES) if bias.recursion or bias.invention else None,
            depth=bias.max_body + more,
        ),
        counted_constants=True,
        negation=False,
        repeated_variables=False,
        repeated_head_variables=False,
        unused_head_variables=False,
        unconnected=False,
        note=f"a constant counts as a literal and a variable, of which {more} more are allowed" if more else "",
    )
