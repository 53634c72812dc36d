"""`hornbeam import clutrr`: the published CSV files, and those of our own in the same format, as samples.

Cells are Python literals, which are read as such and never run. Both spellings, niece and neice, are read; a byte order
mark is; noise edges without a type, as the published files have them, keep their place and get no fact. The family of
a published row is known, since the original has one shape for all; a file of our own does not say which it was.
"""

from __future__ import annotations

import ast
import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from hornbeam.clutrr.config import ClutrrConfig, FamilySettings, length_of, refuse_no_task
from hornbeam.clutrr.kin import MALE, grow
from hornbeam.clutrr.knowledge import GENDERS, load
from hornbeam.clutrr.original import is_ours
from hornbeam.clutrr.record import Member, clause_text, family_text
from hornbeam.clutrr.story import split_words
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch

NEEDED = (
    "story", "query", "target", "proof_state", "f_comb", "task_name", "story_edges", "edge_types", "query_edge",
    "genders",
)  # fmt: skip
BATCH = 1000
OPTIONS = ("family",)

# The one family shape that the original's defaults make; its persons are numbered as `grow` numbers them.
_ORIGINAL_SHAPE = FamilySettings(generations=3, children=(4, 4))


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[ClutrrConfig, Iterator[Batch]]:
    """CSV files, or folders of them. The option family=original says that node_mapping counts the persons of the
    original's default family (it does in the published files, and never in our own); family=unknown that it does not.
    """
    for option in options:
        if option not in OPTIONS:
            raise unknown_name("option of the importer", option, OPTIONS)
    family = options.get("family", "original")
    if family not in ("original", "unknown"):
        raise UsageError(f"family={family}: expected original or unknown")
    paths = _csv_files(files)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:  # a first pass: nothing is written unless every row can be read
        for line, row in _rows(path):
            _RowReader(path, line, row, known_family=False).sample("row", _task(row), "test")
            rows[_split(path, row)][_task(row)] += 1
    if not rows:
        raise UsageError("there is no story in it, only a header", file=str(paths[0]))
    config = ClutrrConfig(train=rows["train"], valid=rows["valid"], test=rows["test"], origin="imported")
    return config, _batches(paths, known_family=family == "original")


def _csv_files(files: Sequence[Path]) -> list[Path]:
    paths = [path for given in files for path in (sorted(given.rglob("*.csv")) if given.is_dir() else [given])]
    if not paths:
        raise UsageError("no CSV file found", file=str(files[0]) if files else None)
    return paths


def _batches(paths: Sequence[Path], *, known_family: bool) -> Iterator[Batch]:
    numbers: Counter[tuple[str, str]] = Counter()
    samples: list[Sample] = []
    for path in paths:
        for line, row in _rows(path):
            split, task = _split(path, row), _task(row)
            name = f"{split}-{task.replace('.', '_')}-{numbers[split, task]:06d}"
            numbers[split, task] += 1
            samples.append(_RowReader(path, line, row, known_family).sample(name, task, split))
            if len(samples) == BATCH:
                yield Batch(samples)
                samples = []
    yield Batch(samples)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file with their lines."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [column for column in NEEDED if column not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(f"not a CLUTRR file: the column {missing[0]} is missing", file=str(path), line=1)
            for row in reader:
                if None in row or None in row.values():
                    raise UsageError("the row and the header differ in length", file=str(path), line=reader.line_num)
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot be read: {error}", file=str(path)) from None


def _split(path: Path, row: Mapping[str, str]) -> str:
    said = row.get("task_split", "")
    name = path.name.lower()
    if "valid" in name:
        return "valid"
    if said in ("train", "test"):
        return said
    return "train" if "train" in name else "test"


def _task(row: Mapping[str, str]) -> str:
    return row["task_name"].removeprefix("task_")


@dataclass(frozen=True)
class _RowReader:
    """Reads one row; errors name its line."""

    path: Path
    line: int
    row: Mapping[str, str]
    known_family: bool

    def error(self, message: str) -> UsageError:
        return UsageError(message, file=str(self.path), line=self.line)

    def literal(self, column: str) -> Any:
        try:
            return ast.literal_eval(self.row[column])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise self.error(f"{column}: not a Python literal: {self.row[column][:60]}") from None

    def sample(self, name: str, task: str, split: str) -> Sample:
        if not self.row["task_name"].startswith("task_"):
            raise self.error(f"task_name: expected task_T.k, found '{self.row['task_name']}'")
        try:
            refuse_no_task(task)
        except ValueError as error:
            raise self.error(f"task_name: {error}") from None
        theory = load()
        names, genders = self.persons()
        edges, words = self.edges(len(names))
        try:
            pattern = split_words(self.row["f_comb"], theory.labels())
        except UsageError as error:
            raise self.error(f"f_comb: {error.message}") from None
        if not pattern:
            raise self.error("f_comb: expected the words of the story joined by -, found nothing")
        person, other = self.query(names)
        label = self.word(self.row.get("target_text") or self.row["target"])
        length = min(length_of(task), len(words))
        nodes, family = self.family(names, genders)
        return Sample(
            id=name,
            task=task,
            split=split,
            label=label,
            input={
                "story": self.row["story"],
                "question": self.row.get("text_query", ""),
                "names": list(names),
                "genders": list(genders),
                "edges": [[one, word, two] for (one, two), word in zip(edges, words, strict=False)],
                "query": [names.index(person), names.index(other)],
            },
            symbolic={
                "clause": clause_text(label, pattern),
                "pattern": "-".join(pattern),
                "k": length,
                "hops": hops(edges, names.index(person), names.index(other)),
                "noise": {"untyped": len(edges) - len(words)} if len(edges) > len(words) else {},
                "clean_story": self.row.get("clean_story", ""),
                "phrasings": [],
                "nodes": list(nodes),
                "family": family_text(family),
            },
            proof={"steps": self.proof()},
        )

    def word(self, word: str) -> str:
        known = "niece" if word == "neice" else word
        try:
            load().of_word(known)
        except UsageError as error:
            raise self.error(error.message) from None
        return known

    def persons(self) -> tuple[list[str], list[str]]:
        pairs = [entry.rpartition(":") for entry in self.row["genders"].split(",")]
        names, genders = [pair[0] for pair in pairs], [pair[2] for pair in pairs]
        if not set(genders) <= set(GENDERS) or "" in names:
            raise self.error(f"genders: expected name:male or name:female, found '{self.row['genders'][:60]}'")
        for name in names:
            if names.count(name) > 1:
                raise self.error(f"genders: two persons are called '{name}', and the story cannot tell them apart")
            if ";" in name:
                raise self.error(f"genders: '{name}' cannot be a name: it holds ;")
        return names, genders

    def edges(self, size: int) -> tuple[list[tuple[int, int]], list[str]]:
        edges, types = self.literal("story_edges"), self.literal("edge_types")
        shaped = isinstance(edges, list) and all(
            isinstance(edge, tuple) and len(edge) == 2 and all(isinstance(n, int) and 0 <= n < size for n in edge)
            for edge in edges
        )
        if not shaped or not isinstance(types, list) or not 0 < len(types) <= len(edges):
            raise self.error(f"story_edges, edge_types: expected pairs of the {size} persons and a word for each")
        return edges, [self.word(str(word)) for word in types]

    def query(self, names: Sequence[str]) -> tuple[str, str]:
        query = self.literal("query")
        if not (isinstance(query, tuple) and len(query) == 2 and all(name in names for name in query)):
            raise self.error(f"query: expected two persons of the story, found {self.row['query'][:60]}")
        return query[0], query[1]

    def proof(self) -> list[Json]:
        proof = self.literal("proof_state")
        try:
            return [
                [self.stated(whole), self.stated(first), self.stated(second)]
                for step in proof
                for whole, (first, second) in step.items()
            ]
        except UsageError:  # which is a ValueError
            raise
        except (AttributeError, TypeError, ValueError):
            raise self.error("proof_state: expected a list of {(x, word, y): [(x, word, z), (z, word, y)]}") from None

    def stated(self, fact: Any) -> list[Json]:
        """A fact of a proof, which is written person, word, person."""
        person, word, other = fact
        if isinstance(fact, str) or not all(isinstance(part, str) for part in fact):
            raise TypeError
        return [person, self.word(word), other]

    def nodes(self) -> list[int]:
        """The numbers that node_mapping gives the persons of the story, in their order; none where it is left out."""
        mapping = self.literal("node_mapping") if self.row.get("node_mapping") else {}
        if not isinstance(mapping, dict) or not all(isinstance(n, int) for pair in mapping.items() for n in pair):
            raise self.error(f"node_mapping: expected {{number: number}}, found {self.row['node_mapping'][:60]}")
        return sorted(mapping, key=mapping.__getitem__)

    def family(self, names: Sequence[str], genders: Sequence[str]) -> tuple[list[int], list[Member]]:
        """The nodes' places in the original's family, and that family, as far as they are known."""
        nodes = self.nodes()
        tree = grow(_ORIGINAL_SHAPE, Random(0))
        told = self.known_family and not is_ours(self.row)
        if not told or len(nodes) < len(names) or not all(0 <= node < len(tree) for node in nodes):
            return [], []
        gender = self._genders(nodes, genders, tree.spouse)
        called = dict(zip(nodes, names, strict=False))
        parents = [
            (one, two) if one < 0 or gender[one] == MALE else (two, one)
            for one, two in zip(tree.father, tree.mother, strict=True)
        ]
        names_of = [called.get(place, f"person{place}") for place in range(len(tree))]
        rows = zip(names_of, gender, parents, tree.spouse, strict=True)
        return nodes[: len(names)], [Member(name, sex, *pair, spouse) for name, sex, pair, spouse in rows]

    def _genders(self, nodes: Sequence[int], genders: Sequence[str], spouse: Sequence[int]) -> list[int]:
        """Those that the row tells, their spouses' from them, and any for the others."""
        known = {node: GENDERS.index(gender) for node, gender in zip(nodes, genders, strict=False)}
        for node, gender in list(known.items()):
            known.setdefault(spouse[node], 1 - gender)
        for place, other in enumerate(spouse):
            known.setdefault(place, int(place > other))
        return [known[place] for place in range(len(spouse))]


def hops(edges: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """The length of the shortest path between two nodes, whatever the direction of edges; 0 if there is none.

    >>> hops([(0, 1), (1, 2), (2, 0)], 0, 2)
    1
    """
    reached, distance = {start}, 0
    while end not in reached:
        distance += 1
        near = {two for one, two in edges if one in reached} | {one for one, two in edges if two in reached}
        if near <= reached:
            return 0
        reached |= near
    return distance
