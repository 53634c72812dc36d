"""Why two theories differ on a fact: its proof, the rule to blame, or the premise at which a rule breaks.

The reasoning is prolog/theory/proofs.pl's; here are its answers as values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbeam.errors import HornbeamError
from hornbeam.logic import Limits
from hornbeam.logic.terms import Clause, Term, to_text
from hornbeam.theory.reading import MODULE, engine
from hornbeam.theory.subsumption import as_term

_INFERENCES = 2_000_000
_STACK = 1 << 30


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof tree: a fact given, a test that holds, or a clause (by its number from 0) with the proofs of its body."""

    atom: Term
    kind: str  # fact, test or rule
    clause: int | None = None
    premises: tuple[Proof, ...] = ()

    def lines(self, names: str = "rule", indent: str = "") -> list[str]:
        """The tree as indented lines."""
        why = {"fact": "given", "test": "holds"}.get(self.kind) or f"by {names} {(self.clause or 0) + 1}"
        shown = [f"{indent}{to_text(self.atom)}   [{why}]"]
        for premise in self.premises:
            shown += premise.lines(names, indent + "  ")
        return shown


@dataclass(frozen=True, slots=True)
class Broken:
    """A learned clause that might have derived the fact: the literals that hold, and the one that does not."""

    clause: int
    held: tuple[Term, ...]
    literal: Term


@dataclass(frozen=True, slots=True)
class Explanation:
    """A fact that only one theory derives.

    For a learned one, `clause` is the learned clause that concludes `step` wrongly from true premises. For a missing
    one it is the true clause whose conclusion `step` the learned theory does not reach though it has the premises,
    and `broken` says where its own clauses fail, the nearest first.
    """

    fact: Term
    proof: Proof | None  # None if the limits did not suffice
    clause: int | None = None
    step: Term | None = None
    broken: tuple[Broken, ...] = ()


def explain(
    true: Sequence[Clause],
    learned: Sequence[Clause],
    facts: Sequence[Term],
    *,
    missing: Sequence[Term],
    extra: Sequence[Term],
    seconds: float = 60.0,
) -> tuple[list[Explanation], list[Explanation]]:
    """Explanations of facts that only `true` derives, and of those that only `learned` derives.

    Where `seconds` do not suffice for all facts of a kind, their explanations are empty.
    """
    given: dict[str, Term] = {
        "T": [as_term(clause) for clause in true],
        "L": [as_term(clause) for clause in learned],
        "F": list(facts),
        "Limit": _INFERENCES,
    }
    lost = _ask("explain_missing", given, missing, seconds)
    wrong = _ask("explain_extra", given, extra, seconds)
    return (
        [_missing(fact, answer) for fact, answer in zip(missing, lost, strict=True)],
        [_extra(fact, answer) for fact, answer in zip(extra, wrong, strict=True)],
    )


def _ask(what: str, given: dict[str, Term], atoms: Sequence[Term], seconds: float) -> list[Any]:
    if not atoms:
        return []
    goal = f"{what}(T, L, F, Atoms, Limit, Explanations)"
    limits = Limits(seconds=seconds, stack=_STACK)
    try:
        answer = engine().once(goal, given={**given, "Atoms": list(atoms)}, module=MODULE, limits=limits)
    except HornbeamError:
        answer = None
    explanations: Any = answer["Explanations"] if answer else ["none"] * len(atoms)
    return list(explanations)


def _missing(fact: Term, answer: Any) -> Explanation:
    if answer == "none":
        return Explanation(fact, None)
    proof, number, step, broken = answer.args
    return Explanation(
        fact, _proof(proof), number - 1, step, tuple(Broken(b.args[0] - 1, tuple(b.args[1]), b.args[2]) for b in broken)
    )


def _extra(fact: Term, answer: Any) -> Explanation:
    if answer == "none":
        return Explanation(fact, None)
    proof, number, step = answer.args
    return Explanation(fact, _proof(proof), number - 1, step)


def _proof(term: Any) -> Proof:
    if term.functor == "rule":
        number, atom, premises = term.args
        return Proof(atom, "rule", number - 1, tuple(map(_proof, premises)))
    return Proof(term.args[0], term.functor)
