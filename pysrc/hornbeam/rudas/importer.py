"""Published dataset folders of RuDaS as a Hornbeam dataset: rules.txt and the fact files, labels derived from them.

A fact of train-cw.txt is support or consequence as train-support.txt and train-conseqs.txt say; where neither is there,
it is a consequence if it follows from the rest by the rules. Of these, what test.txt holds is removed, and what else
train.txt lacks is missing; what train.txt has besides is noise. The original writes no train.txt where it adds no
noise, and neither train-ow.txt nor test.txt where the world is closed: then a learner is given the next larger set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch
from hornbeam.logic import Clause, Compound, to_text
from hornbeam.logic.terms import Term, Var
from hornbeam.rudas import knowledge
from hornbeam.rudas.closure import Closure, Fact, Refused, smallest_proofs
from hornbeam.rudas.config import RudasConfig
from hornbeam.rudas.generate import with_rules
from hornbeam.rudas.original import task_files, theory_files
from hornbeam.rudas.record import SampleWriter, numbered_rules, read_terms
from hornbeam.rudas.rules import Component, GraphAtom, GraphRule, RuleSet, V, rule_term
from hornbeam.theory.theory import atom_of, is_negative

# What a configuration can say; an imported rule set may have more.
_DEEPEST = 20
_MOST_ATOMS = 8

# Such facts need no Prolog to be read, which is much slower.
_CONSTANT = r"(?:[a-z]\w*|0|[1-9][0-9]*)"
_PLAIN_FACT = re.compile(rf"([a-z]\w*)\(({_CONSTANT}(?:,{_CONSTANT})*)\)\.?")
_OLD_NAMES = {"train-cw": "train-cwa", "train-ow": "train-owa"}


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[RudasConfig, Iterator[Batch]]:
    """The configuration and the batches of dataset folders, or of folders that hold such folders."""
    if options:
        raise UsageError(f"the importer of rudas has no option '{next(iter(options))}'")
    folders = [folder for given in files for folder in _dataset_folders(given)]
    names = [_task_name(folder) for folder in folders]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(f"two folders are called {repeated[0]}: each task needs a different name")
    read = [PublishedFolder.read(folder) for folder in folders]
    config = RudasConfig.model_validate({"datasets": [folder.settings() for folder in read]})
    specs = config.specs_by_name()

    def batches() -> Iterator[Batch]:
        for folder in read:
            samples = folder.samples()
            written = theory_files(folder.name, folder.rules) | task_files(specs[folder.name], samples)
            yield Batch(samples, written)

    return config, with_rules(batches())


def _dataset_folders(path: Path) -> list[Path]:
    if (path / "rules.txt").is_file():
        return [path]
    below = sorted(folder.parent for folder in path.glob("*/rules.txt"))
    if not below:
        raise UsageError("expected a folder with rules.txt and train.txt, or a folder of such folders", file=str(path))
    return below


@dataclass(frozen=True, slots=True)
class PublishedFolder:
    """One dataset as its files give it."""

    name: str
    rules: RuleSet
    support: list[Fact]
    consequences: list[Fact]
    training: set[Fact]
    removed: set[Fact]
    fresh_support: list[Fact]
    fresh_consequences: list[Fact]

    @classmethod
    def read(cls, path: Path) -> PublishedFolder:
        reader = FolderReader(path)
        rules = reader.rules()
        components = _components(rules)
        if any(violation.startswith("not_stratified") for violation in knowledge.violations(components, ())):
            raise UsageError("a predicate depends on its own negation", file=str(path / "rules.txt"))
        closed = reader.facts("train-cw", needed=True)
        training = _training(reader, closed)
        if not closed and not training:
            raise UsageError("the folder has no training fact", file=str(path))
        names = ("train-support", "train-conseqs", "test", "eval-support", "eval-conseqs")
        support, consequences, removed, fresh, derived = map(reader.facts, names)
        if not support and not consequences:
            support, consequences = _split(rules, len(reader.predicates), closed, path)
        support = support or _without(closed, consequences)
        consequences = consequences or _without(closed, support)
        return cls(
            name=_task_name(path),
            rules=reader.rule_set(components),
            support=support,
            consequences=consequences,
            training=set(training),
            removed=set(removed),
            fresh_support=fresh,
            fresh_consequences=derived,
        )

    def settings(self) -> dict[str, object]:
        """What can be told of the settings that made it."""
        components = self.rules.components
        category = components[0].category if len(components) == 1 else "mixed"
        return {
            "name": self.name,
            "category": category,
            "depth": min(_DEEPEST, max(component.depth for component in components)),
            "facts": max(1, len(self.training)),
            "max_atoms": min(_MOST_ATOMS, max(2, *(len(rule.body) for rule in self.rules.rules))),
            "max_components": max(2 if category == "mixed" else 1, len(components)),
            "predicates": max(2, len(self.rules.arities)),
            "constants": max(2, len(self.rules.constants)),
            "learnability": False,
        }

    def samples(self) -> list[Sample]:
        """The facts of both worlds as samples."""
        fresh = dict.fromkeys(self.fresh_consequences, "consequence") | dict.fromkeys(self.fresh_support, "support")
        training = self._of("train", self.name, self._labelled(), self.support)
        return training + self._of("eval", f"{self.name}-e", fresh, self.fresh_support)

    def _labelled(self) -> dict[Fact, str]:
        labels = {fact: "consequence" if fact in self.training else "removed" for fact in self.consequences}
        labels |= {fact: "support" if fact in self.training else "missing" for fact in self.support}
        labels |= dict.fromkeys(sorted(self.removed - labels.keys()), "removed")
        return labels | dict.fromkeys(sorted(self.training - labels.keys()), "noise")

    def _of(self, world: str, prefix: str, labels: dict[Fact, str], support: Iterable[Fact]) -> list[Sample]:
        proofs = smallest_proofs(self.rules.rules, len(self.rules.arities), support)
        # A consequence whose premises are not in the files has no proof here; the check will refute it.
        known = {fact: proof for fact, proof in proofs.items() if all(premise in labels for premise in proof.premises)}
        return SampleWriter(self.name, self.rules, world, prefix).of(list(labels), labels, known)


def _task_name(path: Path) -> str:
    name = path.resolve().name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UsageError("expected a folder name of letters, digits, - and _", file=str(path))
    return name


def _without(facts: list[Fact], others: list[Fact]) -> list[Fact]:
    left_out = set(others)
    return [fact for fact in facts if fact not in left_out]


def _training(reader: FolderReader, closed: list[Fact]) -> list[Fact]:
    """What a learner is given."""
    if not reader.has("train"):
        if reader.has("train-ow"):
            return reader.facts("train-ow")
        if not reader.has("test"):
            return closed
    return reader.facts("train", needed=True)


def _split(rules: list[GraphRule], predicates: int, facts: list[Fact], path: Path) -> tuple[list[Fact], list[Fact]]:
    """Support and consequences of a closed fact set: a fact that follows from the ones kept so far needs no support."""
    heads = {rule.head.predicate for rule in rules}
    closure = Closure(rules, predicates)
    limit = 50 * len(facts) + 1000
    support = [fact for fact in facts if fact[0] not in heads]
    try:
        closure.add(support, limit=limit)
        for fact in facts:
            if fact not in closure.facts:
                support.append(fact)
                closure.add([fact], limit=limit)
    except Refused as reason:
        raise UsageError(f"the rules do not fit the facts: {reason}", file=str(path)) from None
    return support, _without(facts, support)


def _components(rules: list[GraphRule]) -> list[Component]:
    """Rules that share a predicate that one of them derives belong together; Prolog says of which category they are.

    A rule graph of none, for instance with two roots, is `mixed`.
    """
    heads = {rule.head.predicate for rule in rules}
    left = list(rules)
    components = []
    while left:
        group, shared = [left[0]], {left[0].head.predicate}
        grown = True
        while grown:
            shared |= {atom.predicate for rule in group for atom in rule.atoms if atom.predicate in heads}
            more = [rule for rule in left if rule not in group and any(atom.predicate in shared for atom in rule.atoms)]
            grown = bool(more)
            group += more
        ordered = [rule for rule in left if rule in group]
        left = [rule for rule in left if rule not in group]
        category, depth = knowledge.category_of([rule_term(rule) for rule in ordered]) or ("mixed", 1)
        components.append(Component(category, depth, tuple(ordered)))
    return components


class FolderReader:
    """The files of a published folder: rules and facts as numbers, with errors that name file and line.

    Predicates and constants get their numbers as they come. Numbers in facts become atoms, as datalog has no others.
    Older folders say -cwa and -owa for -cw and -ow.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.predicates: dict[str, int] = {}
        self._arities: list[int] = []
        self._constants: dict[str, int] = {}

    def rule_set(self, components: Sequence[Component]) -> RuleSet:
        """The rules with all names that were read so far."""
        predicates, constants = tuple(self.predicates), tuple(self._constants)
        return RuleSet(tuple(components), tuple(self._arities), predicates=predicates, constants=constants)

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
        plain = [match for line in lines if (match := _PLAIN_FACT.fullmatch(line.strip().replace(", ", ",")))]
        if len(plain) == len(lines):
            for number, match in enumerate(plain, start=1):
                yield self._fact(match[1], match[2].split(","), _Where(path, number))
            return
        for number, term in read_terms(path):
            where = _Where(path, number)
            if not isinstance(term, Compound) or any(isinstance(arg, Var | Compound | list) for arg in term.args):
                raise where.error("expected a fact such as p3(c1,c2).")
            yield self._fact(term.functor, [str(arg) for arg in term.args], where)

    def _fact(self, name: str, args: Sequence[str], where: _Where) -> Fact:
        return (self._predicate(name, len(args), where), *map(self._constant, args))

    def _constant(self, name: str) -> int:
        return self._constants.setdefault(name, len(self._constants))

    def _predicate(self, name: str, arity: int, where: _Where) -> int:
        number = self.predicates.setdefault(name, len(self.predicates))
        if number == len(self._arities):
            self._arities.append(arity)
        if self._arities[number] != arity:
            raise where.error(f"{name} has {arity} arguments here, {self._arities[number]} before")
        return number

    # Rules ------------------------------------------------------------------------------------------------------------

    def rules(self) -> list[GraphRule]:
        """The rules of rules.txt, all of them safe."""
        path = self._path / "rules.txt"
        rules = [self._rule(clause, _Where(path, line)) for line, clause in numbered_rules(path)]
        if not rules:
            raise UsageError("there is no rule", file=str(path))
        return rules

    def _rule(self, clause: Clause, where: _Where) -> GraphRule:
        names: dict[str, V] = {}
        head = self._atom(clause.head, names, where)
        body, absent = (
            tuple(self._atom(atom_of(one), names, where) for one in clause.body if is_negative(one) == negative)
            for negative in (False, True)
        )
        bound = {variable for atom in body for variable in atom.variables}
        for name, variable in names.items():
            if variable not in bound:
                raise where.error(f"expected a safe rule: no positive atom of the body has the variable {name}")
        return GraphRule(head, body, absent)

    def _atom(self, term: Term, names: dict[str, V], where: _Where) -> GraphAtom:
        if not isinstance(term, Compound):
            raise where.error(f"expected an atom such as p3(X0,X1), found {to_text(term)}")
        args: list[V | int] = []
        for arg in term.args:
            if isinstance(arg, Var):
                digits = arg.name.removeprefix("X")
                number = int(digits) if digits.isdecimal() else 1000 + len(names)
                args.append(names.setdefault(arg.name, V(number)))
            elif isinstance(arg, str | int):
                args.append(self._constant(str(arg)))
            else:
                raise where.error(f"expected a variable or a constant, found {to_text(arg)} in {to_text(term)}")
        return GraphAtom(self._predicate(term.functor, len(args), where), tuple(args))


class _Where(NamedTuple):
    """A line of a file."""

    path: Path
    line: int

    def error(self, message: str) -> UsageError:
        return UsageError(message, file=str(self.path), line=self.line)
