r"""Datalog programs and their least Herbrand models, by clingo.

>>> from hornbeam.logic.terms import Clause, Compound, Var
>>> x, y, z = Var("X"), Var("Y"), Var("Z")
>>> edge, path = (lambda *args: Compound("edge", args)), (lambda *args: Compound("path", args))
>>> program = Program([Clause(path(x, y), (edge(x, y),)), Clause(path(x, z), (path(x, y), edge(y, z)))])
>>> model = program.model([edge("a", "B"), edge("B", "c d")])
>>> len(model), path("a", "c d") in model
(5, True)
>>> Program.parse("p :- not q. q :- not p.")
Traceback (most recent call last):
hornbeam.errors.NotStratified: the negation of q/0 in a rule for p/0 runs through a cycle: no least model
in: p :- not q.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from pathlib import Path

from clingo.ast import AST, parse_files, parse_string

from hornbeam.logic.asp.clauses import clause_source
from hornbeam.logic.asp.datalog import check, relevant
from hornbeam.logic.asp.facts import Facts, Model, check_rules, check_tokens, ground_model, read_source
from hornbeam.logic.asp.messages import Messages, Origin
from hornbeam.logic.asp.symbols import decode_predicate, predicate_and_args, predicate_source, source
from hornbeam.logic.terms import Clause, Term, to_text, variables


class Program:
    """A datalog program, parsed and checked once, for any number of fact sets.

    Negation must be stratified. Rules may build terms or compute numbers, but not in a recursion. Programs made of
    clauses have integers of any size, as in Prolog; programs in clingo's syntax have 32-bit integers, and larger ones
    are errors.

    Args:
        clauses: The clauses.
        max_depth: Allow a recursion to build terms up to this depth; deeper ones are not in the model.

    Attributes:
        inputs: The predicates that the rules use but do not define.
        defines: The predicates that the rules define.

    Raises:
        NotStratified: if negation runs through a cycle.
        UnsafeRule: if a variable is not bound by a positive body literal.

    >>> program = Program.parse("q(X) :- p(X), not r(X).")
    >>> sorted(program.model(Facts(["s"]) | Facts.rows("p", [(1,), (2,)]) | Facts.rows("r", [(1,)])).rows("q"))
    [(2,)]
    """

    def __init__(self, clauses: Iterable[Clause] = (), *, max_depth: int | None = None) -> None:
        given = tuple(clauses)
        rules = tuple(clause for clause in given if not _is_fact(clause))
        text = "\n".join(map(clause_source, rules))
        facts = [clause for clause in given if _is_fact(clause)]
        self._prepare(_parsed(text, _origin(rules)), _origin(rules), max_depth, facts)

    @classmethod
    def parse(cls, text: str, *, max_depth: int | None = None) -> Program:
        """Parse a program in clingo's syntax; ProgramError with the line if it is invalid."""
        check_tokens(text)
        program = cls.__new__(cls)
        program._prepare(_parsed(text), None, max_depth)
        return program

    @classmethod
    def read(cls, *paths: str | Path, max_depth: int | None = None) -> Program:
        """Read a program from .lp files; errors name file and line."""
        statements = [statement for path in paths for statement in _parsed_file(path)]
        program = cls.__new__(cls)
        program._prepare(statements, None, max_depth)
        return program

    def _prepare(
        self, statements: list[AST], origin: Origin | None, max_depth: int | None, facts: Iterable[Clause] = ()
    ) -> None:
        checked = check(statements, origin=origin, depth=max_depth)
        # Facts that came as values need no syntax tree, which is slow to check, and there may be many.
        self._facts = "\n".join(map(clause_source, facts))
        stated = {checked.admit(*predicate_and_args(fact.head)) for fact in facts}
        # In datalog a relation may be empty; clingo would warn.
        declared = "".join(f"#defined {name}/{arity}.\n" for name, arity in checked.arities.items())
        self._statements = [*_parsed(declared), *checked.statements]
        self._origin = origin
        self._depth = max_depth
        self._arities = checked.arities
        self.inputs = _indicators(checked.inputs - stated)
        self.defines = _indicators(checked.defined | stated)
        check_rules(self._statements, origin)

    def asking(self, predicate: str, value: Term) -> Program:
        """The part of the program that atoms of a predicate with this first argument depend on; it grounds faster.

        >>> rules = Program.parse("q(a,X) :- p(X). q(b,X) :- r(X). s(X) :- p(X).").asking("q", "a")
        >>> rules.model(Facts.rows("p", [(1,)]) | Facts.rows("r", [(2,)])).counts()
        {'p': 1, 'q': 1, 'r': 1}
        """
        program = copy(self)
        program._statements = relevant(self._statements, predicate_source(predicate), source(value))
        return program

    def model(self, facts: Facts | Iterable[Term] = (), *, only: str | None = None) -> Model:
        """Compute the least model of the rules and the given facts.

        Args:
            facts: The facts. Predicates of `inputs` without facts are empty relations, not errors.
            only: Return only the facts of this predicate of the program.

        Returns:
            The model.

        Raises:
            ProgramError: if the program and its facts have no model, or arities differ.

        >>> Program.parse("q(X) :- p(X).").model(Facts.rows("p", [("a",)]), only="q").counts()
        {'q': 1}
        """
        given = facts if isinstance(facts, Facts) else Facts(facts)
        return ground_model(
            self._statements,
            f"{self._facts}\n{given.source}",
            given.files,
            arities=self._arities,
            depth=self._depth,
            origin=self._origin,
            only=None if only is None else (predicate_source(only),),
        )


def _is_fact(clause: Clause) -> bool:
    return not clause.body and not variables(clause.head)


def _indicators(predicates: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Predicates as (name, arity), in Prolog's names, sorted."""
    return tuple(sorted((decode_predicate(name), arity) for name, arity in predicates))


def _origin(clauses: tuple[Clause, ...]) -> Origin:
    """Each clause is one line of source text."""
    return lambda line: to_text(clauses[line - 1]) if line <= len(clauses) else None


def _parsed(text: str, origin: Origin | None = None) -> list[AST]:
    messages = Messages(origin)
    statements: list[AST] = []
    with messages.checked():
        parse_string(text, statements.append, logger=messages)
    return statements


def _parsed_file(path: str | Path) -> list[AST]:
    """The statements of a file, with their places."""
    read_source(path)
    messages = Messages()
    statements: list[AST] = []
    with messages.checked():
        parse_files([str(path)], statements.append, logger=messages)
    return statements
