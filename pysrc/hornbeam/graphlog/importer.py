"""Published worlds: the folders of GraphLog v1.0 and v1.1, and those of its successor GLC."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch
from hornbeam.graphlog import original, prolog_text
from hornbeam.graphlog.config import Config, Rows
from hornbeam.graphlog.descriptors import SPLITS
from hornbeam.graphlog.import_rows import ReadRow, checked_label, read_lines, read_rows
from hornbeam.graphlog.logic import Theory
from hornbeam.graphlog.making import LONGEST_CLASH, with_meta, world_file
from hornbeam.graphlog.records import Grounds, derivable, to_sample
from hornbeam.graphlog.rows import Row
from hornbeam.graphlog.statistics import Tally
from hornbeam.graphlog.world import Rule, World

_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Folder:
    """A world's folder, and the split of the suite to which it belongs."""

    path: Path
    split: str

    @property
    def name(self) -> str:
        return self.path.name


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
            raise UsageError(f"two worlds have the name {folder.name}", file=str(folder.path))
        if not _NAME.fullmatch(folder.name):
            raise UsageError("expected a folder's name of letters, digits, - and _", file=str(folder.path))
    worlds = [_world(folder, backwards) for folder in folders]
    config = Config(
        profile="imported",
        inverses=backwards,
        row_format=_row_format(folders[0]),
        relations=max(3, min(60, max(len(world.labels) for world in worlds) // 2)),
        rows=Rows(train=1, valid=0, test=0),
        imported={folder.name: folder.split for folder in folders},  # type: ignore[misc]
    )
    return config, with_meta(config, _batches(config, folders, worlds))


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise UsageError(f"inverses: expected true or false, found '{text}'")
    return text == "true"


# Folders --------------------------------------------------------------------------------------------------------------


def _folders(path: Path) -> list[Folder]:
    """The world folders at or below a path, in the order of their numbers."""
    if not path.is_dir():
        raise UsageError("expected a world's folder, or a folder of worlds", file=str(path))
    found = sorted({file.parent for file in path.rglob("config.json") if _has_rows(file.parent)}, key=_number)
    if not found:
        raise UsageError("there is no world here: expected folders with config.json and train.jsonl", file=str(path))
    return [Folder(folder, folder.parent.name if folder.parent.name in SPLITS else "train") for folder in found]


def _has_rows(folder: Path) -> bool:
    return (folder / "train.jsonl").is_file() or any(folder.glob("graphs_*.jsonl"))


def _number(folder: Path) -> tuple[int, str]:
    digits = re.search(r"(\d+)$", folder.name)
    return (int(digits[1]) if digits else 0, str(folder))


def _row_format(folder: Folder) -> Any:
    """v1.1 if the rows carry descriptors."""
    file = next(iter(_files(folder.path).values()))
    return "v1.1" if '"descriptor"' in next(read_lines(file), "") else "v1.0"


def _files(folder: Path) -> dict[str, Path]:
    found = {split: folder / f"{split}.jsonl" for split in SPLITS if (folder / f"{split}.jsonl").is_file()}
    return found or {"all": next(iter(sorted(folder.glob("graphs_*.jsonl"))))}


def _world(folder: Folder, backwards: bool) -> World:
    """The rules of config.json: unary ones are inverses, binary ones rules."""
    path = folder.path / "config.json"
    rules: list[Rule] = []
    inverses: dict[str, str] = {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["rules"]
        for entry in entries:
            if isinstance(entry["body"], str):
                label, inverse = map(checked_label, (entry["body"], entry["head"]))
                inverses |= {label: inverse, inverse: label}
            else:
                first, second = entry["body"]
                rules.append(Rule(*map(checked_label, (first, second, entry["head"]))))
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise UsageError(
            f"expected JSON with a list of rules, each with body and head ({type(error).__name__}: {error})",
            file=str(path),
        ) from None
    if not rules:
        raise UsageError("there is no rule with a body of two relations", file=str(path))
    return World(folder.name, tuple(rules), tuple(sorted(inverses.items())), backwards and bool(inverses))


# Rows -----------------------------------------------------------------------------------------------------------------


def _batches(config: Config, folders: Sequence[Folder], worlds: Sequence[World]) -> Iterator[Batch]:
    for index, (folder, world) in enumerate(zip(folders, worlds, strict=True)):
        batch = _batch(config, folder, world)
        if index == 0:
            batch.files["rules.pl"] = prolog_text.rules_file(worlds).encode()
            batch.files["relations.pl"] = prolog_text.relations_file(worlds).encode()
            batch.files[original.label_file(config)] = original.dump(original.label_numbers(worlds))
        yield batch


def _split_rows(folder: Path) -> dict[str, list[ReadRow]]:
    files = _files(folder)
    if "all" not in files:
        return {split: list(read_rows(file)) for split, file in files.items()}
    rows = list(read_rows(files["all"]))
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
        raise UsageError("expected train.jsonl, or splits_N.json beside graphs_N.jsonl", file=str(folder))
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return {split: [int(number) for number in value.get(split, [])] for split in SPLITS}
    except (ValueError, TypeError, AttributeError) as error:
        raise UsageError(f"expected lists of row numbers by split ({error})", file=str(file)) from None


def _batch(config: Config, folder: Folder, world: World) -> Batch:
    theory = Theory(world)
    rows = _split_rows(folder.path)
    if not any(rows.values()):
        raise UsageError("the world has no row", file=str(folder.path))
    grounds = _grounds(theory, rows)
    tally = Tally(world.name, folder.split)
    samples = []
    for split, found in rows.items():
        for number, row in enumerate(found):
            why = grounds[row.label, row.chain]
            drawn = Row(row.edges, row.label, row.path, row.chain, row.nodes)
            samples.append(to_sample(drawn, number, world.name, split, why))
            depth = why.certificate.depth if why.certificate else None
            tally.add(split, row.label, row.chain, row.nodes, row.edges, why.derivable, depth)
    place = original.world_folder(config, world.name, folder.split)
    files = original.row_files(config, place, world, samples)
    for name in ("config.json", "meta_graph.jsonl", "graph_prop.json"):
        if (folder.path / name).is_file():
            files[f"{place}/{name}"] = (folder.path / name).read_bytes()
    files[f"worlds/{world.name}.pl"] = prolog_text.clause_file(world).encode()
    files |= world_file(world, tally, None, LONGEST_CLASH)
    return Batch(samples, files, {"imported": len(samples)})


def _grounds(theory: Theory, rows: Mapping[str, Sequence[ReadRow]]) -> dict[tuple[str, tuple[str, ...]], Grounds]:
    used = list(dict.fromkeys((row.label, row.chain) for found in rows.values() for row in found))
    verdicts = theory.verdicts([chain for _, chain in used])
    certificates = theory.certificates([(chain, label) for label, chain in used])
    return {
        (label, chain): Grounds(derivable(verdict.by_rules, label), certificate)
        for (label, chain), verdict, certificate in zip(used, verdicts, certificates, strict=True)
    }
