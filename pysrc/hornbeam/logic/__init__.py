"""The two reasoners: SWI-Prolog (`prolog`), which derives the labels, and clingo (`asp`), which confirms them."""

from hornbeam.logic.prolog import CAREFUL, NO_LIMITS, Answer, Limits, Prolog
from hornbeam.logic.terms import Clause, Compound, String, Term, Var, literal, quote, to_text, variables

__all__ = [
    "CAREFUL", "NO_LIMITS", "Answer", "Clause", "Compound", "Limits", "Prolog", "String", "Term", "Var", "literal",
    "quote", "to_text", "variables",
]  # fmt: skip
