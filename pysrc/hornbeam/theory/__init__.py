r"""Theories: read, judge, score and compare them.

>>> from hornbeam import theory
>>> difference = theory.diff("p(X,Z) :- q(X,Y), q(Y,Z).", "p(A,B) :- q(A,C), q(B,C).", facts="q(a,b). q(b,c).")
>>> difference.equivalence.verdict, difference.alignment.pairs[0].changes[2].kind
(False, 'swapped')
>>> [str(missing.fact) for missing in difference.missing_facts]
['p(a,c)']
"""

from hornbeam.theory.behaviour import Behaviour, Example
from hornbeam.theory.budget import Budget
from hornbeam.theory.coverage import Bench, Judgement, judge
from hornbeam.theory.datalog import NotDatalog
from hornbeam.theory.difference import Diff, diff
from hornbeam.theory.distance import rule_distance
from hornbeam.theory.equivalence import Equivalence, decide
from hornbeam.theory.models import Comparison, compare, herbrand_model
from hornbeam.theory.reading import as_facts, read
from hornbeam.theory.scoring import FactScores, Row, RuleScores, fact_scores, means, r_score, rule_scores, score_runs
from hornbeam.theory.theory import Rejected, Statement, Theory
from hornbeam.theory.verdict import Verdict, Witness

__all__ = [
    "Behaviour", "Bench", "Budget", "Comparison", "Diff", "Equivalence", "Example", "FactScores", "Judgement",
    "NotDatalog", "Rejected", "Row", "RuleScores", "Statement", "Theory", "Verdict", "Witness", "as_facts", "compare",
    "decide", "diff", "fact_scores", "herbrand_model", "judge", "means", "r_score", "read", "rule_distance",
    "rule_scores", "score_runs",
]  # fmt: skip
