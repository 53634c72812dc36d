"""Why a learner did not find the truth: its space lacks it, the examples do not tell, or its search was too short."""

from hornbeam.ilp.diagnosis.auditor import BiasAudit, Finding, Needs, audit_bias, audit_space
from hornbeam.ilp.diagnosis.why import Why, why
from hornbeam.ilp.watch import Divergence, Trace, divergence

__all__ = [
    "BiasAudit",
    "Divergence",
    "Finding",
    "Needs",
    "Trace",
    "Why",
    "audit_bias",
    "audit_space",
    "divergence",
    "why",
]
