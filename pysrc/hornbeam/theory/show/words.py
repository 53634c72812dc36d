"""What a difference says, in words that are the same in every form of output, and as one JSON object."""

from __future__ import annotations

from typing import Any

from hornbeam.logic.terms import to_text
from hornbeam.theory.alignment import Pair
from hornbeam.theory.behaviour import Behaviour, Disagreement
from hornbeam.theory.blame import Explanation, Proof
from hornbeam.theory.counterexample import Counterexample
from hornbeam.theory.difference import Diff, why_open
from hornbeam.theory.equivalence import Equivalence
from hornbeam.theory.models import Effect

RELATIONS = {
    "variant": "the same but for names and order",
    "equivalent": "equivalent",
    "general": "the learned clause is more general",
    "specific": "the learned clause is more specific",
    "different": "different",
}


def first_line(made: Diff) -> str:
    """The verdict, or why there is none."""
    return str(made.verdict) if made.verdict is not None else f"not decided: {why_open(made)}"


def unchanged_line(count: int) -> str:
    """How many rules are not shown, for nothing has become of them."""
    return "1 rule is the same" if count == 1 else f"{count} rules are the same"


def unchanged(made: Diff) -> tuple[Pair, ...]:
    """The rules that are the same but for names and order."""
    return tuple(pair for pair in made.alignment.pairs if pair.relation == "variant")


def changed(made: Diff) -> tuple[Pair, ...]:
    return tuple(pair for pair in made.alignment.pairs if pair.relation != "variant")


def verdict(found: Equivalence) -> str:
    """The answer to: are they equivalent?"""
    return {True: "equivalent", False: "not equivalent", None: "not decided"}[found.verdict]


def equivalence_lines(made: Diff) -> list[str]:
    """What was decided without data; a dataset's court knows more, and its verdict says it all."""
    if made.judged:
        return []
    lines = [f"On all databases: {verdict(made.equivalence)} ({made.equivalence.how})."]
    if made.equivalence.counterexample:
        lines.append(counterexample(made.equivalence.counterexample))
    if not made.equivalence.verdict:
        lines.append(
            f"On databases without facts of derived predicates: {verdict(made.on_inputs)} ({made.on_inputs.how})."
        )
        if made.on_inputs.counterexample and made.on_inputs.counterexample != made.equivalence.counterexample:
            lines.append(counterexample(made.on_inputs.counterexample))
    return lines


_MOST_SAMPLES = 20


def own_lines(made: Diff) -> list[str]:
    """The dataset's own samples on which the theories differ: counts by split, then the first of them."""
    if made.own is None:
        return []
    if not made.own.differences:
        return [f"No difference on the dataset's own samples: {sum(made.own.asked.values()):,} asked."]
    lines = [f"They differ on the dataset's own samples: {made.own}.", *map(str, made.own.differences[:_MOST_SAMPLES])]
    rest = len(made.own.differences) - _MOST_SAMPLES
    return [*lines, f"... and {rest:,} more samples"] if rest > 0 else lines


def counterexample(found: Counterexample) -> str:
    """One sentence."""
    facts = " ".join(f"{to_text(fact)}." for fact in found.facts) or "no facts at all"
    size = "Smallest database that tells them apart" if found.smallest else "A database that tells them apart"
    return f"{size}: {facts} From it only the {found.by} theory derives {to_text(found.fact)}."


def missing_reason(made: Diff, found: Explanation) -> str:
    """Why the learned theory does not derive a fact."""
    if found.proof is None or found.clause is None or found.step is None:
        return "no proof within the limits"
    text = f"true clause {found.clause + 1} concludes {to_text(found.step)}; "
    if not found.broken:
        return text + "no learned clause has such a head"
    best = found.broken[0]
    return text + f"learned clause {best.clause + 1} breaks at {to_text(best.literal)}"


def extra_reason(found: Explanation) -> str:
    """Which learned clause is to blame."""
    if found.proof is None or found.clause is None or found.step is None:
        return "no proof within the limits"
    return f"learned clause {found.clause + 1} wrongly concludes {to_text(found.step)}"


def disagreement_reason(found: Disagreement) -> str:
    """Which clause covers an example, and where the other theory breaks."""
    other = "learned" if found.by == "true" else "true"
    text = (
        f"{found.by} clause {found.clause + 1} covers it"
        if found.clause is not None
        else f"the {found.by} theory covers it"
    )
    if found.broken:
        number, literal = found.broken[0]
        return f"{text}; {other} clause {number + 1} breaks at {literal}"
    return f"{text}; no {other} clause comes near"


def figures(made: Diff) -> dict[str, str]:
    """The scores as text, those of rules first."""
    return {name: _number(value) for name, value in made.scores().items() if value is not None}


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}".rstrip("0").rstrip(".")


def _effect(found: Effect) -> str:
    if found.h_score is None:
        return "not worked out in time"
    lost = f"{found.lost_right} right and {found.lost_wrong} wrong facts less"
    return f"without it {lost}, H-score {found.h_score:.4f}"


def effect_lines(made: Diff) -> list[tuple[int, str]]:
    """What each learned clause contributes: its number from 0, and what is lost without it."""
    if made.comparison is not None and made.comparison.effects:
        return [(effect.number, _effect(effect)) for effect in made.comparison.effects]
    if made.behaviour is not None:
        return [
            (number, f"without it accuracy {scores['accuracy']:.4f}, F1 {scores['f1']:.4f}")
            for number, scores in enumerate(made.behaviour.effects)
        ]
    return []


def diff_json(made: Diff) -> dict[str, Any]:
    """The difference as one JSON object."""
    only_true, only_learned = _only_json(made)
    true, learned = made.true, made.learned
    return {
        "verdict": made.verdict.to_json() if made.verdict is not None else None,
        "equivalent": made.verdict.equivalent if made.verdict is not None else None,
        "equivalence": _equivalence_json(made.equivalence),
        "equivalent_on_inputs": made.on_inputs.verdict,
        "equivalence_on_inputs": _equivalence_json(made.on_inputs),
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
        "effects": [{"clause": learned.texts[number], "effect": text} for number, text in effect_lines(made)],
        "behaviour": _behaviour_json(made.behaviour) if made.behaviour else None,
        "samples": made.own.to_json() if made.own else None,
        "rejected": [str(found) for found in learned.rejected],
        "notes": list(made.notes),
    }


def _only_json(made: Diff) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    missing = [_explained_json(found, missing_reason(made, found), "true") for found in made.missing_facts]
    extra = [_explained_json(found, extra_reason(found), "learned") for found in made.extra_facts]
    if made.behaviour is not None:
        missing += map(_disagreed_json, made.behaviour.only_true)
        extra += map(_disagreed_json, made.behaviour.only_learned)
    return missing, extra


def _explained_json(found: Explanation, reason: str, by: str) -> dict[str, Any]:
    return {
        "fact": to_text(found.fact),
        "reason": reason,
        "clause": None if found.clause is None else found.clause + 1,
        "step": None if found.step is None else to_text(found.step),
        "broken": [
            {"clause": broken.clause + 1, "held": list(map(to_text, broken.held)), "literal": to_text(broken.literal)}
            for broken in found.broken
        ],
        "proof": None if found.proof is None else _proof_json(found.proof),
        "proof_by": by,
    }


def _proof_json(proof: Proof) -> dict[str, Any]:
    made: dict[str, Any] = {"atom": to_text(proof.atom), "by": proof.kind}
    if proof.clause is not None:
        made |= {"clause": proof.clause + 1, "premises": [_proof_json(premise) for premise in proof.premises]}
    return made


def _disagreed_json(found: Disagreement) -> dict[str, Any]:
    return {
        "sample": found.example.name,
        "goal": to_text(found.example.goal),
        "label": found.example.label,
        "reason": disagreement_reason(found),
        "clause": None if found.clause is None else found.clause + 1,
        "broken": [{"clause": number + 1, "literal": literal} for number, literal in found.broken],
    }


def _behaviour_json(found: Behaviour) -> dict[str, Any]:
    return {
        "examples": found.examples,
        "scores": found.scores,
        "labels": found.labels,
        "truth_on_labels": found.truth_on_labels,
        "undecided": [{"example": name, "why": why} for name, why in found.undecided],
    }


def _equivalence_json(found: Equivalence) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "how": found.how,
        "true_entails_learned": found.true_entails,
        "learned_entails_true": found.learned_entails,
        "counterexample": _counterexample_json(found.counterexample) if found.counterexample else None,
    }


def _counterexample_json(found: Counterexample) -> dict[str, Any]:
    return {
        "facts": list(map(to_text, found.facts)),
        "derived": to_text(found.fact),
        "by": found.by,
        "smallest": found.smallest,
    }
