"""What a theory that comes as text may use: the predicates that it defines and calls, and the constants.

>>> words = Vocabulary.of_theory(Theory.parse("p(X) :- q(X, red), \\\\+ r(X)."))
>>> sorted(words.heads), sorted(words.bodies), sorted(words.constants)
([('p', 1)], [('q', 2), ('r', 1)], ['red'])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hornbeam.logic.terms import Compound, Term
from hornbeam.theory.theory import Indicator, Theory, arguments, is_test

RULES, FACTS = "rule", "fact"
LEAST_CLAUSES = 64
_CONTROL = frozenset({(",", 2), (";", 2), ("\\+", 1), ("not", 1), ("forall", 2)})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The language of a task's theories.

    Attributes:
        heads: The predicates that a theory is asked for, each with `rule`, or `fact` where only facts are allowed.
        bodies: The predicates of the background knowledge, which a theory may not define.
        more: Predicates that are known as well, and that a theory may define for itself.
        constants: The constants that rules may name.
        forall: Whether bodies may use forall/2.
        arithmetic: Whether bodies may compare and add small numbers.
        lists: Whether arguments may be lists.
        clauses: The most clauses of a text.
    """

    heads: Mapping[Indicator, str]
    bodies: frozenset[Indicator]
    more: frozenset[Indicator] = frozenset()
    constants: frozenset[str | int] = field(default_factory=frozenset)
    forall: bool = False
    arithmetic: bool = False
    lists: bool = False
    clauses: int = LEAST_CLAUSES

    @classmethod
    def of_theory(cls, truth: Theory) -> Vocabulary:
        """What the true theory itself uses."""
        atoms = [atom for clause in truth.clauses for literal in clause.body for atom in _atoms(literal)]
        called = {(atom.functor, len(atom.args)) for atom in atoms}
        heads = dict.fromkeys(sorted(truth.defines), RULES)
        constants = {
            value
            for atom in (*atoms, *truth.heads)
            for value in arguments(atom)
            if isinstance(value, str | int) and not isinstance(value, bool)
        }
        bodies = frozenset(one for one in called - heads.keys() if not is_test(one))
        return cls(heads, bodies, constants=frozenset(constants), clauses=max(LEAST_CLAUSES, 2 * len(truth)))


def _atoms(literal: Term) -> Iterator[Compound]:
    """The calls in a literal, below control structures."""
    if isinstance(literal, Compound):
        if (literal.functor, len(literal.args)) in _CONTROL:
            for part in literal.args:
                yield from _atoms(part)
        else:
            yield literal
