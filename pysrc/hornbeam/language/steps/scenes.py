"""KANDY: the goals of the rule, proven or failed one after the other. Goals are asked behind a wall."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.errors import PrologError
from hornbeam.language.prompts.scenes import INVALID, VALID
from hornbeam.language.steps.claims import FOLLOWS, UNSUPPORTED, Claim, Step
from hornbeam.language.steps.proving import Prover
from hornbeam.logic import Limits, Prolog
from hornbeam.tasks.problem import EXAMPLES, ExampleTask

PICTURE = "Picture"
_GOAL = re.compile(r"[a-z]\w*\([\w\s,\[\]()|]*\)")
_OPEN = re.compile(r"(?<!\w)_|forall")
_LIMITS = Limits(seconds=20, inferences=20_000_000)


class KandyProver(Prover):
    """A valid scene has the goals that prove it; of an invalid one each clause fails at a goal."""

    def goal(self, sample: Sample) -> Claim:
        return Claim(VALID if sample.label else INVALID)

    def steps(self, sample: Sample) -> list[Step] | None:
        proof: Any = sample.proof
        if "goals" in proof:
            goals = [Claim(goal) for goal in proof["goals"]]
        elif "clauses" in proof:
            goals = [Claim(goal) for clause in proof["clauses"] for goal in clause["goals"]]
            goals += [Claim(_denied(clause["fails"])) for clause in proof["clauses"]]
        else:
            return None
        # A goal with open variables says less than the rule, which shares them; the last step asks the whole rule.
        unique = [goal for goal in dict.fromkeys(goals) if not _OPEN.search(goal.name)]
        return [*(Step(goal) for goal in unique), Step(self.goal(sample), tuple(unique))]

    def verdicts(self, rows: Sequence[tuple[Sample, Sequence[Claim]]]) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in rows]
        for task in {sample.task for sample, _ in rows}:
            numbers = [n for n, (sample, _) in enumerate(rows) if sample.task == task]
            with tempfile.TemporaryDirectory() as folder:
                program = Path(folder, "rules.pl")
                program.write_text(self._program(task), encoding="utf-8")
                with Prolog.contained(readable=[folder]) as prolog:
                    prolog.load(program, "user", strict=False)
                    for n in numbers:
                        found[n] = _asked(prolog, *rows[n])
        return found

    def _program(self, task: str) -> str:
        options = {"encoding": "natural", "background": "large"}
        problem = self.dataset.family.learning_problem(self.dataset, EXAMPLES, task, options)
        assert isinstance(problem.task, ExampleTask)
        truth = problem.truth or self.dataset.truth_of(task)
        known = set(truth.predicates)
        helpers = problem.task.background
        own = "\n".join(text for text in truth.texts if text)
        return f"{helpers}\n{own}\n" if known else helpers


def _denied(goal: str) -> str:
    return goal.removeprefix("\\+").strip() if goal.startswith("\\+") else f"\\+ {goal}"


def _asked(prolog: Prolog, sample: Sample, claims: Sequence[Claim]) -> list[str]:
    """All goals of a sample in one call; a goal that is none, or that raises, is unsupported."""
    symbolic: Any = sample.symbolic
    parts = []
    for number, claim in enumerate(claims):
        goal = {VALID: "valid(Picture)", INVALID: "\\+ valid(Picture)"}.get(claim.name, claim.name)
        negated = goal.startswith("\\+ ")
        plain = goal.removeprefix("\\+ ").strip()
        if _GOAL.fullmatch(plain):
            bound = re.sub(rf"\b{PICTURE}\b", lambda _: symbolic["prolog"], plain)
            parts.append(f"( K = {number}, {'' if not negated else chr(92) + '+ '}once({bound}) )")
    if not parts:
        return [UNSUPPORTED for _ in claims]
    try:
        answer: Any = prolog.once(f"findall(K, ( {' ; '.join(parts)} ), Ks)", limits=_LIMITS)
    except PrologError:
        return [UNSUPPORTED for _ in claims]
    true = set(answer["Ks"]) if answer else set()
    return [FOLLOWS if number in true else UNSUPPORTED for number in range(len(claims))]
