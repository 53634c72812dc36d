"""Why a learner missed the true theory: not in its search space, not determined by the examples, or not enough time."""

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
