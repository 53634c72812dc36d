"""A difference as one JSON object."""

from __future__ import annotations

from typing import Any

from hornbeam.logic.terms import to_text
from hornbeam.theory.behaviour import Behaviour, Disagreement
from hornbeam.theory.blame import Explanation, Proof
from hornbeam.theory.counterexample import Counterexample
from hornbeam.theory.difference import Diff
from hornbeam.theory.equivalence import Equivalence
from hornbeam.theory.show import words


def diff_json(made: Diff) -> dict[str, Any]:
    """The keys of the design, and more."""
    only_true, only_learned = _only(made)
    true, learned = made.true, made.learned
    return {
        "verdict": made.verdict.to_json() if made.verdict is not None else None,
        "equivalent": made.verdict.equivalent if made.verdict is not None else None,
        "equivalence": _equivalence(made.equivalence),
        "equivalent_on_inputs": made.on_inputs.verdict,
        "equivalence_on_inputs": _equivalence(made.on_inputs),
        "scores": made.scores(),
        "clauses": [
            {
                "true": true.texts[pair.true],
                "learned": learned.texts[pair.learned],
                "relation": pair.relation,
                "true_number": pair.true + 1,
                "learned_number": pair.learned + 1,
                "distance": float(pair.distance),
                "renaming": dict(pair.renaming),
                "literals": [
                    {"kind": change.kind, "true": change.true, "learned": change.learned} for change in pair.changes
                ],
            }
            for pair in made.alignment.pairs
        ],
        "missing": [true.texts[number] for number in made.alignment.missing],
        "extra": [learned.texts[number] for number in made.alignment.extra],
        "redundant": [{"clause": learned.texts[found.number], "reason": found.reason} for found in made.redundant],
        "only_true": only_true,
        "only_learned": only_learned,
        "by_predicate": {
            name: dict(zip(("tp", "fp", "fn"), counts, strict=True))
            for name, counts in (made.comparison.by_predicate if made.comparison else {}).items()
        },
        "effects": [{"clause": learned.texts[number], "effect": text} for number, text in words.effect_lines(made)],
        "behaviour": _behaviour(made.behaviour) if made.behaviour else None,
        "samples": made.own.to_json() if made.own else None,
        "rejected": [str(found) for found in learned.rejected],
        "notes": list(made.notes),
    }


def _only(made: Diff) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    missing = [_explained(found, words.missing_reason(made, found), "true") for found in made.missing_facts]
    extra = [_explained(found, words.extra_reason(found), "learned") for found in made.extra_facts]
    if made.behaviour is not None:
        missing += map(_disagreed, made.behaviour.only_true)
        extra += map(_disagreed, made.behaviour.only_learned)
    return missing, extra


def _explained(found: Explanation, reason: str, by: str) -> dict[str, Any]:
    return {
        "fact": to_text(found.fact),
        "reason": reason,
        "clause": None if found.clause is None else found.clause + 1,
        "step": None if found.step is None else to_text(found.step),
        "broken": [
            {"clause": broken.clause + 1, "held": list(map(to_text, broken.held)), "literal": to_text(broken.literal)}
            for broken in found.broken
        ],
        "proof": None if found.proof is None else _proof(found.proof),
        "proof_by": by,
    }


def _proof(proof: Proof) -> dict[str, Any]:
    made: dict[str, Any] = {"atom": to_text(proof.atom), "by": proof.kind}
    if proof.clause is not None:
        made |= {"clause": proof.clause + 1, "premises": [_proof(premise) for premise in proof.premises]}
    return made


def _disagreed(found: Disagreement) -> dict[str, Any]:
    return {
        "sample": found.example.name,
        "goal": to_text(found.example.goal),
        "label": found.example.label,
        "reason": words.disagreement_reason(found),
        "clause": None if found.clause is None else found.clause + 1,
        "broken": [{"clause": number + 1, "literal": literal} for number, literal in found.broken],
    }


def _behaviour(found: Behaviour) -> dict[str, Any]:
    return {
        "examples": found.examples,
        "scores": found.scores,
        "labels": found.labels,
        "truth_on_labels": found.truth_on_labels,
        "undecided": [{"example": name, "why": why} for name, why in found.undecided],
    }


def _equivalence(found: Equivalence) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "how": found.how,
        "true_entails_learned": found.true_entails,
        "learned_entails_true": found.learned_entails,
        "counterexample": _counterexample(found.counterexample) if found.counterexample else None,
    }


def _counterexample(found: Counterexample) -> dict[str, Any]:
    return {
        "facts": list(map(to_text, found.facts)),
        "derived": to_text(found.fact),
        "by": found.by,
        "smallest": found.smallest,
    }
