"""Calls of predicates that nobody defines: an error, for such a call would fail and look like a wrong rule."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

from hornbeam.errors import UsageError
from hornbeam.theory.renaming import calls
from hornbeam.theory.theory import Indicator, Theory


def refuse_undefined(learned: Theory, unknown: Iterable[Indicator], known: Collection[Indicator]) -> None:
    """UsageError for the first clause that calls one of `unknown`, with the nearest of `known`."""
    undefined = set(unknown)
    places = {
        found: statement.line
        for statement in reversed(learned.statements)
        for found in reversed([*calls(statement.clause)])
        if found in undefined
    }
    if not places:
        return
    name, arity = first = min(places, key=lambda found: (places[found] or 0, found))
    others = sorted(f"{other}/{size}" for other, size in places if (other, size) != first)
    also = f"; nor does anybody define {', '.join(others)}" if others else ""
    raise UsageError(
        f"the learned theory calls {name}/{arity}, which nobody defines{_nearest(first, known)}{also}",
        file=learned.name or "<theory>",
        line=places[first],
    )


def _nearest(missing: Indicator, known: Collection[Indicator]) -> str:
    name, arity = missing
    other_arities = sorted(found[1] for found in known if found[0] == name)
    if other_arities:
        return f"; did you mean {name}/{other_arities[0]}?"
    fitting = {found[0] for found in known if found[1] == arity}
    near = difflib.get_close_matches(name, sorted(fitting), n=1) or difflib.get_close_matches(
        name, sorted({found[0] for found in known}), n=1
    )
    if not near:
        return ""
    found = min(found for found in known if found[0] == near[0] and (near[0] not in fitting or found[1] == arity))
    hint = f" (--rename {name}={found[0]})" if found[1] == arity else ""
    return f"; did you mean {found[0]}/{found[1]}?{hint}"
