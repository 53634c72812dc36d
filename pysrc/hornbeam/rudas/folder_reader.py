"""The files of a published folder: rules and facts as numbers, with errors that name file and line.

Predicates and constants get their numbers as they come. Numbers in facts become atoms, as datalog has no others. Older
folders say -cwa and -owa for -cw and -ow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.logic import Clause, Compound, to_text
from hornbeam.logic.terms import Term, Var
from hornbeam.rudas.joins import Fact
from hornbeam.rudas.rules import Atom, Component, Rule, RuleSet, V
from hornbeam.rudas.theory import numbered_rules, read_terms

# Such facts need no Prolog to be read, which is much slower.
_CONSTANT = r"(?:[a-z]\w*|0|[1-9][0-9]*)"
_PLAIN_FACT = re.compile(rf"([a-z]\w*)\(({_CONSTANT}(?:,{_CONSTANT})*)\)\.?")
_OLD_NAMES = {"train-cw": "train-cwa", "train-ow": "train-owa"}


class FolderReader:
    """Reads one folder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.predicates: dict[str, int] = {}
        self._arities: list[int] = []
        self._constants: dict[str, int] = {}

    def rule_set(self, components: Sequence[Component]) -> RuleSet:
        """The rules with all names that were read so far."""
        return RuleSet(
            components=tuple(components),
            arities=tuple(self._arities),
            predicates=tuple(self.predicates),
            constants=tuple(self._constants),
        )

    # Facts ------------------------------------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        return self._file(name).is_file()

    def facts(self, name: str, *, needed: bool = False) -> list[Fact]:
        """The facts of a file, each once; none where the file may be absent."""
        if self.has(name):
            return list(dict.fromkeys(self._read(self._file(name))))
        if needed:
            raise UsageError(f"expected a file {name}.txt", file=str(self._path))
        return []

    def _file(self, name: str) -> Path:
        path = self._path / f"{name}.txt"
        return path if path.is_file() or name not in _OLD_NAMES else self._path / f"{_OLD_NAMES[name]}.txt"

    def _read(self, path: Path) -> Iterator[Fact]:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot be read: {error}", file=str(path)) from None
        plain = [_PLAIN_FACT.fullmatch(line.strip().replace(", ", ",")) for line in lines]
        if all(plain):
            for number, match in enumerate(plain, start=1):
                assert match is not None
                yield self._fact(match[1], match[2].split(","), path, number)
            return
        for number, term in read_terms(path):
            if not isinstance(term, Compound) or any(isinstance(arg, Var | Compound | list) for arg in term.args):
                raise UsageError("expected a fact such as p3(c1,c2).", file=str(path), line=number)
            yield self._fact(term.functor, [str(arg) for arg in term.args], path, number)

    def _fact(self, name: str, args: Sequence[str], path: Path, line: int) -> Fact:
        predicate = self._predicate(name, len(args), path, line)
        return (predicate, *[self._constants.setdefault(arg, len(self._constants)) for arg in args])

    def _predicate(self, name: str, arity: int, path: Path, line: int) -> int:
        number = self.predicates.setdefault(name, len(self.predicates))
        if number == len(self._arities):
            self._arities.append(arity)
        if self._arities[number] != arity:
            message = f"{name} has {arity} arguments here, {self._arities[number]} before"
            raise UsageError(message, file=str(path), line=line)
        return number

    # Rules ------------------------------------------------------------------------------------------------------------

    def rules(self) -> list[Rule]:
        """The rules of rules.txt, all of them safe."""
        path = self._path / "rules.txt"
        found = [self._rule(clause, path, line) for line, clause in numbered_rules(path)]
        if not found:
            raise UsageError("there is no rule", file=str(path))
        return found

    def _rule(self, clause: Clause, path: Path, line: int) -> Rule:
        names: dict[str, V] = {}
        positive = [literal for literal in clause.body if not _negated(literal)]
        negative = [literal.args[0] for literal in clause.body if isinstance(literal, Compound) and _negated(literal)]
        head = self._atom(clause.head, names, path, line)
        body = tuple(self._atom(literal, names, path, line) for literal in positive)
        absent = tuple(self._atom(literal, names, path, line) for literal in negative)
        bound = {variable for atom in body for variable in atom.variables}
        for name, variable in names.items():
            if variable not in bound:
                message = f"expected a safe rule: no positive atom of the body has the variable {name}"
                raise UsageError(message, file=str(path), line=line)
        return Rule(head, body, absent)

    def _atom(self, term: Term, names: dict[str, V], path: Path, line: int) -> Atom:
        if not isinstance(term, Compound):
            message = f"expected an atom such as p3(X0,X1), found {to_text(term)}"
            raise UsageError(message, file=str(path), line=line)
        args: list[V | int] = []
        for arg in term.args:
            if isinstance(arg, Var):
                digits = arg.name.removeprefix("X")
                number = int(digits) if digits.isdecimal() else 1000 + len(names)
                args.append(names.setdefault(arg.name, V(number)))
            elif isinstance(arg, str | int):
                args.append(self._constants.setdefault(str(arg), len(self._constants)))
            else:
                message = f"expected a variable or a constant, found {to_text(arg)} in {to_text(term)}"
                raise UsageError(message, file=str(path), line=line)
        return Atom(self._predicate(term.functor, len(args), path, line), tuple(args))


def _negated(literal: Term) -> bool:
    return isinstance(literal, Compound) and literal.functor == "\\+" and len(literal.args) == 1
