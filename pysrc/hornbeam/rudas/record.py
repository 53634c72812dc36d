"""The content of a dataset: samples, which are facts, and the true rules in rules.pl; written and read.

>>> rules = true_rules(ds, "CHAIN-XS-3-0")                      # doctest: +SKIP
>>> training = facts(ds, "CHAIN-XS-3-0", "train")               # what to learn from   # doctest: +SKIP
>>> support = facts(ds, "CHAIN-XS-3-0", "eval-support")         # what to score on     # doctest: +SKIP
>>> expected = facts(ds, "CHAIN-XS-3-0", "eval-conseqs")        # what must follow     # doctest: +SKIP
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, UnsetType

from hornbeam.data.columns import INTEGER, TEXT, Column
from hornbeam.data.dataset import Dataset
from hornbeam.data.reading import SampleCheck
from hornbeam.data.sample import Json, Sample
from hornbeam.data.shape import Count, Name, SampleShape, Shape, WrongValue
from hornbeam.errors import DatasetError, PrologError, UsageError, unknown_name
from hornbeam.logic import Clause, Compound, Prolog, quote
from hornbeam.logic.terms import Term, conjuncts
from hornbeam.rudas import knowledge
from hornbeam.rudas.closure import Fact, LastStep
from hornbeam.rudas.rules import RuleSet
from hornbeam.theory.theory import atom_of, indicator

FactNames = tuple[str, ...]  # predicate and arguments


class FactInput(Shape):
    """A fact."""

    predicate: Name
    arguments: list[str]


class FactSymbols(Shape):
    """The fact in Prolog."""

    prolog: Name


class FactProof(Shape):
    """The last step of a consequence's smallest proof; of noise, whether a rule derives its predicate."""

    depth: Count | UnsetType = UNSET
    rule: Count | UnsetType = UNSET
    premises: list[Name] | UnsetType = UNSET
    target: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        absent = [part is UNSET for part in (self.depth, self.rule, self.premises)]
        if any(absent) and not all(absent):
            raise WrongValue("", "expected depth, rule and premises together")


class FactShape(SampleShape, kw_only=True):
    """A sample of RuDaS."""

    label: Literal["support", "consequence", "noise", "removed", "missing"]
    input: FactInput
    symbolic: FactSymbols
    proof: FactProof


SHAPE = FactShape


def sample_check(dataset: Dataset) -> SampleCheck:
    """Refuses a label that its split cannot have, a predicate of another arity in the rules, a rule that is none."""
    known = theories(dataset)
    arities = {task: _arities(theory) for task, theory in known.items()}
    labels = {(split, label) for (_, label), split in knowledge.splits().items()}

    def check(shape: FactShape, sample: Sample) -> None:
        if (shape.split, shape.label) not in labels:
            raise WrongValue("label", f"there is no fact with the label {shape.label} in the split {shape.split}")
        name, arity = shape.input.predicate, len(shape.input.arguments)
        stated = arities[shape.task].get(name, arity)
        if arity != stated:
            raise WrongValue("input.arguments", f"{name} has {stated} arguments in rules.pl, found {arity}")
        rules = len(known[shape.task].clauses)
        if shape.proof.rule is not UNSET and not 1 <= shape.proof.rule <= rules:
            raise WrongValue("proof.rule", f"expected the number of one of the {rules} rules, found {shape.proof.rule}")

    return check


def _arities(theory: TaskTheory) -> dict[str, int]:
    """How many arguments each predicate of the rules has."""
    atoms = [atom_of(atom) for clause in theory.clauses for atom in (clause.head, *clause.body)]
    return dict(indicator(atom) for atom in atoms)


@dataclass(frozen=True, slots=True)
class SampleWriter:
    """Facts of one world as samples; ids are numbered in the order given."""

    task: str
    rules: RuleSet
    world: str
    prefix: str

    def of(self, facts: Sequence[Fact], labels: Mapping[Fact, str], proofs: Mapping[Fact, LastStep]) -> list[Sample]:
        ids = {fact: f"{self.prefix}-{number}" for number, fact in enumerate(facts)}
        splits = {label: split for (world, label), split in knowledge.splits().items() if world == self.world}
        predicate, constant, quoted = cache(self.rules.predicate), cache(self.rules.constant), cache(quote)
        samples = []
        for fact in facts:
            label = labels[fact]
            split = splits[label]
            name, args = predicate(fact[0]), [constant(value) for value in fact[1:]]
            samples.append(
                Sample(
                    id=ids[fact],
                    task=self.task,
                    split=split,
                    label=label,
                    supervised=split == "train" or (split == "test" and label == "support"),
                    input={"predicate": name, "arguments": [*args]},
                    symbolic={"prolog": f"{quoted(name)}({','.join(map(quoted, args))})"},
                    proof=self._proof(fact, label, ids, proofs),
                )
            )
        return samples

    def _proof(
        self, fact: Fact, label: str, ids: Mapping[Fact, str], proofs: Mapping[Fact, LastStep]
    ) -> dict[str, Json]:
        if label == "noise":
            return {"target": fact[0] in self.rules.targets}
        proof = proofs.get(fact) if label in ("consequence", "removed") else None
        if proof is None:
            return {}
        premises: list[Json] = [ids[premise] for premise in proof.premises]
        return {"depth": proof.depth, "rule": proof.rule + 1, "premises": premises}


def fact_row(sample: Sample) -> FactNames:
    """The names in a sample's fact, the predicate's first."""
    given: Any = sample.input
    return (given["predicate"], *given["arguments"])


def fact_text(sample: Sample) -> str:
    """A sample's fact as Prolog text, without a full stop."""
    known: Any = sample.symbolic
    return str(known["prolog"])


def prolog_facts(sample: Sample) -> str:
    """The clauses of a sample in facts.pl."""
    proof: Any = sample.proof
    identity = quote(sample.id)
    line = f"sample({identity}, {quote(sample.task)}, {sample.split}, {sample.label}, {fact_text(sample)}).\n"
    if not proof or "depth" not in proof:
        return line
    premises = ",".join(map(quote, proof["premises"]))
    return f"{line}derived({identity}, {proof['depth']}, {proof['rule']}, [{premises}]).\n"


COLUMNS = (
    Column("predicate", TEXT, "input.predicate", "the predicate of the fact"),
    Column("arguments", [TEXT], "input.arguments", "its constants"),
    Column("prolog", TEXT, "symbolic.prolog", "the fact in Prolog"),
    Column("depth", INTEGER, "proof.depth", "of a consequence: the depth of its smallest proof"),
    Column("rule", INTEGER, "proof.rule", "of a consequence: the number of the rule that derives it"),
    Column("premises", [TEXT], "proof.premises", "of a consequence: the ids of the facts that the rule needs"),
)


# The true rules of a dataset on disk ---------------------------------------------------------------------------------


class StatedComponent(NamedTuple):
    """A rule graph as rules.pl describes it."""

    category: str
    depth: int
    target: str


@dataclass(slots=True)
class TaskTheory:
    """The rules of one task, numbered from 1 in proofs."""

    clauses: list[Clause] = field(default_factory=list)
    components: list[StatedComponent] = field(default_factory=list)
    properties: list[tuple[str, str]] = field(default_factory=list)  # (property, predicate)


def theories(dataset: Dataset) -> dict[str, TaskTheory]:
    """The theory of every task of a dataset."""
    known: dict[str, TaskTheory] = defaultdict(TaskTheory)
    path = dataset.path / "rules.pl"
    for number, term in terms_in(dataset.read(path.name), path):
        match term:
            case Compound("rule", (str(task), int(), Compound(":-", (head, body)))):
                known[task].clauses.append(Clause(head, tuple(conjuncts(body))))
            case Compound("component", (str(task), int(), str(category), int(depth), str(target))):
                known[task].components.append(StatedComponent(category, depth, target))
            case Compound("property", (str(task), str(kind), str(predicate))):
                known[task].properties.append((kind, predicate))
            case _:
                raise DatasetError("expected rule/3, component/5 or property/3", file=str(path), line=number)
    missing = [task for task in dataset.tasks if task not in known]
    if missing:
        raise DatasetError(f"there are no rules of the task {missing[0]}", file=str(path))
    return dict(known)


def read_terms(path: Path) -> Iterator[tuple[int, Term]]:
    """The terms of a file that has one on each line; UsageError with file and line for text that is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    return terms_in(content, path)


def terms_in(content: bytes, path: Path) -> Iterator[tuple[int, Term]]:
    """The terms in the content of such a file."""
    prolog = Prolog()
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if not text.endswith("."):
            raise UsageError(f"expected a clause that ends in a full stop, found: {text}", file=str(path), line=number)
        try:
            yield number, prolog.parse(text[:-1])
        except PrologError as error:
            raise UsageError(f"not Prolog: {error.message}", file=str(path), line=number) from None


def numbered_rules(path: Path) -> Iterator[tuple[int, Clause]]:
    """The rules of a rules.txt, also of the original's, with their lines."""
    for number, term in read_terms(path):
        if not (isinstance(term, Compound) and term.functor == ":-" and len(term.args) == 2):
            raise UsageError("expected a rule: head :- body.", file=str(path), line=number)
        yield number, Clause(term.args[0], tuple(conjuncts(term.args[1])))


def true_rules(dataset: Dataset, task: str) -> list[Clause]:
    """The true theory of a task."""
    known = theories(dataset)
    if task not in known:
        raise unknown_name("task", task, dataset.tasks, file=str(dataset.path))
    return known[task].clauses


def facts(dataset: Dataset, task: str, file: str) -> list[Compound]:
    """The facts of a task that the original's file of this name holds, as terms, in the dataset's order."""
    files = knowledge.original_files()
    if file not in files:
        raise unknown_name("fact file", file, files)
    wanted = files[file]
    chosen = (sample for sample in dataset.task(task) if (sample.split, str(sample.label)) in wanted)
    rows = [fact_row(sample) for sample in chosen]
    return [Compound(row[0], row[1:]) for row in rows]
