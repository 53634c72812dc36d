"""`hornbeam audit`: the errors of a dataset of stories, generated or published, row by row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.clutrr.check import InFamily, batches, entailed_in, numbered, true_in_family
from hornbeam.clutrr.importer import hops
from hornbeam.clutrr.knowledge import KinTheory, engine, load
from hornbeam.clutrr.proving import answers
from hornbeam.clutrr.record import Record
from hornbeam.data.audit import Copies, Digests, balance, majority
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Json
from hornbeam.family import Audit
from hornbeam.progress import Progress, no_progress

_WIDE = {"pibling", "nibling"}  # the words of wide.lp


@dataclass(frozen=True, slots=True)
class StoryGrades:
    """What is found of one sample."""

    id: str
    task: str
    split: str
    literal: bool  # derivable by the rules as the paper prints them
    ambiguous: bool  # those rules derive a second answer too
    derivable: bool  # derivable by the sound theory
    entailed: bool  # in all families, and no other relation is possible
    entailed_wide: bool  # the same where uncles and nephews may be such by marriage
    true: bool | None  # the label, in the family that made the story; None if that is unknown
    true_wide: bool | None
    facts_true: bool | None
    hops: int
    length: int
    simple: bool  # no person is passed twice
    leaked: bool = False  # a test story whose named graph is one of training too


def audit(dataset: Dataset, progress: Progress = no_progress) -> Audit:
    """Grade a dataset; `details` has the figures of each task, and the ids of the rows that fail."""
    theory = load(dataset.config.packs)
    every, groups, failing = _Group(), defaultdict[str, _Group](_Group), _Failing()
    for row in audit_rows(theory, dataset, progress):
        every.add(row)
        groups[f"{row.split} {row.task}"].add(row)
        failing.add(row)
    copies = Copies(dataset.samples)
    return Audit(
        samples=every.rows,
        derivable=every.share("derivable"),
        unique=every.share("entailed"),
        duplicates=copies.duplicates,
        leaks={**copies.leaks(), **_leaks(dataset)},
        shortcuts={"majority": majority(dataset), **_shortcuts(dataset)},
        balance=balance(dataset.samples),
        details={"tasks": {name: group.figures() for name, group in groups.items()}, "rows": failing.ids},
    )


def audit_rows(theory: KinTheory, dataset: Dataset, progress: Progress) -> Iterator[StoryGrades]:
    """The findings on each sample, in order."""
    for batch in batches(dataset, progress):
        yield from _audit_batch(theory, batch)


def _audit_batch(theory: KinTheory, batch: Sequence[Record]) -> Iterator[StoryGrades]:
    literal = _literal(theory, batch)
    derived = answers(theory, [numbered(theory, record) for record in batch])
    true = true_in_family(theory, batch)
    true_wide = _true_wide(theory, batch, true)
    labels = [theory.relation(str(record.sample.label)) for record in batch]
    follows = [relations == {label} for relations, label in zip(derived, labels, strict=True)]
    entailed = entailed_in(theory, batch, {one.sample.id for one, sure in zip(batch, follows, strict=True) if sure})
    entailed_wide = _entailed_wide(theory, batch, entailed)
    for place, record in enumerate(batch):
        label = labels[place]
        node = {name: number for number, name in enumerate(record.names)}
        edges = [(node[one], node[two]) for _, one, two in record.facts]
        path = [record.query[0], *(other for _, _, other in record.story_facts)]
        yield StoryGrades(
            id=record.sample.id,
            task=record.sample.task,
            split=record.sample.split,
            literal=label in literal[place],
            ambiguous=len(literal[place]) > 1,
            derivable=follows[place],
            entailed=entailed[place],
            entailed_wide=entailed_wide[place],
            true=true[place].answer,
            true_wide=true_wide[place],
            facts_true=true[place].story,
            hops=hops(edges, node[record.query[0]], node[record.query[1]]),
            length=record.length,
            simple=len(set(path)) == len(path),
        )


def _entailed_wide(theory: KinTheory, batch: Sequence[Record], entailed: Sequence[bool]) -> list[bool]:
    """Whether each answer is entailed by the wide reading; that differs only where one of its words occurs."""
    verdicts = [*entailed]
    words = [{theory.relation(str(record.sample.label)), *_relations(theory, record)} for record in batch]
    asked = [place for place, said in enumerate(words) if said & _WIDE]
    wide = entailed_in(theory, [batch[place] for place in asked], (), wide=True)
    for place, verdict in zip(asked, wide, strict=True):
        verdicts[place] = verdict
    return verdicts


def _true_wide(theory: KinTheory, batch: Sequence[Record], true: Sequence[InFamily]) -> list[bool | None]:
    """Whether each label is true in its family by the wide reading, under which two words mean more."""
    verdicts = [known.answer for known in true]
    labels = [theory.relation(str(record.sample.label)) for record in batch]
    asked = [place for place, label in enumerate(labels) if label in _WIDE and verdicts[place] is False]
    wide = true_in_family(theory, [batch[place] for place in asked], wide=True)
    for place, known in zip(asked, wide, strict=True):
        verdicts[place] = known.answer
    return verdicts


def _literal(theory: KinTheory, batch: Sequence[Record]) -> list[set[str]]:
    """What the paper's own rules derive from each chain: Prolog's chart over compat.pl, asked once for the batch."""
    chains = [_relations(theory, record) for record in batch]
    goal = "derives(compat, Chain, Whole)"
    answers = engine().all_many(goal, over="Chain", get="Whole", rows=chains, module="clutrr_kin")
    return [set(wholes) for wholes in answers]


def _relations(theory: KinTheory, record: Record) -> list[str]:
    return [theory.relation(word) for word, _, _ in record.story_facts]


_SHARES = {
    "derivable by the paper's rules": "literal",
    "two answers by the paper's rules": "ambiguous",
    "derivable": "derivable",
    "entailed": "entailed",
    "entailed, uncles by marriage allowed": "entailed_wide",
    "true in its family": "true",
    "true in its family, uncles by marriage allowed": "true_wide",
    "story and label true in its family": "facts_true",
    "no person twice": "simple",
}


@dataclass(slots=True)
class _Group:
    """The grades of many samples, counted."""

    rows: int = 0
    graded: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    hops: Counter[int] = field(default_factory=Counter)

    def add(self, row: StoryGrades) -> None:
        self.rows += 1
        self.hops[row.hops] += 1
        for grade in _SHARES.values():
            verdict = getattr(row, grade)
            if verdict is not None:
                self.graded[grade] += 1
                self.passed[grade] += verdict

    def share(self, grade: str) -> float | None:
        """The share of those that have this grade, of those of which it is known."""
        return round(self.passed[grade] / self.graded[grade], 4) if self.graded[grade] else None

    def figures(self) -> dict[str, Json]:
        return {
            "rows": self.rows,
            **{said: self.share(grade) for said, grade in _SHARES.items()},
            "hops": {str(hops): count for hops, count in sorted(self.hops.items())},
        }


class _Failing:
    """The ids of the rows that fail each test."""

    _TESTS: ClassVar[dict[str, Callable[[StoryGrades], bool]]] = {
        "not derivable by the paper's rules": lambda row: not row.literal,
        "not derivable": lambda row: not row.derivable,
        "not entailed": lambda row: not row.entailed,
        "false in its family": lambda row: row.true is False,
        "shorter than it says": lambda row: row.hops < row.length,
    }

    def __init__(self) -> None:
        self.ids: dict[str, Json] = {name: [] for name in self._TESTS}

    def add(self, row: StoryGrades) -> None:
        for name, fails in self._TESTS.items():
            ids = self.ids[name]
            assert isinstance(ids, list)
            if fails(row):
                ids.append(row.id)


# Leaks and shortcuts ------------------------------------------------------------------------------------------------


def leaked_ids(dataset: Dataset) -> set[str]:
    """The test samples with the same facts, names and question as a training sample."""
    return {sample.id for sample, leaked in zip(dataset.test, _leaked(dataset), strict=True) if leaked}


def _leaked(dataset: Dataset) -> npt.NDArray[np.bool_]:
    """Whether each test sample has the same facts, names and question as a training sample."""
    trained, tested = Digests(), Digests()
    for sample in dataset.samples:
        record = Record.of(sample)
        (tested if sample.split == "test" else trained).add((sorted(set(record.facts)), record.query))
    return tested.among(trained)


def _leaks(dataset: Dataset) -> dict[str, Json]:
    """What test shares with train: named graphs, clauses of three facts and more, phrasings."""
    clauses: dict[bool, set[str]] = defaultdict(set)
    phrasings: dict[bool, set[str]] = defaultdict(set)
    for sample in dataset.samples:
        known: Any = sample.symbolic
        if known["k"] > 2:
            clauses[sample.split == "test"].add(known["pattern"])
        phrasings[sample.split == "test"].update(known["phrasings"])
    return {
        "graphs of test in train": int(_leaked(dataset).sum()),
        "clauses of test in train": len(clauses[True] & clauses[False]),
        "phrasings of test in train": len(phrasings[True] & phrasings[False]),
    }


def _shortcuts(dataset: Dataset) -> dict[str, Json]:
    """The accuracy on each test task of looking up the label by a part of the story's facts; none without training."""
    if not len(dataset.train):
        return {}
    views: dict[str, Callable[[list[str]], Hashable]] = {
        "first and last fact": lambda words: (words[0], words[-1]),
        "last fact": lambda words: words[-1],
        "set of facts": lambda words: frozenset(words),
    }
    labels: dict[str, dict[Hashable, Counter[str]]] = {name: defaultdict(Counter) for name in views}
    for words, _, label in _patterns(dataset, test=False):
        for name, view in views.items():
            labels[name][view(words)][label] += 1
    best = {
        name: {key: max(sorted(counts), key=counts.__getitem__) for key, counts in table.items()}
        for name, table in labels.items()
    }
    total: Counter[str] = Counter()
    right: dict[str, Counter[str]] = {name: Counter() for name in views}
    for words, task, label in _patterns(dataset, test=True):
        total[task] += 1
        for name, view in views.items():
            right[name][task] += best[name].get(view(words)) == label
    return {name: {task: round(right[name][task] / total[task], 3) for task in total} for name in views}


def _patterns(dataset: Dataset, *, test: bool) -> Iterator[tuple[list[str], str, str]]:
    for sample in dataset.samples:
        if (sample.split == "test") == test:
            record = Record.of(sample)
            yield [word for word, _, _ in record.story_facts], sample.task, str(sample.label)
