"""Published worlds: the folders of GraphLog v1.0 and v1.1, and those of its successor GLC."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from hornbeam.data.shape import MOST
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch
from hornbeam.graphlog import generate, original
from hornbeam.graphlog.config import Config, Rows
from hornbeam.graphlog.descriptors import SPLITS
from hornbeam.graphlog.figures import world_figures
from hornbeam.graphlog.knowledge import Chain, Edge, GraphWorld, WorldRule, WorldTheory
from hornbeam.graphlog.record import DrawnRow

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_LABEL = re.compile(r"[^\s,;|()]+")


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[Config, Iterator[Batch]]:
    """World folders, or folders around them, as a configuration and a batch for each world.

    The option ``inverses=true`` lets worlds derive with the inverses of their relations, too.
    """
    for name in options:
        if name != "inverses":
            raise unknown_name("option of the importer", name, ["inverses"])
    backwards = _truth(options.get("inverses", "false"))
    folders = [folder for file in files for folder in _folders(file)]
    names = [folder.name for folder in folders]
    for folder in folders:
        if names.count(folder.name) > 1:
            raise UsageError(f"two worlds have the name {folder.name}", file=str(folder))
        if not _NAME.fullmatch(folder.name):
            raise UsageError("expected a folder's name of letters, digits, - and _", file=str(folder))
    worlds = [_world(folder, backwards) for folder in folders]
    config = Config(
        profile="imported",
        inverses=backwards,
        row_format=_row_format(folders[0]),
        relations=max(3, min(60, max(len(world.labels) for world in worlds) // 2)),
        rows=Rows(train=1, valid=0, test=0),
        imported={folder.name: _split(folder) for folder in folders},  # type: ignore[misc]
    )
    return config, generate.with_meta(config, _batches(config, folders, worlds))


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise UsageError(f"inverses: expected true or false, found '{text}'")
    return text == "true"


# Folders --------------------------------------------------------------------------------------------------------------


def _folders(path: Path) -> list[Path]:
    """The world folders at or below a path, in the order of their numbers."""
    if not path.is_dir():
        raise UsageError("expected a world's folder, or a folder of worlds", file=str(path))
    folders = {file.parent for file in path.rglob("config.json") if _has_rows(file.parent)}
    if not folders:
        raise UsageError("there is no world here: expected folders with config.json and train.jsonl", file=str(path))
    return sorted(folders, key=lambda folder: (original.world_number(folder.name), str(folder)))


def _split(folder: Path) -> str:
    """The split of the suite to which a world belongs."""
    return folder.parent.name if folder.parent.name in SPLITS else "train"


def _has_rows(folder: Path) -> bool:
    return (folder / "train.jsonl").is_file() or any(folder.glob("graphs_*.jsonl"))


def _row_format(folder: Path) -> Any:
    """v1.1 if the rows carry descriptors."""
    file = next(iter(_files(folder).values()))
    return "v1.1" if '"descriptor"' in next(_read_lines(file), "") else "v1.0"


def _files(folder: Path) -> dict[str, Path]:
    files = {split: folder / f"{split}.jsonl" for split in SPLITS if (folder / f"{split}.jsonl").is_file()}
    return files or {"all": next(iter(sorted(folder.glob("graphs_*.jsonl"))))}


def _world(folder: Path, backwards: bool) -> GraphWorld:
    """The rules of config.json: unary ones are inverses, binary ones rules."""
    path = folder / "config.json"
    rules: list[WorldRule] = []
    inverses: dict[str, str] = {}
    try:
        for entry in json.loads(path.read_text(encoding="utf-8"))["rules"]:
            if isinstance(entry["body"], str):
                label, inverse = map(_checked_label, (entry["body"], entry["head"]))
                inverses |= {label: inverse, inverse: label}
            else:
                first, second = entry["body"]
                rules.append(WorldRule(*map(_checked_label, (first, second, entry["head"]))))
    except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
        raise UsageError(
            f"expected JSON with a list of rules, each with body and head ({type(error).__name__}: {error})",
            file=str(path),
        ) from None
    if not rules:
        raise UsageError("there is no rule with a body of two relations", file=str(path))
    return GraphWorld(folder.name, tuple(rules), tuple(sorted(inverses.items())), backwards and bool(inverses))


# Rows -----------------------------------------------------------------------------------------------------------------


def _batches(config: Config, folders: Sequence[Path], worlds: Sequence[GraphWorld]) -> Iterator[Batch]:
    for folder, world in zip(folders, worlds, strict=True):
        batch = _batch(config, folder, world)
        if world is worlds[0]:
            batch.files |= generate.suite_files(config, worlds)
        yield batch


def _split_rows(folder: Path) -> dict[str, list[DrawnRow]]:
    files = _files(folder)
    if "all" not in files:
        return {split: list(_read_rows(file)) for split, file in files.items()}
    rows = list(_read_rows(files["all"]))
    places = _places(folder)
    for split, numbers in places.items():
        for number in numbers:
            if not 0 <= number < len(rows):
                raise UsageError(f"{split} names row {number} of {len(rows)}", file=str(files["all"]))
    return {split: [rows[number] for number in numbers] for split, numbers in places.items()}


def _places(folder: Path) -> dict[str, list[int]]:
    """GLC's splits_N.json: the numbers of the rows of each split."""
    file = next(iter(sorted(folder.glob("splits_*.json"))), None)
    if file is None:
        raise UsageError("expected train.jsonl, or splits_N.json and graphs_N.jsonl", file=str(folder))
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return {split: [int(number) for number in value.get(split, [])] for split in SPLITS}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"expected lists of row numbers by split ({error})", file=str(file)) from None


def _batch(config: Config, folder: Path, world: GraphWorld) -> Batch:
    theory = WorldTheory(world)
    rows = _split_rows(folder)
    if not any(rows.values()):
        raise UsageError("the world has no row", file=str(folder))
    verdicts = generate.verdicts_of(theory, ((row.label, row.chain) for group in rows.values() for row in group))
    grounds = generate.grounds_of(theory, rows, verdicts)
    samples = generate.samples_of(world, rows, grounds)
    figures = world_figures(world.name, _split(folder), rows, grounds)
    files = generate.world_files(config, world, figures, samples, generate.LONGEST_CLASH)
    place = original.world_folder(config, world.name, _split(folder))
    for name in ("config.json", "meta_graph.jsonl", "graph_prop.json"):
        if (folder / name).is_file():
            files[f"{place}/{name}"] = (folder / name).read_bytes()
    return Batch(samples, files, {"imported": len(samples)})


# A row of the original's JSON lines, in any of its versions -----------------------------------------------------------


def _read_rows(file: Path) -> Iterator[DrawnRow]:
    """The rows of a file."""
    for number, line in enumerate(_read_lines(file), start=1):
        if line.strip():
            yield _row(line, str(file), number)


def _read_lines(file: Path) -> Iterator[str]:
    """The lines of a file, one after the other."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", file=str(file)) from None


def _row(line: str, file: str, number: int) -> DrawnRow:
    try:
        value = json.loads(line)
        edges = tuple([_edge(edge) for edge in value["edges"]])
        source, sink, label = _query(value)
        path = tuple([_node(node) for node in value.get("resolution_path") or ()])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise UsageError(
            f"expected a row with edges [[node, node, label], ...], query [node, node, label] and resolution_path "
            f"({type(error).__name__}: {error})",
            file=file,
            line=number,
        ) from None
    if not edges:
        raise UsageError("a row without edges", file=file, line=number)
    if path and (path[0], path[-1]) != (source, sink):
        message = f"the resolution path leads from {path[0]} to {path[-1]}, not from {source} to {sink}"
        raise UsageError(message, file=file, line=number)
    chain = _chain(edges, path, value.get("descriptor")) if path else None
    nodes = len({node for edge in edges for node in edge[:2]})
    return DrawnRow(edges, label, path if chain else (source, sink), chain or (), nodes)


def _edge(edge: Any) -> Edge:
    source, sink, label = edge
    return _node(source), _node(sink), _checked_label(label)


def _node(node: Any) -> int:
    number = -1 if isinstance(node, float) and not node.is_integer() else int(node)
    if not 0 <= number <= MOST:
        raise ValueError(f"expected the number of a node, found {node!r}")
    return number


def _checked_label(label: Any) -> str:
    """A label that descriptors and lists of edges can be written with."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise ValueError(f"expected a label without blanks, commas, semicolons, bars and brackets, found {label!r}")
    return label


def _query(value: Any) -> tuple[int, int, str]:
    """The two nodes and the label; the newest files keep the label apart."""
    query = value["query"]
    label = query[2] if len(query) > 2 else value["target"]
    return _node(query[0]), _node(query[1]), _checked_label(label)


def _chain(edges: tuple[Edge, ...], path: tuple[int, ...], descriptor: Any) -> Chain | None:
    """The labels along the path; where a pair has several, the one that the descriptor names."""
    labels: dict[tuple[int, int], list[str]] = {}
    for source, sink, label in edges:
        labels.setdefault((source, sink), []).append(label)
    steps = [labels.get(pair, []) for pair in pairwise(path)]
    if not all(steps):
        return None
    named = str(descriptor).split(",") if descriptor else []
    if len(named) == len(steps) and all(name in step for name, step in zip(named, steps, strict=True)):
        return tuple(named)
    return tuple(step[0] for step in steps)
