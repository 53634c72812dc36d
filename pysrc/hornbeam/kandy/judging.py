"""Who judges theories of a KANDY task: proofs over the background knowledge, and pictures that tell theories apart."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError
from hornbeam.kandy.check import tree_of
from hornbeam.kandy.cropping import Place, around, png
from hornbeam.kandy.curriculum import Task
from hornbeam.kandy.geometry import Box
from hornbeam.kandy.knowledge import KandyLogic
from hornbeam.kandy.language.nodes import outcomes
from hornbeam.kandy.learning import definitions, term
from hornbeam.kandy.learning.engine import Knowledge, opened
from hornbeam.kandy.learning.options import read_options
from hornbeam.kandy.near_misses import changed, sampled, simpler, small
from hornbeam.kandy.normal_form import NoNormalForm, Normaliser, atoms, same_clauses, same_text
from hornbeam.kandy.proving import rule_key
from hornbeam.kandy.render import Renderer, below_of
from hornbeam.kandy.search import draw_element
from hornbeam.kandy.tree import Domain, Tree, as_json, depth, leaves, nodes, prolog_text
from hornbeam.logic.terms import Clause, Compound, to_text
from hornbeam.seeds import fast_rng
from hornbeam.tasks.court import Court, Difference, NotComparable
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.tasks.vocabulary import RULES, Vocabulary
from hornbeam.theory import Theory
from hornbeam.theory.coverage import failing_literal
from hornbeam.theory.equivalence import decide
from hornbeam.theory.forms import clause_form
from hornbeam.theory.theory import Indicator, indicator
from hornbeam.theory.verdict import Verdict

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

_MOST_PICTURES = 50_000  # of a task whose pictures are all asked
_NEAR, _SMALL = 1_800, 1_200  # pictures built to tell theories apart
_BASES = 24  # pictures of the dataset that near misses are made of
_ROUNDS = 6  # of making a counterexample smaller
_LARGEST = 20  # number that rules may name
_SMALLER = 400  # pictures asked in a round


@dataclass(frozen=True, slots=True)
class _Asked:
    """Pictures that a theory was asked about, and those of them on which it differs from the truth."""

    theory: Theory
    samples: list[Sample]
    differences: list[Difference]


def court(dataset: Dataset, task: str | None, options: Mapping[str, str] | None = None) -> Court:
    """Who judges theories of a task; see :class:`hornbeam.tasks.court.Court`."""
    return KandyCourt(dataset, dataset.one_task(task), options)


class KandyCourt(Court):
    """Judges theories of one task.

    Args:
        dataset: The dataset that the theory is about.
        task: The task.
        options: Those of a learning problem: `encoding` is the language of theories that come without definitions.
    """

    kind = "picture"
    form = "Rules for valid/1. Its argument is a picture: a tree of compositions and objects."
    silent = "0"

    def __init__(self, dataset: Dataset, task: str, options: Mapping[str, str] | None) -> None:
        super().__init__(dataset, task)
        self._options = options
        self._asked: dict[str, _Asked] = {}

    @cached_property
    def _task(self) -> Task:
        tasks: Sequence[Task] = self.dataset.config.tasks
        return next(task for task in tasks if task.id == self.task)

    @property
    def _domain(self) -> Domain:
        domain: Domain = self.dataset.config.domain
        return domain

    @cached_property
    def truth(self) -> Theory:
        """The rule of the task as it is written, over the background knowledge that the dataset ships."""
        if self._task.rule is None:
            raise NotComparable(f"the task {self.task} has no true rule")
        with KandyLogic(self._domain) as logic:
            return Theory.parse(logic.rule_text(rule_key(self._task.rule, logic)))

    # Definitions ------------------------------------------------------------------------------------------------------

    def defined(self, theory: Theory) -> Theory:
        """The theory with definitions of what an encoding made, of the encoding that was asked for or of any other."""
        asked = (self._options or {}).get("encoding", "folded")
        return self._defined_in(theory, dict.fromkeys([asked, "pointer", "relational", "folded"]))

    def defined_at_once(self, theory: Theory) -> Theory:
        named = (self._options or {}).get("encoding")
        return self._defined_in(theory, [named] if named else [])

    def _defined_in(self, theory: Theory, encodings: Iterable[str]) -> Theory:
        for encoding in encodings:
            if not self._undefined(theory):
                break
            for known in definitions(self.dataset, self.task, {**dict(self._options or {}), "encoding": encoding}):
                theory = theory.using(known)
                if not self._undefined(theory):
                    break
        return theory

    def _undefined(self, theory: Theory) -> list[Indicator]:
        """The predicates that rules call, and neither the theory nor the knowledge defines."""
        program = theory.program
        calls = (atom for clause in program.clauses for literal in clause.body for atom in atoms(literal))
        called = {indicator(atom) for atom in calls if isinstance(atom, str | Compound)}
        unknown = sorted(called - program.defines)
        return [one for one in unknown if one not in self._knowledge.taken(unknown)]

    @cached_property
    def _knowledge(self) -> Knowledge:
        return Knowledge(self._domain, "large")

    # Proofs -----------------------------------------------------------------------------------------------------------

    @cached_property
    def _normaliser(self) -> Normaliser:
        clauses = Theory.parse(self._knowledge.text("natural")).clauses
        return Normaliser(clauses, self._knowledge.modes("natural")[1])

    def aligned(self, theory: Theory) -> tuple[Theory, Theory]:
        """Both written out over the background knowledge, where the theory is in the words of an encoding.

        Else, and where a theory cannot be written out, both as they are.
        """
        if not theory.definitions:
            return self.truth, theory
        readable = replace(self._normaliser, readable=True)
        try:
            true, learned = readable.normal(self.truth), readable.normal(theory)
        except NoNormalForm:
            return self.truth, theory
        return Theory.of(_each_once(true), name=self.truth.name), Theory.of(_each_once(learned), name=theory.name)

    def prove(self, theory: Theory) -> str | None:
        """Clause by clause, by containment, or over all pictures of a task that has few.

        A proof is about what rules mean. So it counts only if Prolog, too, derives the same for the dataset's samples.
        Theories that differ on a picture that the task never draws are not equal.
        """
        if self._on_own_samples(theory).differences:
            return None
        if same_text(self.truth, theory):
            return "clause by clause"
        method = self._by_normal_form(theory)
        if method is None and not self._on_near_misses(theory).differences:
            method = self._over_all_pictures(theory)
        return method

    def _by_normal_form(self, theory: Theory) -> str | None:
        try:
            true, learned = self._normaliser.normal(self.truth), self._normaliser.normal(theory)
        except NoNormalForm:
            return None
        if same_clauses(true, learned):
            return "clause by clause"
        if not learned:
            return None
        return "by containment" if decide(Theory.of(true), Theory.of(learned)).verdict else None

    def _over_all_pictures(self, theory: Theory) -> str | None:
        if self.dataset.manifest.seed is None:
            return None
        every = outcomes([*self._task.positive, *self._task.negative], _MOST_PICTURES)
        if not every.complete or len(every.trees) > _MOST_PICTURES:
            return None
        trees = list(every.trees.values())
        if self.differences(theory, self._samples(trees, "every")):
            return None
        most = max(sum(1 for _ in leaves(tree)) for tree in trees)
        return f"over all {len(trees):,} pictures of the task, up to {most} object{'s' if most > 1 else ''}"

    # Pictures ---------------------------------------------------------------------------------------------------------

    def _samples(self, trees: Iterable[Tree], kind: str) -> list[Sample]:
        return [
            Sample(
                id=f"{kind}_{number:06d}",
                task=self._task.id,
                split="test",
                label=None,
                symbolic={"prolog": prolog_text(tree), "tree": as_json(tree, self._domain)},
            )
            for number, tree in enumerate(trees)
        ]

    @cached_property
    def _pictures(self) -> dict[bool | None, list[Tree]]:
        """The pictures of the dataset by label, each once."""
        by_label: dict[bool | None, dict[str, Tree]] = {True: {}, False: {}, None: {}}
        if self.task in self.dataset.tasks:
            for sample in self.dataset.samples.task(self._task.id):
                tree = tree_of(sample, self._domain)
                by_label[None if sample.label is None else bool(sample.label)][repr(tree)] = tree
        return {label: list(trees.values()) for label, trees in by_label.items()}

    def differences(self, theory: Theory, samples: Sequence[Sample]) -> list[Difference]:
        """See the base class; what was asked of a theory once is not asked again."""
        for asked in self._asked.values():
            if asked.theory is theory and list(map(id, samples)) == list(map(id, asked.samples)):
                return asked.differences
        return super().differences(theory, samples)

    def _ask_once(self, kind: str, theory: Theory, trees: Callable[[], Iterable[Tree]]) -> _Asked:
        asked = self._asked.get(kind)
        if asked is None or asked.theory is not theory:
            samples = self._samples(trees(), kind)
            asked = self._asked[kind] = _Asked(theory, samples, super().differences(theory, samples))
        return asked

    def _on_own_samples(self, theory: Theory) -> _Asked:
        """The pictures of the dataset."""
        return self._ask_once("own", theory, lambda: (tree for trees in self._pictures.values() for tree in trees))

    def _on_near_misses(self, theory: Theory) -> _Asked:
        """Small pictures, and those that differ in one thing from pictures of the dataset."""
        return self._ask_once("near", theory, lambda: self._near_misses(theory))

    def _near_misses(self, theory: Theory) -> list[Tree]:
        near = sampled((other for tree in self._bases() for other in changed(tree, self._domain)), _NEAR)
        said = "\n".join(to_text(clause) for one in (self.truth, theory) for clause in one.program.clauses)
        mentioned = [name for names in self._domain.values for name in names if re.search(rf"(\b|_){name}(\b|_)", said)]
        return [*near, *small(self._domain, mentioned, _SMALL)]

    def suspects(self, theory: Theory) -> Sequence[Sample]:
        """The dataset's own pictures on which they differ, else small pictures and near misses."""
        own = self._on_own_samples(theory)
        if own.differences:
            return own.samples
        return self._on_near_misses(theory).samples

    def _bases(self) -> list[Tree]:
        """Pictures of both labels, the smaller ones of each and some others."""
        bases: list[Tree] = []
        for label, count in ((True, 2 * _BASES // 3), (False, _BASES // 3), (None, _BASES // 3)):
            side = sorted(self._pictures[label], key=lambda tree: sum(1 for _ in nodes(tree)))
            bases += [*side[: count // 2], *sampled(side[count // 2 :], count - count // 2)]
        return bases

    def fresh(self, count: int, seed: int) -> Sequence[Sample]:
        """Pictures from the sets of the task, as many from the positive as from the negative one."""
        if self.dataset.manifest.seed is None:
            raise NotComparable("the dataset was imported, so there is no generator of fresh samples")
        draws = [below_of(fast_rng(seed, "kandy", self._task.id, number)) for number in range(count)]
        trees = [draw_element(self._task.side(number % 2 == 0), below) for number, below in enumerate(draws)]
        return self._samples(trees, "fresh")

    def vocabulary(self) -> Vocabulary:
        """The background knowledge of the options' size in its natural encoding, and what a larger one has."""
        head, modes = self._knowledge.modes("natural")
        values: Iterable[Any] = (one for own in self._knowledge.constants(opened(modes)).values() for one in own)
        every = {*(mode.indicator for mode in modes), *self._knowledge.exported()}
        stated = Knowledge(self._domain, read_options(self._options).background).modes("natural")[1]
        bodies = frozenset(mode.indicator for mode in stated)
        return Vocabulary(
            {head.indicator: RULES},
            bodies,
            frozenset(every) - bodies,
            frozenset([*values, *range(_LARGEST + 1)]),
            forall=True,
            arithmetic=True,
            lists=True,
        )

    def near(self) -> Sequence[Sample]:
        return self._samples(self._near_misses(self.truth), "near")

    # The counterexample -----------------------------------------------------------------------------------------------

    def size(self, sample: Sample) -> int:
        """Objects count most, then compositions."""
        tree = tree_of(sample, self._domain)
        return 1000 * sum(1 for _ in leaves(tree)) + 10 * sum(1 for _ in nodes(tree)) + depth(tree)

    def describe(self, sample: Sample) -> str:
        symbolic: Any = sample.symbolic
        return str(symbolic["prolog"])

    def draw(self, sample: Sample) -> str:
        """The picture, without noise, as HTML."""
        tree = tree_of(sample, self._domain)
        renderer = Renderer(self.dataset.config.curriculum.config)
        scene = renderer.scene(tree, fast_rng(0, "kandy", sample.id), noisy_color=False, noisy_size=False)
        boxes: dict[Place, Box] = {
            (number,): thing.box for number, thing in enumerate(scene.objects) if thing.mask is not None
        }
        part = scene.picture().crop(around(scene.size, boxes))
        data = base64.b64encode(png(part)).decode()
        text = html.escape(self.describe(sample), quote=True)
        return f'<img class="picture" alt="{text}" title="{text}" src="data:image/png;base64,{data}">'

    def _refuted(self, theory: Theory, differences: Sequence[Difference], tried: int, method: str) -> Verdict:
        return super()._refuted(theory, [self._shrunk(theory, differences)], tried, method)

    def _shrunk(self, theory: Theory, differences: Sequence[Difference]) -> Difference:
        """The smallest difference that is found by taking parts away, as long as the theories still differ."""
        smallest = min(differences, key=lambda difference: self.size(difference.sample))
        for _ in range(_ROUNDS):
            tree = tree_of(smallest.sample, self._domain)
            once = list(simpler(tree))
            twice = (other for one in once for other in simpler(one))
            candidates = self._samples(sampled([*once, *twice], _SMALLER), "smaller")
            limit = self.size(smallest.sample)
            left = [one for one in self.differences(theory, candidates) if self.size(one.sample) < limit]
            if not left:
                break
            smallest = min(left, key=lambda difference: self.size(difference.sample))
        return smallest

    def starter(self) -> str:
        return "valid(Picture) :-\n    contains(Picture, _Object).\n"

    def blame(self, theory: Theory, difference: Difference) -> str | None:
        """The clause that covers a picture wrongly, or the literal at which the nearest clause fails."""
        with Courtroom(self.dataset, [difference.sample]) as room:
            return self.blame_in(room, theory, difference)

    def blame_in(self, room: Courtroom, theory: Theory, difference: Difference) -> str | None:
        if not len(theory):
            return "the theory has no rule"
        goal = Compound("valid", (term(tree_of(difference.sample, self._domain)),))
        try:
            found = room.furthest(theory.program, [goal])[0]
        except HornbeamError:
            return None
        reached = {number: size for number, size in found.items() if number < len(theory)}
        if difference.learned == "1":
            covering = [number for number in sorted(reached) if reached[number] == len(theory.clauses[number].body)]
            return theory.texts[covering[0]] if covering else None
        return failing_literal(theory, reached)


def _each_once(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses without those that say the same as an earlier one."""
    return list({clause_form(clause): clause for clause in reversed(clauses)}.values())[::-1]
