"""A difference in words, the same in every output format, and as a JSON object."""

from __future__ import annotations

from typing import Any

from hornbeam.logic.terms import to_text
from hornbeam.theory.alignment import AlignedPair
from hornbeam.theory.behaviour import Behaviour, Disagreement
from hornbeam.theory.blame import Explanation, Proof
from hornbeam.theory.counterexample import Counterexample
from hornbeam.theory.difference import Diff, why_open
from hornbeam.theory.equivalence import Equivalence
from hornbeam.theory.models import Effect
from hornbeam.theory.weights import is_weighted, weights

RELATIONS = {
    "variant": "the same but for names and order",
    "equivalent": "equivalent",
    "general": "the learned clause is more general",
    "specific": "the learned clause is more specific",
    "different": "different",
}


def first_line(diff: Diff) -> str:
    """The verdict, or why there is none."""
    return str(diff.verdict) if diff.verdict is not None else f"not decided: {why_open(diff)}"


def unchanged_line(count: int) -> str:
    """How many rules are not shown, for nothing has become of them."""
    return "1 rule is the same" if count == 1 else f"{count} rules are the same"


def weight_note(diff: Diff, learned: int) -> str:
    """The weight of a learned clause, to stand behind its number; nothing where it has none."""
    weight = diff.learned.statements[learned].weight
    return "" if weight is None else f" (weight {_number(weight)})"


def unchanged(diff: Diff) -> tuple[AlignedPair, ...]:
    """The rules that are the same but for names and order."""
    return tuple(pair for pair in diff.alignment.pairs if pair.relation == "variant")


def changed(diff: Diff) -> tuple[AlignedPair, ...]:
    return tuple(pair for pair in diff.alignment.pairs if pair.relation != "variant")


def verdict(equivalence: Equivalence) -> str:
    """The answer to: are they equivalent?"""
    return {True: "equivalent", False: "not equivalent", None: "not decided"}[equivalence.verdict]


def equivalence_lines(diff: Diff) -> list[str]:
    """What was decided without data; a dataset's court knows more, and its verdict says it all."""
    if diff.judged:
        return []
    lines = [f"On all databases: {verdict(diff.equivalence)} ({diff.equivalence.how})."]
    if diff.equivalence.counterexample:
        lines.append(counterexample(diff.equivalence.counterexample))
    if not diff.equivalence.verdict:
        lines.append(
            f"On databases without facts of derived predicates: {verdict(diff.on_inputs)} ({diff.on_inputs.how})."
        )
        if diff.on_inputs.counterexample and diff.on_inputs.counterexample != diff.equivalence.counterexample:
            lines.append(counterexample(diff.on_inputs.counterexample))
    return lines


_MOST_SAMPLES = 20


def own_lines(diff: Diff) -> list[str]:
    """The dataset's own samples on which the theories differ: counts by split, then the first of them."""
    if diff.own is None:
        return []
    if not diff.own.differences:
        return [f"No difference on the dataset's own samples: {sum(diff.own.asked.values()):,} asked."]
    lines = [f"They differ on the dataset's own samples: {diff.own}.", *map(str, diff.own.differences[:_MOST_SAMPLES])]
    rest = len(diff.own.differences) - _MOST_SAMPLES
    return [*lines, f"... and {rest:,} more samples"] if rest > 0 else lines


def counterexample(example: Counterexample) -> str:
    """One sentence."""
    facts = " ".join(f"{to_text(fact)}." for fact in example.facts) or "no facts at all"
    size = "Smallest database that tells them apart" if example.smallest else "A database that tells them apart"
    return f"{size}: {facts} From it only the {example.by} theory derives {to_text(example.fact)}."


def missing_reason(diff: Diff, explained: Explanation) -> str:
    """Why the learned theory does not derive a fact."""
    if explained.proof is None or explained.clause is None or explained.step is None:
        return "no proof within the limits"
    text = f"true clause {explained.clause + 1} concludes {to_text(explained.step)}; "
    if not explained.broken:
        return text + "no learned clause has such a head"
    best = explained.broken[0]
    return text + f"learned clause {best.clause + 1} breaks at {to_text(best.literal)}"


def extra_reason(explained: Explanation) -> str:
    """Which learned clause is to blame."""
    if explained.proof is None or explained.clause is None or explained.step is None:
        return "no proof within the limits"
    return f"learned clause {explained.clause + 1} wrongly concludes {to_text(explained.step)}"


def disagreement_reason(disagreed: Disagreement) -> str:
    """Which clause covers an example, and where the other theory breaks."""
    other = "learned" if disagreed.by == "true" else "true"
    text = (
        f"{disagreed.by} clause {disagreed.clause + 1} covers it"
        if disagreed.clause is not None
        else f"the {disagreed.by} theory covers it"
    )
    if disagreed.broken:
        number, literal = disagreed.broken[0]
        return f"{text}; {other} clause {number + 1} breaks at {literal}"
    return f"{text}; no {other} clause comes near"


def figures(diff: Diff) -> dict[str, str]:
    """The scores as text, those of rules first."""
    return {name: _number(value) for name, value in diff.scores().items() if value is not None}


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}".rstrip("0").rstrip(".")


def _effect(effect: Effect) -> str:
    if effect.h_score is None:
        return "not worked out in time"
    lost = f"{effect.lost_right} right and {effect.lost_wrong} wrong facts less"
    return f"without it {lost}, H-score {effect.h_score:.4f}"


def effect_lines(diff: Diff) -> list[tuple[int, str]]:
    """What each learned clause contributes: its number from 0, and what is lost without it."""
    if diff.comparison is not None and diff.comparison.effects:
        return [(effect.number, _effect(effect)) for effect in diff.comparison.effects]
    if diff.behaviour is not None:
        return [
            (number, f"without it accuracy {scores['accuracy']:.4f}, F1 {scores['f1']:.4f}")
            for number, scores in enumerate(diff.behaviour.effects)
        ]
    return []


def diff_json(diff: Diff) -> dict[str, Any]:
    """The difference as one JSON object."""
    only_true, only_learned = _only_json(diff)
    true, learned = diff.true, diff.learned
    return {
        "verdict": diff.verdict.to_json() if diff.verdict is not None else None,
        "equivalent": diff.verdict.equivalent if diff.verdict is not None else None,
        "equivalence": _equivalence_json(diff.equivalence),
        "equivalent_on_inputs": diff.on_inputs.verdict,
        "equivalence_on_inputs": _equivalence_json(diff.on_inputs),
        "scores": diff.scores(),
        "clauses": [
            {
                "true": true.texts[pair.true],
                "learned": learned.texts[pair.learned],
                "relation": pair.relation,
                "true_number": pair.true + 1,
                "learned_number": pair.learned + 1,
                "learned_weight": learned.statements[pair.learned].weight,
                "distance": float(pair.distance),
                "renaming": dict(pair.renaming),
                "literals": [
                    {"kind": change.kind, "true": change.true, "learned": change.learned} for change in pair.changes
                ],
            }
            for pair in diff.alignment.pairs
        ],
        "missing": [true.texts[number] for number in diff.alignment.missing],
        "extra": [learned.texts[number] for number in diff.alignment.extra],
        "weights": list(weights(learned)) if is_weighted(learned) else [],
        "redundant": [{"clause": learned.texts[item.number], "reason": item.reason} for item in diff.redundant],
        "only_true": only_true,
        "only_learned": only_learned,
        "by_predicate": {
            name: dict(zip(("tp", "fp", "fn"), counts, strict=True))
            for name, counts in (diff.comparison.by_predicate if diff.comparison else {}).items()
        },
        "effects": [{"clause": learned.texts[number], "effect": text} for number, text in effect_lines(diff)],
        "behaviour": _behaviour_json(diff.behaviour) if diff.behaviour else None,
        "samples": diff.own.to_json() if diff.own else None,
        "rejected": [str(item) for item in learned.rejected],
        "notes": list(diff.notes),
    }


def _only_json(diff: Diff) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    missing = [_explained_json(explained, missing_reason(diff, explained), "true") for explained in diff.missing_facts]
    extra = [_explained_json(explained, extra_reason(explained), "learned") for explained in diff.extra_facts]
    if diff.behaviour is not None:
        missing += map(_disagreed_json, diff.behaviour.only_true)
        extra += map(_disagreed_json, diff.behaviour.only_learned)
    return missing, extra


def _explained_json(explained: Explanation, reason: str, by: str) -> dict[str, Any]:
    return {
        "fact": to_text(explained.fact),
        "reason": reason,
        "clause": None if explained.clause is None else explained.clause + 1,
        "step": None if explained.step is None else to_text(explained.step),
        "broken": [
            {"clause": broken.clause + 1, "held": list(map(to_text, broken.held)), "literal": to_text(broken.literal)}
            for broken in explained.broken
        ],
        "proof": None if explained.proof is None else _proof_json(explained.proof),
        "proof_by": by,
    }


def _proof_json(proof: Proof) -> dict[str, Any]:
    shown: dict[str, Any] = {"atom": to_text(proof.atom), "by": proof.kind}
    if proof.clause is not None:
        shown |= {"clause": proof.clause + 1, "premises": [_proof_json(premise) for premise in proof.premises]}
    return shown


def _disagreed_json(disagreed: Disagreement) -> dict[str, Any]:
    return {
        "sample": disagreed.example.name,
        "goal": to_text(disagreed.example.goal),
        "label": disagreed.example.label,
        "reason": disagreement_reason(disagreed),
        "clause": None if disagreed.clause is None else disagreed.clause + 1,
        "broken": [{"clause": number + 1, "literal": literal} for number, literal in disagreed.broken],
    }


def _behaviour_json(behaviour: Behaviour) -> dict[str, Any]:
    return {
        "examples": behaviour.examples,
        "scores": behaviour.scores,
        "labels": behaviour.labels,
        "truth_on_labels": behaviour.truth_on_labels,
        "undecided": [{"example": name, "why": why} for name, why in behaviour.undecided],
    }


def _equivalence_json(equivalence: Equivalence) -> dict[str, Any]:
    return {
        "verdict": equivalence.verdict,
        "how": equivalence.how,
        "true_entails_learned": equivalence.true_entails,
        "learned_entails_true": equivalence.learned_entails,
        "counterexample": _counterexample_json(equivalence.counterexample) if equivalence.counterexample else None,
    }


def _counterexample_json(example: Counterexample) -> dict[str, Any]:
    return {
        "facts": list(map(to_text, example.facts)),
        "derived": to_text(example.fact),
        "by": example.by,
        "smallest": example.smallest,
    }
