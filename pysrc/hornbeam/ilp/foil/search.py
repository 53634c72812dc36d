"""The search for one clause: literals by information gain, with a beam, determinate literals and a look ahead.

Quinlan's FOIL (1990): a literal's gain is the number of true tuples that it keeps, times the bits that each of them
needs less. Where no literal gains much, all determinate literals are added at once: those that give each true tuple
exactly one extension and each false one at most one. Where none gains anything, pairs of literals are tried. What turns
out not to be needed is taken out again at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hornbeam.ilp.foil.coverage import ClauseEvidence, Descent, evidence_of, extend, kept, start
from hornbeam.ilp.foil.language import TableLanguage, Target
from hornbeam.ilp.relations import Flags, TableAtom, TooMany, filled, patterns
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.bias import ANY_TYPE

if TYPE_CHECKING:
    from hornbeam.ilp.foil.learner import FoilSettings

_ENOUGH = 0.8  # share of the greatest possible gain below which determinate literals are tried


@dataclass(frozen=True, slots=True, eq=False)
class ScoredClause:
    """A clause with its merit."""

    evidence: ClauseEvidence
    score: float  # the m-estimate of its accuracy
    gain: float  # bits, over all true examples that it newly covers
    right: int
    wrong: float


@dataclass
class ClauseSearch:
    """Finds clauses for one target."""

    language: TableLanguage
    target: Target
    settings: FoilSettings
    watch: Watch
    descent: Descent = field(default_factory=Descent)

    def clause(self, left: Flags) -> ScoredClause | None:
        """The best clause for the true examples that are left; None if none is good enough."""
        head = TableAtom(self.target.predicate, tuple(range(self.target.positive.shape[1])))
        empty = start(self.language.world, head, self.target.positive, left, self.target.negative)
        prior = empty.tuples[0] / max(1.0, sum(empty.tuples))
        best: ScoredClause | None = None
        front = [empty]
        seen: set[frozenset[TableAtom]] = set()
        while front and not self.watch.time_is_up():
            grown = [child for evidence in front for child in self._children(evidence)]
            front = []
            for _, child in sorted(grown, key=lambda entry: (-entry[0], entry[1].body)):
                key = frozenset(child.body)
                if key in seen:
                    continue
                seen.add(key)
                if len(front) < self.settings.beam:
                    front.append(child)
                elif best is not None and self._found(child, prior).gain < best.gain:
                    continue
                finished = self._finished(empty, child, prior)
                best = max(filter(None, (best, finished)), key=_merit, default=None)
        return best

    # One step -----------------------------------------------------------------------------------------------------

    def _children(self, evidence: ClauseEvidence) -> list[tuple[float, ClauseEvidence]]:
        """The literals that gain, or what may help later where none does."""
        room = self._max_body - (len(evidence.body) - evidence.extra)
        if evidence.tuples[1] == 0 or room < 1:
            return []
        greatest = evidence.tuples[0] * evidence.information
        gained: list[tuple[float, ClauseEvidence]] = []
        others: list[ClauseEvidence] = []
        determinate: list[TableAtom] = []
        least = 0.0
        for atom in self._literals(evidence):
            if self.watch.time_is_up():
                break
            child = self._extended(evidence, atom, least)
            if child is None:
                continue
            gain = _gain(evidence, child)
            if gain > 1e-9:
                gained.append((gain, child))
                least = self._least(gained)
            elif set(atom.args) - set(evidence.names):
                others.append(child)
            if room > 1 and self.settings.determinate and _is_determinate(evidence, child, atom):
                determinate.append(atom)
        best = max((gain for gain, _ in gained), default=0.0)
        if best < _ENOUGH * greatest and determinate:
            gained += self._all_of(evidence, determinate)
        if not gained and self.settings.lookahead:
            gained = self._pairs(evidence, others)
        gained.sort(key=lambda entry: (-entry[0], entry[1].body))
        return gained[: 4 * self.settings.beam]

    def _least(self, gained: list[tuple[float, ClauseEvidence]]) -> float:
        """The gain below which a literal is not looked at: enough others have more, and determinate ones are out."""
        enough = 4 * self.settings.beam
        return sorted((gain for gain, _ in gained), reverse=True)[enough - 1] if len(gained) >= enough else 0.0

    @property
    def _max_body(self) -> int:
        return self.settings.max_body or self.language.bias.max_body

    def _all_of(self, evidence: ClauseEvidence, atoms: list[TableAtom]) -> list[tuple[float, ClauseEvidence]]:
        """All determinate literals at once, each with new variables of its own, as far as there is room."""
        grown = evidence
        for atom in atoms[: self.settings.determinate]:
            fresh = max(grown.names) + 1
            new = sorted(set(atom.args) - set(evidence.names))
            renamed = TableAtom(
                atom.predicate, tuple(fresh + new.index(arg) if arg in new else arg for arg in atom.args)
            )
            child = self._extended(grown, renamed)
            grown = grown if child is None else child
        # They come last among what gains: their worth shows in the next step.
        added = len(grown.body) - len(evidence.body)
        return [(1e-6, replace(grown, extra=evidence.extra + added))] if added else []

    def _pairs(self, evidence: ClauseEvidence, others: list[ClauseEvidence]) -> list[tuple[float, ClauseEvidence]]:
        """Two literals at once: the first with a new variable, the second about it."""
        ordered = sorted(others, key=lambda child: (-kept(evidence, child), child.body))
        gained: list[tuple[float, ClauseEvidence]] = []
        for first in ordered[: self.settings.lookahead]:
            new = set(first.names) - set(evidence.names)
            for atom in self._literals(first):
                if self.watch.time_is_up():
                    return gained
                if new & set(atom.args):
                    child = self._extended(first, atom)
                    if child is not None and _gain(evidence, child) > 1e-9:
                        gained.append((_gain(evidence, child), child))
        return gained

    def _extended(self, evidence: ClauseEvidence, atom: TableAtom, least: float = 0.0) -> ClauseEvidence | None:
        self.watch.count()
        try:
            child = extend(self.language.world, evidence, atom, least)
        except TooMany:
            return None
        if child is None or (atom.predicate == child.head.predicate and self.descent.places(child) is None):
            return None
        return child

    # Literals -----------------------------------------------------------------------------------------------------

    def _literals(self, evidence: ClauseEvidence) -> Iterator[TableAtom]:
        """Every literal that shares a variable with the clause, is well typed, and is not there yet."""
        names = evidence.variables
        types = self._types(evidence)
        depths = _depths(evidence)
        most = self.language.bias.max_vars + (self.settings.determinate if evidence.extra else 0)
        own = self.language.symbols[self.target.predicate].relation
        for predicate in self.language.body:
            symbol = self.language.symbols[predicate]
            if symbol.relation == own and not self.language.recursion:
                continue
            for place in range(len(symbol.open)):
                for way in patterns(len(symbol.open), len(names), place, most):
                    for variable in names:
                        atom = TableAtom(predicate, filled(way, names, variable))
                        new = atom not in evidence.body and atom != evidence.head
                        if new and self._fits(atom, names, types, depths):
                            yield atom

    def _fits(self, atom: TableAtom, names: list[int], types: dict[int, str], depths: dict[int, int]) -> bool:
        symbol = self.language.symbols[atom.predicate]
        if any(atom.args[at] not in names for at in symbol.bound):
            return False
        own: dict[int, str] = {}
        for arg, type_ in zip(atom.args, symbol.types, strict=True):
            known = types.get(arg, own.get(arg, ANY_TYPE))
            if ANY_TYPE not in (known, type_) and known != type_:
                return False
            own[arg] = type_ if known == ANY_TYPE else known
        nearest = min(depths[arg] for arg in atom.args if arg in depths)
        return nearest < self.language.bias.depth or all(arg in depths for arg in atom.args)

    def _types(self, evidence: ClauseEvidence) -> dict[int, str]:
        types = dict(zip(evidence.head.args, self.target.types, strict=True))
        for atom in evidence.body:
            for arg, type_ in zip(atom.args, self.language.symbols[atom.predicate].types, strict=True):
                if types.get(arg, ANY_TYPE) == ANY_TYPE:
                    types[arg] = type_
        return types

    # The finished clause ------------------------------------------------------------------------------------------

    def _finished(self, empty: ClauseEvidence, child: ClauseEvidence, prior: float) -> ScoredClause | None:
        """The clause without literals that it does not need, if it is good enough then."""
        if not _safe(child):
            return None
        best = self._found(child, prior)
        shrunk = True
        while shrunk and len(best.evidence.body) > 1:
            shrunk = False
            for at in reversed(range(len(best.evidence.body))):
                body = best.evidence.body[:at] + best.evidence.body[at + 1 :]
                shorter = evidence_of(self.language.world, empty, body)
                if shorter is not None and _safe(shorter):
                    self.watch.count()
                    scored = self._found(shorter, prior)
                    if scored.score >= best.score - 1e-12 and self.descent.places(shorter) is not None:
                        best, shrunk = scored, True
                        break
        variables = {arg for atom in (best.evidence.head, *best.evidence.body) for arg in atom.args}
        if len(best.evidence.body) > self._max_body or len(variables) > self.language.bias.max_vars:
            return None
        return best if best.gain > 1e-9 and self._worth(best) else None

    def _found(self, evidence: ClauseEvidence, prior: float) -> ScoredClause:
        """The merit of a clause: its accuracy, drawn towards that of no clause at all by as many examples as m."""
        right, wrong = evidence.examples()
        wrong = max(0.0, wrong)
        if not right:
            return ScoredClause(evidence, 0.0, 0.0, 0, wrong)
        weight = self.settings.noise
        score = (right + weight * prior) / (right + wrong + weight)
        return ScoredClause(evidence, score, right * float(np.log2(score / prior)), right, wrong)

    def _worth(self, scored: ScoredClause) -> bool:
        """Accurate enough, and shorter than the list of what it covers (minimum description length)."""
        if not scored.right or scored.right / (scored.right + scored.wrong) < self.settings.min_accuracy:
            return False
        target = self.target
        if target.negative is None:
            atoms = float(len(self.language.world.constants)) ** target.positive.shape[1]
        else:
            atoms = float(len(target.positive) + len(target.negative))
        variables = len(set(scored.evidence.names)) - 1
        listed = np.log2(max(2.0, atoms)) + _log2_choose(atoms, scored.right)
        return bool(self.language.bits(scored.evidence.body, variables) <= listed)


def _gain(before: ClauseEvidence, after: ClauseEvidence) -> float:
    return kept(before, after) * (before.information - after.information) if len(after.own) else 0.0


def _merit(scored: ScoredClause) -> tuple[float, float, int]:
    """The gain of the whole clause over none: accuracy alone would prefer clauses for a handful of examples."""
    return (round(scored.gain, 9), scored.score, -len(scored.evidence.body))


def _safe(evidence: ClauseEvidence) -> bool:
    return set(evidence.head.args) <= {arg for atom in evidence.body for arg in atom.args}


def _depths(evidence: ClauseEvidence) -> dict[int, int]:
    """How many literals each variable is away from the head."""
    depths = dict.fromkeys(evidence.head.args, 0)
    for atom in evidence.body:
        nearest = min((depths[arg] for arg in atom.args if arg in depths), default=0)
        for arg in atom.args:
            depths.setdefault(arg, nearest + 1)
    return depths


def _is_determinate(before: ClauseEvidence, after: ClauseEvidence, atom: TableAtom) -> bool:
    """Exactly one extension of each true tuple, at most one of each false one, and a variable that is really new."""
    known = set(before.names)
    if set(atom.args) <= known or len(after.positive) != len(before.positive):
        return False
    if any(_same_call(atom, other, known) for other in before.body):
        return False
    columns = [after.names.index(name) for name in before.names]
    if len(np.unique(after.positive[:, columns], axis=0)) != len(after.positive):
        return False
    if before.negative is None or after.negative is None:
        return True
    return len(np.unique(after.negative[:, columns], axis=0)) == len(after.negative)


def _same_call(atom: TableAtom, other: TableAtom, known: set[int]) -> bool:
    """Whether a literal asks again what another has answered."""
    return atom.predicate == other.predicate and all(
        one == two for one, two in zip(atom.args, other.args, strict=True) if one in known
    )


def _log2_choose(total: float, chosen: int) -> float:
    at = np.arange(chosen, dtype=np.float64)
    return float(np.sum(np.log2((total - at) / (at + 1))))
