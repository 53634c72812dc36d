"""A world's shard: grow its graph, find its paths, let Prolog and clingo judge them, draw its rows, write its files."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hornbeam.data.sample import Json, Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch, Shard
from hornbeam.graphlog import descriptors, original, prolog_text
from hornbeam.graphlog.config import Config
from hornbeam.graphlog.descriptors import SPLITS, SplitBook
from hornbeam.graphlog.likeness import is_like
from hornbeam.graphlog.logic import Chain, Theory, Verdict, clash
from hornbeam.graphlog.paths import PathBook, find_paths
from hornbeam.graphlog.proving import prove
from hornbeam.graphlog.records import Grounds, derivable, to_sample
from hornbeam.graphlog.rich import draw_worlds, draws_of_worlds
from hornbeam.graphlog.rows import Row, RowMaker
from hornbeam.graphlog.statistics import Tally, WorldFigures, difficulty
from hornbeam.graphlog.world import World
from hornbeam.graphlog.world_graph import WorldGraph, grow
from hornbeam.seeds import fast_rng

# Where a sound world has too few different rows it is grown again with half as many cycles more, this often.
_REGROWN = 6
# Longer chains are not searched for two relations when a dataset is made: the proof that there is none takes seconds.
LONGEST_CLASH = 6

Verdicts = dict[tuple[str, Chain], Verdict]


def plan(config: Config, seed: int) -> list[Shard]:
    """A shard for each world; compat splits descriptors in one pass over the worlds and needs all their paths now."""
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


def _compat_suite(config: Config, seed: int) -> tuple[list[World], list[SplitBook]]:
    for worlds in draws_of_worlds(config, seed):
        books = _compat_books(config, seed, worlds)
        if is_like(config, books):
            return worlds, books
    raise UsageError("likeness: no draw of the rules gives worlds with these means; expected wider bounds")


def _compat_books(config: Config, seed: int, worlds: Sequence[World]) -> list[SplitBook]:
    passing = descriptors.Pass(config.descriptors)
    books: dict[str, SplitBook] = {}
    for world in _in_pass_order(config, seed, worlds):
        paths = find_paths(_graph(config, seed, world, 0), config.length)
        rng = fast_rng(seed, "graphlog", "descriptors", world.name)
        books[world.name] = passing.split({label: list(chains) for label, chains in paths.items()}, rng)
    return [books[world.name] for world in worlds]


def _in_pass_order(config: Config, seed: int, worlds: Sequence[World]) -> list[World]:
    """The worlds for training, then those for validation, then those for testing, each in an order drawn at random.

    The original went through its folders in the order of the file system: of the published worlds, rule_32 came early
    and rule_17 late. Windows in their own order would hand on all but one rule from world to world, so that hardly
    anything but short descriptors would ever be new enough for training.
    """
    numbered = list(enumerate(worlds))
    fast_rng(seed, "graphlog", "order of worlds").shuffle(numbered)
    numbered.sort(key=lambda item: SPLITS.index(config.world_split(item[1].name, item[0])))
    return [world for _, world in numbered]


def _graph(config: Config, seed: int, world: World, attempt: int) -> WorldGraph:
    growth = config.growth
    if attempt:
        growth = growth.model_copy(update={"cycles": growth.cycles * (2 + attempt) // 2})
    rng = fast_rng(seed, "graphlog", "world", world.name, attempt)
    return grow(world, growth, rng, sound=config.profile == "sound")


@dataclass(frozen=True, slots=True)
class _Made:
    graph: WorldGraph
    paths: PathBook
    splits: SplitBook
    verdicts: Verdicts
    rows: dict[str, list[Row]]
    rejected: dict[str, int]


def make(config: Config, seed: int, shard: Shard) -> Batch:
    """The samples and files of one world."""
    with _without_collector():
        return _make(config, seed, shard)


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


def _make(config: Config, seed: int, shard: Shard) -> Batch:
    world = World.from_json(shard.work["world"])
    theory = Theory(world)
    if config.profile == "sound":
        made = _make_sound(config, seed, world, theory)
    else:
        made = _make_compat(config, seed, world, theory, descriptors.from_json(shard.work["descriptors"]))
    grounds = _grounds(theory, made)
    samples = [
        to_sample(row, number, world.name, split, grounds[row.label, row.chain])
        for split in SPLITS
        for number, row in enumerate(made.rows[split])
    ]
    files = _files(config, world, shard, made, samples)
    files |= _figures_file(world, shard, made, grounds, config)
    rejected: dict[str, Json] = {**made.rejected}
    sizes: dict[str, Json] = {"world_nodes": made.graph.nodes, "world_edges": len(made.graph.edges)}
    proof = prove(world, samples, must_follow=config.profile == "sound")
    return Batch(samples, files, {"rejected": rejected, **sizes, **proof})


# The two profiles -----------------------------------------------------------------------------------------------------


def _make_compat(config: Config, seed: int, world: World, theory: Theory, splits: SplitBook) -> _Made:
    graph = _graph(config, seed, world, 0)
    paths = find_paths(graph, config.length)
    verdicts = _verdicts(theory, paths)
    maker = RowMaker(config, graph, paths)
    rows = {split: list(_rows(maker, config, seed, world, splits, split)) for split in SPLITS}
    for split in SPLITS:
        if len(rows[split]) < getattr(config.rows, split):
            raise UsageError(
                f"the world {world.name} has no {split} descriptors, {getattr(config.rows, split)} {split} rows were "
                "asked for; ask for none, for more cycles of growth, or take another seed"
            )
    return _Made(graph, paths, splits, verdicts, rows, {})


def _make_sound(config: Config, seed: int, world: World, theory: Theory) -> _Made:
    counts: dict[str, int] = {}
    for attempt in range(_REGROWN):
        graph = _graph(config, seed, world, attempt)
        found = find_paths(graph, config.length)
        verdicts = _verdicts(theory, found)
        paths = _proven(found, verdicts)
        classes = {label: list(chains) for label, chains in paths.items()}
        splits = descriptors.split_sound(classes, config.descriptors, seed)
        rows, detours = _rows_with_true_detours(config, seed, theory, RowMaker(config, graph, paths), splits)
        counts = {split: len(rows[split]) for split in SPLITS}
        if all(counts[split] == getattr(config.rows, split) for split in SPLITS):
            not_unique = sum(map(len, found.values())) - sum(map(len, paths.values()))
            rejected = {"not_unique": not_unique, "regrown": attempt, "detours": detours}
            return _Made(graph, paths, splits, verdicts, rows, rejected)
    wanted = ", ".join(f"{getattr(config.rows, split)} {split}" for split in SPLITS)
    had = ", ".join(f"{counts[split]} {split}" for split in SPLITS)
    raise UsageError(
        f"the world {world.name} has only {had} different rows, {wanted} were asked for; "
        "ask for fewer rows, more cycles of growth or more noise"
    )


def _rows(maker: RowMaker, config: Config, seed: int, world: World, splits: SplitBook, split: str) -> Sequence[Row]:
    return list(maker.rows(splits[split], getattr(config.rows, split), seed, world.name, split))


def _verdicts(theory: Theory, paths: PathBook) -> Verdicts:
    asked = [(label, chain) for label, chains in paths.items() for chain in chains]
    return dict(zip(asked, theory.verdicts([chain for _, chain in asked]), strict=True))


def _proven(paths: PathBook, verdicts: Verdicts) -> PathBook:
    """The paths whose descriptor derives their class and nothing else."""
    kept = {
        label: {chain: found for chain, found in chains.items() if verdicts[label, chain].proves(label)}
        for label, chains in paths.items()
    }
    return {label: chains for label, chains in kept.items() if chains}


def _rows_with_true_detours(
    config: Config, seed: int, theory: Theory, maker: RowMaker, splits: SplitBook
) -> tuple[dict[str, list[Row]], int]:
    """Rows in which every detour derives the label alone: drawn again without the detours that do not."""
    while True:
        rows = {split: list(_rows(maker, config, seed, theory.world, splits, split)) for split in SPLITS}
        labels = {row.detour: row.label for found in rows.values() for row in found if row.detour}
        verdicts = theory.verdicts(list(labels))
        known = zip(labels.items(), verdicts, strict=True)
        false = {detour for (detour, label), verdict in known if verdict.by_theory != (label,)}
        if not false:
            return rows, len(maker.forbidden)
        maker.forbidden |= false


# What goes to disk ----------------------------------------------------------------------------------------------------


def _grounds(theory: Theory, made: _Made) -> dict[tuple[str, Chain], Grounds]:
    used = list(dict.fromkeys((row.label, row.chain) for rows in made.rows.values() for row in rows))
    certificates = theory.certificates([(chain, label) for label, chain in used])
    return {
        (label, chain): Grounds(derivable(made.verdicts[label, chain].by_rules, label), certificate)
        for (label, chain), certificate in zip(used, certificates, strict=True)
    }


def _files(config: Config, world: World, shard: Shard, made: _Made, samples: Sequence[Sample]) -> dict[str, bytes]:
    folder = original.world_folder(config, world.name, shard.work["split"])
    edges = [(*pair, label) for pair, label in made.graph.edges.items()]
    files = original.row_files(config, folder, world, samples)
    files[f"{folder}/config.json"] = original.dump(original.config_file(config, world))
    files[f"{folder}/rules.json"] = original.dump({",".join(rule.body): rule.head for rule in world.rules})
    files[f"{folder}/meta_graph.jsonl"] = original.dump(original.meta_graph(edges))
    files[f"{folder}/graph_prop.json"] = original.dump(original.properties(world, made.graph, made.paths, made.splits))
    files[f"worlds/{world.name}.pl"] = prolog_text.clause_file(world).encode()
    if "suite" in shard.work:
        worlds = [World.from_json(value) for value in shard.work["suite"]]
        files["rules.pl"] = prolog_text.rules_file(worlds).encode()
        files["relations.pl"] = prolog_text.relations_file(worlds).encode()
        files[original.label_file(config)] = original.dump(original.label_numbers(worlds))
    return files


def _figures_file(
    world: World, shard: Shard, made: _Made, grounds: dict[tuple[str, Chain], Grounds], config: Config
) -> dict[str, bytes]:
    tally = Tally(world.name, shard.work["split"])
    for split, rows in made.rows.items():
        for row in rows:
            why = grounds[row.label, row.chain]
            depth = why.certificate.depth if why.certificate else None
            tally.add(split, row.label, row.chain, row.nodes, row.edges, why.derivable, depth)
    longest = min(config.length.max, LONGEST_CLASH)
    return world_file(world, tally, sum(map(len, made.paths.values())), longest)


def world_file(world: World, tally: Tally, descriptors_of_graph: int | None, longest: int) -> dict[str, bytes]:
    """worlds/NAME.json: the theory, the figures, and whether two relations can follow from one chain."""
    two = clash(world, longest)
    value = {
        "theory": world.to_json(),
        "figures": tally.figures(descriptors_of_graph).to_json(),
        "confluence": {
            "searched_up_to": longest,
            "chain": None if two is None else list(two.chain),
            "relations": None if two is None else list(two.relations),
        },
    }
    return {f"worlds/{world.name}.json": original.dump(value)}


def with_meta(config: Config, batches: Iterator[Batch]) -> Iterator[Batch]:
    """The batches, and after them meta.json with the difficulty of all worlds."""
    figures: list[WorldFigures] = []
    for batch in batches:
        for name, data in batch.files.items():
            if name.startswith("worlds/") and name.endswith(".json"):
                figures.append(WorldFigures(**json.loads(data)["figures"]))
        yield batch
    yield Batch(files=original.meta_file(config, difficulty(figures)))


def fresh_samples(config: Config, seed: int, world: World, most: int) -> list[Sample]:
    """At most so many rows of each split of a world whose rules are given, from a graph that grows with this seed."""
    rows = {split: min(most, getattr(config.rows, split)) for split in SPLITS}
    smaller = config.model_copy(update={"rows": config.rows.model_copy(update=rows)})
    with _without_collector():
        theory = Theory(world)
        if config.profile == "sound":
            made = _make_sound(smaller, seed, world, theory)
        else:
            made = _make_compat(smaller, seed, world, theory, _compat_books(smaller, seed, [world])[0])
        grounds = _grounds(theory, made)
        return [
            to_sample(row, number, world.name, split, grounds[row.label, row.chain])
            for split in SPLITS
            for number, row in enumerate(made.rows[split])
        ]
