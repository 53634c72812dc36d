r"""Theories: the clauses of a program, as text and as terms.

>>> theory = Theory.parse("% who\np(X, 'B c') :- q(X).\n")
>>> print(theory, end="")
% who
p(X, 'B c') :- q(X).
>>> theory.clauses[0].head
Compound(functor='p', args=(Var(name='X'), 'B c'))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from hornbeam.logic.terms import Clause, Compound, Term, to_text

Indicator = tuple[str, int]
Form = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause and its text, up to the full stop."""

    clause: Clause
    text: str
    line: int | None = None
    before: str = ""  # layout and comments in front of it
    weight: float | None = None  # how sure a learner is of it; see hornbeam.theory.weights


@dataclass(frozen=True, slots=True)
class Rejected:
    """Text that is not a clause, and the reason."""

    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}: {self.text}"


@dataclass(frozen=True)
class Theory:
    """A logic program: clauses in order. `str` gives its text as it was read.

    Attributes:
        statements: The clauses with their text.
        after: The text that follows the last clause.
        rejected: Lines of a learner's output that are not clauses.
        directives: Directives of the text, which are not run.
        name: The name of the file or text, for messages.
        dialect: The format that it was read from.
        definitions: Clauses that define predicates of an encoding over a dataset's background knowledge. They are not
            part of what was learned: `len`, iteration and scores ignore them.

    >>> theory = Theory.parse("p(X) :- q(X, Y), r(Y).")
    >>> len(theory), theory.literals, sorted(theory.predicates)
    (1, 3, [('p', 1), ('q', 2), ('r', 1)])
    """

    statements: tuple[Statement, ...]
    after: str = ""
    rejected: tuple[Rejected, ...] = ()
    directives: tuple[str, ...] = ()
    name: str | None = None
    dialect: str = field(default="prolog", compare=False)
    definitions: tuple[Statement, ...] = ()

    @classmethod
    def of(
        cls,
        clauses: Iterable[Clause],
        name: str | None = None,
        weights: Iterable[float | None] | None = None,
        notes: Iterable[str] | None = None,
    ) -> Theory:
        """Make a theory from clauses.

        Args:
            clauses: The clauses.
            name: The name, for messages.
            weights: A weight for each clause, or None; see :mod:`hornbeam.theory.weights`.
            notes: A few words for each clause that stand behind its weight.

        Returns:
            The theory, printed with one clause per line.

        >>> Theory.of(Theory.parse("p(X) :- q(X). p(a).").clauses[1:]).texts
        ('p(a).',)
        >>> print(Theory.of(Theory.parse("p(a).").clauses, weights=[0.5]), end="")
        % weight 0.5
        p(a).
        """
        from hornbeam.theory.weights import weight_line, weight_of

        every = tuple(clauses)
        if weights is None:
            lines = [""] * len(every)
        else:
            pairs = zip(weights, notes or [""] * len(every), strict=True)
            lines = ["" if weight is None else weight_line(weight, note) for weight, note in pairs]
        statements = [
            Statement(clause, to_text(clause), None, "\n" * (n > 0) + line, weight_of(line))
            for n, (clause, line) in enumerate(zip(every, lines, strict=True))
        ]
        return cls(tuple(statements), after="\n", name=name)

    @classmethod
    def parse(cls, text: str, name: str | None = None) -> Theory:
        """Read Prolog text. :func:`hornbeam.theory.read` also reads the output of learners.

        Args:
            text: The text.
            name: The name, for messages.

        Returns:
            The theory.

        Raises:
            PrologSyntaxError: if the text is not valid Prolog.

        >>> Theory.parse("p(X) :- q(X).").texts
        ('p(X) :- q(X).',)
        """
        from hornbeam.theory.reading import read_text

        return read_text(text, name=name, strict=True)

    @classmethod
    def load(cls, path: str | Path) -> Theory:
        """Read a Prolog file.

        Args:
            path: The file.

        Returns:
            The theory.

        Raises:
            UsageError: if the file cannot be read.
            PrologSyntaxError: if it is not valid Prolog.

        >>> written = (folder / "p.pl").write_text("p(X) :- q(X).")
        >>> len(Theory.load(folder / "p.pl"))
        1
        """
        from hornbeam.theory.reading import read

        return read(Path(path))

    def __str__(self) -> str:
        return "".join(statement.before + statement.text for statement in self.statements) + self.after

    def __len__(self) -> int:
        return len(self.statements)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses as terms."""
        return tuple(statement.clause for statement in self.statements)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each clause, on one line."""
        return tuple(one_line(statement.text) for statement in self.statements)

    @cached_property
    def heads(self) -> tuple[Term, ...]:
        """The heads of all clauses; for a file of facts, the facts."""
        return tuple(clause.head for clause in self.clauses)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """The form of each clause: equal for clauses that differ only in variable names and the order of literals."""
        from hornbeam.theory.forms import clause_form

        return tuple(map(clause_form, self.clauses))

    @cached_property
    def literals(self) -> int:
        """The size: heads and body literals of all clauses."""
        return sum(1 + len(clause.body) for clause in self.clauses)

    @cached_property
    def defines(self) -> frozenset[Indicator]:
        """The predicates of the heads."""
        return frozenset(indicator(clause.head) for clause in self.clauses)

    @cached_property
    def predicates(self) -> frozenset[Indicator]:
        """The predicates of heads and bodies, without comparisons."""
        used = {indicator(atom_of(literal)) for clause in self.clauses for literal in clause.body}
        return self.defines | frozenset(predicate for predicate in used if not is_test(predicate))

    def without(self, number: int) -> Theory:
        """The theory without one of its clauses, given by its number from 0."""
        rest = self.statements[:number] + self.statements[number + 1 :]
        return Theory(rest, name=self.name, definitions=self.definitions)

    def with_definitions(self, clauses: Iterable[Clause]) -> Theory:
        """The theory with these definitions instead of its own."""
        return replace(self, definitions=tuple(Statement(clause, to_text(clause)) for clause in clauses))

    def using(self, definitions: Mapping[Indicator, Sequence[Clause]]) -> Theory:
        """The theory with all of the given definitions that its rules need, directly or through other definitions.

        Its own definitions are kept; predicates that its rules define get no further definition.

        >>> clauses = Theory.parse("red(X) :- colour(X, red). blue(X) :- colour(X, blue).").clauses
        >>> known = {("red", 1): clauses[:1], ("blue", 1): clauses[1:]}
        >>> print(Theory.parse("good(X) :- red(X).").using(known).definitions[0].text)
        red(X) :- colour(X,red).
        """
        own = [statement.clause for statement in self.definitions]
        done = {indicator(clause.head) for clause in (*self.clauses, *own)}
        added: list[Clause] = []
        todo = [*self.clauses, *own]
        while todo:
            for predicate in dict.fromkeys(_mentioned(todo.pop())):
                if predicate in definitions and predicate not in done:
                    done.add(predicate)
                    added += definitions[predicate]
                    todo += definitions[predicate]
        return self.with_definitions([*own, *added]) if added else self

    @cached_property
    def program(self) -> Theory:
        """Rules and definitions together, as one program."""
        if not self.definitions:
            return self
        return Theory(self.statements + self.definitions, name=self.name)


def _mentioned(clause: Clause) -> Iterator[Indicator]:
    """All predicates that the body may call. Goals inside control structures are arguments, so all terms count."""
    todo: list[Term] = list(reversed(clause.body))
    while todo:
        term = todo.pop()
        if isinstance(term, list):
            todo += reversed(term)
        elif isinstance(term, Compound):
            yield indicator(term)
            todo += reversed(term.args)
        elif isinstance(term, str):
            yield term, 0


def one_line(text: str) -> str:
    """The text of a clause on one line; unchanged if a quoted atom or string spans lines."""
    lines = text.splitlines()
    if len(lines) < 2 or any(line.count(mark) % 2 for line in lines for mark in "'\"`"):
        return text
    plain = [line.split("%")[0].strip() if "'" not in line and '"' not in line else line.strip() for line in lines]
    return " ".join(part for part in plain if part)


# Literals ---------------------------------------------------------------------------------------------------------

TESTS = frozenset({"=", "\\=", "==", "\\==", "dif", "<", ">", "=<", ">=", "=:=", "=\\=", "is"})
NEGATIONS = frozenset({"\\+", "not"})


def indicator(atom: Term) -> Indicator:
    """Name and arity of an atom."""
    return (atom.functor, len(atom.args)) if isinstance(atom, Compound) else (str(atom), 0)


def arguments(atom: Term) -> tuple[Term, ...]:
    return atom.args if isinstance(atom, Compound) else ()


def is_negative(literal: Term) -> bool:
    return isinstance(literal, Compound) and literal.functor in NEGATIONS and len(literal.args) == 1


def atom_of(literal: Term) -> Term:
    """A literal without its negation."""
    return literal.args[0] if isinstance(literal, Compound) and is_negative(literal) else literal


def literal_kind(literal: Term) -> tuple[bool, Indicator]:
    """Sign and predicate: literals of different kinds never match."""
    return is_negative(literal), indicator(atom_of(literal))


def is_test(predicate: Indicator) -> bool:
    """Whether it is a comparison, not a predicate of facts and rules."""
    return (predicate[1] == 2 and predicate[0] in TESTS) or predicate in {("true", 0), ("fail", 0), ("false", 0)}
