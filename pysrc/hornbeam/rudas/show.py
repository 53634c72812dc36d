"""The family's part of the page of a dataset: rules, the rule graph drawn, facts by label, what can be learned."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.logic import Clause, Compound, to_text
from hornbeam.logic.terms import Term
from hornbeam.report import svg
from hornbeam.report.page import Macros, Section
from hornbeam.rudas import knowledge
from hornbeam.rudas.audit import verdicts
from hornbeam.rudas.record import TaskTheory, fact_text, theories

_HTML = Macros(__file__, "show.html.j2")
_TASKS = 12  # shown one by one
_EXAMPLES = 6
_SPLITS = ("train", "valid", "test")
_CHARACTER = 6.7  # width of one at 11 px, monospaced
_HEIGHT, _GAP, _LEVEL = 28, 18, 76


def sections(dataset: Dataset) -> list[Section]:
    """An overview, and a section for each of the first tasks."""
    known = theories(dataset)
    counts: Any = dataset.manifest.counts["tasks"]
    rows = [
        (
            task,
            ", ".join(f"{part.category} {part.depth}" for part in known[task].components),
            len(known[task].clauses),
            sum(map(_recursive, known[task].clauses)),
            *(counts[task].get(split, 0) for split in _SPLITS),
        )
        for task in dataset.tasks
    ]
    shown = [Section(task, _task(dataset, task, known[task])) for task in dataset.tasks[:_TASKS]]
    rest = len(dataset.tasks) - len(shown)
    further = [Section("Further tasks", _HTML.further(rest))] if rest else []
    return [Section("Rule sets", _HTML.overview(_SPLITS, rows)), *shown, *further]


def picture(dataset: Dataset, sample: Sample) -> Markup:
    """A fact, what its label says of it, and the rules of its world."""
    clauses = theories(dataset)[sample.task].clauses
    meaning = knowledge.meanings()[sample.split, str(sample.label)]
    return _HTML.fact(fact_text(sample), meaning, sample.task, rule_graph(clauses), _numbered(clauses))


def typical(dataset: Dataset) -> list[Sample]:
    """The fact whose smallest proof is the deepest."""
    return [max(dataset.samples, key=lambda sample: _depth(sample) or 0)]


def _depth(sample: Sample) -> int | None:
    proof: Any = sample.proof
    return proof.get("depth") if proof else None


def _task(dataset: Dataset, task: str, theory: TaskTheory) -> Markup:
    depths: Counter[int] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for sample in dataset.task(task):
        kind = (sample.split, str(sample.label))
        counts[kind] += 1
        if counts[kind] <= _EXAMPLES:
            examples[kind].append(fact_text(sample))
        if (depth := _depth(sample)) is not None:
            depths[depth] += 1
    rows = [
        (split, label, count, knowledge.meanings()[split, label], ", ".join(examples[split, label]))
        for (split, label), count in sorted(counts.items(), key=lambda one: (_SPLITS.index(one[0][0]), one[0][1]))
    ]
    properties = ", ".join(f"{predicate} is {kind}" for kind, predicate in theory.properties)
    graph, rules = rule_graph(theory.clauses), _numbered(theory.clauses)
    return _HTML.task(task, graph, rules, properties, rows, sorted(depths.items()), verdicts(dataset, task))


def _numbered(clauses: Sequence[Clause]) -> str:
    return "\n".join(f"{number:2}  {to_text(clause)}" for number, clause in enumerate(clauses, start=1))


# The rule graph -------------------------------------------------------------------------------------------------------


def rule_graph(clauses: Sequence[Clause]) -> Markup:
    """A node for each rule, below it the rules that derive what it needs.

    An edge joins a predicate of a body to each rule for it; several edges for one predicate are dashed and mean OR.
    """
    edges = _edges(clauses)
    level = svg.layers(len(clauses), edges) or [0] * len(clauses)
    texts = [to_text(clause) for clause in clauses]
    widths = [len(text) * _CHARACTER + 16 for text in texts]
    spans = [
        sum(width + _GAP for width, at in zip(widths, level, strict=True) if at == row) for row in range(max(level) + 1)
    ]
    free = [_GAP + (max(spans) - span) / 2 for span in spans]  # the first free place of each level; levels are centred
    places: list[svg.Point] = []
    for width, at in zip(widths, level, strict=True):
        places.append((free[at], _GAP + at * _LEVEL))
        free[at] += width + _GAP
    parts = []
    for (parent, child), several in edges.items():
        (x1, y1), (x2, y2) = places[parent], places[child]
        shape = f"M{x1 + widths[parent] / 2:.1f},{y1 + _HEIGHT} L{x2 + widths[child] / 2:.1f},{y2}"
        parts.append(svg.path(shape, svg.LEAF, dashes="5 3" if several else None))
    for number, (clause, text, width, (x, y)) in enumerate(zip(clauses, texts, widths, places, strict=True), start=1):
        if _recursive(clause):
            parts.append(svg.path(f"M{x + 14:.1f},{y} c-6,-16 18,-16 12,0", svg.BAD))
        parts.append(svg.box(x, y, width, _HEIGHT, text, rule_mark(number)))
    height = max(level) * _LEVEL + _HEIGHT + 2 * _GAP
    return svg.drawing(max(spans) + 2 * _GAP, height, parts, f"A graph of {len(clauses)} rules", svg.MONOSPACE)


def rule_mark(number: int) -> str:
    """The name of a rule in `data-node`."""
    return f"rule.{number}"


def _edges(clauses: Sequence[Clause]) -> dict[tuple[int, int], bool]:
    """(parent, child), and whether the child is one of several alternatives."""
    edges: dict[tuple[int, int], bool] = {}
    for parent, clause in enumerate(clauses):
        for needed in map(_predicate, clause.body):
            children = [index for index, other in enumerate(clauses) if _predicate(other.head) == needed]
            if needed != _predicate(clause.head):
                edges.update({(parent, child): len(children) > 1 for child in children})
    return edges


def _predicate(term: Term) -> str:
    inner = term.args[0] if isinstance(term, Compound) and term.functor == "\\+" else term
    return inner.functor if isinstance(inner, Compound) else str(inner)


def _recursive(clause: Clause) -> bool:
    return any(_predicate(literal) == _predicate(clause.head) for literal in clause.body)
