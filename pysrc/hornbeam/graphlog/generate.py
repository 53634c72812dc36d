"""A suite is planned as one shard per world; a shard grows its world's graph, draws rows, and proves their labels.

Prolog and clingo judge the paths before rows are drawn. The two profiles draw differently:

`sound`: only paths whose descriptor derives their class and nothing else. A world with too few different rows is grown
again, larger.

`compat`: as published. Descriptors are split in one pass over all worlds, so `plan` already needs all their paths.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Shard
from hornbeam.graphlog import descriptors, original, record
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.descriptors import SPLITS, PathBook, SplitBook, draw_worlds, draws_of_worlds, find_paths, is_like
from hornbeam.graphlog.figures import WorldFigures, difficulty, world_figures
from hornbeam.graphlog.knowledge import Chain, ChainVerdict, GraphWorld, WorldTheory, clash
from hornbeam.graphlog.proving import prove
from hornbeam.graphlog.record import DrawnRow, Grounds, GroundsBook, RowBook, derivable, to_sample
from hornbeam.graphlog.rows import RowMaker
from hornbeam.graphlog.world import WorldGraph, grow
from hornbeam.seeds import fast_rng

# Where a sound world has too few different rows it is grown again with half as many cycles more, this often.
_REGROWN = 6
# Longer chains are not searched for two relations when a dataset is made: the proof that there is none takes seconds.
LONGEST_CLASH = 6

Verdicts = dict[tuple[str, Chain], ChainVerdict]


def plan(config: Config, seed: int) -> list[Shard]:
    """A shard for each world; the first also carries the whole suite, for the files that all worlds share."""
    if config.profile == "imported":
        raise UsageError("profile: imported is for imported files; expected sound or compat")
    books: Sequence[SplitBook | None]
    if config.profile == "compat":
        worlds, books = _compat_suite(config, seed)
    else:
        worlds = draw_worlds(config, seed)
        books = [None] * len(worlds)
    shards = []
    for index, (world, book) in enumerate(zip(worlds, books, strict=True)):
        work: dict[str, Any] = {"world": world.to_json(), "split": config.world_split(world.name, index)}
        if book is not None:
            work["descriptors"] = descriptors.to_json(book)
        if index == 0:
            work["suite"] = [each.to_json() for each in worlds]
        shards.append(Shard(index, world.name, work))
    return shards


def _compat_suite(config: Config, seed: int) -> tuple[list[GraphWorld], list[SplitBook]]:
    for worlds in draws_of_worlds(config, seed):
        books = _compat_books(config, seed, worlds)
        if is_like(config, books):
            return worlds, books
    raise UsageError("likeness: no draw of the rules gives worlds with these means; expected wider bounds")


def _compat_books(config: Config, seed: int, worlds: Sequence[GraphWorld]) -> list[SplitBook]:
    passing = descriptors.Pass(config.descriptors)
    books: dict[str, SplitBook] = {}
    for world in _in_pass_order(config, seed, worlds):
        paths = find_paths(_graph(config, seed, world), config.length)
        rng = fast_rng(seed, "graphlog", "descriptors", world.name)
        books[world.name] = passing.split({label: list(chains) for label, chains in paths.items()}, rng)
    return [books[world.name] for world in worlds]


def _in_pass_order(config: Config, seed: int, worlds: Sequence[GraphWorld]) -> list[GraphWorld]:
    """The worlds for training, then those for validation, then those for testing, each in an order drawn at random.

    The original went through its folders in the order of the file system: of the published worlds, rule_32 came early
    and rule_17 late. Windows in their own order would hand on all but one rule from world to world, so that hardly
    anything but short descriptors would ever be new enough for training.
    """
    numbered = list(enumerate(worlds))
    fast_rng(seed, "graphlog", "order of worlds").shuffle(numbered)
    numbered.sort(key=lambda item: SPLITS.index(config.world_split(item[1].name, item[0])))
    return [world for _, world in numbered]


def _graph(config: Config, seed: int, world: GraphWorld, attempt: int = 0) -> WorldGraph:
    growth = config.growth
    if attempt:
        growth = growth.model_copy(update={"cycles": growth.cycles * (2 + attempt) // 2})
    rng = fast_rng(seed, "graphlog", "world", world.name, attempt)
    return grow(world, growth, rng, sound=config.profile == "sound")


# A world --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _DrawnWorld:
    graph: WorldGraph
    paths: PathBook
    splits: SplitBook
    verdicts: Verdicts
    rows: RowBook
    rejected: dict[str, int]


def make(config: Config, seed: int, shard: Shard) -> Batch:
    """The samples and files of one world."""
    world = GraphWorld.from_json(shard.work["world"])
    book = descriptors.from_json(shard.work["descriptors"]) if config.profile == "compat" else None
    with _without_collector():
        theory = WorldTheory(world)
        drawn = _draw(config, seed, theory, book)
        grounds = grounds_of(theory, drawn.rows, drawn.verdicts)
        samples = samples_of(world, drawn.rows, grounds)
        count = sum(map(len, drawn.paths.values()))
        figures = world_figures(world.name, shard.work["split"], drawn.rows, grounds, all_descriptors=count)
        files = world_files(config, world, figures, samples, min(config.length.max, LONGEST_CLASH))
        files |= _generator_files(config, world, shard.work["split"], drawn)
        if "suite" in shard.work:
            files |= suite_files(config, [GraphWorld.from_json(value) for value in shard.work["suite"]])
        proof = prove(world, samples, must_follow=config.profile == "sound")
    sizes = {"world_nodes": drawn.graph.nodes, "world_edges": len(drawn.graph.edges)}
    return Batch(samples, files, {"rejected": {**drawn.rejected}, **sizes, **proof})


def fresh_samples(config: Config, seed: int, world: GraphWorld, most: int) -> list[Sample]:
    """At most `most` rows of each split of a world whose rules are given, from a graph that grows with this seed."""
    rows = {split: min(most, getattr(config.rows, split)) for split in SPLITS}
    smaller = config.model_copy(update={"rows": config.rows.model_copy(update=rows)})
    book = _compat_books(smaller, seed, [world])[0] if config.profile == "compat" else None
    with _without_collector():
        theory = WorldTheory(world)
        drawn = _draw(smaller, seed, theory, book)
        return samples_of(world, drawn.rows, grounds_of(theory, drawn.rows, drawn.verdicts))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Rows are a million small lists, none in a cycle: to look for cycles among them takes a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _draw(config: Config, seed: int, theory: WorldTheory, book: SplitBook | None) -> _DrawnWorld:
    return _draw_sound(config, seed, theory) if book is None else _draw_compat(config, seed, theory, book)


def _draw_compat(config: Config, seed: int, theory: WorldTheory, book: SplitBook) -> _DrawnWorld:
    graph = _graph(config, seed, theory.world)
    paths = find_paths(graph, config.length)
    rows = _rows(config, seed, theory.world, RowMaker(config, graph, paths), book)
    for split in SPLITS:
        if len(rows[split]) < getattr(config.rows, split):
            raise UsageError(
                f"the world {theory.world.name} has no {split} descriptors, {getattr(config.rows, split)} {split} rows "
                "were asked for; ask for none, for more cycles of growth, or take another seed"
            )
    return _DrawnWorld(graph, paths, book, _verdicts_of_paths(theory, paths), rows, {})


def _draw_sound(config: Config, seed: int, theory: WorldTheory) -> _DrawnWorld:
    counts: dict[str, int] = {}
    for attempt in range(_REGROWN):
        graph = _graph(config, seed, theory.world, attempt)
        candidates = find_paths(graph, config.length)
        verdicts = _verdicts_of_paths(theory, candidates)
        paths = _proven(candidates, verdicts)
        classes = {label: list(chains) for label, chains in paths.items()}
        splits = descriptors.split_sound(classes, config.descriptors, seed)
        rows, detours = _rows_with_true_detours(config, seed, theory, RowMaker(config, graph, paths), splits)
        counts = {split: len(rows[split]) for split in SPLITS}
        if all(counts[split] == getattr(config.rows, split) for split in SPLITS):
            not_unique = sum(map(len, candidates.values())) - sum(map(len, paths.values()))
            rejected = {"not_unique": not_unique, "regrown": attempt, "detours": detours}
            return _DrawnWorld(graph, paths, splits, verdicts, rows, rejected)
    wanted = ", ".join(f"{getattr(config.rows, split)} {split}" for split in SPLITS)
    had = ", ".join(f"{counts[split]} {split}" for split in SPLITS)
    raise UsageError(
        f"the world {theory.world.name} has only {had} different rows, {wanted} were asked for; "
        "ask for fewer rows, more cycles of growth or more noise"
    )


def _rows(config: Config, seed: int, world: GraphWorld, maker: RowMaker, splits: SplitBook) -> RowBook:
    return {split: maker.rows(splits[split], getattr(config.rows, split), seed, world.name, split) for split in SPLITS}


def _rows_with_true_detours(
    config: Config, seed: int, theory: WorldTheory, maker: RowMaker, splits: SplitBook
) -> tuple[RowBook, int]:
    """Rows in which every detour derives the label alone: drawn again without the detours that do not."""
    while True:
        rows = _rows(config, seed, theory.world, maker, splits)
        labels = {row.detour: row.label for group in rows.values() for row in group if row.detour}
        verdicts = theory.verdicts(list(labels))
        known = zip(labels.items(), verdicts, strict=True)
        false = {detour for (detour, label), verdict in known if verdict.by_theory != (label,)}
        if not false:
            return rows, len(maker.forbidden)
        maker.forbidden |= false


# What the reasoners say -----------------------------------------------------------------------------------------------


def verdicts_of(theory: WorldTheory, asked: Iterable[tuple[str, Chain]]) -> Verdicts:
    """What each descriptor composes to, by class and descriptor."""
    keys = list(dict.fromkeys(asked))
    return dict(zip(keys, theory.verdicts([chain for _, chain in keys]), strict=True))


def _verdicts_of_paths(theory: WorldTheory, paths: PathBook) -> Verdicts:
    return verdicts_of(theory, ((label, chain) for label, chains in paths.items() for chain in chains))


def _proven(paths: PathBook, verdicts: Verdicts) -> PathBook:
    """The paths whose descriptor derives their class and nothing else."""
    kept = {
        label: {chain: group for chain, group in chains.items() if verdicts[label, chain].proves(label)}
        for label, chains in paths.items()
    }
    return {label: chains for label, chains in kept.items() if chains}


def grounds_of(theory: WorldTheory, rows: Mapping[str, Sequence[DrawnRow]], verdicts: Verdicts) -> GroundsBook:
    """Why the descriptors of rows give their class."""
    used = list(dict.fromkeys((row.label, row.chain) for group in rows.values() for row in group))
    certificates = theory.certificates([(chain, label) for label, chain in used])
    return {
        (label, chain): Grounds(derivable(verdicts[label, chain].by_rules, label), certificate)
        for (label, chain), certificate in zip(used, certificates, strict=True)
    }


# What goes to disk ----------------------------------------------------------------------------------------------------


def samples_of(world: GraphWorld, rows: Mapping[str, Sequence[DrawnRow]], grounds: GroundsBook) -> list[Sample]:
    return [
        to_sample(row, number, world.name, split, grounds[row.label, row.chain])
        for split, group in rows.items()
        for number, row in enumerate(group)
    ]


def world_files(
    config: Config, world: GraphWorld, figures: WorldFigures, samples: Sequence[Sample], longest: int
) -> dict[str, bytes]:
    """The rows in the original's format, worlds/NAME.pl with the rules, and worlds/NAME.json with theory and figures.

    The latter also says whether a chain of at most `longest` edges has two relations.
    """
    files = original.row_files(config, original.world_folder(config, world.name, figures.split), world, samples)
    files[f"worlds/{world.name}.pl"] = record.clause_file(world).encode()
    two = clash(world, longest)
    value = {
        "theory": world.to_json(),
        "figures": asdict(figures),
        "confluence": {
            "searched_up_to": longest,
            "chain": None if two is None else list(two.chain),
            "relations": None if two is None else list(two.relations),
        },
    }
    files[f"worlds/{world.name}.json"] = original.dump(value)
    return files


def _generator_files(config: Config, world: GraphWorld, split: str, drawn: _DrawnWorld) -> dict[str, bytes]:
    """The settings, rules, world graph and state of the generator in the original's format."""
    values = {
        "config.json": original.config_file(config, world),
        "rules.json": {",".join(rule.body): rule.head for rule in world.rules},
        "meta_graph.jsonl": original.meta_graph((*pair, label) for pair, label in drawn.graph.edges.items()),
        "graph_prop.json": original.properties(world, drawn.graph, drawn.paths, drawn.splits),
    }
    folder = original.world_folder(config, world.name, split)
    return {f"{folder}/{name}": original.dump(value) for name, value in values.items()}


def suite_files(config: Config, worlds: Sequence[GraphWorld]) -> dict[str, bytes]:
    """The files that all worlds of a suite share."""
    return {
        "rules.pl": record.rules_file(worlds).encode(),
        "relations.pl": record.relations_file(worlds).encode(),
        original.label_file(config): original.dump(original.label_numbers(worlds)),
    }


def with_meta(config: Config, batches: Iterator[Batch]) -> Iterator[Batch]:
    """The batches, and after them meta.json with the difficulty of all worlds."""
    figures: list[WorldFigures] = []
    for batch in batches:
        for name, data in batch.files.items():
            if name.startswith("worlds/") and name.endswith(".json"):
                figures.append(WorldFigures(**json.loads(data)["figures"]))
        yield batch
    yield Batch(files=original.meta_file(config, difficulty(figures)))
