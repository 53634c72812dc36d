"""Pairs learned clauses with true ones, and compares their literals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from hornbeam.logic.terms import Clause, Term, Var, substitute, to_text, variables
from hornbeam.theory.distance import assign, canonical, rule_distance, rule_match
from hornbeam.theory.subsumption import relations
from hornbeam.theory.theory import Form, Theory, arguments, atom_of, indicator, literal_kind

# Pairs of clauses that are compared one by one; past it only variants are paired.
_MOST_PAIRS = 40_000


@dataclass(frozen=True, slots=True)
class LiteralChange:
    """A literal of the true clause beside one of the learned clause.

    `kind` is kept, changed (other arguments), swapped (the same arguments in another order), missing or extra.
    """

    kind: str
    true: str | None
    learned: str | None


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A true and a learned clause, by their numbers from 0."""

    true: int
    learned: int
    relation: str
    distance: Fraction
    renaming: Mapping[str, str]  # learned variables to true ones
    changes: tuple[LiteralChange, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """All clauses, each once. `complete` is False if the theories are too large to compare all clauses."""

    pairs: tuple[AlignedPair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    complete: bool


def align(true: Theory, learned: Theory) -> Alignment:
    """Pair clauses at the least total distance; clauses that share nothing but their head stay alone."""
    same = dict(_variants(true, learned))
    partner = dict(same)
    complete = True
    groups: dict[object, tuple[list[int], list[int]]] = {}
    for side, theory in enumerate((true, learned)):
        taken = set(partner) if side == 0 else set(partner.values())
        for number, clause in enumerate(theory.clauses):
            if number not in taken:
                groups.setdefault(indicator(clause.head), ([], []))[side].append(number)
    for lefts, rights in groups.values():
        for mine, theirs in _components(true.clauses, learned.clauses, lefts, rights):
            if len(mine) * len(theirs) > _MOST_PAIRS:
                complete = False
            else:
                partner.update(_assigned(true.clauses, learned.clauses, mine, theirs))
    changed = sorted(pair for pair in partner.items() if pair[0] not in same)
    how = dict(zip(changed, relations([(true.clauses[a], learned.clauses[b]) for a, b in changed]), strict=True))
    pairs = tuple(_pair(true, learned, a, b, how.get((a, b), "variant")) for a, b in sorted(partner.items()))
    taken = set(partner.values())
    return Alignment(
        pairs,
        tuple(n for n in range(len(true)) if n not in partner),
        tuple(n for n in range(len(learned)) if n not in taken),
        complete,
    )


def _variants(true: Theory, learned: Theory) -> Iterable[tuple[int, int]]:
    """Clauses that are the same but for names and order: found without comparing all pairs."""
    places: dict[Form, list[int]] = {}
    for number, form in enumerate(learned.forms):
        places.setdefault(form, []).append(number)
    for number, form in enumerate(true.forms):
        same = places.get(form)
        if same:
            yield number, same.pop(0)


def _components(
    true: Sequence[Clause], learned: Sequence[Clause], lefts: list[int], rights: list[int]
) -> Iterable[tuple[list[int], list[int]]]:
    """The clauses in groups between which nothing is shared: no pair of clauses from two groups would be kept."""
    sides = [(0, number, true[number]) for number in lefts] + [(1, number, learned[number]) for number in rights]
    if not any(clause.body for _, _, clause in sides):
        return []
    if not all(clause.body for _, _, clause in sides):
        # A clause without a body may stand beside any other of its head.
        return [(lefts, rights)] if lefts and rights else []
    leader: dict[object, object] = {}

    def leading(kind: object) -> object:
        while leader[kind] != kind:
            leader[kind] = kind = leader[leader[kind]]
        return kind

    for _, _, clause in sides:
        first, *others = map(literal_kind, clause.body)
        leader.setdefault(first, first)
        for kind in others:
            leader.setdefault(kind, kind)
            leader[leading(kind)] = leading(first)
    parts: dict[object, tuple[list[int], list[int]]] = {}
    for side, number, clause in sides:
        parts.setdefault(leading(literal_kind(clause.body[0])), ([], []))[side].append(number)
    return [(mine, theirs) for mine, theirs in parts.values() if mine and theirs]


def _assigned(
    true: Sequence[Clause], learned: Sequence[Clause], lefts: list[int], rights: list[int]
) -> Iterable[tuple[int, int]]:
    costs = [[_cost(true[a], learned[b]) for b in rights] for a in lefts]
    # Whole numbers in place of fractions: the same order, and many times faster.
    scale = lcm(*(cost.denominator for row in costs for cost in row))
    whole = [[cost.numerator * (scale // cost.denominator) for cost in row] for row in costs]
    if len(lefts) <= len(rights):
        pairs = [(lefts[row], rights[column]) for row, column in enumerate(assign(whole))]
    else:
        turned = [list(column) for column in zip(*whole, strict=True)]
        pairs = [(lefts[row], rights[column]) for column, row in enumerate(assign(turned))]
    return [(a, b) for a, b in pairs if _related(true[a], learned[b])]


def _cost(one: Clause, other: Clause) -> Fraction:
    """The distance; clauses that are not shown side by side cost as much as two that stay alone."""
    return rule_distance(one, other) if _related(one, other) else Fraction(1)


def _related(one: Clause, other: Clause) -> bool:
    if not one.body or not other.body:
        return (not one.body and not other.body and one.head == other.head) or bool(one.body) != bool(other.body)
    return bool(set(map(literal_kind, one.body)) & set(map(literal_kind, other.body)))


# What became of the literals --------------------------------------------------------------------------------------


def _pair(true: Theory, learned: Theory, a: int, b: int, relation: str) -> AlignedPair:
    one, other = true.clauses[a], learned.clauses[b]
    plain = _plain_renaming(one, other) if relation == "variant" else None
    if plain is not None:
        kept = tuple(LiteralChange("kept", text, text) for text in map(to_text, (one.head, *one.body)))
        return AlignedPair(a, b, relation, Fraction(0), plain, kept)
    match = rule_match(one, other)
    renaming = {theirs: mine for mine, theirs in match.renaming.items()}
    names = _names(other, renaming, one)
    changes = [_change(one.head, other.head, names)]
    partner = dict(match.pairs)
    for at, literal in enumerate(one.body):
        if at in partner:
            changes.append(_change(literal, other.body[partner[at]], names))
        else:
            changes.append(LiteralChange("missing", to_text(literal), None))
    for at, literal in enumerate(other.body):
        if at not in partner.values():
            changes.append(LiteralChange("extra", None, to_text(substitute(literal, names))))
    return AlignedPair(a, b, relation, match.distance, renaming, tuple(changes))


def _plain_renaming(one: Clause, other: Clause) -> dict[str, str] | None:
    """The renaming that makes two variants equal, where it is plain which literal stands for which; else None."""
    if canonical(one) == canonical(other):
        return dict(zip(variables(other), variables(one), strict=True))
    mine, theirs = ({literal_kind(literal): literal for literal in clause.body} for clause in (one, other))
    if len(mine) < len(one.body) or len(theirs) < len(other.body):
        return None
    places = [(one.head, other.head), *((literal, theirs[kind]) for kind, literal in mine.items())]
    return {name: own for left, right in places for own, name in zip(variables(left), variables(right), strict=True)}


def _names(clause: Clause, renaming: Mapping[str, str], true: Clause) -> dict[str, Term]:
    """The learned clause's variables by the names of the true one; others that would clash get a prime's worth of _."""
    taken = set(variables(true))
    names: dict[str, Term] = {}
    for name in variables(clause):
        chosen = renaming.get(name)
        if chosen is None:
            chosen = name
            while chosen in taken:
                chosen += "_"
        taken.add(chosen)
        names[name] = Var(chosen)
    return names


def _change(true: Term, learned: Term, names: Mapping[str, Term]) -> LiteralChange:
    shown = substitute(learned, names)
    if to_text(shown) == to_text(true):
        kind = "kept"
    elif sorted(map(to_text, arguments(atom_of(shown)))) == sorted(map(to_text, arguments(atom_of(true)))):
        kind = "swapped"
    else:
        kind = "changed"
    return LiteralChange(kind, to_text(true), to_text(shown))
