"""The judge: answers in words, and theories as text, of language models or anybody else."""

from __future__ import annotations

from hornbeam.language.judging.api import judge_answer, judge_item, judge_theory
from hornbeam.language.judging.judge import Judge
from hornbeam.language.judging.ruling import Ruling

__all__ = ["Judge", "Ruling", "judge_answer", "judge_item", "judge_theory"]
