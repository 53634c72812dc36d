"""Audits of other packages' tasks: each row is read from its text, and its answer is derived again.

``hornbeam audit gym:family_relationships --rows 5000`` starts here.
"""

from __future__ import annotations

from hornbeam.language.audits.gym import PREFIX, TASKS, audit_gym
from hornbeam.language.audits.report import AuditedRow, GymAudit

__all__ = ["PREFIX", "TASKS", "AuditedRow", "GymAudit", "audit_gym"]
