"""Every label again, by clingo: all consequences follow from the support, noise does not, and nothing else follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.data.view import SampleView
from hornbeam.family import Check
from hornbeam.logic import Clause, Compound, quote
from hornbeam.logic.asp import Model, Program
from hornbeam.logic.terms import Term, Var
from hornbeam.progress import Progress, no_progress
from hornbeam.rudas import knowledge
from hornbeam.rudas.pieces import ENOUGH, pieces
from hornbeam.rudas.proving import facts_of
from hornbeam.rudas.record import FactNames, TaskTheory, fact_row, fact_text, theories
from hornbeam.theory.theory import arguments, atom_of, indicator, is_negative

_GIVEN = frozenset({"support", "missing"})
_DERIVED = frozenset({"consequence", "removed"})


@dataclass(slots=True)
class TaskCheck:
    """The outcome for one task: ids whose label or proof is wrong, and facts that no sample holds."""

    samples: int = 0
    wrong: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """A derived fact that no sample holds counts as one more sample, refuted."""
    known = theories(dataset)
    samples, failures = 0, list[str]()
    for task in dataset.tasks:
        for piece in _pieces(dataset, task, known[task]):
            outcome = check_task(known[task], piece)
            samples += outcome.samples + len(outcome.unknown)
            failures += (*outcome.wrong, *outcome.unknown)
            progress(min(samples, len(dataset.samples)), len(dataset.samples))
    return Check(samples, samples - len(failures), len(failures), 0, "clingo", tuple(failures))


def _pieces(dataset: Dataset, task: str, theory: TaskTheory) -> Iterator[SampleView]:
    """A task in pieces that can be checked apart; a small one whole."""
    samples = dataset.task(task)
    if len(samples) <= ENOUGH:
        yield samples
        return
    for world in (samples.split(*(split for split in dataset.splits if split != "test")), samples.split("test")):
        yield from pieces(world, theory)


def check_task(theory: TaskTheory, samples: Iterable[Sample]) -> TaskCheck:
    """Check the samples of one task, or of a piece of it, against the rules of the task."""
    outcome = TaskCheck()
    worlds = {"train": _CheckedWorld(), "eval": _CheckedWorld()}
    program = Program(theory.clauses)
    for sample in samples:
        outcome.samples += 1
        worlds["eval" if sample.split == "test" else "train"].add(sample)
    for name, world in worlds.items():
        world.judge(program, theory, outcome, name)
    outcome.wrong = list(dict.fromkeys(outcome.wrong))
    return outcome


class _CheckedWorld:
    """The facts of one world by their part in it."""

    def __init__(self) -> None:
        self._given: list[FactNames] = []
        self._derived: list[FactNames] = []
        self._noise: list[FactNames] = []
        # Id to fact and depth, which of noise is none: nothing follows from it.
        self._facts: dict[str, tuple[FactNames, int | None]] = {}
        self._proofs: list[tuple[str, dict[str, Any]]] = []
        self._misprinted: list[str] = []

    def add(self, sample: Sample) -> None:
        row = fact_row(sample)
        proof: Any = sample.proof
        depth: int | None = 0
        if sample.label in _GIVEN:
            self._given.append(row)
        elif sample.label in _DERIVED:
            self._derived.append(row)
            if proof and proof.get("depth") is not None:
                depth = proof["depth"]
                self._proofs.append((sample.id, proof))
        else:
            self._noise.append(row)
            depth = None
        if quoted_fact(row) != fact_text(sample):
            self._misprinted.append(sample.id)
        self._facts[sample.id] = (row, depth)

    def judge(self, program: Program, theory: TaskTheory, outcome: TaskCheck, name: str) -> None:
        model = program.model(facts_of(self._given))
        given, derived = facts_of(self._given).model(), facts_of(self._derived).model()
        noise = facts_of(self._noise).model()
        false = [*(derived - model), *(derived & given), *(noise & model)]
        bad = {(indicator(fact)[0], *map(str, arguments(fact))) for fact in false} | {*self._conflicting(theory)}
        if bad:
            outcome.wrong += [id_ for id_, (row, _) in self._facts.items() if row in bad]
        outcome.wrong += self._repeated() + self._misprinted
        outcome.unknown += [f"{name}: {fact}" for fact in model - given - derived]
        outcome.wrong += [id_ for id_, proof in self._proofs if not self._is_proof(id_, proof, theory.clauses, model)]

    def _conflicting(self, theory: TaskTheory) -> Iterator[FactNames]:
        """True facts that a property of their predicate does not allow together."""
        for kind, predicate in theory.properties:
            rows = [row[1:] for row in (*self._given, *self._derived) if row[0] == predicate]
            for fact in knowledge.conflicts(kind, rows):
                yield (predicate, *fact)

    def _repeated(self) -> list[str]:
        if len(self._facts) == len({row for row, _ in self._facts.values()}):
            return []
        seen: set[FactNames] = set()
        return [id_ for id_, (row, _) in self._facts.items() if row in seen or seen.add(row)]  # type: ignore[func-returns-value]

    def _is_proof(self, id_: str, proof: dict[str, Any], clauses: Sequence[Clause], model: Model) -> bool:
        """Whether the step is an instance of its rule, over facts of smaller depth of which the deepest is one less."""
        premises = [self._facts[premise] for premise in proof["premises"] if premise in self._facts]
        if not 1 <= proof["rule"] <= len(clauses) or len(premises) < len(proof["premises"]):
            return False
        clause = clauses[proof["rule"] - 1]
        values: dict[str, str] = {}
        positive = [atom for atom in clause.body if not is_negative(atom)]
        rows = [self._facts[id_][0], *(row for row, _ in premises)]
        atoms = [clause.head, *positive]
        if len(rows) != len(atoms) or not all(_match(*pair, values) for pair in zip(atoms, rows, strict=True)):
            return False
        if any(_ground(atom_of(atom), values) in model for atom in clause.body if is_negative(atom)):
            return False
        depths = [depth for _, depth in premises if depth is not None]
        return len(depths) == len(premises) and bool(proof["depth"] == 1 + max(depths))


# The constants of a block: those of other blocks do not come again.
_quoted = lru_cache(maxsize=1 << 16)(quote)


def quoted_fact(row: FactNames) -> str:
    """The Prolog text that `symbolic` must have."""
    return f"{_quoted(row[0])}({','.join(map(_quoted, row[1:]))})"


def _match(atom: Term, row: FactNames, values: dict[str, str]) -> bool:
    """Whether the atom is this fact under `values`, which grow."""
    if not isinstance(atom, Compound) or atom.functor != row[0] or len(atom.args) != len(row) - 1:
        return False
    for arg, value in zip(atom.args, row[1:], strict=True):
        if (values.setdefault(arg.name, value) if isinstance(arg, Var) else arg) != value:
            return False
    return True


def _ground(atom: Term, values: dict[str, str]) -> Compound:
    args = tuple(values[arg.name] if isinstance(arg, Var) else arg for arg in arguments(atom))
    return Compound(indicator(atom)[0], args)
