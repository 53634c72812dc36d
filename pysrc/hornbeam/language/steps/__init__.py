"""Proofs as reasoning: solutions in words, and the verdict on each step of a solution."""

from __future__ import annotations

from hornbeam.language.steps.judging import StepsRuling, judge_steps
from hornbeam.language.steps.solving import Solution, Solver, checked_solutions

__all__ = ["Solution", "Solver", "StepsRuling", "checked_solutions", "judge_steps"]
