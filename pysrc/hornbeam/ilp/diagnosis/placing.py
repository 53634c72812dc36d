"""Fitting a clause to modes: which mode each literal is called with, and how far each variable is from the head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hornbeam.logic.terms import Clause, Compound, Term, Var, to_text, variables
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode, Place
from hornbeam.theory.theory import Indicator, arguments, atom_of, indicator, is_negative

_MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a literal does not fit a mode: `kind` is mode, constant, term, type or unbound."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Placing:
    """A way to write the clause: types and depths of its variables, and the literals in an order that can be called."""

    types: Mapping[str, str] = field(default_factory=dict)
    depths: Mapping[str, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    modes: Mapping[int, Mode] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        return max(self.depths.values(), default=0)


@dataclass(frozen=True, slots=True)
class Placed:
    """The best way that was found, and for each literal that has no place (None: the head) why not."""

    placing: Placing
    misfits: Mapping[int | None, tuple[Misfit, ...]]


def place(clause: Clause, bias: Bias) -> Placed:
    """Fit a clause to a bias. Literals without any mode at all are left out: they are another kind of finding."""
    search = _Search(clause, bias)
    return search.run()


def modes_for(literal: Term, bias: Bias) -> list[Mode]:
    """The declarations that a body literal may be called with; a recursive call takes the head's."""
    wanted, negative = indicator(atom_of(literal)), is_negative(literal)
    modes = [mode for mode in bias.body if mode.indicator == wanted and (mode.negated or not negative)]
    if not negative and wanted in bias.targets and not modes:
        modes = [mode for mode in bias.head if mode.indicator == wanted]
    return modes


class _Search:
    """Tries modes literal by literal, those nearest to the head first; keeps the way that places most."""

    def __init__(self, clause: Clause, bias: Bias) -> None:
        self._clause = clause
        self._bias = bias
        self._options = {number: modes_for(literal, bias) for number, literal in enumerate(clause.body)}
        self._best = Placing()
        self._steps = 0

    def run(self) -> Placed:
        starts = [start for mode in self._bias.head if (start := self._start(mode)) is not None]
        if not starts:
            return Placed(Placing(), {None: self._head_misfits()})
        wanted = sum(map(bool, self._options.values()))
        for start in starts:
            self._best = max(self._best, start, key=lambda placing: (len(placing.order), len(placing.types)))
            if self._extend(start, wanted):
                break
        return Placed(self._best, {number: self._misfits(number) for number in self._left(self._best)})

    def _start(self, mode: Mode) -> Placing | None:
        if mode.indicator != indicator(self._clause.head):
            return None
        fitted = self._fitted(self._clause.head, mode, Placing(), head=True)
        if isinstance(fitted, tuple):
            return None
        # A literal without a declaration is a finding by itself; what it would bind is not to be another.
        missing = [self._clause.body[number] for number, options in self._options.items() if not options]
        bound = {name: 1 for literal in missing if not is_negative(literal) for name in variables(literal)}
        return Placing(fitted.types, {**bound, **fitted.depths})

    def _head_misfits(self) -> tuple[Misfit, ...]:
        fits = [
            self._fitted(self._clause.head, mode, Placing(), head=True)
            for mode in self._bias.head
            if mode.indicator == indicator(self._clause.head)
        ]
        return next((misfits for misfits in fits if isinstance(misfits, tuple)), ())

    def _left(self, placing: Placing) -> list[int]:
        return [number for number, options in self._options.items() if options and number not in placing.order]

    def _extend(self, placing: Placing, wanted: int) -> bool:
        """Depth-first; True when all are placed."""
        self._steps += 1
        if len(placing.order) > len(self._best.order):
            self._best = placing
        if len(placing.order) == wanted:
            return True
        if self._steps > _MOST_STEPS:
            return False
        for literal in self._callable(placing):
            nearest = sorted(self._placings(literal, placing), key=lambda extended: extended.depth)
            # What can be called can be called later, too: only its modes are a choice.
            return any(self._extend(extended, wanted) for extended in nearest)
        return False

    def _callable(self, placing: Placing) -> Iterator[int]:
        """The first literal that introduces its variables nearest to the head."""
        nearest = [
            (min(extended.depth for extended in placings), number)
            for number in self._left(placing)
            if (placings := list(self._placings(number, placing)))
        ]
        if nearest:
            yield min(nearest)[1]

    def _placings(self, number: int, placing: Placing) -> Iterator[Placing]:
        literal = self._clause.body[number]
        for mode in self._options[number]:
            fitted = self._fitted(atom_of(literal), mode, placing, bound_only=is_negative(literal))
            if isinstance(fitted, Placing):
                yield Placing(fitted.types, fitted.depths, (*placing.order, number), {**placing.modes, number: mode})

    def _misfits(self, number: int) -> tuple[Misfit, ...]:
        """What is wrong with the mode that fits best."""
        literal = self._clause.body[number]
        atom, negative = atom_of(literal), is_negative(literal)
        tried = [self._fitted(atom, mode, self._best, bound_only=negative) for mode in self._options[number]]
        return min((misfits for misfits in tried if isinstance(misfits, tuple)), key=len, default=())

    def _fitted(
        self, atom: Term, mode: Mode, before: Placing, *, head: bool = False, bound_only: bool = False
    ) -> Placing | tuple[Misfit, ...]:
        """The placing with this literal in it, or what is wrong."""
        types, depths, misfits = dict(before.types), dict(before.depths), []
        parts = list(zip(arguments(atom), mode.places, strict=True))
        inputs = [arg.name for arg, place in parts if isinstance(arg, Var) and place.fill == "+" and not head]
        depth = 0 if head else 1 + max((depths.get(name, 0) for name in inputs), default=0)
        for number, (argument, place) in enumerate(parts, start=1):
            needs_bound = not head and (place.fill == "+" or bound_only)
            misfit = self._misfit(argument, place, types, depths, needs_bound)
            if misfit is not None:
                misfits.append(Misfit(misfit.kind, f"place {number} of {mode} {misfit.text}"))
            elif isinstance(argument, Var):
                if types.get(argument.name, ANY_TYPE) == ANY_TYPE:
                    types[argument.name] = place.type
                if not (head and place.fill == "-"):
                    depths.setdefault(argument.name, depth)
        return tuple(misfits) if misfits else Placing(types, depths, before.order, before.modes)

    def _misfit(
        self, argument: Term, place: Place, types: Mapping[str, str], depths: Mapping[str, int], needs_bound: bool
    ) -> Misfit | None:
        shown = to_text(argument)
        if place.fill == "#":
            if isinstance(argument, Var):
                missing = f"a mode with -{place.type} is missing"
                return Misfit("mode", f"takes a constant, not the variable {shown}: {missing}")
            known = self._bias.constants.get(place.type)
            if known is not None and argument not in known:
                return Misfit("constant", f"takes a constant of type {place.type}, and {shown} is not among them")
            return None
        if not isinstance(argument, Var):
            if isinstance(argument, Compound | list) and argument != []:
                return Misfit("term", f"takes a variable, and {shown} is a term that is written out")
            missing = f"a mode with #{place.type} is missing"
            return Misfit("constant", f"takes a variable, not the constant {shown}: {missing}")
        kind = types.get(argument.name, ANY_TYPE)
        if ANY_TYPE not in (kind, place.type) and kind != place.type:
            return Misfit("type", f"takes a {place.type}, and {shown} is a {kind}")
        if needs_bound and argument.name not in depths:
            return Misfit("unbound", f"is an input, and no literal that can be called binds {shown}")
        return None


def connected(clause: Clause) -> list[int]:
    """The body literals that are linked to the head through variables, by any way."""
    reached, numbers = set(variables(clause.head)), set[int]()
    grown = True
    while grown:
        more = {
            number
            for number, literal in enumerate(clause.body)
            if number not in numbers and (not variables(literal) or reached & set(variables(literal)))
        }
        numbers |= more
        reached |= {name for number in more for name in variables(clause.body[number])}
        grown = bool(more)
    return sorted(numbers)


def helpers(clauses: Sequence[Clause], targets: Sequence[Indicator]) -> list[Indicator]:
    """The predicates that a theory defines for its own use: called by it, and not to be learned."""
    called = {indicator(atom_of(literal)) for clause in clauses for literal in clause.body}
    return sorted({indicator(clause.head) for clause in clauses} & called - set(targets))
