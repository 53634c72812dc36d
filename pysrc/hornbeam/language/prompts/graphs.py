"""CLUTRR, STaR and GraphLog: a graph, and a question about two of its nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Sample
from hornbeam.language.item import ANSWER, SET
from hornbeam.language.prompts.settings import PromptSettings
from hornbeam.language.prompts.telling import Question, Teller, Told, persons, places, wordlist
from hornbeam.logic.terms import Compound

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

BAR = "|"
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_NAME = re.compile(r"\[([^\[\]]+)\]|(@?\w+)")


class GraphTeller(Teller):
    """What the three have in common: edges, a query, and rules that compose two relations."""

    node = "N"

    def __init__(self, dataset: Dataset, settings: PromptSettings) -> None:
        super().__init__(dataset, settings)
        self._known: dict[str | None, list[tuple[str, tuple[Any, ...]]]] = {}
        self._relations: dict[str | None, list[str]] = {}
        self._derived: dict[str, list[str]] = {}

    def words(self, task: str) -> Sequence[str]:
        return self.relations(task)

    def relations(self, task: str) -> Sequence[str]:
        """The relations of a task, in the order of its theory."""
        key = self._key(task)
        if key not in self._relations:
            self._relations[key] = [str(args[0]) for name, args in self._facts(task) if name == "relation"]
        return self._relations[key]

    def rules(self, task: str, vocabulary: Mapping[str, str]) -> Mapping[str, Any]:
        """Compositions `(first, second, [results])`, and pairs of relations and their converses."""
        composed: dict[tuple[str, str], list[str]] = {}
        converses = []
        for name, args in self._facts(task):
            shown = [vocabulary[str(arg)] for arg in args if str(arg) in vocabulary]
            if name == "compose":
                composed.setdefault((shown[0], shown[1]), []).append(shown[2])
            elif name == "converse":
                converses.append((shown[0], shown[1]))
        return {
            "compositions": [(*pair, sorted(set(whole))) for pair, whole in sorted(composed.items())],
            "converses": sorted(converses),
        }

    def _facts(self, task: str) -> list[tuple[str, tuple[Any, ...]]]:
        key = self._key(task)
        known = self._known.get(key)
        if known is None:
            heads = [clause.head for clause in self.dataset.truth_of(key).clauses]
            known = [(head.functor, head.args) for head in heads if isinstance(head, Compound)]
            self._known[key] = known
        return known

    def _key(self, task: str) -> str | None:
        return task if self.dataset.family.tasks_are_worlds else None

    def tell(self, question: Question, rng: Random, vocabulary: Mapping[str, str]) -> Told:
        sample = question.sample
        assert sample is not None
        given: Any = sample.input
        edges = [(source, str(label), target) for source, label, target in given["edges"]]
        rng.shuffle(edges)
        count = 1 + max(max(given["query"]), *(max(edge[0], edge[2]) for edge in edges))
        names = self.names(sample, count, rng)
        shown = [(names[source], _translated(label, vocabulary), names[target]) for source, label, target in edges]
        options = self._shown_options(question.task, vocabulary)
        values = {
            "edges": shown,
            "query": [names[node] for node in given["query"]],
            **self.more(sample, names),
        }
        target, form = self._target(sample, vocabulary)
        renamed = {vocabulary[word]: word for word in self.relations(question.task) if vocabulary[word] != word}
        entities = {str(node): name for node, name in enumerate(names)}
        return Told(values, options, target, form, renamed, entities=entities)

    def _shown_options(self, task: str, vocabulary: Mapping[str, str]) -> tuple[str, ...]:
        options = [vocabulary[word] for word in self.options(task)]
        # In the order of the theory, a place would tell the relation that a symbol stands for.
        return tuple(sorted(options, key=_number) if self.settings.style == "symbols" else options)

    def _target(self, sample: Sample, vocabulary: Mapping[str, str]) -> tuple[str, str]:
        label = str(sample.label)
        if not self.sets:
            return _translated(label, vocabulary), ANSWER
        order = list(self.relations(sample.task))
        parts = [] if label == "inconsistent" else sorted(label.split(BAR), key=order.index)
        return json.dumps([vocabulary[part] for part in parts]), SET

    @property
    def sets(self) -> bool:
        """Whether answers are sets of relations."""
        return False

    def options(self, task: str) -> Sequence[str]:
        """The relations that can be an answer."""
        return self.relations(task)

    def names(self, sample: Sample, count: int, rng: Random) -> list[str]:
        """The names of the nodes."""
        return places(count, self.settings, rng, self.node)

    def more(self, sample: Sample, names: Sequence[str]) -> dict[str, Any]:
        """What else the template shows."""
        return {}

    def steps(self, sample: Sample) -> int:
        """The number of compositions on the way to the answer."""
        groups: Any = self.dataset.family.groups(sample)
        return int(groups.get("k") or 1) - 1


class ClutrrTeller(GraphTeller):
    """A story about a family."""

    def names(self, sample: Sample, count: int, rng: Random) -> list[str]:
        given: Any = sample.input
        return persons(given["genders"], self.settings, rng) or list(given["names"])

    def more(self, sample: Sample, names: Sequence[str]) -> dict[str, Any]:
        given: Any = sample.input
        renamed = dict(zip(given["names"], names, strict=True))
        told = {key: _retold(given[key], renamed) for key in ("story", "question")}
        return {**told, "nuclear": "blended" not in self.dataset.config.packs}


class StarTeller(GraphTeller):
    """Regions or intervals."""

    node = "X"

    @property
    def sets(self) -> bool:
        config = self.dataset.config
        return bool(config.answers == "sets" or config.inconsistent)

    def more(self, sample: Sample, names: Sequence[str]) -> dict[str, Any]:
        symbolic: Any = sample.symbolic
        calculus = symbolic["calculus"]
        return {"calculus": calculus, "meanings": wordlist()["calculi"].get(calculus, {})}


class GraphlogTeller(GraphTeller):
    """A graph of a synthetic world."""

    knowable = False

    def options(self, task: str) -> Sequence[str]:
        """The relations that the rules of the world derive."""
        if task not in self._derived:
            whole = {str(args[2]) for name, args in self._facts(task) if name == "compose"}
            self._derived[task] = [word for word in self.relations(task) if word in whole]
        return self._derived[task]


def _number(symbol: str) -> int:
    return int(symbol[1:])


def _translated(label: str, vocabulary: Mapping[str, str]) -> str:
    return BAR.join(vocabulary.get(part, part) for part in label.split(BAR))


def _retold(text: str, renamed: Mapping[str, str]) -> str:
    """A text with other names, and without the brackets around them; all at once, as names may swap."""
    if all(name == own for own, name in renamed.items()):
        return _BRACKETED.sub(lambda found: found[1] if found[1] in renamed else found[0], text)
    return _NAME.sub(lambda found: renamed.get(found[1] or found[2], found[0]), text)
