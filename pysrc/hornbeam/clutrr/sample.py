"""Drawing puzzles: which label, which clause, which family, until one fits. Nothing here depends on what ran before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hornbeam import seeds
from hornbeam.clutrr import clauses as clause_space
from hornbeam.clutrr import noise, puzzle
from hornbeam.clutrr.clauses import Clause
from hornbeam.clutrr.config import ClutrrConfig, length_of, noise_of
from hornbeam.clutrr.families import Kin, grow
from hornbeam.clutrr.puzzle import Puzzle
from hornbeam.clutrr.theory import GENDERS, Theory, load
from hornbeam.errors import UsageError

ATTEMPTS = 200  # families that are tried for one puzzle
TRIES = 6  # chains that are tried in one family


@dataclass(frozen=True)
class Rules:
    """What the puzzles of a task in a split must be: their labels, clauses that they must not have or must have."""

    labels: tuple[str, ...]
    forbidden: frozenset[Clause] = frozenset()
    only: tuple[Clause, ...] | None = None
    hashed: float = 0.0  # share of the clauses that are held out by a hash: those too long for a list
    hashed_only: bool = False  # whether puzzles must have such a clause, or must not


def body_of(theory: Theory, drawn: Puzzle) -> tuple[str, ...]:
    """The words of a puzzle's facts."""
    gender = drawn.tree.gender
    return tuple(theory.words[fact.relation][gender[fact.other]] for fact in drawn.facts)


def label_of(theory: Theory, drawn: Puzzle) -> str:
    """The word of a puzzle's target."""
    return theory.words[drawn.target.relation][drawn.tree.gender[drawn.target.other]]


class Drawer:
    """Draws the puzzles of one task in one split."""

    def __init__(self, config: ClutrrConfig, seed: int, split: str, task: str, rules: Rules) -> None:
        self.theory = load(config.packs)
        self._config = config
        self._seed = seed
        self._name = f"{split}/{task}"
        self._length = length_of(task)
        self._kinds = noise_of(task)
        self._shape = config.family.shape()
        self._rules = rules
        self._only = None if rules.only is None else clause_space.by_label(rules.only)
        self._families: tuple[tuple[int, int], Kin] | None = None
        self._block: tuple[int, list[str]] | None = None
        self.rejected = 0

    def rng(self, index: int) -> Random:
        """The random numbers of puzzle `index`."""
        return seeds.fast_rng(self._seed, "clutrr", self._name, index)

    def draw(self, index: int, rng: Random) -> Puzzle:
        """Puzzle number `index` of the task."""
        label = self.label(index)
        for attempt in range(ATTEMPTS):
            kin = self._family(index, attempt, rng)
            for _ in range(TRIES):
                found = self._attempt(kin, label, rng)
                if found is not None:
                    return found
                self.rejected += 1
        wanted = "a relation" if label is None else f"'{label}'"
        raise UsageError(
            f"no puzzle of {self._length} facts for {wanted} in {ATTEMPTS} families ({self._name}): "
            "make the families larger (family.generations, family.children) or the stories shorter"
        )

    def feasible(self, label: str, attempts: int = 150) -> bool:
        """Whether a puzzle with this label can be drawn."""
        rng = seeds.fast_rng(self._seed, "clutrr", self._name, "feasible", label)
        for _ in range(attempts):
            kin = Kin(self.theory, grow(self._shape, rng))
            if any(self._attempt(kin, label, rng) for _ in range(TRIES)):
                return True
        return False

    def label(self, index: int) -> str | None:
        """The label of a puzzle: every label comes once in each block; None leaves it to the families."""
        if self._config.targets == "natural":
            return None
        size = len(self._rules.labels)
        block, place = divmod(index, size)
        if self._block is None or self._block[0] != block:
            order = list(self._rules.labels)
            seeds.fast_rng(self._seed, "clutrr", self._name, "labels", block).shuffle(order)
            self._block = (block, order)
        return self._block[1][place]

    def _family(self, index: int, attempt: int, rng: Random) -> Kin:
        puzzles = self._config.family.puzzles
        if puzzles == 1:
            return Kin(self.theory, grow(self._shape, rng))
        # Ten rounds of tries in the shared family, then in its next.
        key = (index // puzzles, attempt // 10)
        if self._families is None or self._families[0] != key:
            drawn = grow(self._shape, seeds.fast_rng(self._seed, "clutrr", self._name, "family", *key))
            self._families = (key, Kin(self.theory, drawn))
        return self._families[1]

    def _attempt(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        found = self._by_clause(kin, label, rng) if self._only is not None else self._by_target(kin, label, rng)
        if found is None or not self._kinds:
            return found
        settings = self._config.noise
        return noise.add(kin, found, [(kind, rng.randint(*getattr(settings, kind))) for kind in self._kinds], rng)

    def _by_target(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        if label is None:
            pairs = list(kin.pairs())
            target: puzzle.Fact | None = puzzle.Fact(*pairs[int(rng.random() * len(pairs))])
        else:
            relation, genders = self.theory.of_word(label)
            gender = None if len(genders) == 2 else GENDERS.index(genders[0])
            target = puzzle.pairs_of(kin, relation, gender, rng)
        found = None if target is None else puzzle.draw(kin, target, self._length, rng)
        rules = self._rules
        if found is None or not (rules.forbidden or rules.hashed):
            return found
        clause = Clause(label_of(self.theory, found), body_of(self.theory, found))
        if rules.hashed:
            held_out = clause_space.hashed_out(clause, rules.hashed, self._seed)
            return found if held_out == rules.hashed_only else None
        return None if clause in rules.forbidden else found

    def _by_clause(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        assert self._only is not None
        choices = self._rules.only if label is None else self._only[label]
        assert choices
        clause = choices[int(rng.random() * len(choices))]
        parts = [self.theory.of_word(word) for word in clause.body]
        # A word for both genders leaves the gender open; then the drawn one decides, as it does in the clause.
        genders = [GENDERS.index(said[0]) if len(said) == 1 else int(rng.random() < 0.5) for _, said in parts]
        facts = puzzle.embed(kin, [relation for relation, _ in parts], genders, rng)
        if facts is None:
            return None
        for proof in puzzle.bracket(self.theory, facts, rng):
            found = Puzzle(kin.tree, proof[0].whole, tuple(facts), tuple(proof))
            if label_of(self.theory, found) == clause.label:
                return found
        return None


def rules_of(config: ClutrrConfig, seed: int, split: str, task: str) -> Rules:
    """The labels and clauses of a task in a split.

    Clauses of two facts are never held out, so that training sees every rule. Test puzzles of a trained length have
    held-out clauses only; those of other lengths have any. Exactly the configured share of clauses is held out, but
    for lengths above LISTED, where each clause is with that chance.
    """
    theory = load(config.packs)
    length = length_of(task)
    labels = tuple(label for label in theory.labels() if theory.of_word(label)[0] in theory.wholes(length))
    held_out: set[Clause] = set()
    if length > 2 and length in config.trained_lengths() and config.hold_out.clauses and config.test:
        if length > clause_space.LISTED:
            return Rules(labels, hashed=config.hold_out.clauses, hashed_only=split == "test")
        everything = clause_space.of_length(theory, config.family.shape(), length)
        held_out = clause_space.hold_out(everything, config.hold_out.clauses, seed, length)
    if held_out and split == "test":
        only = tuple(sorted(held_out))
        return Rules(tuple(label for label in labels if any(c.label == label for c in only)), only=only)
    return Rules(labels, forbidden=frozenset(held_out))


def feasible_rules(config: ClutrrConfig, seed: int, split: str, task: str) -> Rules:
    """`rules_of` without the labels that families of the configured shape do not have."""
    rules = rules_of(config, seed, split, task)
    drawer = Drawer(config, seed, split, task, rules)
    labels = tuple(label for label in rules.labels if drawer.feasible(label))
    if not labels:
        raise UsageError(
            f"families of this shape have no puzzle of the task {task}: make them larger (family.generations, "
            "family.children, family.marry) or the stories shorter"
        )
    return replace(rules, labels=labels)


def as_work(rules: Rules) -> dict[str, Any]:
    """Rules as JSON, for a shard."""
    return {
        "labels": list(rules.labels),
        "forbidden": [[c.label, *c.body] for c in sorted(rules.forbidden)],
        "only": None if rules.only is None else [[c.label, *c.body] for c in rules.only],
        "hashed": rules.hashed,
        "hashed_only": rules.hashed_only,
    }


def from_work(work: Mapping[str, Any]) -> Rules:
    """The rules that `as_work` wrote."""
    only = None if work["only"] is None else tuple(map(_clause, work["only"]))
    forbidden = frozenset(map(_clause, work["forbidden"]))
    return Rules(tuple(work["labels"]), forbidden, only, work["hashed"], work["hashed_only"])


def _clause(row: Sequence[str]) -> Clause:
    return Clause(row[0], tuple(row[1:]))
