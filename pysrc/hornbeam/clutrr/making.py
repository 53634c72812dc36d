"""Making a shard: puzzles drawn, named, told, then proven by SWI-Prolog and confirmed by clingo before they leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hornbeam.clutrr import names as naming
from hornbeam.clutrr import sample as drawing
from hornbeam.clutrr.config import ClutrrConfig
from hornbeam.clutrr.confirm import confirm_derivable
from hornbeam.clutrr.entailment import Story, judge
from hornbeam.clutrr.families import smallest
from hornbeam.clutrr.phrasing import Book, Phrasing, own_book, placeholder_book, questions
from hornbeam.clutrr.proving import prove
from hornbeam.clutrr.puzzle import Puzzle
from hornbeam.clutrr.record import make_sample
from hornbeam.clutrr.render import Teller
from hornbeam.clutrr.theory import Theory, load
from hornbeam.data.sample import Json, Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.family import Batch, Shard

SHARD = 500  # puzzles
JUDGED = {"nuclear": 15, "blended": 4}  # facts of the longest stories that are judged before they leave


def plan(config: ClutrrConfig, seed: int) -> list[Shard]:
    """The shards of a dataset; puzzles are numbered through it, which keeps their names apart."""
    _refuse_crowds(config)
    shards: list[Shard] = []
    number = 0
    for split, rows in config.splits():
        for task, count in rows.items():
            rules = drawing.as_work(drawing.feasible_rules(config, seed, split, task))
            for start in range(0, count, SHARD):
                size = min(SHARD, count - start)
                work = {"split": split, "task": task, "start": start, "size": size, "number": number + start, **rules}
                shards.append(Shard(len(shards), f"{split} {task} {start}", work))
            number += count
    _room_for_names(config, number)
    return shards


def _refuse_crowds(config: ClutrrConfig) -> None:
    """Refuse families that never have enough names, before one is searched: that takes long where they are large."""
    if config.story.entities == "anonymous":
        return  # who is not in the story needs no placeholder from the pool
    persons, names = len(smallest(config.family.shape())), sum(map(len, naming.pools()))
    if persons > names:
        raise UsageError(
            f"families of this shape have {persons} persons or more, and there are {names} names: make them smaller "
            "(family.generations, family.children)"
        )


def _room_for_names(config: ClutrrConfig, puzzles: int) -> None:
    story = config.story
    anonymous = story.entities == "anonymous"
    register = naming.placeholders(story.pool) if anonymous else naming.first_names()
    if puzzles > register.capacity():
        advice = f"raise story.pool above {story.pool}" if anonymous else f"at most {register.capacity()} can"
        raise UsageError(f"{puzzles} puzzles cannot all have other names: {advice}")


def make(config: ClutrrConfig, seed: int, shard: Shard) -> Batch:
    """The samples of a shard."""
    work: Mapping[str, Any] = shard.work
    theory = load(config.packs)
    rules = drawing.from_work(work)
    drawer = drawing.Drawer(config, seed, work["split"], work["task"], rules)
    namer = Namer(config, seed, theory, work["split"])
    samples: list[Sample] = []
    puzzles: list[Puzzle] = []
    for place in range(work["size"]):
        index = work["start"] + place
        rng = drawer.rng(index)
        for _ in range(drawing.ATTEMPTS):
            puzzle = drawer.draw(index, rng)
            made = namer.sample(puzzle, work["task"], index, work["number"] + place, rng)
            if made is not None:
                break
        else:
            raise UsageError("the phrasings have no words for the puzzles: add clauses to them, or use our own")
        samples.append(made)
        puzzles.append(puzzle)
    report: dict[str, Json] = {
        "rejected": {"no such chain in the family": drawer.rejected},
        "proven": prove(config.packs, samples),
        "confirmed": confirm_derivable(theory, puzzles),
        "judged by clingo over all families": judge_first(theory, puzzles),
    }
    return Batch(samples, report=report)


def judge_first(theory: Theory, puzzles: Sequence[Puzzle]) -> int:
    """Let clingo judge the first puzzle of a shard over all families; the number that is judged.

    A puzzle of more than JUDGED facts takes too long here; `hornbeam check` judges all.
    """
    first = puzzles[0]
    if len(first.facts) > JUDGED["blended" if "blended" in theory.packs else "nuclear"]:
        return 0
    facts = tuple((theory.names[fact.relation], fact.person, fact.other) for fact in first.facts)
    story = Story(facts, (), first.target.person, first.target.other)
    if not judge(theory.packs, story, theory.names[first.target.relation]).entailed:
        raise HornbeamError(f"clingo has a family that denies the answer of a puzzle: {facts}")
    return 1


class Namer:
    """Gives a puzzle its names and its words."""

    def __init__(self, config: ClutrrConfig, seed: int, theory: Theory, split: str) -> None:
        self._config = config
        self._seed = seed
        self._theory = theory
        self._split = split
        story = config.story
        self._teller = Teller(theory, book_of(config, split), story.join, story.shuffle)
        self._anonymous = story.entities == "anonymous"
        self._bracketed = story.entities == "bracketed"

    def sample(self, puzzle: Puzzle, task: str, index: int, number: int, rng: Random) -> Sample | None:
        names = self._names(puzzle, number, rng)
        shown = {person: f"[{name}]" for person, name in names.items()} if self._bracketed else names
        told = self._teller.tell(puzzle, shown.__getitem__, rng)
        if told is None:
            return None
        return make_sample(
            self._theory,
            puzzle,
            place=(f"{self._split}-{task.replace('.', '_')}-{index:06d}", task, self._split),
            names=names,
            told=told,
            question=self._question(puzzle, shown, rng),
            node_rng=rng if self._config.story.permute_ids else None,
        )

    def _names(self, puzzle: Puzzle, number: int, rng: Random) -> dict[int, str]:
        # The first three are those that make every puzzle's names its own.
        mentioned = puzzle.persons()
        leading = [puzzle.target.person, puzzle.facts[0].other, puzzle.target.other]
        others = [person for person in mentioned if person not in leading]
        rest = sorted(set(range(len(puzzle.tree))) - set(mentioned))
        gender = puzzle.tree.gender
        if not self._anonymous:
            return naming.assign(naming.first_names(), number, self._seed, [*leading, *others, *rest], gender, rng)
        pool = naming.placeholders(self._config.story.pool)
        names = naming.assign(pool, number, self._seed, [*leading, *others], gender, rng)
        return names | {person: f"@ent{self._config.story.pool + place}" for place, person in enumerate(rest)}

    def _question(self, puzzle: Puzzle, shown: Mapping[int, str], rng: Random) -> str:
        forms = questions()
        form: Phrasing = forms[int(rng.random() * len(forms))]
        return form.say([shown[puzzle.target.person], shown[puzzle.target.other]], [0, 0], [])


def book_of(config: ClutrrConfig, split: str) -> Book:
    """The phrasings of a split."""
    files = config.story.phrasings
    if files is None:
        return own_book("test" if split == "test" else "train", config.hold_out.phrasings)
    return _file_book(files.test if split == "test" else files.train, config.packs)


@cache
def _file_book(path: str, packs: tuple[str, ...]) -> Book:
    return placeholder_book(Path(path), load(packs).labels())
