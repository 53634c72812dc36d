"""Draws the samples of a dataset: `plan` divides it into shards, `make` draws the samples of one shard.

A puzzle is drawn (`Drawer`: which label, which clause, which family, until one fits), then named and told (`Namer`).
No sample depends on earlier ones. SWI-Prolog proves and clingo confirms each sample before it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from hornbeam import seeds
from hornbeam.clutrr import clauses, puzzle, story
from hornbeam.clutrr.clauses import KinClause, PuzzleRules, rules_of
from hornbeam.clutrr.config import ClutrrConfig, length_of, noise_of
from hornbeam.clutrr.kin import Kin, grow, smallest
from hornbeam.clutrr.knowledge import GENDERS, KinTheory, load
from hornbeam.clutrr.proving import confirm_derivable, confirm_first, prove
from hornbeam.clutrr.puzzle import Puzzle
from hornbeam.clutrr.record import make_sample
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Shard

SHARD = 500  # puzzles
ATTEMPTS = 200  # families that are tried for one puzzle
TRIES = 6  # chains that are tried in one family


def plan(config: ClutrrConfig, seed: int) -> list[Shard]:
    """The shards of a dataset; puzzles are numbered through it, which keeps their names apart."""
    _refuse_crowds(config)
    shards: list[Shard] = []
    number = 0
    for split, rows in config.splits():
        for task, count in rows.items():
            rules = feasible_rules(config, seed, split, task)
            for start in range(0, count, SHARD):
                size = min(SHARD, count - start)
                work = {"split": split, "task": task, "start": start, "size": size, "number": number + start}
                shards.append(Shard(len(shards), f"{split} {task} {start}", {**work, "rules": rules}))
            number += count
    _refuse_repeated_names(config, number)
    return shards


def _refuse_crowds(config: ClutrrConfig) -> None:
    """Refuse families that never have enough names, before one is searched: that takes long where they are large."""
    if config.story.entities == "anonymous":
        return  # who is not in the story needs no placeholder from the pool
    persons, names = len(smallest(config.family)), sum(map(len, story.pools()))
    if persons > names:
        raise UsageError(
            f"families of this shape have {persons} persons or more, and there are {names} names: make them smaller "
            "(family.generations, family.children)"
        )


def _refuse_repeated_names(config: ClutrrConfig, puzzles: int) -> None:
    anonymous, pool = config.story.entities == "anonymous", config.story.pool
    most = (story.placeholders(pool) if anonymous else story.first_names()).capacity()
    if puzzles > most:
        advice = f"raise story.pool above {pool}" if anonymous else f"at most {most} can"
        raise UsageError(f"{puzzles} puzzles cannot all have other names: {advice}")


def feasible_rules(config: ClutrrConfig, seed: int, split: str, task: str) -> PuzzleRules:
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


def make(config: ClutrrConfig, seed: int, shard: Shard) -> Batch:
    """The samples of a shard."""
    work: Mapping[str, Any] = shard.work
    theory = load(config.packs)
    drawer = Drawer(config, seed, work["split"], work["task"], work["rules"])
    namer = Namer(config, seed, theory, work["split"])
    samples: list[Sample] = []
    puzzles: list[Puzzle] = []
    for place in range(work["size"]):
        index = work["start"] + place
        rng = drawer.rng(index)
        for _ in range(ATTEMPTS):
            drawn = drawer.draw(index, rng)
            sample = namer.sample(drawn, work["task"], index, work["number"] + place, rng)
            if sample is not None:
                break
        else:
            raise UsageError("the phrasings have no words for the puzzles: add clauses to them, or use our own")
        samples.append(sample)
        puzzles.append(drawn)
    report: dict[str, Json] = {
        "rejected": {"no such chain in the family": drawer.rejected},
        "proven": prove(config.packs, samples),
        "confirmed": confirm_derivable(theory, puzzles),
        "judged by clingo over all families": confirm_first(theory, puzzles),
    }
    return Batch(samples, report=report)


class Drawer:
    """Draws the puzzles of one task in one split."""

    def __init__(self, config: ClutrrConfig, seed: int, split: str, task: str, rules: PuzzleRules) -> None:
        self.theory = load(config.packs)
        self._config = config
        self._seed = seed
        self._name = f"{split}/{task}"
        self._length = length_of(task)
        self._kinds = noise_of(task)
        self._rules = rules
        self._only = None if rules.only is None else clauses.by_label(rules.only)
        self._shared: tuple[tuple[int, int], Kin] | None = None
        self._block: tuple[int, list[str]] | None = None
        self.rejected = 0

    def rng(self, *purpose: int | str) -> Random:
        """The random numbers of a purpose, such as the number of a puzzle."""
        return seeds.fast_rng(self._seed, "clutrr", self._name, *purpose)

    def draw(self, index: int, rng: Random) -> Puzzle:
        """Puzzle number `index` of the task."""
        label = self.label(index)
        for attempt in range(ATTEMPTS):
            kin = self._family(index, attempt, rng)
            for _ in range(TRIES):
                drawn = self._attempt(kin, label, rng)
                if drawn is not None:
                    return drawn
                self.rejected += 1
        wanted = "a relation" if label is None else f"'{label}'"
        raise UsageError(
            f"no puzzle of {self._length} facts for {wanted} in {ATTEMPTS} families ({self._name}): "
            "make the families larger (family.generations, family.children) or the stories shorter"
        )

    def feasible(self, label: str, attempts: int = 150) -> bool:
        """Whether a puzzle with this label can be drawn."""
        rng = self.rng("feasible", label)
        for _ in range(attempts):
            kin = Kin(self.theory, grow(self._config.family, rng))
            if any(self._attempt(kin, label, rng) for _ in range(TRIES)):
                return True
        return False

    def label(self, index: int) -> str | None:
        """The label of a puzzle: every label comes once in each block; None leaves it to the families."""
        if self._config.targets == "natural":
            return None
        block, place = divmod(index, len(self._rules.labels))
        if self._block is None or self._block[0] != block:
            order = list(self._rules.labels)
            self.rng("labels", block).shuffle(order)
            self._block = (block, order)
        return self._block[1][place]

    def _family(self, index: int, attempt: int, rng: Random) -> Kin:
        puzzles = self._config.family.puzzles
        if puzzles == 1:
            return Kin(self.theory, grow(self._config.family, rng))
        # Ten rounds of tries in the shared family, then in its next.
        key = (index // puzzles, attempt // 10)
        if self._shared is None or self._shared[0] != key:
            self._shared = (key, Kin(self.theory, grow(self._config.family, self.rng("family", *key))))
        return self._shared[1]

    def _attempt(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        drawn = self._by_target(kin, label, rng) if self._only is None else self._by_clause(kin, label, rng)
        if drawn is None or not self._kinds:
            return drawn
        settings = self._config.noise
        sizes = [(kind, rng.randint(*getattr(settings, kind))) for kind in self._kinds]
        return puzzle.add_noise(kin, drawn, sizes, rng)

    def _by_target(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        if label is None:
            pairs = list(kin.pairs())
            target: puzzle.Fact | None = puzzle.Fact(*pairs[int(rng.random() * len(pairs))])
        else:
            relation, genders = self.theory.of_word(label)
            gender = None if len(genders) == 2 else GENDERS.index(genders[0])
            target = puzzle.pairs_of(kin, relation, gender, rng)
        drawn = None if target is None else puzzle.draw(kin, target, self._length, rng)
        rules = self._rules
        if drawn is None or not (rules.forbidden or rules.hashed):
            return drawn
        clause = KinClause(drawn.word(self.theory, drawn.target), drawn.body(self.theory))
        if rules.hashed:
            held_out = clauses.hashed_out(clause, rules.hashed, self._seed)
            return drawn if held_out == rules.hashed_only else None
        return None if clause in rules.forbidden else drawn

    def _by_clause(self, kin: Kin, label: str | None, rng: Random) -> Puzzle | None:
        assert self._only is not None
        choices = self._rules.only if label is None else self._only[label]
        assert choices
        clause = choices[int(rng.random() * len(choices))]
        parts = [self.theory.of_word(word) for word in clause.body]
        # A word for both genders leaves the gender open; then the drawn one decides, as it does in the clause.
        genders = [GENDERS.index(said[0]) if len(said) == 1 else int(rng.random() < 0.5) for _, said in parts]
        facts = puzzle.embed(kin, [relation for relation, _ in parts], genders, rng)
        for proof in puzzle.bracket(self.theory, facts, rng) if facts is not None else ():
            drawn = Puzzle(kin.tree, proof[0].whole, tuple(facts or ()), tuple(proof))
            if drawn.word(self.theory, drawn.target) == clause.label:
                return drawn
        return None


class Namer:
    """Gives a puzzle its names and its words."""

    def __init__(self, config: ClutrrConfig, seed: int, theory: KinTheory, split: str) -> None:
        self._story = config.story
        self._seed = seed
        self._theory = theory
        self._split = split
        self._teller = story.Teller(theory, book_of(config, split), config.story.join, config.story.shuffle)

    def sample(self, drawn: Puzzle, task: str, index: int, number: int, rng: Random) -> Sample | None:
        """The sample of a puzzle; None if the phrasings have no words for it."""
        names = self._names(drawn, number, rng)
        bracketed = self._story.entities == "bracketed"
        shown = {person: f"[{name}]" for person, name in names.items()} if bracketed else names
        told = self._teller.tell(drawn, shown.__getitem__, rng)
        if told is None:
            return None
        return make_sample(
            self._theory,
            drawn,
            place=(f"{self._split}-{task.replace('.', '_')}-{index:06d}", task, self._split),
            names=names,
            told=told,
            question=self._question(drawn, shown, rng),
            node_rng=rng if self._story.permute_ids else None,
        )

    def _names(self, drawn: Puzzle, number: int, rng: Random) -> dict[int, str]:
        # The first three are those that make every puzzle's names its own.
        mentioned = drawn.persons()
        leading = [drawn.target.person, drawn.facts[0].other, drawn.target.other]
        persons = leading + [person for person in mentioned if person not in leading]
        rest = sorted(set(range(len(drawn.tree))) - set(mentioned))
        gender = drawn.tree.gender
        if self._story.entities != "anonymous":
            return story.assign(story.first_names(), number, self._seed, [*persons, *rest], gender, rng)
        pool = self._story.pool
        names = story.assign(story.placeholders(pool), number, self._seed, persons, gender, rng)
        return names | {person: f"@ent{pool + place}" for place, person in enumerate(rest)}

    def _question(self, drawn: Puzzle, shown: Mapping[int, str], rng: Random) -> str:
        forms = story.questions()
        form = forms[int(rng.random() * len(forms))]
        return form.say([shown[drawn.target.person], shown[drawn.target.other]], [0, 0], [])


def book_of(config: ClutrrConfig, split: str) -> story.Book:
    """The phrasings of a split."""
    files = config.story.phrasings
    if files is None:
        return story.own_book("test" if split == "test" else "train", config.hold_out.phrasings)
    path = Path(files.test if split == "test" else files.train)
    return story.placeholder_book(path, tuple(load(config.packs).labels()))
