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
    """Rules that were parsed and checked once, for any number of fact sets.

    Negation must be stratified. A rule may build terms or compute numbers, but not in a recursion; with `max_depth` a
    recursion may build terms, and the model holds those that nest no deeper. Numbers are Prolog's, of any size, in
    programs made of clauses; programs in clingo's own syntax have clingo's 32 bits, and larger ones are refused.
    """

    def __init__(self, clauses: Iterable[Clause] = (), *, max_depth: int | None = None) -> None:
        given = tuple(clauses)
        rules = tuple(clause for clause in given if not _is_fact(clause))
        text = "\n".join(map(clause_source, rules))
        facts = [clause for clause in given if _is_fact(clause)]
        self._prepare(_parsed(text, _origin(rules)), _origin(rules), max_depth, facts)

    @classmethod
    def parse(cls, text: str, *, max_depth: int | None = None) -> Program:
        """A program in clingo's syntax."""
        check_tokens(text)
        program = cls.__new__(cls)
        program._prepare(_parsed(text), None, max_depth)
        return program

    @classmethod
    def read(cls, *paths: str | Path, max_depth: int | None = None) -> Program:
        """A program from .lp files; errors name file and line."""
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
        # In datalog a relation may be empty; clingo would take it for a slip.
        declared = "".join(f"#defined {name}/{arity}.\n" for name, arity in checked.arities.items())
        self._statements = [*_parsed(declared), *checked.statements]
        self._origin = origin
        self._depth = max_depth
        self._arities = checked.arities
        self.inputs = _indicators(checked.inputs - stated)
        self.defines = _indicators(checked.defined | stated)
        check_rules(self._statements, origin)

    def asking(self, predicate: str, value: Term) -> Program:
        """The part of the program that atoms of a predicate with this first argument depend on: faster to ground.

        >>> rules = Program.parse("q(a,X) :- p(X). q(b,X) :- r(X). s(X) :- p(X).").asking("q", "a")
        >>> rules.model(Facts.rows("p", [(1,)]) | Facts.rows("r", [(2,)])).counts()
        {'p': 1, 'q': 1, 'r': 1}
        """
        program = copy(self)
        program._statements = relevant(self._statements, predicate_source(predicate), source(value))
        return program

    def model(self, facts: Facts | Iterable[Term] = (), *, only: str | None = None) -> Model:
        """The least model of the rules and these facts. `inputs` without a fact are empty relations, not errors.

        With `only` the model holds the facts of this predicate, one of the program's.

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
