"""KANDY: a picture, as words, as a term or as the picture itself, and a rule that it follows or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.kandy.check import tree_of
from hornbeam.kandy.learning.relational import stated
from hornbeam.kandy.tree import Domain, Tree, operators, prolog_text
from hornbeam.language.item import LABEL
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.language.prompts.telling import MARK, Question, Teller, Told, wordlist
from hornbeam.logic.terms import Clause, Compound, quote
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

VALID, INVALID = "valid", "invalid"
_LISTS = {("reverse", 2), ("last", 2), ("length", 2), ("nth0", 3), ("delete", 3)}
_OVER_A_LIST = 5  # what a call that goes through a list counts for, beside itself


class KandyTeller(Teller):
    """A scene is a tree: groups of objects or of other groups."""

    knowable = False

    def __init__(self, dataset: Dataset, settings: PromptSettings) -> None:
        super().__init__(dataset, settings)
        self._domain: Domain = dataset.config.domain
        self._truths: dict[str, tuple[str, ...]] = {}
        self._sizes: dict[str, int] = {}

    def questions(self) -> Iterable[Question]:
        """Samples with a label; a task may have others."""
        for sample in self.dataset.samples:
            if sample.label is not None:
                yield Question(sample.task, sample.split, sample.id, _word(sample), self._size(sample.task), sample)

    def _size(self, task: str) -> int:
        """The literals of the true rule and of all that it calls."""
        if task not in self._sizes:
            known = _clauses_by_head(self._program(task))
            reached, waiting = set[Indicator](), [("valid", 1)]
            while waiting:
                name = waiting.pop()
                if name in known and name not in reached:
                    reached.add(name)
                    waiting += [called for clause in known[name] for called in _called(clause)]
            own = sum(len(list(_called(clause))) for name in reached for clause in known[name])
            lists = sum(
                1 for name in reached for clause in known[name] for called in _called(clause) if called in _LISTS
            )
            self._sizes[task] = own + _OVER_A_LIST * lists
        return self._sizes[task]

    def words(self, task: str) -> Sequence[str]:
        return [*operators(), *(word for values in self._domain.values for word in values)]

    def vocabulary(self, task: str, rng: Random) -> dict[str, str]:
        """Renamed words stay apart by kind: g for groups, s, c and z for shapes, colours and sizes."""
        if self.settings.style != "symbols":
            return {word: word for word in self.words(task)}
        renamed: dict[str, str] = {}
        for letter, words in zip("gscz", (operators(), *self._domain.values), strict=True):
            numbers = rng.sample(range(1, 2 * len(words) + 10), len(words))
            renamed |= {word: f"{letter}{number}" for word, number in zip(words, numbers, strict=True)}
        return renamed

    def tell(self, question: Question, rng: Random, vocabulary: Mapping[str, str]) -> Told:
        sample = question.sample
        assert sample is not None
        tree = tree_of(sample, self._domain)
        natural = self.settings.style == "natural"
        scene = self._described(tree) if natural else self._term(tree, vocabulary)
        term = prolog_text(tree) if natural else scene
        given: Any = sample.input
        images = (given["image"],) if given["image"] and self.settings.picture != "text" else ()
        values = {
            "scene": scene if self.settings.picture != "image" or not images else "",
            "pictures": len(images),
            "term": term,
            "mark": MARK,
        }
        return Told(values, (VALID, INVALID), _word(sample), LABEL, images=images)

    def rules(self, task: str, vocabulary: Mapping[str, str]) -> Mapping[str, Any]:
        """The true rule as Prolog over the term of the scene, and the definitions of all that it calls."""
        if self.settings.style == "symbols":
            raise UsageError("KANDY's rules cannot be stated with renamed symbols: give shots, or another style")
        return {"clauses": self._program(task)}

    def _program(self, task: str) -> tuple[str, ...]:
        if task not in self._truths:
            truth, background = stated(self.dataset, task)
            self._truths[task] = (*truth.texts, "", background.strip())
        return self._truths[task]

    def _term(self, tree: Tree, vocabulary: Mapping[str, str]) -> str:
        if isinstance(tree, str):
            if self.settings.style == "formal":
                return quote(tree)
            return "object(" + ",".join(quote(vocabulary[word]) for word in self._domain.props[tree]) + ")"
        operator, children = tree
        return f"{quote(vocabulary[operator])}([{', '.join(self._term(child, vocabulary) for child in children)}])"

    def _described(self, tree: Tree) -> str:
        if isinstance(tree, str):
            shape, color, size = self._domain.props[tree]
            return f"a {size} {color} {shape}"
        operator, children = tree
        told = [self._described(child) for child in children]
        phrase: str = wordlist()["kandy"]["operators"].get(operator, operator)
        parts = told[0] if len(told) == 1 else "; ".join(f"({number}) {part}" for number, part in enumerate(told, 1))
        return f"{phrase}: {parts}" if len(told) == 1 else f"{phrase} of {len(told)}: [{parts}]"


def _word(sample: Sample) -> str:
    return VALID if sample.label else INVALID


def _clauses_by_head(program: Sequence[str]) -> dict[Indicator, list[Clause]]:
    known: dict[Indicator, list[Clause]] = {}
    for clause in Theory.parse("\n".join(program)).clauses:
        known.setdefault(indicator(clause.head), []).append(clause)
    return known


def _called(clause: Clause) -> Iterator[Indicator]:
    """The predicates that a body calls, also inside forall and negation."""
    waiting = list(clause.body)
    while waiting:
        term = waiting.pop()
        if isinstance(term, Compound):
            yield indicator(term)
            waiting += term.args
