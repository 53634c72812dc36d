"""A difference as text: the verdict, then a unified diff, which patch readers and colouring pagers know."""

from __future__ import annotations

from collections.abc import Iterator

from hornbeam.logic.terms import to_text
from hornbeam.theory.alignment import Pair
from hornbeam.theory.behaviour import Disagreement
from hornbeam.theory.difference import Diff
from hornbeam.theory.show import words


def diff_text(made: Diff, *, every: bool = False) -> str:
    """The whole difference; nothing is coloured. Rules that are the same are counted, or with `every` shown."""
    return "\n".join(_lines(made, every))


def _lines(made: Diff, every: bool) -> Iterator[str]:
    yield " ".join(words.first_line(made).split())
    yield f"--- {made.true.name or 'true'}"
    yield f"+++ {made.learned.name or 'learned'}"
    for pair in made.alignment.pairs if every else words.changed(made):
        yield from _pair(made, pair)
    same = len(words.unchanged(made))
    if same and not every:
        yield f"# {words.unchanged_line(same)}; --all shows {'it' if same == 1 else 'them'}"
    for number in made.alignment.missing:
        yield f"@@ true {number + 1}: missing from the learned theory @@"
        yield f"-{made.true.texts[number]}"
    for number in made.alignment.extra:
        yield f"@@ learned {number + 1}: not in the true theory @@"
        yield f"+{made.learned.texts[number]}"
    for found in made.redundant:
        yield f"# learned clause {found.number + 1} is redundant: {found.reason}"
    for line in words.equivalence_lines(made):
        yield f"# {line}"
    yield f"# {', '.join(f'{name} {value}' for name, value in words.figures(made).items())}"
    yield from _meaning(made)
    for note in made.notes:
        yield f"# {note}"


def _pair(made: Diff, pair: Pair) -> Iterator[str]:
    if pair.relation == "variant":
        yield f" {made.true.texts[pair.true]}"
        return
    yield f"@@ true {pair.true + 1}, learned {pair.learned + 1}: {words.RELATIONS[pair.relation]} @@"
    head, *body = pair.changes
    for change, end in [(head, " :-" if body else "."), *((change, "") for change in body)]:
        indent = "" if change is head else "    "
        if change.kind == "kept":
            yield f" {indent}{change.true}{end}"
            continue
        if change.true is not None:
            yield f"-{indent}{change.true}{end}"
        if change.learned is not None:
            yield f"+{indent}{change.learned}{end}"


def _meaning(made: Diff) -> Iterator[str]:
    for found in made.missing_facts:
        yield f"-fact {to_text(found.fact)}   # {words.missing_reason(made, found)}"
        yield from (f" #   {line}" for line in (found.proof.lines("true clause") if found.proof else ()))
    for found in made.extra_facts:
        yield f"+fact {to_text(found.fact)}   # {words.extra_reason(found)}"
        yield from (f" #   {line}" for line in (found.proof.lines("learned clause") if found.proof else ()))
    if made.comparison is not None:
        yield from _rest(made.comparison.fn - len(made.missing_facts), "-", "facts only the true theory derives")
        yield from _rest(made.comparison.fp - len(made.extra_facts), "+", "facts only the learned theory derives")
    if made.behaviour is not None:
        for disagreed in made.behaviour.only_true:
            yield f"-covers {_example(disagreed)}   # {words.disagreement_reason(disagreed)}"
        for disagreed in made.behaviour.only_learned:
            yield f"+covers {_example(disagreed)}   # {words.disagreement_reason(disagreed)}"
        for name, why in made.behaviour.undecided[:20]:
            yield f"# not decided, {name}: {' '.join(why.split())}"
    for line in words.own_lines(made):
        yield f"# {line}"
    for number, text in words.effect_lines(made):
        yield f"# learned clause {number + 1}: {text}"


def _example(found: Disagreement) -> str:
    return found.example.name or to_text(found.example.goal)


def _rest(count: int, sign: str, what: str) -> Iterator[str]:
    if count > 0:
        yield f"{sign}... and {count} more {what}"
